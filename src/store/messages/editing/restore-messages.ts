/**
 * Restores deleted messages, with their ids and what belonged to them (protocol/messages.md 4.8).
 *
 * 1. A message leaves the kept ones in the transaction that stores it again, under the lock that deletions take too:
 *    so concurrent requests restore it once.
 * 2. A restored message is read for all users (`read_by_all`): it notifies nobody, and no client has to count it.
 * 3. It is undecided for searches until a worker has indexed it (narrow/search-index.ts, 2).
 * 4. Users who had starred it are told so, if they can read it now: a registration lists it again.
 */

import { hasContentAccess } from '#rules/channel-access.js'
import { secondsNow } from '#rules/time.js'
import { firstMessageEntry } from '../../../domain/channels/first-messages.js'
import type { NewEntry } from '../../../domain/log/entry.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { messagesRestored } from '../../../domain/messages/editing/restore-message-entry.js'
import { checkChannelsAreOpen } from '../../../domain/messages/editing/restoring.js'
import { updateMessageFlags } from '../../../domain/messages/flag-entries.js'
import { everySubscriber, Flag } from '../../../domain/messages/flags.js'
import { errors } from '../../../domain/protocol/errors.js'
import { toUndoingActor } from '../../audit/record-acts.js'
import { type ChangeWithResult, commit } from '../../log/change.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Sql, Transaction } from '../../sql.js'
import { loadConversationEntries } from '../../users/guest-visibility.js'
import { messageAudience } from '../audience/message-audience.js'
import { lockMessagesExclusive } from '../message-locks.js'
import { buildFileUpdates, restoreClaims } from '../sending/file-claims.js'
import { checkMessageQuota } from '../sending/message-quota.js'
import { findNewFirstMessage, splitAudience } from './delete-messages.js'
import {
  type Belongings,
  type DeletedMessageFilter,
  fromRestorable,
  type RestoringContext,
} from './deleted-messages.js'

/** Messages per transaction. */
const BATCH = 500

/** The result of a request to restore messages. */
export interface Restored {
  /** ascending */
  message_ids: number[]
  /** false: more messages match the request, which is to be repeated */
  complete: boolean
}

/**
 * Restores deleted messages, the oldest first, in one transaction. Throws BAD_REQUEST when there is none, when a
 * channel is archived, and when the organization has as many messages as it may. Throws StaleStateError.
 * @param user an administrator; undefined: an operator
 * @param undone_id the administrative act that this undoes
 */
export const restoreMessages = async (
  write: WriteContext,
  user: UserRow | undefined,
  filter: DeletedMessageFilter,
  undone_id?: number,
): Promise<Restored> => {
  const { realm, sql } = write
  await checkMessageQuota(sql, realm)
  const context: RestoringContext = { sql, state: realm.state, reader: user, now: secondsNow() }
  const found = await sql<{ id: number }[]>`
    select m.id from ${fromRestorable(context, filter)} order by m.id limit ${BATCH + 1}`
  const ids = found.slice(0, BATCH).map(({ id }) => id)
  const complete = found.length <= BATCH
  const marking = undone_id === undefined ? write : write.withActor(toUndoingActor(write.actor, undone_id, complete))
  const message_ids = ids.length === 0 ? [] : await commit(marking, prepareRestoration(realm, context, ids))
  if (message_ids.length === 0) {
    throw errors.badRequest('There is no such deleted message any more, or you may not restore it.')
  }
  return { message_ids, complete }
}

/** A kept message that is restored. */
interface KeptMessage {
  id: number
  channel_id: number | null
  dm_id: number | null
  topic: string
  user_ids: number[] | null
  belongings: Belongings | null
}

/** Restored messages of one topic, or of one conversation; ids ascending. */
interface RestoredPlace extends Omit<KeptMessage, 'id' | 'belongings'> {
  message_ids: number[]
}

/** Composes the change that restores those of the messages that are still kept. Its result are their ids. */
const prepareRestoration =
  (realm: Realm, context: RestoringContext, ids: readonly number[]): ChangeWithResult<number[]> =>
  async (tx) => {
    const { state } = realm
    await lockMessagesExclusive(tx, realm.id)
    const kept = await tx<KeptMessage[]>`
      select m.id, m.channel_id, m.dm_id, m.topic, d.belongings, (
        select c.user_ids from dm_conversations c where c.realm_id = m.realm_id and c.id = m.dm_id
      ) as user_ids
      from ${fromRestorable({ ...context, sql: tx as unknown as Sql }, { message_ids: ids })} order by m.id`
    checkChannelsAreOpen(state, new Set(kept.map(({ channel_id }) => channel_id)))
    const result = kept.map(({ id }) => id)
    const files = await restoreClaims(tx, realm.id, listClaims(kept))
    const places = groupByPlace(kept)
    const gained = await loadGainedAccounts(tx, realm, places)
    await storeAgain(tx, realm.id, result)
    const entries = [
      ...gained,
      ...(await composeFirstMessages(tx, state, places)),
      ...(await composeRestorations(tx, state, places)),
      ...composeStars(state, kept),
      ...(await buildFileUpdates(tx, realm.id, files.ids)),
    ]
    return { entries, jobs: files.jobs, result }
  }

const listClaims = (kept: readonly KeptMessage[]) =>
  kept.flatMap(({ id: message_id, belongings }) => (belongings?.files ?? []).map((id) => ({ message_id, id })))

const groupByPlace = (kept: readonly KeptMessage[]): RestoredPlace[] => {
  const places = new Map<string, RestoredPlace>()
  for (const { id, belongings: _, ...place } of kept) {
    const key = `${place.channel_id} ${place.dm_id} ${place.topic.toLowerCase()}`
    const known = places.get(key)
    if (known === undefined) places.set(key, { ...place, message_ids: [id] })
    else known.message_ids.push(id)
  }
  return [...places.values()]
}

/** The entries for accounts that see each other again, before the messages are stored (users/guest-visibility.ts). */
const loadGainedAccounts = async (
  tx: Transaction,
  realm: Realm,
  places: readonly RestoredPlace[],
): Promise<NewEntry[]> => {
  const entries: NewEntry[] = []
  for (const { dm_id, user_ids } of places) {
    if (dm_id === null || user_ids === null) continue
    entries.push(...(await loadConversationEntries(tx, realm, dm_id, user_ids)).gained)
  }
  return entries
}

/** Moves the messages and what belonged to them back into the tables (1, 2, 3). */
const storeAgain = (tx: Transaction, realm_id: number, ids: readonly number[]): Promise<unknown> => tx`
  with taken as (
    delete from deleted_messages where realm_id = ${realm_id} and id = any(${ids as number[]}::bigint[])
    returning id, message, belongings
  ), stored as (
    insert into messages
    select m.* from taken, jsonb_populate_record(null::messages, taken.message || '{"read_by_all": true}') m
  ), flagged as (
    insert into message_flags (realm_id, user_id, message_id, flags)
    select ${realm_id}, f.key::int, taken.id, f.value::int & ~${Flag.unread}::int
    from taken, jsonb_each_text(taken.belongings -> 'flags') f
  ), reacted as (
    insert into reactions (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
    select ${realm_id}, taken.id, (r.value ->> 'user_id')::int, r.value ->> 'reaction_type', r.value ->> 'emoji_code',
      r.value ->> 'emoji_name'
    from taken, jsonb_array_elements(taken.belongings -> 'reactions') with ordinality as r (value, place)
    order by taken.id, r.place
  ), added as (
    insert into submessages (realm_id, message_id, id, sender_id, msg_type, content)
    select ${realm_id}, taken.id, s.id, s.sender_id, s.msg_type, s.content
    from taken, jsonb_to_recordset(taken.belongings -> 'submessages')
      as s (id bigint, sender_id int, msg_type text, content text)
  )
  insert into message_terms (realm_id, message_id) select ${realm_id}, id from taken
  on conflict (realm_id, message_id) do update set terms = null`

/** The entries for channels whose first message is one of the restored ones. */
const composeFirstMessages = async (
  tx: Transaction,
  state: RealmState,
  places: readonly RestoredPlace[],
): Promise<NewEntry[]> => {
  const entries: NewEntry[] = []
  for (const id of new Set(places.flatMap(({ channel_id }) => channel_id ?? []))) {
    const channel = state.channels.get(id)
    const inChannel = places.filter(({ channel_id }) => channel_id === id)
    const restored = Math.min(...inChannel.flatMap(({ message_ids }) => message_ids))
    const first = await findNewFirstMessage(tx, state.realm.id, id, restored)
    if (channel !== undefined && first !== undefined) entries.push(firstMessageEntry(state, channel, first))
  }
  return entries
}

/** The entries that name all restored messages, each for the users who have them. */
const composeRestorations = async (
  tx: Transaction,
  state: RealmState,
  places: readonly RestoredPlace[],
): Promise<NewEntry[]> => {
  const entries: NewEntry[] = []
  for (const { channel_id, user_ids, topic, message_ids } of places) {
    const inChannel = channel_id === null ? {} : { stream_id: channel_id, topic }
    const to = await messageAudience(tx, state, { channel_id, user_ids, message_ids })
    const portions = await splitAudience(tx, state, { channel_id, message_ids }, to)
    const told = new Set(portions.flatMap((portion) => portion.message_ids))
    const untold = message_ids.filter((id) => !told.has(id))
    // Nobody has these any more. The entry names them for the audit log, and for processes that follow the log.
    if (untold.length > 0) portions.push({ to: {}, message_ids: untold })
    for (const portion of portions) {
      const ids = [...portion.message_ids].sort((a, b) => a - b)
      entries.push(messagesRestored({ to: portion.to, message_ids: ids, ...inChannel }))
    }
  }
  return entries
}

/** The entries for users who had starred the messages, and can read them (4). */
const composeStars = (state: RealmState, kept: readonly KeptMessage[]): NewEntry[] => {
  const starred = new Map<number, number[]>()
  for (const { id, channel_id, belongings } of kept) {
    const channel = channel_id === null ? undefined : state.channels.get(channel_id)
    for (const [key, flags] of Object.entries(belongings?.flags ?? {})) {
      const user = state.users.get(Number(key))
      if ((flags & Flag.starred) === 0 || user === undefined || user.id === everySubscriber) continue
      if (channel !== undefined && !hasContentAccess(state, user, channel)) continue
      starred.set(user.id, [...(starred.get(user.id) ?? []), id])
    }
  }
  return [...starred].map(([user_id, messages]) =>
    updateMessageFlags({ user_id, op: 'add', flag: 'starred', messages, all: false }),
  )
}
