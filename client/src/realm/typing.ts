/** Who types now. A notice expires, because the event of its end can be lost with its sender. */
import { channelConversation, directConversation } from './conversations.js'
import { createRows, type Section } from './section.js'

/** Creates the section. @param selfId returns the id of the user */
export const createTyping = (selfId: () => number) => {
  const typing = createRows<string, ReadonlySet<number>>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let expiryMs = 45_000

  const stop = (conversation: string, userId: number) => {
    const name = `${conversation} ${userId}`
    clearTimeout(timers.get(name))
    timers.delete(name)
    const others = new Set(typing.get().get(conversation))
    if (!others.delete(userId)) return
    if (others.size === 0) typing.remove([conversation])
    else typing.put(conversation, others)
  }
  const start = (conversation: string, userId: number) => {
    const name = `${conversation} ${userId}`
    clearTimeout(timers.get(name))
    timers.set(
      name,
      setTimeout(() => stop(conversation, userId), expiryMs),
    )
    const users = typing.get().get(conversation)
    if (!users?.has(userId)) typing.put(conversation, new Set(users).add(userId))
  }
  const clear = () => {
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
    typing.set(new Map())
  }

  const section: Section = {
    load({ server_typing_started_expiry_period_milliseconds }) {
      expiryMs = server_typing_started_expiry_period_milliseconds ?? expiryMs
      clear()
    },
    handlers: {
      typing({ op, sender, stream_id, topic = '', recipients = [] }) {
        if (sender.user_id === selfId()) return
        const conversation =
          stream_id === undefined
            ? directConversation(recipients.map(({ user_id }) => user_id))
            : channelConversation(stream_id, topic)
        if (op === 'start') start(conversation, sender.user_id)
        else stop(conversation, sender.user_id)
      },
      message({ message }) {
        // A sender who has sent does not type any more.
        const { type, stream_id = 0, subject, display_recipient, sender_id } = message
        if (type === 'stream') stop(channelConversation(stream_id, subject), sender_id)
        else if (typeof display_recipient !== 'string')
          stop(directConversation(display_recipient.map(({ id }) => id)), sender_id)
      },
    },
  }
  return { section, typing, clear }
}
