/**
 * Following topics by taking part in them (domain/messages/following.ts).
 *
 * It comes after what was done, in a change of its own: a send stays one statement, and most change no policy. If it
 * fails, what was done still is, so nobody is told of a failure.
 */
import { mutedTopicsChanged, Policy, userTopicChanged } from '../../domain/entries/user-topics.js'
import { type Part, policyFor } from '../../domain/messages/following.js'
import { secondsNow } from '../../domain/permissions.js'
import type { UserRow } from '../../domain/rows.js'
import { commit, type Writer } from '../change.js'
import { Moved } from '../log.js'
import type { Realm } from '../realm.js'
import type { Db } from '../sql.js'
import { topicsInTurn } from './message-locks.js'
import { mutedBy } from './user-topics.js'

interface Topic {
  channel_id: number
  topic: string
}

/** Somebody took part in a topic. @returns the policy that they have for it now, if it is a new one */
export const followByPart = async (
  writer: Writer,
  realm: Realm,
  user: UserRow,
  topic: Topic,
  part: Part,
): Promise<number | undefined> => {
  const policy = policyFor(realm.state, user, topic.channel_id, part)
  if (policy === undefined) return undefined
  const raised = await raise(writer, realm, [user.id], topic, { policy, above: Policy.inherit })
  return raised ? policy : undefined
}

/** These people were mentioned in a topic, and want to follow it then. */
export const followWhereMentioned = async (
  writer: Writer,
  realm: Realm,
  user_ids: readonly number[],
  topic: Topic,
): Promise<void> => {
  await raise(writer, realm, user_ids, topic, { policy: Policy.followed, above: Policy.muted })
}

/** Which policies are raised to which: those that are lower, and no policy; of the others those above `above`. */
interface Raising {
  policy: number
  above: number
}

/** Often the structure moves for a moment only. */
const MOST_ATTEMPTS = 5

const raise = async (
  writer: Writer,
  realm: Realm,
  user_ids: readonly number[],
  topic: Topic,
  raising: Raising,
): Promise<boolean> => {
  try {
    const lower = await those(writer.sql, realm.id, user_ids, topic, raising)
    for (let round = 1; lower.length > 0; round++) {
      try {
        return await change(writer, realm, lower, topic, raising)
      } catch (error) {
        if (!(error instanceof Moved) || round === MOST_ATTEMPTS) throw error
        await realm.catchUp()
      }
    }
  } catch {
    // What was done is done, see above.
  }
  return false
}

/** Those whose policy would be raised, by id. Index: user_topics_key. */
const those = async (
  db: Db,
  realm_id: number,
  user_ids: readonly number[],
  { channel_id, topic }: Topic,
  { policy, above }: Raising,
): Promise<number[]> => {
  if (user_ids.length === 0) return []
  const rows = await db<{ user_id: number; visibility_policy: number }[]>`
    select user_id, visibility_policy from user_topics
    where realm_id = ${realm_id} and user_id = any(${user_ids as number[]}::int[]) and channel_id = ${channel_id}
      and lower(topic) = lower(${topic})`
  const known = new Map(rows.map((row) => [row.user_id, row.visibility_policy]))
  return [...user_ids]
    .filter((id) => {
      const now = known.get(id)
      return now === undefined || (now > above && now < policy)
    })
    .sort((a, b) => a - b)
}

const change = async (
  writer: Writer,
  realm: Realm,
  user_ids: readonly number[],
  place: Topic,
  raising: Raising,
): Promise<boolean> => {
  const { channel_id, topic } = place
  const { policy } = raising
  const last_updated = secondsNow()
  const { users } = await commit(writer, realm, realm.seq, {
    entries: [],
    async before(tx) {
      for (const id of user_ids) await topicsInTurn(tx, realm.id, id)
      const users = await those(tx, realm.id, user_ids, place, raising)
      const muters = await tx<{ user_id: number }[]>`
        select user_id from user_topics
        where realm_id = ${realm.id} and user_id = any(${users}::int[]) and channel_id = ${channel_id}
          and lower(topic) = lower(${topic}) and visibility_policy = ${Policy.muted}
        order by user_id`
      await tx`
        insert into user_topics (realm_id, user_id, channel_id, topic, visibility_policy, last_updated)
        select ${realm.id}, user_id, ${channel_id}, ${topic}, ${policy}, ${last_updated}
        from unnest(${users}::int[]) as raised (user_id)
        on conflict (realm_id, user_id, channel_id, lower(topic)) do update set topic = excluded.topic,
          visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated`
      const muted = []
      for (const { user_id } of muters) muted.push({ user_id, muted_topics: await mutedBy(tx, realm.state, user_id) })
      return { users, muted }
    },
    told: ({ users, muted }) =>
      users.length === 0
        ? []
        : [
            ...muted.map((one) => mutedTopicsChanged(one)),
            userTopicChanged({
              users,
              stream_id: channel_id,
              topic_name: topic,
              last_updated,
              visibility_policy: policy,
            }),
          ],
  })
  return users.length > 0
}

/** For so long a topic that had messages is taken to have some, in milliseconds. */
const REMEMBERED_MS = 60_000
const MOST_REMEMBERED = 20_000

const remembered = new WeakMap<Realm, Map<string, number>>()

/** Whether nobody has written in the topic yet. Asked of a busy topic once a minute. Index: messages_topic. */
export const isNewTopic = async (db: Db, realm: Realm, { channel_id, topic }: Topic): Promise<boolean> => {
  let known = remembered.get(realm)
  if (known === undefined || known.size > MOST_REMEMBERED) {
    known = new Map()
    remembered.set(realm, known)
  }
  const key = `${channel_id} ${topic.toLowerCase()}`
  const now = Date.now()
  if ((known.get(key) ?? 0) > now) return false
  const [row] = await db`
    select from messages
    where realm_id = ${realm.id} and channel_id = ${channel_id} and lower(topic) = lower(${topic})
    limit 1`
  if (row !== undefined) known.set(key, now + REMEMBERED_MS)
  return row === undefined
}
