/** What can complete the word of a search at the cursor. */
import { findChannels, findTopics, findUsers } from '../compose/suggestions.js'
import type { Chat } from '../realm/chat.js'
import { topicName } from '../realm/names.js'
import { fixedOperands, formatWord, operators, parseSearch, splitSearch, userOperand } from './search-terms.js'

/** One completion. */
export interface SearchSuggestion {
  /** the whole text of the search with it */
  text: string
  label: string
  detail: string
  /** the search is complete with it, and can be carried out */
  isComplete: boolean
}

const MAX_SUGGESTIONS = 9

/** Completes the word at the cursor. */
export const suggestSearch = (chat: Chat, text: string, cursor: number): SearchSuggestion[] => {
  const word = splitSearch(text).find(({ start, end }) => start < cursor && cursor <= end)
  const [start, end] = word === undefined ? [cursor, cursor] : [word.start, word.end]
  const replace = (replacement: string) => text.slice(0, start) + replacement + text.slice(end)
  if (word?.operator === undefined) {
    const typed = (word?.operand ?? '').toLowerCase()
    const negated = typed.startsWith('-')
    return operators
      .filter(({ name }) => name.startsWith(negated ? typed.slice(1) : typed))
      .map(({ name, example, description }) => ({
        text: replace(`${negated ? '-' : ''}${name}:`),
        label: `${negated ? '-' : ''}${name}:${example}`,
        detail: description,
        isComplete: false,
      }))
  }
  const { operator, operand, negated } = word
  return operandsOf(chat, operator, operand, text)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ value, detail }) => {
      const completed = formatWord(operator, value, negated)
      return { text: `${replace(completed).trimEnd()} `, label: completed, detail, isComplete: true }
    })
}

const operandsOf = (chat: Chat, operator: string, typed: string, text: string): { value: string; detail: string }[] => {
  if (operator === 'channel') {
    return findChannels(chat, typed).map(({ name, description }) => ({ value: name, detail: description }))
  }
  if (operator === 'sender' || operator === 'dm' || operator === 'dm-including') {
    const before = operator === 'sender' ? '' : typed.slice(0, typed.lastIndexOf(',') + 1)
    return findUsers(chat, typed.slice(before.length).trim())
      .slice(0, MAX_SUGGESTIONS)
      .map(({ user_id, delivery_email, email }) => ({
        value: before + userOperand(chat, user_id),
        detail: delivery_email ?? email,
      }))
  }
  if (operator === 'topic') {
    const channelId = searchedChannel(chat, text)
    if (channelId === undefined) return []
    return findTopics(chat, channelId, typed).map((name) => ({ value: name, detail: topicName(chat, name) }))
  }
  const fixed = fixedOperands[operator] ?? []
  return fixed.filter((value) => value.startsWith(typed)).map((value) => ({ value, detail: '' }))
}

const searchedChannel = (chat: Chat, text: string): number | undefined => {
  const channel = splitSearch(text).find(({ operator }) => operator === 'channel')
  if (channel === undefined) return undefined
  const parsed = parseSearch(chat, formatWord('channel', channel.operand))
  const operand = 'view' in parsed && parsed.view.name === 'messages' ? parsed.view.terms[0]?.operand : undefined
  return typeof operand === 'number' ? operand : undefined
}
