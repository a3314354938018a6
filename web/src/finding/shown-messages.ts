/** The messages that are open: who takes part in a conversation is proposed first. */
import type { Message } from '@parley/client'
import type { OpenWindow } from '../realm/chat.js'

let shown: OpenWindow | undefined

/** Names the window whose messages are shown. It does so until the returned function is called. */
export const showWindow = (window: OpenWindow | undefined): (() => void) => {
  shown = window
  return () => {
    if (shown === window) shown = undefined
  }
}

/**
 * Lists the senders of the open messages, the latest first. The messages are those of a channel, or direct messages.
 */
export const sendersOf = (channelId: number | undefined): number[] => {
  const isThere = (message: Message) => (message.type === 'stream' ? message.stream_id : undefined) === channelId
  const senders = (shown?.get().messages ?? []).filter(isThere).map(({ sender_id }) => sender_id)
  return [...new Set(senders.reverse())]
}
