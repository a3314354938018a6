/**
 * The narrow language: which messages a client asks for.
 *
 * Two steps, because their refusals differ. `parseNarrow` reads the parameter, knowing nothing of the realm
 * (BAD_REQUEST). `understand` resolves names and operands on the realm's state (BAD_NARROW); what it returns says in
 * ids and flags what store/messages/narrow/conditions.ts turns into SQL. All conditions must hold.
 *
 * Source: messages.md section 1.
 */

import { limits } from '../../limits/limits.js'
import type { ChannelRow, UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { isGuest } from '../../permissions/permissions.js'
import { canonicalOperator } from '../../protocol/aliases.js'
import { errors } from '../../protocol/errors.js'
import { anyMention, Flag } from '../flags.js'
import { emptyTopicName } from '../message.js'
import { readsHistory } from '../reading.js'
import { accountNamed } from '../recipients.js'

export type Operand = string | number | readonly number[]

/** A term as the client wrote it, checked for its shape. */
export interface Term {
  operator: string
  operand: Operand
  negated: boolean
}

/** What one term asks of a message. */
export type Test =
  | { test: 'channel'; channel_ids: readonly number[] }
  | { test: 'topic'; topic: string }
  | { test: 'resolved' }
  | { test: 'direct' }
  /** the conversation of exactly these people, ids ascending; null: no conversation at all */
  | { test: 'conversation'; user_ids: readonly number[] | null }
  | { test: 'direct-with'; user_id: number; groupsOnly: boolean }
  | { test: 'sender'; user_id: number }
  | { test: 'id'; message_id: number }
  /** any of these flags, in the reader's own rows or in everybody's */
  | { test: 'flag'; flags: number }
  | { test: 'unread' }
  /** in what the reader has muted; with a channel, its topics alone decide */
  | { test: 'muted'; inChannel: boolean }
  /** in a topic that the reader follows */
  | { test: 'followed' }
  | { test: 'has'; what: (typeof parts)[number] }
  /** all the words, and these phrases to the letter */
  | { test: 'search'; text: string; phrases: readonly string[] }

const parts = ['attachment', 'image', 'link', 'reaction'] as const

export type Condition = Test & { negated: boolean }

/** A narrow whose names are resolved. */
export interface Narrow {
  conditions: readonly Condition[]
  /** reaches messages that the reader never received (1.6) */
  includesHistory: boolean
}

/** The conditions of standing in a channel, or in one topic of it. */
export const inPlace = (channel_id: number, topic: string | null): Condition[] => [
  { test: 'channel', channel_ids: [channel_id], negated: false },
  ...(topic === null ? [] : [{ test: 'topic', topic, negated: false } as const]),
]

// What an operand may be, by operator; of the others it is a string.
const stringOrId = ['channel', 'stream', 'id', 'sender', 'group-pm-with', 'dm-including', 'with']
const stringOrIds = ['pm-with', 'dm']

/** Throws BAD_REQUEST for a narrow of too many terms. */
export const checkTerms = ({ length }: readonly unknown[]): void => {
  if (length > limits.max_narrow_terms) {
    throw errors.badRequest(`A narrow may have at most ${limits.max_narrow_terms} terms.`)
  }
}

/** Reads a narrow, each term an object or a pair of strings. Throws BAD_REQUEST for the first malformed one. */
export const parseNarrow = (list: readonly unknown[]): Term[] => {
  checkTerms(list)
  return list.map((element, i) => {
    const fault = (what: string) => errors.badRequest(`narrow[${i}] cannot be used: ${what}`)
    if (Array.isArray(element)) {
      const [operator, operand] = element
      if (element.length !== 2 || typeof operator !== 'string' || typeof operand !== 'string') {
        throw fault('a list must be of two texts')
      }
      return { operator, operand: checkedOperand(operator, operand), negated: false }
    }
    if (typeof element !== 'object' || element === null) throw fault('it must be an object or a list')
    const { operator, operand, negated = false } = element as Record<string, unknown>
    if (operand === undefined || operand === null) throw fault('operand is missing')
    if (operator === undefined || operator === null) throw fault('operator is missing')
    if (typeof operator !== 'string') throw errors.badRequest(`narrow[${i}]["operator"] must be text.`)
    if (typeof negated !== 'boolean') throw errors.badRequest(`narrow[${i}]["negated"] must be true or false.`)
    return { operator, operand: checkedOperand(operator, operand), negated }
  })
}

const checkedOperand = (operator: string, operand: unknown): Operand => {
  if (stringOrId.includes(operator)) {
    if (typeof operand === 'string' || Number.isSafeInteger(operand)) return operand as Operand
    throw errors.badRequest('operand must be text or an integer')
  }
  if (stringOrIds.includes(operator)) {
    if (typeof operand === 'string') return operand
    if (Array.isArray(operand) && operand.every((id) => Number.isSafeInteger(id))) return operand as number[]
    throw errors.badRequest('operand must be text or a list of integers')
  }
  if (typeof operand !== 'string') throw errors.badRequest('operand must be text')
  if (operator === 'search' && operand.trim() === '') throw errors.badRequest('operand must not be blank')
  if (operator === 'search' && operand.length > limits.max_search_length) {
    throw errors.badRequest(`operand may have at most ${limits.max_search_length} characters`)
  }
  return operand
}

/** The name of an operator that has several. */
export const operatorOf = ({ operator }: Term): string => canonicalOperator(operator)

/** Older clients write the display name of the empty topic; the first topic term may. */
export const withEmptyTopic = (terms: readonly Term[]): Term[] => {
  const first = terms.findIndex((term) => term.operator === 'topic')
  return terms.map((term, i) => (i === first && term.operand === emptyTopicName ? { ...term, operand: '' } : term))
}

const bad = (desc: string) => errors.badNarrow({ desc })

/**
 * Resolves a narrow for this reader; undefined is a spectator.
 * Throws BAD_NARROW for what is unknown, and for what no message can be.
 */
export const resolveNarrow = (state: RealmState, reader: UserRow | undefined, terms: readonly Term[]): Narrow => {
  const inChannel = terms.some((term) => operatorOf(term) === 'channel')
  const conditions: Condition[] = []
  for (const term of withOneSearch(terms)) {
    const condition = conditionOf({ state, reader, inChannel }, term)
    if (condition === undefined) continue
    conditions.push(condition)
    if (isContradictory(conditions)) throw bad('no message is both a channel message and a direct message')
  }
  return { conditions, includesHistory: includesHistory(state, reader, terms) }
}

interface Context {
  state: RealmState
  reader: UserRow | undefined
  inChannel: boolean
}

/** What a term asks; undefined when it changes nothing. */
const conditionOf = (context: Context, term: Term): Condition | undefined => {
  const { state, reader } = context
  const { operand, negated } = term
  switch (operatorOf(term)) {
    case 'channel':
      return { test: 'channel', channel_ids: [channelOf(context, operand as string | number).id], negated }
    case 'channels':
      return { test: 'channel', channel_ids: channelsOf(state, operand), negated }
    case 'topic':
      return { test: 'topic', topic: operand as string, negated }
    case 'dm':
      return { test: 'conversation', user_ids: conversationOf(context, operand as string | number[]), negated }
    case 'dm-including':
      return { test: 'direct-with', user_id: userOf(context, operand), groupsOnly: false, negated }
    case 'group-pm-with':
      return { test: 'direct-with', user_id: userOf(context, operand), groupsOnly: true, negated }
    case 'sender':
      return { test: 'sender', user_id: userOf(context, operand), negated }
    case 'id':
      return { test: 'id', message_id: messageIdOf(operand), negated }
    case 'is':
      return isCondition(context, operand as string, negated)
    case 'has':
      return { test: 'has', what: partOf(operand), negated }
    case 'in':
      if (operand === 'all') return undefined
      if (operand !== 'home' || reader === undefined) throw bad(`unknown 'in' operand ${operand}`)
      return { test: 'muted', inChannel: context.inChannel, negated: !negated }
    case 'near':
      return undefined
    case 'search':
      return { test: 'search', text: operand as string, phrases: phrasesIn(operand as string), negated }
    default:
      throw bad(`unknown operator ${term.operator}`)
  }
}

const isCondition = ({ inChannel }: Context, operand: string, negated: boolean): Condition => {
  switch (operand) {
    case 'dm':
    case 'private':
      return { test: 'direct', negated }
    case 'starred':
      return { test: 'flag', flags: Flag.starred, negated }
    case 'mentioned':
      return { test: 'flag', flags: anyMention, negated }
    case 'alerted':
      return { test: 'flag', flags: Flag.has_alert_word, negated }
    case 'unread':
      return { test: 'unread', negated }
    case 'resolved':
      return { test: 'resolved', negated }
    case 'muted':
      return { test: 'muted', inChannel, negated }
    case 'followed':
      return { test: 'followed', negated }
    default:
      throw bad(`unknown 'is' operand ${operand}`)
  }
}

const partOf = (operand: Operand) => {
  const part = parts.find((one) => one === operand)
  if (part === undefined) throw bad(`unknown 'has' operand ${operand}`)
  return part
}

const isSearch = ({ operator, negated }: Term): boolean => operator === 'search' && !negated

/** What is searched for in several terms is one search. */
const withOneSearch = (terms: readonly Term[]): readonly Term[] => {
  const searches = terms.filter(isSearch)
  const [first] = searches
  if (first === undefined || searches.length === 1) return terms
  const operand = searches.map((term) => term.operand).join(' ')
  return [...terms.filter((term) => !isSearch(term)), { ...first, operand }]
}

const phrasesIn = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"/g)].map(([, phrase = '']) => phrase.trim()).filter((phrase) => phrase !== '')

/** What a narrow searches for. */
export const searchedFor = ({ conditions }: Narrow): string | undefined => {
  for (const condition of conditions) if (condition.test === 'search' && !condition.negated) return condition.text
  return undefined
}

const channelNamed = (state: RealmState, named: string | number): ChannelRow | undefined =>
  typeof named === 'number' ? state.channels.get(named) : state.channelByName(named)

const channelOf = ({ state, reader }: Context, named: string | number): ChannelRow => {
  const channel = channelNamed(state, named)
  if (reader === undefined && channel?.is_web_public !== true) throw bad(`unknown web-public channel ${named}`)
  if (channel === undefined) throw bad(`unknown channel ${named}`)
  return channel
}

const channelsOf = (state: RealmState, operand: Operand): number[] => {
  if (operand !== 'public' && operand !== 'web-public') throw bad(`unknown channels operand ${operand}`)
  const found = [...state.channels.values()].filter(
    (channel) => !channel.invite_only && (operand === 'public' || channel.is_web_public),
  )
  return found.map(({ id }) => id)
}

const userOf = ({ state, reader }: Context, operand: Operand): number => {
  const user = accountNamed(state, reader, operand as string | number)
  if (user === undefined) throw bad(`unknown user ${operand}`)
  return user.id
}

/** The people of a conversation, the reader included. */
const conversationOf = ({ state, reader }: Context, operand: string | readonly number[]): number[] | null => {
  const named = typeof operand === 'string' ? operand.split(',').map((email) => email.trim()) : operand
  const users = named.filter((one) => one !== '').map((one) => accountNamed(state, reader, one))
  const ids = new Set<number>()
  for (const user of users) {
    if (user === undefined)
      throw bad(`unknown user in ${typeof operand === 'string' ? operand : `[${operand.join(', ')}]`}`)
    ids.add(user.id)
  }
  if (ids.size === 0 || reader === undefined) return null
  return [...ids.add(reader.id)].sort((a, b) => a - b)
}

/** Existing clients' ids fit in 32 bits, and so do ours as far as they are asked for one by one. */
const MAX_MESSAGE_ID = 2_147_483_647

const messageIdOf = (operand: Operand): number => {
  const id = typeof operand === 'string' && !/^\d+$/.test(operand) ? Number.NaN : Number(operand)
  if (!(id >= 0 && id <= MAX_MESSAGE_ID)) throw bad('no message has this ID')
  return id
}

const isContradictory = (conditions: readonly Condition[]): boolean => {
  const has = (negated: boolean, ...tests: Test['test'][]) =>
    conditions.some((condition) => condition.negated === negated && tests.includes(condition.test))
  const namesPeople = has(false, 'conversation', 'direct-with')
  return (
    (namesPeople && has(true, 'direct')) || ((namesPeople || has(false, 'direct')) && has(false, 'channel', 'topic'))
  )
}

const includesHistory = (state: RealmState, reader: UserRow | undefined, terms: readonly Term[]): boolean => {
  if (reader === undefined) return true
  let includes = false
  for (const term of terms) {
    const { operand, negated } = term
    const operator = operatorOf(term)
    if (operator === 'is' && operand !== 'resolved') return false
    if (negated) continue
    if (operator === 'channel') {
      const channel = channelNamed(state, operand as string | number)
      const isClosed = channel === undefined || (channel.is_archived && channel.invite_only)
      includes = !isClosed && readsHistory(state, reader, channel)
    } else if (operator === 'channels' && operand === 'public' && !isGuest(reader)) {
      includes = true
    }
  }
  return includes
}

const spectatorOperators = ['channel', 'channels', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with']

/** What a caller without credentials asks for, made fit; undefined when they may not ask that (1.7). */
export const narrowOfSpectator = (terms: readonly Term[]): Term[] | undefined => {
  const rest = terms.filter((term) => !(term.operator === 'in' && term.operand === 'home' && !term.negated))
  const isPublic = rest.some(
    (term) => operatorOf(term) === 'channels' && term.operand === 'web-public' && !term.negated,
  )
  const isPlain = rest.every(
    (term) => spectatorOperators.includes(operatorOf(term)) || (term.operator === 'is' && term.operand === 'resolved'),
  )
  return isPublic && isPlain ? rest : undefined
}
