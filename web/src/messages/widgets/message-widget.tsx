/** Polls and to-do lists in messages. Each click is a submessage; the event of it changes what is shown. */
import type { Message } from '@parley/client'
import { useMemo } from 'preact/hooks'
import { Poll } from './poll.js'
import { TodoList } from './todo-list.js'
import { computeWidget, type WidgetState } from './widget-state.js'
import './widgets.css'

/** The widget of a message; undefined if it has none that can be shown. */
export const useWidget = (message: Message): WidgetState | undefined =>
  useMemo(() => computeWidget(message.submessages, message.sender_id), [message.submessages])

/** Shows a widget. */
export const MessageWidget = ({ message, state }: { message: Message; state: WidgetState }) =>
  state.type === 'poll' ? <Poll message={message} state={state} /> : <TodoList message={message} state={state} />
