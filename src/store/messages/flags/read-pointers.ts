/**
 * Read pointers: one pointer per user and channel or conversation, instead of one row per message.
 *
 * 1. A pointer moves as far as everything before it is read; the rows that only said `read` are deleted.
 * 2. It passes messages with an `unread` row: the row overrides the pointer. When it passes a message that was moved to
 *    another channel and is unread there, such a row is written (keep-unread.ts).
 */
import { Flag } from '../../../domain/messages/flags.js'
import type { Fragment, Transaction } from '../../sql.js'
import { isReadByMove, wasReadWhenSent } from '../narrow/conditions.js'
import type { MessageRow } from '../narrow/load-messages.js'
import { keepUnreadInOtherChannels } from './keep-unread.js'

/** A message, and its channel or conversation. */
type LocatedMessage = Pick<MessageRow, 'channel_id' | 'dm_id'> & { id: number }

/**
 * Moves the pointers of the channels and conversations of these messages (1, 2). The messages count as read.
 * @returns the new pointer of a message's channel or conversation; 0: it did not move
 */
export const movePointers = async (
  tx: Transaction,
  realm_id: number,
  user_id: number,
  rows: readonly LocatedMessage[],
): Promise<(row: LocatedMessage) => number> => {
  const ids = rows.map(({ id }) => id)
  const channels = [...new Set(rows.flatMap(({ channel_id }) => channel_id ?? []))]
  const conversations = [...new Set(rows.flatMap(({ dm_id }) => dm_id ?? []))]
  const inChannels = await movePointersIn(
    tx,
    { realm_id, user_id, table: 'channel_reads', column: 'channel_id' },
    channels,
    ids,
  )
  const inConversations = await movePointersIn(
    tx,
    { realm_id, user_id, table: 'dm_members', column: 'dm_id' },
    conversations,
    ids,
  )
  if (inChannels.length > 0) {
    await keepUnreadInOtherChannels(
      tx,
      realm_id,
      tx`select ${user_id}::int as user_id, place as channel_id, before, after from (${movedPointerRows(tx, inChannels)}) moved`,
    )
  }
  const upTo = (moved: readonly MovedPointer[]) => new Map(moved.map(({ place, after }) => [place, after]))
  const [channelsUpTo, conversationsUpTo] = [upTo(inChannels), upTo(inConversations)]
  return ({ channel_id, dm_id }) =>
    (channel_id === null ? conversationsUpTo.get(dm_id ?? 0) : channelsUpTo.get(channel_id)) ?? 0
}

/** A pointer that moved, and between which messages. */
interface MovedPointer {
  place: number
  before: number
  after: number
}

/** The same as rows of a statement. */
const movedPointerRows = (tx: Transaction, moved: readonly MovedPointer[]): Fragment => tx`
  select place, before, after from unnest(
    ${moved.map(({ place }) => place)}::int[], ${moved.map(({ before }) => before)}::bigint[],
    ${moved.map(({ after }) => after)}::bigint[]
  ) as passed (place, before, after)`

interface PointerTable {
  realm_id: number
  user_id: number
  table: 'channel_reads' | 'dm_members'
  /** of this table, and of messages */
  column: 'channel_id' | 'dm_id'
}

/**
 * The update compares with the pointer of that moment, because a job may move it concurrently (left-channels.ts).
 * Index: messages_channel or messages_dm, then keys.
 */
const movePointersIn = async (
  tx: Transaction,
  { realm_id, user_id, table, column }: PointerTable,
  places: readonly number[],
  ids: readonly number[],
): Promise<MovedPointer[]> => {
  if (places.length === 0) return []
  const moved = await tx<MovedPointer[]>`
    with target as (
      select r.${tx(column)} as place, r.read_up_to as before, coalesce(
        (
          select m.id - 1 from messages m
          where m.realm_id = ${realm_id} and m.${tx(column)} = r.${tx(column)} and m.id > r.read_up_to
            and m.id <> all (${ids as number[]}::bigint[]) and not ${wasReadWhenSent(tx, user_id)}
            and not ${isReadByMove(tx, { realm_id, user_id })}
            and not exists (
              select from message_flags f
              where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id = m.id
                and f.flags & ${Flag.read | Flag.unread} <> 0
            )
          order by m.id limit 1
        ),
        (
          select m.id from messages m
          where m.realm_id = ${realm_id} and m.${tx(column)} = r.${tx(column)}
          order by m.id desc limit 1
        )
      ) as after
      from ${tx(table)} r
      where r.realm_id = ${realm_id} and r.user_id = ${user_id} and r.${tx(column)} = any(${places as number[]}::int[])
    )
    update ${tx(table)} r set read_up_to = target.after from target
    where r.realm_id = ${realm_id} and r.user_id = ${user_id} and r.${tx(column)} = target.place
      and target.after > r.read_up_to
    returning target.place, target.before, target.after`
  if (moved.length > 0) {
    await tx`
      delete from message_flags f
      using (${movedPointerRows(tx, moved)}) as passed, messages m
      where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.flags = ${Flag.read}
        and f.message_id > passed.before and f.message_id <= passed.after
        and m.realm_id = ${realm_id} and m.id = f.message_id and m.${tx(column)} = passed.place`
  }
  return moved
}
