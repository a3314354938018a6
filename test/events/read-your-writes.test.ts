/**
 * Read-your-writes across gateways: what one gateway has answered is true on every other gateway at once, while other
 * structural changes run concurrently.
 */
import { describe, expect, test } from 'vitest'
import { call, gateways, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'

const urlOf = (n: number): { url: string } => {
  const urls = gateways()
  return { url: urls[n % urls.length] as string }
}

/** Runs structural changes until `work` is done, so that the guard of every write keeps changing. */
const raceAgainst = async (realm: TestRealm, work: Promise<unknown>): Promise<void> => {
  const [racer] = (await realm.people({ full_name: 'Racer', role: 200 })) as [Person]
  let isOver = false
  const watched = work.finally(() => {
    isOver = true
  })
  for (let n = 0; !isOver; n++) {
    await ok(racer, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: `race ${n % 20}` }] }, urlOf(n))
    await ok(racer, 'DELETE', '/users/me/subscriptions', { subscriptions: [`race ${n % 20}`] }, urlOf(n + 1))
  }
  await watched
}

/** Runs `tries` rounds in `lanes` concurrent lanes. */
const rounds = (tries: number, lanes: number, round: (lane: number, n: number) => Promise<void>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let n = lane; n < tries; n += lanes) await round(lane, n)
    }),
  )

const LANES = 8
const TRIES = 400

describe('Changes that one gateway has answered', () => {
  test('A user who was removed from a private channel cannot post through another gateway.', {
    timeout: 240_000,
  }, async () => {
    await using realm = await newRealm()
    const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    const members = await realm.people(...Array.from({ length: LANES }, (_, i) => ({ full_name: `Member ${i}` })))
    const name = (lane: number) => `private ${lane}`
    const posts = { refused: 0, accepted: 0 }

    const round = async (lane: number, n: number) => {
      const member = members[lane] as Person
      const joining = {
        subscriptions: [{ name: name(lane) }],
        principals: [owner.user_id, member.user_id],
        invite_only: true,
        send_new_subscription_messages: false,
      }
      const post = (at: number) =>
        call(member, 'POST', '/messages', { type: 'stream', to: name(lane), topic: 't', content: 'x' }, urlOf(at))

      await ok(owner, 'POST', '/users/me/subscriptions', joining, urlOf(n))
      expect((await post(n + 1)).status, 'a member posts through another gateway').toBe(200)
      const leaving = { subscriptions: [name(lane)], principals: [member.user_id] }
      await ok(owner, 'DELETE', '/users/me/subscriptions', leaving, urlOf(n))
      const { status, body } = await post(n + 2)
      expect(body).toMatchObject({ result: 'error', code: 'STREAM_DOES_NOT_EXIST' })
      posts[status === 200 ? 'accepted' : 'refused'] += 1
    }
    await raceAgainst(realm, rounds(TRIES, LANES, round))
    expect(posts).toEqual({ refused: TRIES, accepted: 0 })
  })

  test('A new channel is in the channel list of another gateway at once.', { timeout: 240_000 }, async () => {
    await using realm = await newRealm()
    const people = await realm.people(...Array.from({ length: LANES }, (_, i) => ({ full_name: `Member ${i}` })))
    let seen = 0
    const round = async (lane: number, n: number) => {
      const person = people[lane] as Person
      const name = `channel ${n}`
      await ok(person, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] }, urlOf(n))
      const { streams } = await ok(person, 'GET', '/streams', {}, urlOf(n + 1))
      if (streams.some((channel) => channel.name === name)) seen += 1
    }
    await raceAgainst(realm, rounds(TRIES, LANES, round))
    expect(seen).toBe(TRIES)
  })
})
