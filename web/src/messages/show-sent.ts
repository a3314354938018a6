/** What a user sends is shown: the list goes to its end, also from far above. */
import { untracked, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { outboxOf } from '../compose/outbox.js'
import { useChat } from '../realm/chat.js'
import { type Conversation, conversationOf } from '../routing/views.js'
import type { MessagesView } from './open-window.js'

/** Calls `show` when the user has sent a message that belongs into the view. */
export const useShowSent = (view: MessagesView, show: () => void): void => {
  const { lastSent } = outboxOf(useChat())
  const shown = useRef(lastSent.peek())
  const latest = useRef({ view, show })
  latest.current = { view, show }
  useSignalEffect(() => {
    const sent = lastSent.value
    if (sent === undefined || sent === shown.current) return
    shown.current = sent
    if (isIn(sent.conversation, latest.current.view)) untracked(latest.current.show)
  })
}

/** Whether a view has the messages of a conversation: it is that conversation, its channel, or everything. */
const isIn = (conversation: Conversation, { terms }: MessagesView): boolean => {
  if (terms.length === 0) return true
  if (terms.length === 1 && terms[0]?.operator === 'is' && terms[0].operand === 'dm' && !terms[0].negated) {
    return conversation.kind === 'direct'
  }
  const shown = conversationOf(terms)
  if (shown?.kind === 'channel') return conversation.kind === 'topic' && conversation.channelId === shown.channelId
  return JSON.stringify(shown) === JSON.stringify(conversation)
}
