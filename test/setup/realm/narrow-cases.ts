/** Narrows of every form for a message history (message-history.ts), and pages around every kind of anchor. */

import type { Operand } from '../../../rules/src/narrow.js'
import type { RealmState } from '../../../src/domain/log/state.js'
import { type PageRange, parseAnchor } from '../../../src/domain/messages/narrow/anchors.js'
import { parseNarrow } from '../../../src/domain/messages/narrow/narrow.js'
import { findFirstUnread, findPage, resolveFetchNarrow } from '../../../src/store/messages/fetching/find-page.js'
import { loadMessages } from '../../../src/store/messages/narrow/load-messages.js'
import type { Sql } from '../../../src/store/sql.js'
import type { History } from './message-history.js'

type Term = readonly [operator: string, operand: Operand, negated?: boolean]

/**
 * The narrows of the regular user, then those of the newcomer. The newcomer has few messages among many of other users.
 */
export const narrows: Readonly<Record<string, { by: 'regular' | 'newcomer'; terms: readonly Term[] }>> = {
  everything: { by: 'regular', terms: [] },
  'in:home': { by: 'regular', terms: [['in', 'home']] },
  channel: { by: 'regular', terms: [['channel', 1]] },
  'private channel': { by: 'regular', terms: [['channel', 3]] },
  'channel, topic': {
    by: 'regular',
    terms: [
      ['channel', 1],
      ['topic', 'topic 7'],
    ],
  },
  topic: { by: 'regular', terms: [['topic', 'topic 7']] },
  sender: { by: 'regular', terms: [['sender', 5]] },
  mentions: { by: 'regular', terms: [['mentions', 5]] },
  'newcomer: mentions': { by: 'newcomer', terms: [['mentions', 5]] },
  'channel, sender': {
    by: 'regular',
    terms: [
      ['channel', 1],
      ['sender', 5],
    ],
  },
  dm: { by: 'regular', terms: [['dm', [102]]] },
  'dm-including': { by: 'regular', terms: [['dm-including', 102]] },
  'is:dm': { by: 'regular', terms: [['is', 'dm']] },
  'is:unread': { by: 'regular', terms: [['is', 'unread']] },
  'is:mentioned': { by: 'regular', terms: [['is', 'mentioned']] },
  'is:starred': { by: 'regular', terms: [['is', 'starred']] },
  'is:resolved': { by: 'regular', terms: [['is', 'resolved']] },
  'is:followed': { by: 'regular', terms: [['is', 'followed']] },
  'is:muted': { by: 'regular', terms: [['is', 'muted']] },
  'has:link': { by: 'regular', terms: [['has', 'link']] },
  'has:image': { by: 'regular', terms: [['has', 'image']] },
  'has:attachment': { by: 'regular', terms: [['has', 'attachment']] },
  'has:reaction': { by: 'regular', terms: [['has', 'reaction']] },
  'channels:public': { by: 'regular', terms: [['channels', 'public']] },
  'channel, is:unread': {
    by: 'regular',
    terms: [
      ['channel', 1],
      ['is', 'unread'],
    ],
  },
  'channel, is:starred': {
    by: 'regular',
    terms: [
      ['channel', 1],
      ['is', 'starred'],
    ],
  },
  'not the channel': { by: 'regular', terms: [['channel', 1, true]] },
  'not the sender': { by: 'regular', terms: [['sender', 5, true]] },
  'not is:unread': { by: 'regular', terms: [['is', 'unread', true]] },
  'not has:link': { by: 'regular', terms: [['has', 'link', true]] },
  'not a common word': { by: 'regular', terms: [['search', 'tea', true]] },
  'a common word': { by: 'regular', terms: [['search', 'tea']] },
  'a word of one in a hundred': { by: 'regular', terms: [['search', 'coffee']] },
  'a rare word': { by: 'regular', terms: [['search', 'cocoa']] },
  'two words': { by: 'regular', terms: [['search', 'tea item7']] },
  'channel, a common word': {
    by: 'regular',
    terms: [
      ['channel', 1],
      ['search', 'tea'],
    ],
  },
  'sender, a common word': {
    by: 'regular',
    terms: [
      ['sender', 5],
      ['search', 'tea'],
    ],
  },
  'newcomer: everything': { by: 'newcomer', terms: [] },
  'newcomer: a friend': { by: 'newcomer', terms: [['sender', 4]] },
  'newcomer: a stranger': { by: 'newcomer', terms: [['sender', 5]] },
  'newcomer: is:unread': { by: 'newcomer', terms: [['is', 'unread']] },
  'newcomer: is:mentioned': { by: 'newcomer', terms: [['is', 'mentioned']] },
  'newcomer: has:link': { by: 'newcomer', terms: [['has', 'link']] },
  'newcomer: a common word': { by: 'newcomer', terms: [['search', 'tea']] },
  'newcomer: a rare word': { by: 'newcomer', terms: [['search', 'cocoa']] },
}

/** Fifty messages around each anchor. */
export const anchors: Readonly<Record<'newest' | 'oldest' | 'middle' | 'first_unread', PageRange>> = {
  newest: { num_before: 50, num_after: 0, include_anchor: true },
  oldest: { num_before: 0, num_after: 50, include_anchor: true },
  middle: { num_before: 25, num_after: 25, include_anchor: true },
  first_unread: { num_before: 25, num_after: 25, include_anchor: true },
}

/** The terms as the protocol writes them. */
export const narrowParameter = (terms: readonly Term[]) =>
  terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated }))

/** Reads a page as GET /messages does. @returns the ids on it */
export const readPage = async (
  sql: Sql,
  state: RealmState,
  history: History,
  name: string,
  anchor: keyof typeof anchors,
): Promise<number[]> => {
  const { by, terms } = narrows[name] ?? { by: 'regular', terms: [] }
  const reading = { sql, state, reader: state.users.get(history[by]) }
  const query = { ...reading, narrow: await resolveFetchNarrow(reading, parseNarrow(narrowParameter(terms))) }
  const { ids } = await findPage(query, await idAt(anchor, history, () => findFirstUnread(query)), anchors[anchor])
  await loadMessages(query, ids)
  return ids
}

const idAt = async (anchor: keyof typeof anchors, { messages }: History, firstUnread: () => Promise<number>) => {
  if (anchor === 'first_unread') return firstUnread()
  return anchor === 'middle' ? Math.floor(messages / 2) : (parseAnchor(anchor) as number)
}
