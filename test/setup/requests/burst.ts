/** Many calls of different kinds at the same time. */
import { call, ok, type Person } from '../realm/realm.js'

/** What calls were answered with: the kind of call and the status, and how often. */
export type Tally = Record<string, number>

/**
 * Sends calls of six kinds through one gateway, all of a round at the same time.
 * @param people at least two; the first one creates the channel
 * @param preparing_url the gateway on which the channel is created, where the other one may fail
 */
export const sendBurst = async (
  people: readonly Person[],
  url: string,
  rounds = 5,
  calls = 30,
  preparing_url = url,
): Promise<Tally> => {
  const [first] = people as [Person]
  const others = people.slice(1).map(({ user_id }) => user_id)
  const name = `burst ${Math.random().toString(36).slice(2)}`
  await ok(
    first,
    'POST',
    '/users/me/subscriptions',
    { subscriptions: [{ name }], principals: [first.user_id, ...others] },
    { url: preparing_url },
  )
  const topic = { type: 'channel', to: name, topic: 'burst' }
  const { id } = await ok(first, 'POST', '/messages', { ...topic, content: 'first' }, { url: preparing_url })
  const kinds: [method: string, path: string, params: (k: number) => Record<string, unknown>][] = [
    ['POST', '/messages', (k) => ({ ...topic, content: `message ${k}` })],
    ['GET', '/messages', () => ({ anchor: 'newest', num_before: 3, num_after: 0 })],
    ['POST', '/register', () => ({ event_types: ['message'], fetch_event_types: ['message', 'subscription'] })],
    ['GET', '/drafts', () => ({})],
    ['POST', '/messages/flags', () => ({ op: 'add', flag: 'starred', messages: [id] })],
    ['PATCH', '/settings', (k) => ({ starred_message_counts: k % 2 === 0 })],
  ]
  const tally: Tally = {}
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      Array.from({ length: calls }, async (_, k) => {
        const [method, path, params] = kinds[k % kinds.length] as (typeof kinds)[number]
        const person = people[k % people.length]
        const { status } = await call(person, method, path, params(k), { url })
        const key = `${method} ${path} ${status}`
        tally[key] = (tally[key] ?? 0) + 1
      }),
    )
  }
  return tally
}

/** The statuses of a tally. */
export const listStatuses = (tally: Tally): number[] =>
  [...new Set(Object.keys(tally).map((key) => Number(key.split(' ').at(-1))))].sort()
