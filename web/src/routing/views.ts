/** The views of conversations, and the conversation that a view shows. */
import type { Term, View } from './fragment.js'

/** Where a message can be sent: what a narrow must be about to have a compose box of its own. */
export type Conversation =
  | { kind: 'topic'; channelId: number; topic: string }
  | { kind: 'channel'; channelId: number }
  | { kind: 'direct'; userIds: number[] }

/** Where a message can be sent without a further choice: a message to a channel needs a topic. */
export type SendableConversation = Exclude<Conversation, { kind: 'channel' }>

const term = (operator: string, operand: Term['operand']): Term => ({ operator, operand, negated: false })

/** All messages of a channel. */
export const channelView = (channelId: number): View => ({ name: 'messages', terms: [term('channel', channelId)] })

/** The list of the topics of a channel. */
export const topicsView = (channelId: number): View => ({ name: 'topics', channelId })

/** The messages of a topic; `near` is the message at which the list opens. */
export const topicView = (channelId: number, topic: string, near?: number): View => ({
  name: 'messages',
  terms: [term('channel', channelId), term('topic', topic)],
  ...(near !== undefined && { near }),
})

/** A conversation of direct messages; `userIds` are the other participants. */
export const directView = (userIds: number[], near?: number): View => ({
  name: 'messages',
  terms: [term('dm', userIds)],
  ...(near !== undefined && { near }),
})

/** The messages with a property: `mentioned`, `starred`, `dm`, `unread`. */
export const propertyView = (property: string): View => ({ name: 'messages', terms: [term('is', property)] })

/** The view of a conversation. */
export const conversationView = (conversation: Conversation, near?: number): View => {
  if (conversation.kind === 'direct') return directView(conversation.userIds, near)
  if (conversation.kind === 'topic') return topicView(conversation.channelId, conversation.topic, near)
  return channelView(conversation.channelId)
}

/** Returns the conversation that the terms of a narrow name. Undefined for a search, and for several conversations. */
export const conversationOf = (terms: readonly Term[]): Conversation | undefined => {
  if (terms.some((each) => each.negated)) return undefined
  const operand = (operator: string) => terms.find((each) => each.operator === operator)?.operand
  const [channelId, topic, userIds] = [operand('channel'), operand('topic'), operand('dm')]
  if (terms.length === 1 && Array.isArray(userIds)) return { kind: 'direct', userIds }
  if (typeof channelId !== 'number') return undefined
  if (terms.length === 1) return { kind: 'channel', channelId }
  if (terms.length === 2 && typeof topic === 'string') return { kind: 'topic', channelId, topic }
  return undefined
}

/** Returns the conversation that a view shows. Undefined for a search, and for several conversations. */
export const shownConversation = (view: View): Conversation | undefined => {
  if (view.name === 'topics') return { kind: 'channel', channelId: view.channelId }
  return view.name === 'messages' ? conversationOf(view.terms) : undefined
}

/** Returns a text that is equal for two views of the same messages. It does not depend on where their lists open. */
export const viewKey = (view: View): string => {
  if (view.name === 'topics') return `topics ${view.channelId}`
  return view.name !== 'messages'
    ? view.name
    : JSON.stringify(view.terms.map(({ operator, operand, negated }) => [operator, operand, negated]))
}
