/**
 * Starred and unread messages that their reader stops being able to reach, or reaches again.
 *
 * 1. A starred message counts while its reader may read its channel. Its row stays, so the star comes back with the
 *    access.
 * 2. For a client without the `archived_channels` capability, nothing is starred or unread in an archived channel: the
 *    client is not told of the channel.
 * 3. A registration follows these rules by itself (register/registration-content.ts, unread-content.ts). For clients
 *    that are connected, jobs write events. A job looks at the state of its commit, and not at the change that caused
 *    it: however often the access changes, the last event says what is true then.
 */

import { hasContentAccess } from '#rules/channel-access.js'
import {
  findArchiveChanges,
  findContentAccessChanges,
  selectAccessRows,
} from '../../../domain/channels/content-access-changes.js'
import type { NewEntry } from '../../../domain/log/entry.js'
import type { RealmState } from '../../../domain/log/state.js'
import { updateMessageFlags } from '../../../domain/messages/flag-entries.js'
import { Flag, rowOnlyFlags } from '../../../domain/messages/flags.js'
import type { JobSpec } from '../../jobs/job-table.js'
import type { Change } from '../../log/change.js'
import { StaleStateError } from '../../log/log.js'
import type { CommitHook } from '../../log/write-context.js'
import type { Fragment, Transaction } from '../../sql.js'
import { lockMessagesShared, lockUserFlags } from '../message-locks.js'
import { isReadByMove, wasReadWhenSent } from '../narrow/conditions.js'
import { composeUnreadAgain } from './change-flags.js'
import { buildReadEntries, type UnreadByUsers } from './left-channels.js'

/** Users per job: bounds the work and the locks of one transaction. */
const USERS_PER_JOB = 200

/**
 * Adds the jobs for changed access to messages and for archived channels (3). The latter are channels that go into the
 * archive or leave it. Throws StaleStateError if access changes and the state is newer than the guard of the change.
 */
export const followReach: CommitHook = async (_tx, { realm, guard }, entries) => {
  const { state } = realm
  const rows = entries.flatMap((entry) => entry.rows ?? [])
  const jobs = findArchiveChanges(rows).flatMap((channel_id) => composeArchiveJobs(state, channel_id))
  const accessRows = selectAccessRows(state, rows)
  if (accessRows.length > 0) {
    if (realm.structureSeq > guard) throw new StaleStateError()
    for (const { user_ids, channel_ids } of findContentAccessChanges(state, state.withChanges(rows), accessRows)) {
      for (const some of split(user_ids)) {
        jobs.push({ kind: 'starred_access', payload: { user_ids: some, channel_ids } })
      }
    }
  }
  return { preceding: [], following: [], jobs }
}

const composeArchiveJobs = (state: RealmState, channel_id: number): JobSpec[] => [
  { kind: 'archive_flags', payload: { channel_id, user_ids: null } },
  ...split([...state.subscribers(channel_id)].sort((a, b) => a - b)).map(
    (user_ids): JobSpec => ({ kind: 'archive_flags', payload: { channel_id, user_ids } }),
  ),
]

const split = <T>(list: readonly T[], size = USERS_PER_JOB): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))

/** The starred messages of one user in one channel, ids ascending. */
interface Stars {
  user_id: number
  channel_id: number
  message_ids: number[]
}

/** Ids per event: bounds its size to some tens of kilobytes. */
const CHUNK = 5_000

/**
 * Composes the change that tells users which stars they can reach (1). These are their starred messages in these
 * channels.
 */
export const announceStarredAccess =
  (state: RealmState, channel_ids: readonly number[], user_ids: readonly number[]): Change =>
  async (tx) => {
    const stars = await loadStarsLocked(tx, state.realm.id, channel_ids, user_ids)
    return {
      entries: stars.flatMap((some) => {
        const isReached = canReach(state, some)
        const isArchived = state.channels.get(some.channel_id)?.is_archived === true
        return buildStarEntries(some, isReached, isReached && isArchived ? true : undefined)
      }),
    }
  }

/**
 * Composes the change that tells clients whether they can reach these stars (2). The clients are those without archived
 * channels.
 */
export const announceArchivedStars =
  (state: RealmState, channel_id: number): Change =>
  async (tx) => {
    const isArchived = state.channels.get(channel_id)?.is_archived === true
    const stars = await loadStarsLocked(tx, state.realm.id, [channel_id], null)
    const reached = isArchived ? stars : stars.filter((some) => canReach(state, some))
    return { entries: reached.flatMap((some) => buildStarEntries(some, !isArchived, false)) }
  }

const canReach = (state: RealmState, { user_id, channel_id }: Stars): boolean => {
  const [user, channel] = [state.users.get(user_id), state.channels.get(channel_id)]
  return user !== undefined && channel !== undefined && hasContentAccess(state, user, channel)
}

const buildStarEntries = (
  { user_id, message_ids }: Stars,
  isReached: boolean,
  archived_channels: boolean | undefined,
): NewEntry[] =>
  split(message_ids, CHUNK).map((messages) =>
    updateMessageFlags({
      user_id,
      op: isReached ? 'add' : 'remove',
      flag: 'starred',
      messages,
      all: false,
      ...(archived_channels === undefined ? {} : { archived_channels }),
    }),
  )

/** Loads the stars, and loads them again once nobody changes the flags of their users. */
const loadStarsLocked = async (
  tx: Transaction,
  realm_id: number,
  channel_ids: readonly number[],
  user_ids: readonly number[] | null,
): Promise<Stars[]> => {
  await lockMessagesShared(tx, realm_id)
  const holders = [...new Set((await loadStars(tx, realm_id, channel_ids, user_ids)).map(({ user_id }) => user_id))]
  if (holders.length === 0) return []
  for (const user_id of holders.slice(0, MOST_LOCKS)) await lockUserFlags(tx, realm_id, user_id)
  return loadStars(tx, realm_id, channel_ids, user_ids)
}

/** So many locks fit into the table of locks of a default Postgres, beside those of the other transactions. */
const MOST_LOCKS = 500

/** Index: message_flags_starred, whose condition is spelled as there. */
const loadStars = (
  tx: Transaction,
  realm_id: number,
  channel_ids: readonly number[],
  user_ids: readonly number[] | null,
): Promise<Stars[]> => {
  const ofUsers = user_ids === null ? tx`` : tx`and f.user_id = any(${user_ids as number[]}::int[])`
  return tx<Stars[]>`
    select f.user_id, m.channel_id, array_agg(m.id order by m.id) as message_ids
    from message_flags f join messages m on m.realm_id = f.realm_id and m.id = f.message_id
    where f.realm_id = ${realm_id} and f.flags & ${inline(tx, Flag.starred)} <> 0 ${ofUsers}
      and m.channel_id = any(${channel_ids as number[]}::int[])
    group by f.user_id, m.channel_id order by f.user_id, m.channel_id`
}

const inline = (tx: Transaction, bits: number): Fragment => tx.unsafe(String(bits))

/**
 * Composes the change that tells what subscribers have unread in the channel (2). It tells this to clients without
 * archived channels.
 */
export const announceArchivedUnread =
  (state: RealmState, channel_id: number, user_ids: readonly number[]): Change =>
  async (tx) => {
    const realm_id = state.realm.id
    await lockMessagesShared(tx, realm_id)
    for (const user_id of user_ids) await lockUserFlags(tx, realm_id, user_id)
    const unread = await loadUnread(tx, realm_id, channel_id, user_ids)
    if (state.channels.get(channel_id)?.is_archived === true) {
      return { entries: unread.flatMap((some) => buildReadEntries(some, { archived_channels: false })) }
    }
    const entries: NewEntry[] = []
    for (const some of unread) {
      for (const user_id of some.user_ids) {
        const reader = state.users.get(user_id)
        if (reader !== undefined) entries.push(...(await composeUnreadAgain(tx, state, reader, some.message_ids)))
      }
    }
    return { entries }
  }

/**
 * The messages of the channel that these subscribers have unread (domain/messages/flags.ts, rule 1). Indexes: keys,
 * messages_channel, message_flags_apart.
 */
const loadUnread = (
  tx: Transaction,
  realm_id: number,
  channel_id: number,
  user_ids: readonly number[],
): Promise<UnreadByUsers[]> => tx<UnreadByUsers[]>`
  with own as materialized (
    select user_id, r.read_up_to
    from subscriptions s join channel_reads r using (realm_id, user_id, channel_id)
    where s.realm_id = ${realm_id} and s.channel_id = ${channel_id} and s.user_id = any(${user_ids as number[]}::int[])
      and s.active
  ), unread as (
    select o.user_id, m.id
    from own o
      join messages m on m.realm_id = ${realm_id} and m.channel_id = ${channel_id} and m.id > o.read_up_to
      left join message_flags f on f.realm_id = ${realm_id} and f.user_id = o.user_id and f.message_id = m.id
    where coalesce(f.flags, 0) & ${Flag.unread} <> 0 or (
      coalesce(f.flags, 0) & ${Flag.read} = 0 and not ${wasReadWhenSent(tx, tx`o.user_id`)}
      and not ${isReadByMove(tx, { realm_id, user_id: tx`o.user_id` })}
    )
    union
    select o.user_id, m.id
    from own o
      join message_flags f on f.realm_id = ${realm_id} and f.user_id = o.user_id
        and f.flags & ${inline(tx, rowOnlyFlags)} <> 0 and f.flags & ${Flag.unread} <> 0
      join messages m on m.realm_id = ${realm_id} and m.id = f.message_id and m.channel_id = ${channel_id}
  ), lists as (
    select user_id, array_agg(id order by id) as message_ids from unread group by user_id
  )
  select array_agg(user_id order by user_id) as user_ids, message_ids from lists group by message_ids`
