import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import type { Term } from '../routing/fragment.js'

/**
 * Explains why the view of a link shows nothing. The link names a channel or people who are not known. Undefined for
 * other views.
 */
export const findDeadLink = (chat: Chat, terms: readonly Term[]): string | undefined => {
  for (const { operator, operand } of terms) {
    if (operator === 'channel' && !isChannel(chat, operand)) {
      return t('This link leads to a channel that does not exist any more, or that you may not read.')
    }
    if ((operator === 'dm' || operator === 'dm-including' || operator === 'sender') && !areUsers(chat, operand)) {
      return t('This link leads to a person who does not exist, or whom you may not see.')
    }
  }
  return undefined
}

const isChannel = (chat: Chat, operand: Term['operand']): boolean => {
  const channels = chat.channels.value
  if (typeof operand === 'number') return channels.has(operand)
  return [...channels.values()].some(({ name }) => name.toLowerCase() === String(operand).toLowerCase())
}

const areUsers = (chat: Chat, operand: Term['operand']): boolean => {
  if (typeof operand === 'string') return true
  const ids = Array.isArray(operand) ? operand : [operand]
  return ids.length > 0 && ids.every((id) => chat.users.value.has(id))
}
