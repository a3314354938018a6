/** Polls and to-do lists in messages. Each click is a submessage; the event of it changes what is shown. */
import type { Message } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { type Chat, useChat } from '../../realm/chat.js'
import { userName } from '../../realm/names.js'
import { attempt } from '../actions/open-action.js'
import { computeWidget, nextNumber, type PollOption, type Task, type WidgetState } from './widget-state.js'
import './widgets.css'

/** The widget of a message; undefined if it has none that can be shown. */
export const useWidget = (message: Message): WidgetState | undefined =>
  useMemo(() => computeWidget(message.submessages, message.sender_id), [message.submessages])

/** Shows a widget. */
export const MessageWidget = ({ message, state }: { message: Message; state: WidgetState }) =>
  state.type === 'poll' ? <Poll message={message} state={state} /> : <TodoList message={message} state={state} />

const act = (chat: Chat, message: Message, action: Record<string, unknown>): Promise<void> =>
  attempt(
    chat.client.call('POST /submessage', {
      message_id: message.id,
      msg_type: 'widget',
      content: JSON.stringify(action),
    }),
  )

const Poll = ({ message, state }: { message: Message; state: Extract<WidgetState, { type: 'poll' }> }) => {
  const chat = useChat()
  const most = Math.max(1, ...state.options.map(({ voters }) => voters.size))
  const keys = state.options.map(({ key }) => key)
  return (
    <section class="widget-frame" aria-label="Poll">
      <WidgetTitle
        message={message}
        title={state.question || 'Poll'}
        label="Question"
        onChange={(question) => act(chat, message, { type: 'question', question })}
      />
      <ul class="widget-list">
        {state.options.map((option) => (
          <PollRow key={option.key} message={message} option={option} most={most} />
        ))}
      </ul>
      <AddField
        label="Add an option"
        onAdd={(option) =>
          act(chat, message, { type: 'new_option', idx: nextNumber(keys, chat.ownUserId ?? 0), option })
        }
      />
    </section>
  )
}

const PollRow = ({ message, option, most }: { message: Message; option: PollOption; most: number }) => {
  const chat = useChat()
  const bar = useRef<HTMLSpanElement>(null)
  const { key, text, voters } = option
  const hasVoted = chat.ownUserId !== undefined && voters.has(chat.ownUserId)
  const names = [...voters].map((id) => (id === chat.ownUserId ? 'You' : userName(chat, id))).join(', ')
  useLayoutEffect(() => bar.current?.style.setProperty('width', `${(voters.size / most) * 100}%`), [voters.size, most])
  return (
    <li class="poll-row">
      <button
        type="button"
        class="poll-vote"
        aria-pressed={hasVoted}
        aria-label={`Vote for ${text}: ${voters.size} ${voters.size === 1 ? 'vote' : 'votes'}`}
        disabled={chat.ownUserId === undefined}
        onClick={() => act(chat, message, { type: 'vote', key, vote: hasVoted ? -1 : 1 })}
      >
        {voters.size}
      </button>
      <div class="poll-option">
        <span class="poll-bar" ref={bar} />
        <span dir="auto">{text}</span>
        {names !== '' && <span class="poll-voters">{names}</span>}
      </div>
    </li>
  )
}

const TodoList = ({ message, state }: { message: Message; state: Extract<WidgetState, { type: 'todo' }> }) => {
  const chat = useChat()
  const keys = state.tasks.map(({ key }) => key)
  return (
    <section class="widget-frame" aria-label="To-do list">
      <WidgetTitle
        message={message}
        title={state.title || 'To-do list'}
        label="Title"
        onChange={(title) => act(chat, message, { type: 'new_task_list_title', title })}
      />
      <ul class="widget-list">
        {state.tasks.map((task) => (
          <TaskRow key={task.key} message={message} task={task} />
        ))}
      </ul>
      <AddField
        label="Add a task"
        onAdd={(task) =>
          act(chat, message, {
            type: 'new_task',
            key: nextNumber(keys, chat.ownUserId ?? 0),
            task,
            desc: '',
            completed: false,
          })
        }
      />
    </section>
  )
}

const TaskRow = ({ message, task: { key, text, description, isDone } }: { message: Message; task: Task }) => {
  const chat = useChat()
  return (
    <li>
      <label class={isDone ? 'task-row task-done' : 'task-row'}>
        <input
          type="checkbox"
          checked={isDone}
          disabled={chat.ownUserId === undefined}
          onChange={() => act(chat, message, { type: 'strike', key })}
        />
        <span dir="auto">
          <strong>{text}</strong>
          {description !== '' && `: ${description}`}
        </span>
      </label>
    </li>
  )
}

interface WidgetTitleProps {
  message: Message
  title: string
  label: string
  onChange: (title: string) => Promise<void>
}

/** The title, which only the author can change. */
const WidgetTitle = ({ message, title, label, onChange }: WidgetTitleProps) => {
  const chat = useChat()
  const isEditing = useSignal(false)
  if (isEditing.value) {
    return (
      <LineForm
        label={label}
        initial={title}
        onSubmit={async (text) => {
          if (text !== title && text !== '') await onChange(text)
          isEditing.value = false
        }}
      />
    )
  }
  return (
    <h3 class="widget-title" dir="auto">
      {title}
      {chat.ownUserId === message.sender_id && (
        <button
          type="button"
          class="widget-edit"
          onClick={() => {
            isEditing.value = true
          }}
        >
          Change
        </button>
      )}
    </h3>
  )
}

const AddField = ({ label, onAdd }: { label: string; onAdd: (text: string) => Promise<void> }) => {
  const chat = useChat()
  if (chat.ownUserId === undefined) return null
  return <LineForm label={label} initial="" onSubmit={async (text) => text !== '' && (await onAdd(text))} />
}

interface LineFormProps {
  label: string
  initial: string
  onSubmit: (text: string) => Promise<unknown>
}

/** A field of one line with its button. */
const LineForm = ({ label, initial, onSubmit }: LineFormProps) => {
  const text = useSignal(initial)
  return (
    <form
      class="widget-form"
      onSubmit={async (event) => {
        event.preventDefault()
        await onSubmit(text.value.trim())
        text.value = ''
      }}
    >
      <input
        class="text-field"
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
      <button type="submit" class="button" disabled={text.value.trim() === ''}>
        {initial === '' ? 'Add' : 'Save'}
      </button>
    </form>
  )
}
