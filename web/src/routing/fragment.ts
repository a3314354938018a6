/**
 * The fragments of addresses in the page: `#inbox`, `#narrow/channel/3-general/topic/greetings`, `#settings/profile`.
 *
 * They are those of Zulip's links, so that a link which another client copied opens here, and the other way round.
 * Characters are encoded as in a URL, with a dot instead of the percent sign, so that a fragment survives being pasted
 * anywhere.
 */
import { decodePart } from '#rules/links.js'
import { formatNarrow, type LinkedNarrow, type Names, parseNarrowParts } from '#rules/narrow-links.js'

export type { LinkedTerm as Term } from '#rules/narrow-links.js'

/** A view of its own code, which is loaded when it is first opened. */
export type PlaceName = 'recent' | 'drafts' | 'scheduled' | 'reminders'

/** What the centre of the page shows. */
export type View =
  | { name: 'inbox' }
  | { name: PlaceName }
  /** the topics of a channel */
  | { name: 'topics'; channelId: number }
  /** the address leads nowhere */
  | { name: 'unknown'; fragment: string }
  | ({ name: 'messages' } & LinkedNarrow)

/** A dialog with an address, over a view: `#settings/profile` has the name `settings` and the path `['profile']`. */
export interface Overlay {
  name: string
  path: string[]
}

/** The place that a fragment names. */
export type Place = { view: View } | { overlay: Overlay }

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
/**
 * Reads a fragment, with or without `#`. Undefined for the empty fragment.
 * @param dialogs the names of the dialogs that have an address
 */
export const parseFragment = (fragment: string, dialogs: ReadonlySet<string>): Place | undefined => {
  const text = fragment.replace(/^#/, '')
  const [name = '', ...path] = text.split('/')
  if (name === '') return path.length === 0 ? undefined : unknownPlace(text)
  if (Object.hasOwn(views, name)) return { view: views[name] as View }
  if (name === 'narrow') {
    const narrow = parseNarrowParts(path)
    return narrow === undefined ? unknownPlace(text) : { view: { name: 'messages', ...narrow } }
  }
  if (name === 'topics') {
    const [term] = parseNarrowParts(path)?.terms ?? []
    const id = term?.operator === 'channel' && path.length === 2 ? term.operand : undefined
    return typeof id === 'number' ? { view: { name, channelId: id } } : unknownPlace(text)
  }
  // Older links name the dialog of channels so.
  const dialog = name === 'streams' ? 'channels' : name
  if (dialogs.has(dialog)) return { overlay: { name: dialog, path: path.map((part) => decodePart(part) ?? part) } }
  return unknownPlace(text)
}

const unknownPlace = (fragment: string): Place => ({ view: { name: 'unknown', fragment } })

/** Writes the fragment of a view, with `#`. */
export const formatView = (view: View, names: Names): string => {
  if (view.name === 'unknown') return `#${view.fragment}`
  if (view.name === 'topics') {
    const terms = [{ operator: 'channel', operand: view.channelId, negated: false }]
    return (formatNarrow({ terms }, names) ?? '#feed').replace('#narrow/', '#topics/')
  }
  if (view.name !== 'messages') return `#${view.name}`
  return formatNarrow(view, names) ?? '#feed'
}
