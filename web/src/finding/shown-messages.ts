/** The messages that are open: who takes part in a conversation is proposed first. */
import type { Message } from '@parley/client'
import type { OpenWindow } from '../realm/chat.js'

let shown: OpenWindow | undefined

/** Names the window whose messages are shown, until the returned function is called. */
export const showWindow = (window: OpenWindow | undefined): (() => void) => {
  shown = window
  return () => {
    if (shown === window) shown = undefined
  }
}

/** The senders of the open messages of a channel, or of the open direct messages, the latest first. */
export const sendersOf = (channelId: number | undefined): number[] => {
  const isThere = (message: Message) => (message.type === 'stream' ? message.stream_id : undefined) === channelId
  const senders = (shown?.get().messages ?? []).filter(isThere).map(({ sender_id }) => sender_id)
  return [...new Set(senders.reverse())]
}
