/** A to-do list in a message. Everyone adds tasks, which can have a description, and marks them as done. */

import type { Message } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { TextLimit } from '../../ui/text-limit.js'
import { act, limitOfText, WidgetTitle } from './widget-parts.js'
import { nextNumber, type Task, type WidgetState } from './widget-state.js'

interface TodoListProps {
  message: Message
  state: Extract<WidgetState, { type: 'todo' }>
}

/** Shows a to-do list. */
export const TodoList = ({ message, state }: TodoListProps) => {
  const chat = useChat()
  return (
    <section class="widget-frame" aria-label={t('To-do list')}>
      <WidgetTitle
        message={message}
        title={state.title || t('To-do list')}
        label={t('Title')}
        compose={(title) => ({ type: 'new_task_list_title', title })}
      />
      <ul class="widget-list">
        {state.tasks.map((task) => (
          <TaskRow key={task.key} message={message} task={task} />
        ))}
      </ul>
      {chat.ownUserId !== undefined && <TaskForm message={message} state={state} />}
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
        <span class="task-text">
          <strong dir="auto">{text}</strong>
          {description !== '' && (
            <span class="task-description" dir="auto">
              {description}
            </span>
          )}
        </span>
      </label>
    </li>
  )
}

/** The fields of a new task. The one for its description appears with its text. */
const TaskForm = ({ message, state }: TodoListProps) => {
  const chat = useChat()
  const text = useSignal('')
  const description = useSignal('')
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const id = useId()
  const task = text.value.trim()
  const desc = description.value.trim()
  const key = nextNumber(
    state.tasks.map((each) => each.key),
    chat.ownUserId ?? 0,
  )
  const action = { type: 'new_task', key, task, desc, completed: false }
  const add = async (event: Event) => {
    event.preventDefault()
    if (task === '' || !(await act(chat, message, action))) return
    text.value = ''
    description.value = ''
    first.current?.focus()
  }
  return (
    <form class="widget-form task-form" onSubmit={add}>
      <input
        class="text-field"
        dir="auto"
        ref={first}
        aria-label={t('Add a task')}
        aria-describedby={`${id}-task`}
        placeholder={t('Add a task')}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
      {(text.value !== '' || description.value !== '') && (
        <input
          class="text-field"
          ref={second}
          dir="auto"
          aria-describedby={`${id}-description`}
          aria-label={t('Description of the task')}
          placeholder={t('Description (optional)')}
          value={description.value}
          onInput={(event) => {
            description.value = event.currentTarget.value
          }}
        />
      )}
      <button type="submit" class="button" disabled={task === ''}>
        {t('Add')}
      </button>
      <TextLimit id={`${id}-task`} field={first} text={task} most={limitOfText(chat, task, action)} />
      <TextLimit id={`${id}-description`} field={second} text={desc} most={limitOfText(chat, desc, action)} />
    </form>
  )
}
