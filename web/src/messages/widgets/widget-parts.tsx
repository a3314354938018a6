/** What polls and to-do lists share: their actions, their title, and fields of one line. */

import type { Message } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { t } from '../../languages/t.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { succeeds } from '../../ui/status-line.js'
import { countCharacters, TextLimit } from '../../ui/text-limit.js'

/** Acts on a widget. The event of the submessage changes what is shown. @returns whether it succeeded */
export const act = (chat: Chat, message: Message, action: Record<string, unknown>): Promise<boolean> =>
  succeeds(
    chat.client.call('POST /submessage', {
      message_id: message.id,
      msg_type: 'widget',
      content: JSON.stringify(action),
    }),
  )

/** Computes how long a text of an action may be. A submessage, as JSON, is at most as long as a message. */
export const limitOfText = (chat: Chat, text: string, action: Record<string, unknown>): number | undefined => {
  const { max_message_length: most } = chat.organization.value
  return most === undefined ? undefined : most - countCharacters(JSON.stringify(action)) + countCharacters(text)
}

interface WidgetTitleProps {
  message: Message
  title: string
  label: string
  /** the action that changes the title */
  compose: (title: string) => Record<string, unknown>
}

/** The title, which only the author can change. */
export const WidgetTitle = ({ message, title, label, compose }: WidgetTitleProps) => {
  const chat = useChat()
  const isEditing = useSignal(false)
  if (isEditing.value) {
    return (
      <LineForm
        label={label}
        initial={title}
        compose={compose}
        onSubmit={async (text) => {
          if (text !== title && text !== '' && !(await act(chat, message, compose(text)))) return false
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
          {t('Change')}
        </button>
      )}
    </h2>
  )
}

interface AddFieldProps {
  message: Message
  label: string
  /** the action that adds the text */
  compose: (text: string) => Record<string, unknown>
}

/** A field that adds a line to a list; for a visitor, nothing. */
export const AddField = ({ message, label, compose }: AddFieldProps) => {
  const chat = useChat()
  if (chat.ownUserId === undefined) return null
  return (
    <LineForm
      label={label}
      initial=""
      compose={compose}
      onSubmit={async (text) => text !== '' && act(chat, message, compose(text))}
    />
  )
}

interface LineFormProps {
  label: string
  initial: string
  compose: (text: string) => Record<string, unknown>
  /** @returns whether the text is no longer needed */
  onSubmit: (text: string) => Promise<boolean>
}

/** A field of one line with its button. */
const LineForm = ({ label, initial, compose, onSubmit }: LineFormProps) => {
  const chat = useChat()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const text = useSignal(initial)
  const written = text.value.trim()
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
        ref={field}
        dir="auto"
        aria-label={label}
        aria-describedby={id}
        placeholder={label}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
      <button type="submit" class="button" disabled={written === ''}>
        {initial === '' ? t('Add') : t('Save')}
      </button>
      <TextLimit id={id} field={field} text={written} most={limitOfText(chat, written, compose(written))} />
    </form>
  )
}
