/**
 * Event subscriptions over HTTP: what is delivered, how it is signed, and what their owners may do with them.
 *
 * The receivers belong to the tests and listen on 127.0.0.1, which the fleet is configured to allow.
 */
import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { listen } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { type Called, openServer } from '../setup/web/web-server.js'

const confirm = (_: Called, response: ServerResponse) => void response.writeHead(204).end()

const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 20_000, interval: 50 })

type Received = {
  id: number
  type: string
  op?: string
  message?: { content: string }
  snapshot?: Record<string, unknown>
}

const bodies = (calls: readonly Called[]): Received[] => calls.map(({ text }) => JSON.parse(text))

const contents = (calls: readonly Called[]): (string | undefined)[] =>
  bodies(calls).map(({ message }) => message?.content)

const subscribe = (by: Person, address: string, more: Record<string, unknown> = {}) =>
  ok(by, 'POST', '/event_subscriptions', { name: 'Mirror', address, event_types: ['message'], ...more })

/** Without the notices that the owner of a broken subscription gets. */
const inLogo = { narrow: [['topic', 'logo']] }

const read = async (by: Person, id: string) => (await ok(by, 'GET', `/event_subscriptions/${id}`)).event_subscription

const setUp = async (...names: string[]) => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', ...names)
  const [ada, grace, ...others] = people as [Person, Person, ...Person[]]
  await createChannel(ada, 'design', [ada, grace])
  return { realm, ada, grace, others }
}

describe('Deliveries', () => {
  test('A receiver gets the events that a queue of the account gets, in order, each with an id of its own.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const filter = { event_types: ['message', 'reaction', 'subscription'] }
    const queue = await listen(ada, filter)
    await subscribe(ada, server.url, filter)
    const id = await postMessage(grace, 'design', 'logo', 'one')
    await ok(grace, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await sendDirectMessage(grace, [ada], 'two')
    await sendDirectMessage(grace, [grace], 'a secret of Grace')
    await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'new' }] })
    await postMessage(grace, 'design', 'logo', 'three')
    const expected = await queue.events()
    await eventually(() => bodies(server.calls)).toEqual(expected)
    expect(new Set(server.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(expected.length)
  })

  test('Each delivery is signed in the form of Standard Webhooks.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { secret, subscription_id } = await subscribe(ada, server.url)
    await postMessage(grace, 'design', 'logo', 'one')
    await eventually(() => server.calls.length).toBe(1)
    const [first] = server.calls as [Called]
    const headers = first.headers as Record<string, string>
    expect(new Webhook(secret).verify(first.text, headers)).toMatchObject({ type: 'message' })
    expect(() => new Webhook(secret).verify(first.text.replace('one', 'two'), headers)).toThrow()
    expect(headers['webhook-id']).toBe(`evt_${subscription_id}_${bodies([first])[0]?.id}`)
  })

  test('While a secret is replaced, both sign; without an overlap, only the new one does.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { secret, subscription_id: id } = await subscribe(ada, server.url)
    const { secret: second } = await ok(ada, 'POST', `/event_subscriptions/${id}/secret`)
    await postMessage(grace, 'design', 'logo', 'one')
    await eventually(() => server.calls.length).toBe(1)
    const verify = (key: string, { text, headers }: Called) =>
      new Webhook(key).verify(text, headers as Record<string, string>)
    for (const key of [secret, second]) verify(key, server.calls[0] as Called)
    const { secret: third } = await ok(ada, 'POST', `/event_subscriptions/${id}/secret`, { overlap_secs: 0 })
    await postMessage(grace, 'design', 'logo', 'two')
    await eventually(() => server.calls.length).toBe(2)
    verify(third, server.calls[1] as Called)
    for (const key of [secret, second]) expect(() => verify(key, server.calls[1] as Called)).toThrow()
  })

  test('A failed event is delivered again with the same id, and the next one waits for it.', async () => {
    await using server = await openServer((_, response, n) => void response.writeHead(n < 4 ? 500 : 204).end())
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { subscription_id } = await subscribe(ada, server.url)
    await postMessage(grace, 'design', 'logo', 'one')
    await postMessage(grace, 'design', 'logo', 'two')
    await eventually(() => contents(server.calls)).toEqual(['one', 'one', 'one', 'one', 'two'])
    const ids = server.calls.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids.slice(0, 4)).size).toBe(1)
    await eventually(async () => (await read(ada, subscription_id)).delivered).toBe(2)
    const { failures, errors, state, position } = await read(ada, subscription_id)
    expect({ failures, state, position }).toEqual({
      failures: 0,
      state: 'active',
      position: bodies(server.calls)[4]?.id,
    })
    expect(errors).toHaveLength(3)
    expect(errors[0]).toMatchObject({ event_id: bodies(server.calls)[0]?.id, error: expect.stringContaining('500') })
  })

  test('A narrow restricts the messages.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    await subscribe(ada, server.url, { narrow: [['topic', 'logo']] })
    await postMessage(grace, 'design', 'other', 'no')
    await postMessage(grace, 'design', 'logo', 'yes')
    await eventually(() => contents(server.calls)).toEqual(['yes'])
  })

  test('Events have the permissions of the account at that time.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace, others } = await setUp('Mallory')
    await using _ = realm
    const [mallory] = others as [Person]
    await createChannel(ada, 'private', [ada, mallory], { invite_only: true })
    const { subscription_id: id } = await subscribe(mallory, server.url)
    await ok(mallory, 'POST', `/event_subscriptions/${id}/pause`)
    await postMessage(ada, 'private', 'plans', 'before')
    await ok(ada, 'DELETE', '/users/me/subscriptions', { subscriptions: ['private'], principals: [mallory.user_id] })
    await postMessage(ada, 'private', 'plans', 'after')
    await ok(mallory, 'POST', `/event_subscriptions/${id}/resume`)
    await sendDirectMessage(grace, [mallory], 'last')
    await eventually(() => contents(server.calls)).toEqual(['before', 'last'])
  })

  test('The first delivery can be a snapshot, to which the events apply.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const before = await postMessage(grace, 'design', 'logo', 'before')
    const more = { snapshot_first: true, fetch_event_types: ['message', 'realm_user', 'subscription'] }
    await subscribe(ada, server.url, more)
    await eventually(() => server.calls.length).toBe(1)
    await postMessage(grace, 'design', 'logo', 'after')
    await eventually(() => server.calls.length).toBe(2)
    const [snapshot, event] = bodies(server.calls) as [Received, Received]
    expect(snapshot).toMatchObject({ type: 'snapshot', snapshot: { max_message_id: before } })
    expect(snapshot.snapshot).toHaveProperty('realm_users')
    expect(event.message?.content).toBe('after')
    expect(event.id).toBeGreaterThan(snapshot.id)
  })
})

describe('The owner of a subscription', () => {
  test('A paused subscription delivers nothing, and continues where it was.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { subscription_id: id } = await subscribe(ada, server.url)
    await postMessage(grace, 'design', 'logo', 'one')
    await eventually(() => contents(server.calls)).toEqual(['one'])
    await ok(ada, 'POST', `/event_subscriptions/${id}/pause`)
    await postMessage(grace, 'design', 'logo', 'two')
    await ok(ada, 'POST', `/event_subscriptions/${id}/test`)
    await eventually(async () => (await read(ada, id)).test?.is_pending).toBe(false)
    expect(bodies(server.calls).map(({ type }) => type)).toEqual(['message', 'test'])
    expect(await read(ada, id)).toMatchObject({
      state: 'paused',
      lag_entries: expect.any(Number),
      test: { error: null },
    })
    await ok(ada, 'POST', `/event_subscriptions/${id}/resume`)
    await eventually(() => contents(server.calls).at(-1)).toBe('two')
  })

  test('A replay delivers the same events again, with the same ids.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { subscription_id: id } = await subscribe(ada, server.url)
    for (const text of ['one', 'two', 'three']) await postMessage(grace, 'design', 'logo', text)
    await eventually(() => contents(server.calls)).toEqual(['one', 'two', 'three'])
    const [first] = bodies(server.calls) as [Received]
    await ok(ada, 'POST', `/event_subscriptions/${id}/replay`, { position: first.id })
    await eventually(() => contents(server.calls)).toEqual(['one', 'two', 'three', 'two', 'three'])
    expect(server.calls[3]?.headers['webhook-id']).toBe(server.calls[1]?.headers['webhook-id'])
    const refused = await call(ada, 'POST', `/event_subscriptions/${id}/replay`, { position: first.id * 1_000 })
    expect(refused.status).toBe(400)
    await ok(ada, 'POST', `/event_subscriptions/${id}/replay`, { snapshot: true })
    await eventually(() => bodies(server.calls).at(-1)?.type).toBe('snapshot')
  })

  test('The receiver and the filter can be changed, and a deleted subscription is gone.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { subscription_id: id } = await subscribe(ada, 'http://127.0.0.1:9')
    await postMessage(grace, 'design', 'logo', 'one')
    await eventually(async () => (await read(ada, id)).failures).toBeGreaterThan(0)
    const changes = { address: `${server.url}/new`, name: 'Renamed', narrow: [['topic', 'logo']] }
    await ok(ada, 'PATCH', `/event_subscriptions/${id}`, changes)
    await postMessage(grace, 'design', 'other', 'two')
    await postMessage(grace, 'design', 'logo', 'three')
    await eventually(() => contents(server.calls)).toEqual(['one', 'three'])
    expect(server.calls[0]?.path).toBe('/new')
    expect(await read(ada, id)).toMatchObject({
      name: 'Renamed',
      event_types: ['message'],
      narrow: [['topic', 'logo']],
    })
    await ok(ada, 'DELETE', `/event_subscriptions/${id}`)
    expect((await call(ada, 'GET', `/event_subscriptions/${id}`)).status).toBe(400)
    expect((await ok(ada, 'GET', '/event_subscriptions')).event_subscriptions).toEqual([])
  })

  test('A subscription for a bot belongs to who administers the bot, and gets the events of the bot.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace, others } = await setUp('Mallory')
    await using _ = realm
    const [mallory] = others as [Person]
    const { user_id } = await ok(grace, 'POST', '/bots', { full_name: 'Echo', short_name: 'echo' })
    const refused = await call(mallory, 'POST', '/event_subscriptions', { name: 'x', address: server.url, user_id })
    expect(refused.status).toBe(400)
    const { subscription_id: id } = await subscribe(grace, server.url, { user_id })
    await sendDirectMessage(ada, [grace], 'no')
    await sendDirectMessage(ada, [{ user_id } as Person], 'for the bot')
    await eventually(() => contents(server.calls)).toEqual(['for the bot'])
    expect((await read(grace, id)).user_id).toBe(user_id)
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/replay'],
      ['POST', '/secret'],
      ['POST', '/test'],
    ] as const) {
      const { status, body } = await call(mallory, method, `/event_subscriptions/${id}${path}`, { snapshot: true })
      expect([status, body.msg]).toEqual([400, 'There is no event subscription with this ID.'])
    }
  })

  test('Administrators see all subscriptions without their receivers, and pause and delete them.', async () => {
    await using server = await openServer(confirm)
    const { realm, grace } = await setUp()
    await using _ = realm
    const [root] = (await realm.people({ full_name: 'Root', role: Role.administrator })) as [Person]
    const { subscription_id: id } = await subscribe(grace, server.url)
    const { event_subscriptions } = await ok(root, 'GET', '/event_subscriptions')
    expect(event_subscriptions).toMatchObject([{ subscription_id: id, user_id: grace.user_id, address: '' }])
    const address = { address: 'https://elsewhere.example.com' }
    expect((await call(root, 'PATCH', `/event_subscriptions/${id}`, address)).status).toBe(400)
    expect((await call(root, 'POST', `/event_subscriptions/${id}/secret`)).status).toBe(400)
    await ok(root, 'POST', `/event_subscriptions/${id}/pause`)
    expect(await read(grace, id)).toMatchObject({ state: 'paused' })
    await ok(root, 'DELETE', `/event_subscriptions/${id}`)
    expect((await ok(grace, 'GET', '/event_subscriptions')).event_subscriptions).toEqual([])
  })

  test('An account can have 20 subscriptions, those of its bots included, also when it asks at once.', async () => {
    const { realm, grace } = await setUp()
    await using _ = realm
    const { user_id } = await ok(grace, 'POST', '/bots', { full_name: 'Echo', short_name: 'echo' })
    const create = (_: unknown, i: number) =>
      call(grace, 'POST', '/event_subscriptions', {
        name: 'x',
        address: 'http://127.0.0.1:9',
        ...(i % 2 === 0 ? { user_id } : {}),
      })
    const answers = await Promise.all(Array.from({ length: 24 }, create))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  })

  test('Each change is an act in the audit log, with the host of the receiver and without its address.', async () => {
    const { realm, grace } = await setUp()
    await using _ = realm
    const [root] = (await realm.people({ full_name: 'Root', role: Role.owner })) as [Person]
    const { subscription_id } = await subscribe(grace, 'https://e.example.com/secret-path')
    await ok(grace, 'DELETE', `/event_subscriptions/${subscription_id}`)
    const { acts } = await ok(root, 'GET', '/realm/audit_log', { subject: 'event_subscriptions' })
    expect(acts.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['DELETE /event_subscriptions/{subscription_id}', grace.user_id],
      ['POST /event_subscriptions', grace.user_id],
    ])
    expect(acts[1]?.changes).toMatchObject([
      { table: 'event_subscriptions', key: { subscription_id }, before: null, after: { host: 'e.example.com' } },
    ])
    expect(JSON.stringify(acts)).not.toContain('secret-path')
  })

  test('An address that is none, a private one and a sink that this server has not are refused or fail.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    for (const address of ['ftp://example.com', 'no address', 'https://user:password@example.com/']) {
      expect((await call(ada, 'POST', '/event_subscriptions', { name: 'x', address })).status).toBe(400)
    }
    const kafka = { name: 'x', address: 'topic', sink: 'kafka' }
    expect((await call(ada, 'POST', '/event_subscriptions', kafka)).status).toBe(400)
    const { subscription_id: id } = await subscribe(ada, 'http://169.254.169.254/latest')
    await ok(ada, 'POST', `/event_subscriptions/${id}/test`)
    await eventually(async () => (await read(ada, id)).test?.error).toContain('private')
  })
})

describe('A subscription ends or breaks', () => {
  test('A deactivated account gets nothing more, and continues when it is reactivated.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [root] = (await realm.people({ full_name: 'Root', role: Role.owner })) as [Person]
    await subscribe(grace, server.url)
    await postMessage(ada, 'design', 'logo', 'one')
    await eventually(() => contents(server.calls)).toEqual(['one'])
    await ok(root, 'DELETE', `/users/${grace.user_id}`)
    await postMessage(ada, 'design', 'logo', 'two')
    await using other = await openServer(confirm)
    await subscribe(ada, other.url)
    await postMessage(ada, 'design', 'logo', 'three')
    await eventually(() => contents(other.calls)).toEqual(['three'])
    expect(contents(server.calls)).toEqual(['one'])
    await ok(root, 'POST', `/users/${grace.user_id}/reactivate`)
    const [found] = (await ok(root, 'GET', '/event_subscriptions')).event_subscriptions
    // What happened while it was deactivated is not for the account.
    await sendDirectMessage(ada, [grace], 'four')
    await eventually(() => contents(server.calls)).toEqual(['one', 'four'])
    expect(found?.state).toBe('active')
  })

  test('After a change of the credentials nothing is delivered until the owner resumes.', async () => {
    await using server = await openServer(confirm)
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { subscription_id: id } = await subscribe(grace, server.url, inLogo)
    const { api_key } = await ok(grace, 'POST', '/users/me/api_key/regenerate')
    const renewed = { ...grace, api_key }
    await postMessage(ada, 'design', 'logo', 'one')
    await eventually(async () => (await read(renewed, id)).reason).toBe('credentials_changed')
    expect(server.calls).toEqual([])
    await ok(renewed, 'POST', `/event_subscriptions/${id}/resume`)
    await eventually(() => contents(server.calls)).toEqual(['one'])
    await waitForJobs(realm)
    const { messages } = await ok(renewed, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 5,
      narrow: [['is', 'dm']],
    })
    expect(messages.at(-1)?.content).toContain('Mirror')
  })

  test('A receiver that answers 410 gets nothing more.', async () => {
    await using server = await openServer((_, response) => void response.writeHead(410).end())
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { subscription_id: id } = await subscribe(ada, server.url)
    await postMessage(grace, 'design', 'logo', 'one')
    await eventually(async () => (await read(ada, id)).reason).toBe('gone')
    await using other = await openServer(confirm)
    await subscribe(ada, other.url, inLogo)
    await postMessage(grace, 'design', 'logo', 'two')
    await eventually(() => contents(other.calls)).toEqual(['two'])
    expect(await read(ada, id)).toMatchObject({ state: 'broken', failures: 1 })
    expect(server.calls).toHaveLength(1)
  })

  test.each(['stop', 'snapshot'] as const)(
    'When the log does not have the position any more, the subscription says so: %s.',
    async (on_gap) => {
      await using server = await openServer(confirm)
      const { realm, ada, grace } = await setUp()
      await using _ = realm
      const { subscription_id: id } = await subscribe(ada, server.url, { on_gap })
      await ok(ada, 'POST', `/event_subscriptions/${id}/pause`)
      await postMessage(grace, 'design', 'logo', 'lost')
      // As if the subscription had been paused for longer than the log is kept.
      await realm.sql`update event_subscriptions set seq = -10 where realm_id = ${realm.realm_id}`
      await ok(ada, 'POST', `/event_subscriptions/${id}/resume`)
      if (on_gap === 'stop') {
        await eventually(async () => (await read(ada, id)).reason).toBe('position_lost')
        expect(server.calls).toEqual([])
      } else {
        await eventually(() => bodies(server.calls).map(({ type }) => type)).toEqual(['snapshot'])
        await postMessage(grace, 'design', 'logo', 'next')
        await eventually(() => contents(server.calls)).toEqual([undefined, 'next'])
      }
      expect((await read(ada, id)).errors[0]?.error).toContain('does not have the events')
    },
  )
})
