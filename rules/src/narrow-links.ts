/**
 * The fragments of narrows in links: `#narrow/channel/3-general/topic/greetings/near/95`.
 *
 * They are those of Zulip's links, so that a link which another client copied is understood, and the other way round.
 * Source: protocol/messages.md 6.4.
 */
import { decodePart, encodePart, slug } from './links.js'
import { canonicalOperator } from './narrow.js'

/** One term in a link. The operand of `channel` is an id or a name, that of `dm` the ids of the others. */
export interface LinkedTerm {
  operator: string
  operand: string | number | number[]
  negated: boolean
}

/** What a link shows, and where. */
export interface LinkedNarrow {
  terms: LinkedTerm[]
  /** the message at which the list opens */
  near?: number
  /** a message that says which topic is meant, also after the topic was moved */
  with?: number
}

/** Names that only links and searches have for operators. */
const aliases: Readonly<Record<string, string>> = { from: 'sender', subject: 'topic' }

/** The name that the server has for an operator of a link or of a search. */
export const operatorName = (input: string): string =>
  Object.hasOwn(aliases, input) ? (aliases[input] ?? input) : canonicalOperator(input)

/** The operators whose operand is one user. */
const userOperators: readonly string[] = ['sender', 'dm-including', 'group-pm-with', 'mentions']

/** What the name of a term looks like. */
const OPERATOR = /^-?[a-z][a-z-]*$/

/** Reads the parts of a fragment after `#narrow/`. Returns undefined for parts that are no narrow. */
export const parseNarrowParts = (parts: readonly string[]): LinkedNarrow | undefined => {
  if (parts.length === 0) return undefined
  const narrow: LinkedNarrow = { terms: [] }
  for (let i = 0; i < parts.length; i += 2) {
    const operator = parts[i]
    const operand = decodePart(parts[i + 1] ?? '')
    if (operator === undefined || !OPERATOR.test(operator) || operand === undefined) return undefined
    const term = parseTerm(operator, operand)
    if (term.operator === 'near' || term.operator === 'with') {
      const id = Number(operand)
      if (Number.isSafeInteger(id) && id > 0) narrow[term.operator] = id
    } else narrow.terms.push(term)
  }
  return narrow
}

const parseTerm = (text: string, operand: string): LinkedTerm => {
  const negated = text.startsWith('-')
  const operator = operatorName(negated ? text.slice(1) : text)
  if (operator === 'channel') return { operator, operand: parseChannel(operand), negated }
  if (operator === 'dm') return { operator, operand: parseUserIds(operand), negated }
  if (userOperators.includes(operator)) {
    const [id] = parseUserIds(operand)
    if (id !== undefined) return { operator, operand: id, negated }
  }
  return { operator, operand, negated }
}

/** `3-general` and `3` are ids; anything else is a name. */
const parseChannel = (operand: string): string | number => {
  const id = /^(\d+)(?:-|$)/.exec(operand)?.[1]
  return id === undefined ? operand : Number(id)
}

/** `5,7-dm`, `5-Ada-Low` and `5,7` are ids. */
const parseUserIds = (operand: string): number[] =>
  (/^(\d+(?:,\d+)*)(?:-|$)/.exec(operand)?.[1] ?? '').split(',').filter(Boolean).map(Number)

/** Names of channels and users by id, for the readable part of fragments. */
export interface Names {
  channel(id: number): string | undefined
  user(id: number): string | undefined
}

/** Writes the fragment of a narrow. Returns undefined for a narrow without terms and places, which has none. */
export const formatNarrow = (narrow: LinkedNarrow, names: Names): `#${string}` | undefined => {
  const places: string[] = []
  if (narrow.near !== undefined) places.push('near', String(narrow.near))
  if (narrow.with !== undefined) places.push('with', String(narrow.with))
  const terms = narrow.terms.flatMap((term) => [(term.negated ? '-' : '') + term.operator, formatOperand(term, names)])
  return terms.length === 0 && places.length === 0 ? undefined : `#narrow/${[...terms, ...places].join('/')}`
}

const formatOperand = ({ operator, operand }: LinkedTerm, names: Names): string => {
  if (operator === 'channel' && typeof operand === 'number') return channelSlug(operand, names)
  if (userOperators.includes(operator) && typeof operand === 'number') return userSlug([operand], names)
  if (Array.isArray(operand)) return userSlug(operand, names)
  return encodePart(String(operand))
}

const channelSlug = (id: number, names: Names): string => {
  const name = names.channel(id)
  return name === undefined ? String(id) : slug(id, name)
}

const userSlug = (ids: number[], names: Names): string => {
  if (ids.length !== 1) return `${ids.join(',')}-group`
  const name = names.user(ids[0] as number)
  return name === undefined ? `${ids[0]}-dm` : slug(ids[0] as number, name)
}
