/** What polls and to-do lists share: their actions, their title, and fields of one line. */
import type { Message } from '@parley/client'
import { useSignal } from '@preact/signals'
import { type Chat, useChat } from '../../realm/chat.js'
import { succeeds } from '../../ui/status-line.js'

/** Acts on a widget. The event of the submessage changes what is shown. @returns whether it succeeded */
export const act = (chat: Chat, message: Message, action: Record<string, unknown>): Promise<boolean> =>
  succeeds(
    chat.client.call('POST /submessage', {
      message_id: message.id,
      msg_type: 'widget',
      content: JSON.stringify(action),
    }),
  )

interface WidgetTitleProps {
  message: Message
  title: string
  label: string
  /** @returns whether it succeeded */
  onChange: (title: string) => Promise<boolean>
}

/** The title, which only the author can change. */
export const WidgetTitle = ({ message, title, label, onChange }: WidgetTitleProps) => {
  const chat = useChat()
  const isEditing = useSignal(false)
  if (isEditing.value) {
    return (
      <LineForm
        label={label}
        initial={title}
        onSubmit={async (text) => {
          if (text !== title && text !== '' && !(await onChange(text))) return false
          isEditing.value = false
          return true
        }}
      />
    )
  }
  return (
    <h2 class="widget-title" dir="auto">
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
    </h2>
  )
}

/** A field that adds a line to a list; for a visitor, nothing. */
export const AddField = ({ label, onAdd }: { label: string; onAdd: (text: string) => Promise<boolean> }) => {
  const chat = useChat()
  if (chat.ownUserId === undefined) return null
  return <LineForm label={label} initial="" onSubmit={async (text) => text !== '' && onAdd(text)} />
}

interface LineFormProps {
  label: string
  initial: string
  /** @returns whether the text is no longer needed */
  onSubmit: (text: string) => Promise<boolean>
}

/** A field of one line with its button. */
const LineForm = ({ label, initial, onSubmit }: LineFormProps) => {
  const text = useSignal(initial)
  return (
    <form
      class="widget-form"
      onSubmit={async (event) => {
        event.preventDefault()
        if (await onSubmit(text.value.trim())) text.value = ''
      }}
    >
      <input
        class="text-field"
        dir="auto"
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
