/**
 * Direct-message conversations: a set of people, and the number that stands for it.
 *
 * A conversation is made before its first message, in a statement of its own: one that nobody writes in is harmless,
 * and the send itself stays a single statement. It never changes and never goes, so its number may be remembered.
 */
import type { Realm } from '../log/realm.js'
import type { Db } from '../sql.js'

/** Conversations remembered per realm: a few megabytes at most. */
const REMEMBERED = 10_000

const remembered = new WeakMap<Realm, Map<string, number>>()

/** The number of the conversation of exactly these people, ids ascending; it is made if there is none. */
export const getOrCreateConversation = async (db: Db, realm: Realm, user_ids: readonly number[]): Promise<number> => {
  let known = remembered.get(realm)
  if (known === undefined) {
    known = new Map()
    remembered.set(realm, known)
  }
  const key = user_ids.join()
  const dm_id =
    known.get(key) ??
    (await findConversation(db, realm.id, user_ids)) ??
    (await createConversation(db, realm.id, user_ids))
  // The first key of a map is the one put in longest ago.
  known.delete(key)
  known.set(key, dm_id)
  if (known.size > REMEMBERED) known.delete(known.keys().next().value as string)
  return dm_id
}

/** The number of the conversation of exactly these people, ids ascending; undefined when they never talked. */
const findConversation = async (db: Db, realm_id: number, user_ids: readonly number[]): Promise<number | undefined> => {
  const [row] = await db<{ id: number }[]>`
    select id from dm_conversations where realm_id = ${realm_id} and user_ids = ${user_ids as number[]}::int[]`
  return row?.id
}

/** Whether anyone has written in it. Index: messages_dm. */
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
