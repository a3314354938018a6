/** The title of a view, in words. */
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
  if (view.name === 'topics') return `Topics of #${channelName(chat, view.channelId)}`
  if (view.name !== 'messages') return titles[view.name]
  if (view.terms.length === 0) return t('All messages')
  if (conversation !== undefined) return conversationName(chat, conversation)
  return view.terms.map((term) => describeTerm(chat, term)).join(', ')
}

const describeTerm = (chat: Chat, { operator, operand, negated }: Term): string => {
  const text = describeOperand(chat, operator, operand)
  return negated ? t('not {text}', { text }) : text
}

const describeOperand = (chat: Chat, operator: string, operand: Term['operand']): string => {
  if (operator === 'is') return properties[String(operand)] ?? `is ${operand}`
  if (operator === 'search') return `Search: ${operand}`
  if (operator === 'channel') return `#${typeof operand === 'number' ? channelName(chat, operand) : operand}`
  if (operator === 'sender' && typeof operand === 'number') return `from ${userName(chat, operand)}`
  if (operator === 'dm-including' && typeof operand === 'number') return `with ${userName(chat, operand)}`
  if (Array.isArray(operand)) return `with ${operand.map((id) => userName(chat, id)).join(', ')}`
  return `${operator} ${operand}`
}
