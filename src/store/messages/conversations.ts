/**
 * Direct message conversations: a set of users, and its id.
 *
 * A conversation is created before its first message, in a separate statement: a conversation without messages is
 * harmless, and the send stays one statement. It is never changed or deleted, so its id may be cached.
 */
import { OwnedKey } from '../../domain/log/owned-values.js'
import type { Realm } from '../log/realm.js'
import type { Db } from '../sql.js'

/** Cached conversations per realm: a few megabytes at most. */
const MAX_CACHED_CONVERSATIONS = 10_000

/** Ids of conversations, by the ids of their users. */
const conversationsKey = new OwnedKey<Map<string, number>>('conversations', ({ size }) => size)

/**
 * Returns the id of the conversation of exactly these users (ids ascending). It creates the conversation if it is
 * missing.
 */
export const getOrCreateConversation = async (db: Db, realm: Realm, user_ids: readonly number[]): Promise<number> => {
  const known = realm.own(conversationsKey, () => new Map())
  const key = user_ids.join()
  const dm_id =
    known.get(key) ??
    (await findConversation(db, realm.id, user_ids)) ??
    (await createConversation(db, realm.id, user_ids))
  // A map iterates in insertion order, so its first key is the least recently used one.
  known.delete(key)
  known.set(key, dm_id)
  if (known.size > MAX_CACHED_CONVERSATIONS) known.delete(known.keys().next().value as string)
  return dm_id
}

/** The id of the conversation of exactly these users (ids ascending); undefined: there is none. */
const findConversation = async (db: Db, realm_id: number, user_ids: readonly number[]): Promise<number | undefined> => {
  const [row] = await db<{ id: number }[]>`
    select id from dm_conversations where realm_id = ${realm_id} and user_ids = ${user_ids as number[]}::int[]`
  return row?.id
}

/** Whether the conversation has a message. Index: messages_dm. */
export const hasMessages = async (db: Db, realm_id: number, dm_id: number): Promise<boolean> => {
  const [row] = await db`select from messages where realm_id = ${realm_id} and dm_id = ${dm_id} limit 1`
  return row !== undefined
}

const createConversation = async (db: Db, realm_id: number, user_ids: readonly number[]): Promise<number> => {
  // The update changes nothing: it makes the statement return the row also when another replica was first.
  const [row] = await db<{ id: number }[]>`
    with made as (
      insert into dm_conversations (realm_id, user_ids) values (${realm_id}, ${user_ids as number[]}::int[])
      on conflict (realm_id, user_ids) do update set user_ids = excluded.user_ids
      returning id
    ), joined as (
      insert into dm_members (realm_id, user_id, dm_id)
      select ${realm_id}, user_id, made.id from made, unnest(${user_ids as number[]}::int[]) as user_id
      on conflict do nothing
    )
    select id from made`
  if (row === undefined) throw new Error('a conversation was neither made nor found')
  return row.id
}
