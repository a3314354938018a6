/**
 * The text of a search, and the narrow that it means: `channel:general sender:me is:starred some words`.
 *
 * An operand with spaces is written in quotation marks. A minus sign before an operator excludes.
 */

import { operatorName } from '#rules/narrow-links.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import { channelName } from '../realm/names.js'
import type { Term, View } from '../routing/fragment.js'

/** One word of a search, where it is in the text, and what it says. */
export interface SearchWord {
  start: number
  end: number
  negated: boolean
  /** undefined for a plain word */
  operator: string | undefined
  operand: string
}

/** The operators, with what stands after each. */
export const operators = [
  { name: 'channel', example: 'general', description: t('in a channel') },
  { name: 'topic', example: '"release plan"', description: t('in a topic') },
  { name: 'sender', example: 'me', description: t('sent by a person') },
  { name: 'dm', example: 'name', description: t('direct messages with exactly these people') },
  { name: 'dm-including', example: 'name', description: t('direct messages that a person takes part in') },
  { name: 'is', example: 'starred', description: t('with a property') },
  { name: 'has', example: 'link', description: t('that contain something') },
  { name: 'near', example: '123', description: t('around a message, by its number') },
  { name: 'id', example: '123', description: t('one message, by its number') },
  { name: 'in', example: 'home', description: t('without muted conversations') },
  { name: 'channels', example: 'public', description: t('in all channels of a kind') },
] as const

/** The operands of the operators that have only these. */
export const fixedOperands: Record<string, readonly string[]> = {
  is: ['dm', 'starred', 'mentioned', 'unread', 'alerted', 'resolved', 'followed', 'muted'],
  has: ['link', 'image', 'attachment', 'reaction'],
  in: ['home', 'all'],
  channels: ['public', 'web-public'],
}

const known = new Set<string>(operators.map(({ name }) => name))

/** Splits the text of a search into its words. */
export const splitSearch = (text: string): SearchWord[] => {
  const pattern = /(-?)([a-z-]+):(?:"([^"]*)"?|(\S*))|"[^"]*"?|\S+/g
  return [...text.matchAll(pattern)].map((match) => {
    const [whole, minus, operator, quoted, bare] = match
    const place = { start: match.index, end: match.index + whole.length }
    if (operator === undefined || !known.has(operatorName(operator))) {
      return { ...place, negated: false, operator: undefined, operand: whole }
    }
    return {
      ...place,
      negated: minus === '-',
      operator: operatorName(operator),
      operand: quoted ?? bare ?? '',
    }
  })
}

/** What a search means, or what is wrong with it. */
export type SearchResult = { view: View } | { problem: string }

/** Reads the text of a search. */
export const parseSearch = (chat: Chat, text: string): SearchResult => {
  const terms: Term[] = []
  const words: string[] = []
  let near: number | undefined
  for (const { operator, operand, negated } of splitSearch(text)) {
    if (operator === undefined) {
      words.push(operand)
      continue
    }
    if (operand === '' && operator !== 'topic')
      return { problem: t('Write what comes after {operator}:', { operator }) }
    if (operator === 'near') {
      near = Number(operand)
      if (!Number.isSafeInteger(near)) return { problem: t('near: is followed by the number of a message.') }
      continue
    }
    // A term of this operator names one person.
    for (const named of operator === 'dm-including' ? operand.split(',') : [operand]) {
      const resolved = resolveOperand(chat, operator, named.trim())
      if (resolved === undefined) return { problem: t('Nothing here is called “{name}”.', { name: named.trim() }) }
      terms.push({ operator, operand: resolved, negated })
    }
  }
  if (words.length > 0) terms.push({ operator: 'search', operand: words.join(' '), negated: false })
  return { view: { name: 'messages', terms, ...(near !== undefined && { near }) } }
}

const resolveOperand = (chat: Chat, operator: string, operand: string): Term['operand'] | undefined => {
  if (operator === 'channel') return findChannelId(chat, operand)
  if (operator === 'sender' || operator === 'dm-including') return findUserId(chat, operand)
  if (operator === 'dm') {
    const ids = operand.split(',').map((name) => findUserId(chat, name.trim()))
    return ids.includes(undefined) ? undefined : (ids as number[])
  }
  const allowed = fixedOperands[operator]
  return allowed === undefined || allowed.includes(operand) ? operand : undefined
}

const findChannelId = (chat: Chat, name: string): number | undefined => {
  const wanted = name.replace(/^#/, '').toLowerCase()
  for (const channel of chat.channels.value.values())
    if (channel.name.toLowerCase() === wanted) return channel.stream_id
  return undefined
}

/** A user is named by the name, by the address, or by both with the id: `Ada Low|7`. */
const findUserId = (chat: Chat, name: string): number | undefined => {
  const wanted = name.toLowerCase()
  if (wanted === 'me') return chat.ownUserId
  const id = /\|(\d+)$/.exec(name)?.[1]
  if (id !== undefined) return chat.users.value.has(Number(id)) ? Number(id) : undefined
  const users = [...chat.users.value.values()]
  return (
    users.find(({ full_name }) => full_name.toLowerCase() === wanted) ??
    users.find(
      ({ email, delivery_email }) => email.toLowerCase() === wanted || delivery_email?.toLowerCase() === wanted,
    )
  )?.user_id
}

/** Writes a user as an operand: with the id, if several users have the name. */
export const userOperand = (chat: Chat, userId: number): string => {
  const name = chat.users.value.get(userId)?.full_name ?? String(userId)
  const isOnly = [...chat.users.value.values()].filter(({ full_name }) => full_name === name).length === 1
  return isOnly ? name : `${name}|${userId}`
}

/** Writes one word of a search. */
export const formatWord = (operator: string, operand: string, negated = false): string =>
  `${negated ? '-' : ''}${operator}:${/[\s"]|^$/.test(operand) ? `"${operand.replaceAll('"', '')}"` : operand}`

/** Writes the view as the text of a search, so that the user can change it. */
export const formatSearch = (chat: Chat, view: View): string => {
  if (view.name !== 'messages') return ''
  const words = view.terms.map(({ operator, operand, negated }) => {
    if (operator === 'search') return String(operand)
    if (operator === 'channel' && typeof operand === 'number') {
      return formatWord('channel', channelName(chat, operand), negated)
    }
    if ((operator === 'sender' || operator === 'dm-including') && typeof operand === 'number') {
      return formatWord(operator, operand === chat.ownUserId ? 'me' : userOperand(chat, operand), negated)
    }
    if (Array.isArray(operand)) {
      return formatWord(operator, operand.map((id) => userOperand(chat, id)).join(','), negated)
    }
    return formatWord(operator, String(operand), negated)
  })
  if (view.near !== undefined) words.push(formatWord('near', String(view.near)))
  return words.join(' ')
}
