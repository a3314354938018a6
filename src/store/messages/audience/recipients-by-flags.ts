/**
 * The recipients of a message, grouped by their flags of it.
 *
 * Events with a recipient's flags differ between recipients, but few combinations of flags occur.
 * So users with the same flags share one audience, and the largest audience is the channel without the other users.
 */
import type { Audience } from '../../../domain/log/entry.js'
import type { RealmState } from '../../../domain/log/state.js'
import { computeFlags, everySubscriber, Flag, type FlagFacts } from '../../../domain/messages/flags.js'
import type { Db } from '../../sql.js'
import { userReadUpTo, wasReadWhenSent, wasUserRecipient } from '../narrow/conditions.js'
import type { ReaderRow } from '../narrow/load-messages.js'
import { messageAudience } from './message-audience.js'

/** The active users that an audience contains now. */
export const resolveAudience = (state: RealmState, { channel, users = [], except = [] }: Audience): Set<number> => {
  // The subscribers in the state are active.
  const named = new Set(channel === undefined ? [] : state.subscribers(channel))
  for (const user_id of users) if (state.users.get(user_id)?.is_active === true) named.add(user_id)
  for (const user_id of except) named.delete(user_id)
  return named
}

const sortIds = (ids: number[]): number[] => ids.sort((a, b) => a - b)

/** Builds the audience of these users, in its shorter form. It has their ids, or the channel with the differences. */
export const buildAudience = (
  state: RealmState,
  channel_id: number | null,
  user_ids: ReadonlySet<number> | readonly number[],
): Audience => {
  const users = [...user_ids]
  if (channel_id === null) return { users: sortIds(users) }
  const subscribers = state.subscribers(channel_id)
  const others = users.filter((user_id) => !subscribers.has(user_id))
  const excepted = subscribers.size - (users.length - others.length)
  if (others.length + excepted >= users.length) return { users: sortIds(users) }
  const named = new Set(users)
  const except = excepted === 0 ? [] : [...subscribers].filter((user_id) => !named.has(user_id))
  sortIds(others)
  sortIds(except)
  return {
    channel: channel_id,
    ...(others.length > 0 ? { users: others } : {}),
    ...(except.length > 0 ? { except } : {}),
  }
}

/** Groups these users by their flags of a message. A user without a record of it has read it. */
export const groupByFlags = async (
  db: Db,
  realm_id: number,
  message_id: number,
  user_ids: ReadonlySet<number>,
): Promise<Map<number, number[]>> => {
  const groups = new Map<number, number[]>()
  for (const group of await loadFlagFacts(db, realm_id, message_id, user_ids)) {
    const flags = isHeld(group) ? computeFlags(group) : Flag.read
    groups.set(flags, [...(groups.get(flags) ?? []), ...group.user_ids])
  }
  return groups
}

/** The users who have the message and have read it; ids ascending. */
export const loadReaders = async (db: Db, state: RealmState, message: ReaderRow): Promise<number[]> => {
  const { id, channel_id, user_ids } = message
  const recipients = resolveAudience(
    state,
    await messageAudience(db, state, { channel_id, user_ids, message_ids: [id] }),
  )
  const groups = await loadFlagFacts(db, state.realm.id, id, recipients)
  const readers = groups
    .filter((group) => isHeld(group) && (computeFlags(group) & Flag.read) !== 0)
    .flatMap(({ user_ids }) => user_ids)
  return sortIds(readers)
}

const isHeld = ({ own, was_recipient }: FlagFacts): boolean => own !== null || was_recipient

/**
 * Loads the facts that determine these users' flags of a message, with the users to whom they apply: tens of thousands
 * of rows would keep the process busy for as many microseconds. Indexes: keys.
 */
const loadFlagFacts = (db: Db, realm_id: number, message_id: number, user_ids: ReadonlySet<number>) => {
  const user_id = db`u.user_id`
  return db<(FlagFacts & { user_ids: number[] })[]>`
    select json_agg(u.user_id) as user_ids, f.flags as own, e.flags as shared,
      ${wasUserRecipient(db, { realm_id, user_id })} as was_recipient,
      ${wasReadWhenSent(db, user_id)} or m.id <= ${userReadUpTo(db, { realm_id, user_id })} as passed
    from messages m
      cross join unnest(${[...user_ids]}::int[]) as u (user_id)
      left join message_flags f on f.realm_id = ${realm_id} and f.user_id = u.user_id and f.message_id = m.id
      left join message_flags e on e.realm_id = ${realm_id} and e.user_id = ${everySubscriber} and e.message_id = m.id
    where m.realm_id = ${realm_id} and m.id = ${message_id}
    group by own, shared, was_recipient, passed`
}
