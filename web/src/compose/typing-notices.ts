/** Tells the other participants that the user types, as often as the server asks for it. */
import type { Chat } from '../realm/chat.js'
import type { SendableConversation } from '../routing/views.js'

/** The notices of one compose box. */
export interface TypingNotices {
  /** The user changed the text. */
  typed(conversation: SendableConversation): void
  /** The user sent the text, emptied it, or closed the box. */
  stopped(): void
}

const REPEAT_MS = 30_000
const STOP_MS = 12_000

/** Opens the notices of a box. */
export const openTypingNotices = (chat: Chat): TypingNotices => {
  const { server_typing_started_wait_period_milliseconds: repeatMs = REPEAT_MS } = chat.organization.peek()
  const { server_typing_stopped_wait_period_milliseconds: stopMs = STOP_MS } = chat.organization.peek()
  let told: { key: string; conversation: SendableConversation; at: number } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const tell = (op: 'start' | 'stop', conversation: SendableConversation) => {
    const place =
      conversation.kind === 'direct'
        ? { type: 'direct', to: conversation.userIds }
        : { type: 'channel', stream_id: conversation.channelId, topic: conversation.topic }
    // A notice that is lost is repeated, or expires.
    chat.client.call('POST /typing', { op, ...place }).catch(() => undefined)
  }
  const stopped = () => {
    clearTimeout(timer)
    if (told !== undefined) tell('stop', told.conversation)
    told = undefined
  }
  return {
    typed(conversation) {
      const settings = chat.settings.peek()
      const isWanted =
        conversation.kind === 'direct'
          ? settings.send_private_typing_notifications
          : settings.send_stream_typing_notifications
      if (isWanted === false) return
      const key = JSON.stringify(conversation)
      if (told !== undefined && told.key !== key) stopped()
      if (told === undefined || Date.now() - told.at > repeatMs) {
        told = { key, conversation, at: Date.now() }
        tell('start', conversation)
      }
      clearTimeout(timer)
      timer = setTimeout(stopped, stopMs)
    },
    stopped,
  }
}
