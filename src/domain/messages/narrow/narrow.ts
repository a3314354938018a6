/**
 * The narrow language: a filter on messages.
 *
 * Two steps, because their errors differ. `parseNarrow` parses the parameter without the realm (BAD_REQUEST).
 * `resolveNarrow` resolves names and operands on the realm's state (BAD_NARROW) by rules/src/narrow.ts; its result is a
 * list of conditions on ids and flags, which store/messages/narrow/conditions.ts turns into SQL. All conditions must
 * match.
 *
 * Source: protocol/messages.md 1.
 */

import { hasMetadataAccess, isOpenToSpectators } from '#rules/channel-access.js'
import {
  type Directory,
  namesChannel,
  type Operand,
  type Problem,
  type Condition as ResolvedTerm,
  resolveTerm,
  type Test as TermTest,
  termOperator,
} from '#rules/narrow.js'
import { isGuest } from '#rules/roles.js'
import { type Sentence, sentence } from '../../languages/texts.js'
import { limits } from '../../limits/limits.js'
import type { ChannelRow, UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { errors } from '../../protocol/errors.js'
import { parseSearch, type SearchQuery } from '../../search/query.js'
import { anyMention, Flag } from '../flags.js'
import { canReadHistory } from '../reading.js'
import { type AccessCheck, findAccount } from '../recipients.js'

/** A term as the client sent it, with a checked shape. */
export interface Term {
  operator: string
  operand: Operand
  negated: boolean
}

/** The test of one term: that of the rules, with the bits of flags and the terms of a search. */
export type Test =
  | Exclude<TermTest, { test: 'flag' | 'search' }>
  /** any of these flags, in the reader's own rows or in those of every subscriber */
  | { test: 'flag'; flags: number }
  /** `text` as it was typed, and its terms */
  | { test: 'search'; text: string; query: SearchQuery }

export type Condition = Test & { negated: boolean }

/** A narrow whose names are resolved. */
export interface Narrow {
  conditions: readonly Condition[]
  /** includes messages that the reader did not receive (1.6) */
  includesHistory: boolean
}

/** The conditions of being in a channel, or in one topic of it. */
export const topicConditions = (channel_id: number, topic: string | null): Condition[] => [
  { test: 'channel', channel_ids: [channel_id], negated: false },
  ...(topic === null ? [] : [{ test: 'topic', topic, negated: false } as const]),
]

// The types of an operand, by operator; all others take a string.
const stringOrId = ['channel', 'stream', 'id', 'sender', 'mentions', 'group-pm-with', 'dm-including', 'with']
const stringOrIds = ['pm-with', 'dm']

/** Throws BAD_REQUEST for a narrow with too many terms. */
export const checkTerms = ({ length }: readonly unknown[]): void => {
  if (length > limits.max_narrow_terms) {
    throw errors.badRequest('A narrow may have at most {max} terms.', {
      max: limits.max_narrow_terms,
    })
  }
}

/** Reads a narrow, each term an object or a pair of strings. Throws BAD_REQUEST for the first malformed one. */
export const parseNarrow = (list: readonly unknown[]): Term[] => {
  checkTerms(list)
  return list.map((element, i) => {
    const refuse = (problem: Sentence) =>
      errors.badRequest('narrow[{index}] cannot be used: {problem}', { index: i, problem })
    if (Array.isArray(element)) {
      const [operator, operand] = element
      if (element.length !== 2 || typeof operator !== 'string' || typeof operand !== 'string') {
        throw refuse(sentence('a list must be of two texts'))
      }
      return { operator, operand: checkOperand(operator, operand), negated: false }
    }
    if (typeof element !== 'object' || element === null) throw refuse(sentence('it must be an object or a list'))
    const { operator, operand, negated = false } = element as Record<string, unknown>
    if (operand === undefined || operand === null) throw refuse(sentence('operand is missing'))
    if (operator === undefined || operator === null) throw refuse(sentence('operator is missing'))
    if (typeof operator !== 'string')
      throw errors.badRequest('{name} must be text.', { name: `narrow[${i}]["operator"]` })
    if (typeof negated !== 'boolean') {
      throw errors.badRequest('{name} must be true or false.', { name: `narrow[${i}]["negated"]` })
    }
    return { operator, operand: checkOperand(operator, operand), negated }
  })
}

const checkOperand = (operator: string, operand: unknown): Operand => {
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
    throw errors.badRequest('operand may have at most {max} characters', {
      max: limits.max_search_length,
    })
  }
  return operand
}

const badNarrow = (desc: Sentence) => errors.badNarrow({ desc })

/**
 * Resolves a narrow for this reader; undefined is a spectator.
 * Throws BAD_NARROW for unknown names and operands, and for conditions that no message can match.
 * @param isKnown whether the reader has access to an account; needed only where guests are restricted
 */
export const resolveNarrow = (
  state: RealmState,
  reader: UserRow | undefined,
  terms: readonly Term[],
  isKnown?: AccessCheck,
): Narrow => {
  const [directory, inChannel] = [buildDirectory(state, reader, isKnown), namesChannel(terms)]
  const conditions: Condition[] = []
  for (const term of mergeSearchTerms(terms)) {
    const resolved = resolveTerm(directory, term, inChannel)
    if (resolved === undefined) continue
    if (typeof resolved === 'string') throw badNarrow(describeProblem(resolved, term, reader))
    conditions.push(completeCondition(resolved))
    if (isContradictory(conditions)) {
      throw badNarrow(sentence('no message is both a channel message and a direct message'))
    }
  }
  return { conditions, includesHistory: includesHistory(state, reader, terms) }
}

/** What the reader can name. */
const buildDirectory = (state: RealmState, reader: UserRow | undefined, isKnown?: AccessCheck): Directory => ({
  self: reader?.id,
  findChannel: (named) => findChannel(state, reader, named)?.id,
  findUser: (named) => findAccount(state, reader, named, isKnown)?.id,
  listChannels: (kind) =>
    [...state.channels.values()]
      .filter(
        (channel) =>
          !channel.invite_only &&
          (kind === 'public' || channel.is_web_public) &&
          (reader !== undefined || isOpenToSpectators(channel)),
      )
      .map(({ id }) => id),
})

const flagBits = { starred: Flag.starred, mentioned: anyMention, has_alert_word: Flag.has_alert_word }

const completeCondition = (condition: ResolvedTerm): Condition => {
  const { negated } = condition
  if (condition.test === 'flag') return { test: 'flag', flags: flagBits[condition.flag], negated }
  return condition.test === 'search' ? { ...condition, query: parseSearch(condition.text) } : condition
}

const describeProblem = (problem: Problem, { operator, operand }: Term, reader: UserRow | undefined): Sentence => {
  const named = Array.isArray(operand) ? operand.join() : (operand as string | number)
  switch (problem) {
    case 'operator':
      return sentence('unknown operator {operator}', { operator })
    case 'channel':
      return reader === undefined
        ? sentence('unknown web-public channel {channel}', { channel: named })
        : sentence('unknown channel {channel}', { channel: named })
    case 'channels':
      return sentence('unknown channels operand {operand}', { operand: named })
    case 'user':
      return sentence('unknown user {user}', { user: named })
    case 'users':
      return sentence('unknown user in {users}', {
        users: typeof operand === 'string' ? operand : `[${(operand as number[]).join(', ')}]`,
      })
    case 'message':
      return sentence('no message has this ID')
    default:
      return sentence('unknown “{operator}” operand {operand}', { operator: problem, operand: named })
  }
}

const isSearch = ({ operator, negated }: Term): boolean => operator === 'search' && !negated

/** Merges several search terms into one. */
const mergeSearchTerms = (terms: readonly Term[]): readonly Term[] => {
  const searches = terms.filter(isSearch)
  const [first] = searches
  if (first === undefined || searches.length === 1) return terms
  const operand = searches.map((term) => term.operand).join(' ')
  return [...terms.filter((term) => !isSearch(term)), { ...first, operand }]
}

/** What a narrow searches for; undefined: nothing. */
export const searchedQuery = ({ conditions }: Narrow): SearchQuery | undefined => {
  for (const condition of conditions) if (condition.test === 'search' && !condition.negated) return condition.query
  return undefined
}

/**
 * The channel, if it exists for the reader: a narrow must not tell whether a hidden one has this id or name. A former
 * subscriber knows the id, and their client may ask for the channel that it still shows: it gets an empty page.
 */
const findChannel = (
  state: RealmState,
  reader: UserRow | undefined,
  named: string | number,
): ChannelRow | undefined => {
  const channel = typeof named === 'number' ? state.channels.get(named) : state.channelByName(named)
  if (channel === undefined) return undefined
  if (reader === undefined) return isOpenToSpectators(channel) ? channel : undefined
  const isKnown =
    hasMetadataAccess(state, reader, channel) ||
    (typeof named === 'number' && state.userSubscriptions(reader.id).has(channel.id))
  return isKnown ? channel : undefined
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
    const operator = termOperator(term)
    // What a negated term finds has no flag of the reader, so it takes nothing away from the history.
    if (negated) continue
    if (operator === 'is' && operand !== 'resolved') return false
    if (operator === 'channel') {
      const channel = findChannel(state, reader, operand as string | number)
      const isClosed = channel === undefined || (channel.is_archived && channel.invite_only)
      includes = !isClosed && canReadHistory(state, reader, channel)
    } else if (operator === 'channels' && operand === 'public' && !isGuest(reader)) {
      includes = true
    }
  }
  return includes
}

const spectatorOperators = ['channel', 'channels', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with']

/**
 * Returns the terms of a caller without credentials. Returns undefined when a spectator may not use this narrow (1.7).
 */
export const checkSpectatorNarrow = (terms: readonly Term[]): Term[] | undefined => {
  const rest = terms.filter((term) => !(term.operator === 'in' && term.operand === 'home' && !term.negated))
  const isPublic = rest.some(
    (term) => termOperator(term) === 'channels' && term.operand === 'web-public' && !term.negated,
  )
  const isPlain = rest.every(
    (term) =>
      spectatorOperators.includes(termOperator(term)) || (term.operator === 'is' && term.operand === 'resolved'),
  )
  return isPublic && isPlain ? rest : undefined
}
