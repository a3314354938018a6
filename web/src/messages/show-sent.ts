/**
 * What a user sends is shown: the list goes to its end, also from far above. From a view without the conversation, the
 * page goes to the conversation if the user wants that.
 */
import { effect, untracked, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { chosenTarget, focusCompose } from '../compose/compose-target.js'
import { outboxOf } from '../compose/outbox.js'
import { type Chat, useChat } from '../realm/chat.js'
import { open, view as openView } from '../routing/location.js'
import { type Conversation, conversationOf, conversationView } from '../routing/views.js'
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

/**
 * Opens the conversation of each sent message that the open view does not show.
 * @returns a function that ends this
 */
export const openSent = (chat: Chat): (() => void) => {
  const { lastSent } = outboxOf(chat)
  let last = lastSent.peek()
  return effect(() => {
    const sent = lastSent.value
    if (sent === undefined || sent === last) return
    last = sent
    if (chat.settings.peek().web_navigate_to_sent_message === false) return
    const shown = openView.peek()
    if (shown.name === 'messages' && isIn(sent.conversation, shown)) return
    // The user writes on in the text field of the conversation.
    chosenTarget.value = undefined
    addEventListener('hashchange', focusCompose, { once: true })
    open(conversationView(sent.conversation))
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
