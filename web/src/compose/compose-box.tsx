/** A box in which the user writes a message of a conversation. */
import { useSignal } from '@preact/signals'
import { useChat } from '../realm/chat.js'
import type { Conversation } from '../routing/views.js'

interface ComposeBoxProps {
  conversation: Exclude<Conversation, { kind: 'channel' }>
  label: string
}

/** The compose box. Enter sends, Shift and Enter begin a new line. */
export const ComposeBox = ({ conversation, label }: ComposeBoxProps) => {
  const chat = useChat()
  const content = useSignal('')
  const failure = useSignal('')
  const send = async () => {
    const text = content.value.trim()
    if (text === '') return
    try {
      await chat.client.call('POST /messages', {
        ...(conversation.kind === 'direct'
          ? { type: 'direct' as const, to: JSON.stringify(conversation.userIds) }
          : { type: 'channel' as const, to: String(conversation.channelId), topic: conversation.topic }),
        content: text,
      })
      content.value = ''
      failure.value = ''
    } catch (error) {
      failure.value = (error as Error).message
    }
  }
  return (
    <div class="compose-box">
      {failure.value !== '' && (
        <p class="error-note" role="alert">
          {failure.value}
        </p>
      )}
      <textarea
        class="text-field compose-text"
        id="compose"
        rows={2}
        placeholder={label}
        aria-label={label}
        value={content.value}
        onInput={(event) => {
          content.value = event.currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          void send()
        }}
      />
    </div>
  )
}
