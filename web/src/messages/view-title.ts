/** The title of a view, in words. */
import { listNames } from '../languages/lists.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import { channelName, conversationName, userName } from '../realm/names.js'
import type { Term, View } from '../routing/fragment.js'
import { shownConversation } from '../routing/views.js'

const properties: Record<string, string> = {
  mentioned: t('Mentions'),
  starred: t('Starred messages'),
  dm: t('Direct messages'),
  unread: t('Unread messages'),
  followed: t('Followed topics'),
  resolved: t('Resolved topics'),
  alerted: t('Alert words'),
}

const titles: Readonly<Record<Exclude<View['name'], 'messages' | 'topics'>, string>> = {
  inbox: t('Inbox'),
  recent: t('Recent conversations'),
  drafts: t('Drafts'),
  scheduled: t('Scheduled messages'),
  reminders: t('Reminders'),
  unknown: t('Nothing is here'),
}

/** The title of a view. */
export const viewTitle = (chat: Chat, view: View): string => {
  const conversation = shownConversation(view)
  if (view.name === 'topics') return t('Topics of #{channel}', { channel: channelName(chat, view.channelId) })
  if (view.name !== 'messages') return titles[view.name]
  if (view.terms.length === 0) return t('All messages')
  if (conversation !== undefined) return conversationName(chat, conversation)
  return listNames(view.terms.map((term) => describeTerm(chat, term)))
}

const describeTerm = (chat: Chat, { operator, operand, negated }: Term): string => {
  const condition = describeOperand(chat, operator, operand)
  return negated ? t('not {condition}', { condition }) : condition
}

const describeOperand = (chat: Chat, operator: string, operand: Term['operand']): string => {
  if (operator === 'is') return properties[String(operand)] ?? `is ${operand}`
  if (operator === 'search') return t('Search: {words}', { words: String(operand) })
  if (operator === 'channel') return `#${typeof operand === 'number' ? channelName(chat, operand) : operand}`
  if (operator === 'sender' && typeof operand === 'number') return t('from {name}', { name: userName(chat, operand) })
  if (operator === 'dm-including' && typeof operand === 'number')
    return t('with {people}', { people: userName(chat, operand) })
  if (Array.isArray(operand)) return t('with {people}', { people: listNames(operand.map((id) => userName(chat, id))) })
  return `${operator} ${operand}`
}
