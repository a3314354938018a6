/** What can complete the word of a search at the cursor. */

import { findChannels, findUsers } from '../finding/find.js'
import { findKnownTopics, type KnownTopic } from '../finding/known-topics.js'
import { t } from '../languages/t.js'
import { plainText } from '../messages/rendered/plain-text.js'
import type { Chat } from '../realm/chat.js'
import { channelName, topicName } from '../realm/names.js'
import { findPastSearches } from './past-searches.js'
import {
  fixedOperands,
  formatWord,
  operators,
  parseSearch,
  type SearchWord,
  splitSearch,
  userOperand,
} from './search-terms.js'

/** One completion. */
export interface SearchSuggestion {
  /** the whole text of the search with it */
  text: string
  label: string
  detail: string
  /** the search is complete with it, and can be carried out */
  isComplete: boolean
  /** whom or what it proposes */
  userId?: number
  channelId?: number
  /** the search that the user made before */
  pastSearch?: string
}

const MAX_PAST = 5
const MAX_PAST_WHILE_TYPING = 3
const MAX_SUGGESTIONS = 9
const MAX_PEOPLE = 3
const MAX_CHANNELS = 3
const MAX_TOPICS = 4

/** Topics that the server found, of channels whose topics are not all known. */
type FoundTopics = readonly KnownTopic[]

/** Completes the word at the cursor, and proposes past searches. In an empty field, past searches come first. */
export const suggestSearch = (
  chat: Chat,
  text: string,
  cursor: number,
  found: FoundTopics = [],
): SearchSuggestion[] => {
  const past = cursor < text.length ? [] : proposePast(chat, text)
  const completed = completeWord(chat, text, cursor, found)
  return text.trim() === '' ? [...past, ...completed] : [...completed, ...past]
}

const proposePast = (chat: Chat, text: string): SearchSuggestion[] =>
  findPastSearches(chat.ownUserId, text)
    .slice(0, text.trim() === '' ? MAX_PAST : MAX_PAST_WHILE_TYPING)
    .map((past) => ({ text: past, label: past, detail: t('Past search'), isComplete: true, pastSearch: past }))

/**
 * Returns the text by which topics are looked up for the word at the cursor. It comes with the channel in which they
 * are looked up. Undefined if none are.
 */
export const topicsToFind = (
  chat: Chat,
  text: string,
  cursor: number,
): { begin: string; channelId?: number } | undefined => {
  const words = splitSearch(text)
  const index = words.findIndex(({ start, end }) => start < cursor && cursor <= end)
  const word = words[index]
  if (word === undefined || (word.operator !== undefined && word.operator !== 'topic')) return undefined
  const begin =
    word.operator === undefined ? plainWords(text, words, firstPlainWord(words, index), index) : word.operand
  const channelId = searchedChannel(chat, words)
  if (begin.length < MIN_BEGIN) return undefined
  return channelId === undefined ? { begin } : { begin, channelId }
}

const MIN_BEGIN = 2

/** The first of the plain words that end with this one. */
const firstPlainWord = (words: readonly SearchWord[], index: number): number => {
  let first = index
  while (words[first - 1] !== undefined && words[first - 1]?.operator === undefined) first -= 1
  return first
}

/** The plain words from one to another, as they were typed. */
const plainWords = (text: string, words: readonly SearchWord[], from: number, to: number): string =>
  text.slice(words[from]?.start ?? 0, words[to]?.end ?? 0).replaceAll('"', '')

const completeWord = (chat: Chat, text: string, cursor: number, found: FoundTopics): SearchSuggestion[] => {
  const words = splitSearch(text)
  const index = words.findIndex(({ start, end }) => start < cursor && cursor <= end)
  const word = words[index]
  const [start, end] = word === undefined ? [cursor, cursor] : [word.start, word.end]
  const replace = (replacement: string) => text.slice(0, start) + replacement + text.slice(end)
  if (word?.operator === undefined) {
    const typed = (word?.operand ?? '').toLowerCase()
    const negated = typed.startsWith('-')
    const completed = operators
      .filter(({ name }) => name.startsWith(negated ? typed.slice(1) : typed))
      .map(({ name, example, description }) => ({
        text: replace(`${negated ? '-' : ''}${name}:`),
        label: `${negated ? '-' : ''}${name}:${example}`,
        detail: description,
        isComplete: false,
      }))
    return word === undefined || negated
      ? completed
      : [...completed.slice(0, 3), ...propose(chat, text, words, index, found)]
  }
  const { operator, operand, negated } = word
  return operandsOf(chat, operator, operand, text, found)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ value, detail, ...pictured }) => {
      const completed = formatWord(operator, value, negated)
      return { text: `${replace(completed).trimEnd()} `, label: completed, detail, isComplete: true, ...pictured }
    })
}

/**
 * Proposes people, channels and topics for the plain words that end at the cursor: all of them together, or else the
 * last one.
 */
const propose = (
  chat: Chat,
  text: string,
  words: readonly SearchWord[],
  index: number,
  topics: FoundTopics,
): SearchSuggestion[] => {
  for (const from of new Set([firstPlainWord(words, index), index])) {
    const rest = { before: text.slice(0, words[from]?.start ?? 0), after: text.slice(words[index]?.end ?? 0) }
    const found = proposeFor(chat, plainWords(text, words, from, index), rest, words, topics)
    if (found.length > 0) return found
  }
  return []
}

const proposeFor = (
  chat: Chat,
  query: string,
  { before, after }: { before: string; after: string },
  words: readonly SearchWord[],
  found: FoundTopics,
): SearchSuggestion[] => {
  const proposal = (label: string, detail: string, ...terms: [operator: string, operand: string][]) => ({
    text: `${before}${terms.map(([operator, operand]) => formatWord(operator, operand)).join(' ')}${after}`
      .trimEnd()
      .concat(' '),
    label,
    detail,
    isComplete: true,
  })
  const has = (...names: string[]) => words.some(({ operator }) => operator !== undefined && names.includes(operator))
  // No message is both in a channel and a direct one.
  const isDirect =
    has('dm', 'dm-including') || words.some(({ operator, operand }) => operator === 'is' && operand === 'dm')
  const isInChannel = has('channel', 'topic', 'channels')
  const people = findUsers(chat, query)
    .slice(0, MAX_PEOPLE)
    .flatMap(({ user_id: userId, full_name: name }) => {
      const operand = userOperand(chat, userId)
      const own = userId === chat.ownUserId
      const from = own ? 'me' : operand
      return [
        ...(has('sender')
          ? []
          : [
              {
                ...proposal(name, own ? t('Messages from you') : t('Messages from {name}', { name }), ['sender', from]),
                userId,
              },
            ]),
        ...(isDirect || isInChannel || chat.ownUserId === undefined
          ? []
          : [
              {
                ...proposal(
                  name,
                  own ? t('Direct messages with yourself') : t('Direct messages with {name}', { name }),
                  ['dm', operand],
                ),
                userId,
              },
            ]),
      ]
    })
  if (isDirect) return people
  const channels = has('channel')
    ? []
    : findChannels(chat, query)
        .slice(0, MAX_CHANNELS)
        .map(({ stream_id: channelId, name }) => ({
          ...proposal(`#${name}`, t('Messages in the channel'), ['channel', name]),
          channelId,
        }))
  const channelId = searchedChannel(chat, words)
  const topics = has('topic')
    ? []
    : findTopics(chat, query, channelId, found)
        .slice(0, MAX_TOPICS)
        .map((topic) => ({
          ...proposal(
            `#${channelName(chat, topic.channelId)} › ${topicName(chat, topic.name)}`,
            t('Messages in the topic'),
            ...(channelId === undefined ? [['channel', channelName(chat, topic.channelId)] as [string, string]] : []),
            ['topic', topic.name],
          ),
          channelId: topic.channelId,
        }))
  return [...people, ...channels, ...topics]
}

interface Operand {
  value: string
  detail: string
  userId?: number
  channelId?: number
}

/** The known topics, and those that the server found and whose names match now. */
const findTopics = (chat: Chat, query: string, channelId: number | undefined, found: FoundTopics): KnownTopic[] => {
  const known = findKnownTopics(chat, query, channelId)
  const keyOf = (topic: KnownTopic) => `${topic.channelId} ${topic.name.toLowerCase()}`
  const keys = new Set(known.map(keyOf))
  const wanted = query.toLowerCase()
  const others = found.filter(
    (topic) =>
      (channelId === undefined || topic.channelId === channelId) &&
      topic.name.toLowerCase().startsWith(wanted) &&
      !keys.has(keyOf(topic)),
  )
  return [...known, ...others]
}

const operandsOf = (chat: Chat, operator: string, typed: string, text: string, found: FoundTopics): Operand[] => {
  if (operator === 'channel') {
    return findChannels(chat, typed)
      .slice(0, MAX_SUGGESTIONS)
      .map(({ name, rendered_description, stream_id: channelId }) => ({
        value: name,
        detail: plainText(rendered_description),
        channelId,
      }))
  }
  if (operator === 'sender' || operator === 'dm' || operator === 'dm-including') {
    const before = operator === 'sender' ? '' : typed.slice(0, typed.lastIndexOf(',') + 1)
    return findUsers(chat, typed.slice(before.length).trim())
      .slice(0, MAX_SUGGESTIONS)
      .map(({ user_id: userId, delivery_email, email }) => ({
        value: before + userOperand(chat, userId),
        detail: delivery_email ?? email,
        userId,
      }))
  }
  if (operator === 'topic') {
    const channelId = searchedChannel(chat, splitSearch(text))
    return findTopics(chat, typed, channelId, found).map(({ name, channelId: in_ }) => ({
      value: name,
      detail: `#${channelName(chat, in_)}`,
    }))
  }
  const fixed = fixedOperands[operator] ?? []
  return fixed.filter((value) => value.startsWith(typed)).map((value) => ({ value, detail: '' }))
}

const searchedChannel = (chat: Chat, words: readonly SearchWord[]): number | undefined => {
  const channel = words.find(({ operator }) => operator === 'channel')
  if (channel === undefined) return undefined
  const parsed = parseSearch(chat, formatWord('channel', channel.operand))
  const operand = 'view' in parsed && parsed.view.name === 'messages' ? parsed.view.terms[0]?.operand : undefined
  return typeof operand === 'number' ? operand : undefined
}
