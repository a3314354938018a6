/**
 * The fragments of addresses in the page: `#inbox`, `#narrow/channel/3-general/topic/greetings`, `#settings/profile`.
 *
 * They are those of Zulip's links, so that a link which another client copied opens here, and the other way round.
 * Characters are encoded as in a URL, with a dot instead of the percent sign, so that a fragment survives being pasted
 * anywhere.
 */
import { decodePart, encodePart, slug } from '#rules/links.js'
import { canonicalOperator } from '#rules/narrow.js'

/** One condition of a narrow. The operand of `channel` is an id or a name, that of `dm` the ids of the others. */
export interface Term {
  operator: string
  operand: string | number | number[]
  negated: boolean
}

/** A view of its own code, which is loaded when it is first opened. */
export type PlaceName = 'recent' | 'drafts' | 'scheduled' | 'reminders'

/** What the centre of the page shows. */
export type View =
  | { name: 'inbox' }
  | { name: PlaceName }
  /** the address leads nowhere */
  | { name: 'unknown'; fragment: string }
  | {
      name: 'messages'
      terms: Term[]
      /** the message at which the list opens */
      near?: number
      /** a message that says which topic is meant, also after the topic was moved */
      with?: number
    }

/** A dialog with an address, over a view: `#settings/profile` has the name `settings` and the path `['profile']`. */
export interface Overlay {
  name: string
  path: string[]
}

/** The place that a fragment names. */
export type Place = { view: View } | { overlay: Overlay }

/** Names that only links and searches have for operators. */
const aliases: Readonly<Record<string, string>> = { from: 'sender', subject: 'topic' }

/** The name that the server has for an operator of a link or of a search. */
export const operatorName = (given: string): string =>
  Object.hasOwn(aliases, given) ? (aliases[given] ?? given) : canonicalOperator(given)

/** The views that have one address, by all names that links have. */
const views: Readonly<Record<string, View>> = {
  inbox: { name: 'inbox' },
  recent: { name: 'recent' },
  recent_topics: { name: 'recent' },
  drafts: { name: 'drafts' },
  scheduled: { name: 'scheduled' },
  reminders: { name: 'reminders' },
  feed: { name: 'messages', terms: [] },
  all_messages: { name: 'messages', terms: [] },
  starred: { name: 'messages', terms: [{ operator: 'is', operand: 'starred', negated: false }] },
  mentions: { name: 'messages', terms: [{ operator: 'is', operand: 'mentioned', negated: false }] },
}
const overlays = new Set([
  'settings',
  'channels',
  'streams',
  'organization',
  'groups',
  'user',
  'about',
  'invite',
  'keyboard-shortcuts',
])

/** Reads a fragment, with or without `#`. Undefined for the empty fragment. */
export const parseFragment = (fragment: string): Place | undefined => {
  const text = fragment.replace(/^#/, '')
  const [name = '', ...path] = text.split('/')
  if (name === '') return path.length === 0 ? undefined : unknownPlace(text)
  if (Object.hasOwn(views, name)) return { view: views[name] as View }
  if (name === 'narrow') return parseNarrow(path) ?? unknownPlace(text)
  if (overlays.has(name)) return { overlay: { name, path: path.map((part) => decodePart(part) ?? part) } }
  return unknownPlace(text)
}

const unknownPlace = (fragment: string): Place => ({ view: { name: 'unknown', fragment } })

/** What the name of a condition looks like. */
const OPERATOR = /^-?[a-z][a-z-]*$/

const parseNarrow = (parts: string[]): Place | undefined => {
  if (parts.length === 0) return undefined
  const view: View = { name: 'messages', terms: [] }
  for (let i = 0; i < parts.length; i += 2) {
    const operator = parts[i]
    const operand = decodePart(parts[i + 1] ?? '')
    if (operator === undefined || !OPERATOR.test(operator) || operand === undefined) return undefined
    const term = parseTerm(operator, operand)
    if (term.operator === 'near' || term.operator === 'with') {
      const id = Number(operand)
      if (Number.isSafeInteger(id) && id > 0) view[term.operator] = id
    } else view.terms.push(term)
  }
  return { view }
}

const parseTerm = (text: string, operand: string): Term => {
  const negated = text.startsWith('-')
  const operator = operatorName(negated ? text.slice(1) : text)
  if (operator === 'channel') return { operator, operand: parseChannel(operand), negated }
  if (operator === 'dm') return { operator, operand: parseUserIds(operand), negated }
  if (operator === 'sender' || operator === 'dm-including') {
    const [id] = parseUserIds(operand)
    if (id !== undefined) return { operator, operand: operator === 'sender' ? id : [id], negated }
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

/** Writes the fragment of a view, with `#`. */
export const formatView = (view: View, names: Names): string => {
  if (view.name === 'unknown') return `#${view.fragment}`
  if (view.name !== 'messages') return `#${view.name}`
  const places: string[] = []
  if (view.near !== undefined) places.push('near', String(view.near))
  if (view.with !== undefined) places.push('with', String(view.with))
  const terms = view.terms.flatMap((term) => [(term.negated ? '-' : '') + term.operator, formatOperand(term, names)])
  if (terms.length === 0 && places.length === 0) return '#feed'
  return `#narrow/${[...terms, ...places].join('/')}`
}

const formatOperand = ({ operator, operand }: Term, names: Names): string => {
  if (operator === 'channel' && typeof operand === 'number') return channelSlug(operand, names)
  if (operator === 'sender' && typeof operand === 'number') return userSlug([operand], names)
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
