/** A client that lost the answer to a send repeats it, and the message is there once (protocol/messages.md 3.7). */
import { describe, expect, onTestFinished, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { deleteOldKeys } from '../../src/store/log/old-keys.js'
import { startGateway } from '../setup/processes/processes.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { call, gateways, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { openSocket } from '../setup/requests/socket.js'

/** Creates the channel `design`. Nobody follows topics by a setting, so sends share their commits. */
const setUp = async () => {
  const realm = await newRealm()
  onTestFinished(() => realm[Symbol.asyncDispose]())
  const [ada, grace] = (await realm.people(
    { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
    { full_name: 'Grace', settings: neverFollowing },
  )) as [Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }], principals: [grace.user_id] })
  return { realm, ada, grace }
}

const hello = { type: 'channel', to: 'design', topic: 'logo', content: 'hello' }
const echo = { queue_id: 'a queue', local_id: '100.01' }

const send = async (by: Person, params: Record<string, unknown>, url?: string) => {
  const { status, body } = await call(by, 'POST', '/messages', params, url === undefined ? {} : { url })
  return { status, body }
}

/** Sends with a key, over HTTP and through one of the gateways. */
const sendWithKey = async (by: Person, key: string, params: Record<string, unknown> = {}, n = 0) => {
  const { port } = new URL(gateways()[n % gateways().length] as string)
  const { status, json } = await sendRequest(Number(port), {
    method: 'POST',
    path: '/api/v1/messages',
    host: by.host,
    authorization: basicAuthorization(by),
    headers: { 'Idempotency-Key': key },
    body: new URLSearchParams({ ...hello, ...params } as Record<string, string>).toString(),
  })
  return { status, body: json }
}

const countMessages = async ({ sql, realm_id }: TestRealm): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from messages where realm_id = ${realm_id} and topic = 'logo'`
  return row?.n ?? 0
}

describe('A send that is repeated', () => {
  test('gets the answer of the first one and is stored once, at the same time through all gateways.', async () => {
    const { realm, ada } = await setUp()
    const url = (i: number) => gateways()[i % gateways().length]
    const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => send(ada, { ...hello, ...echo }, url(i))))
    const [first] = answers
    expect(first).toMatchObject({ status: 200, body: { id: expect.any(Number) } })
    expect(answers).toEqual(answers.map(() => first))
    expect(await send(ada, { ...hello, ...echo })).toEqual(first)
    expect(await countMessages(realm)).toBe(1)
  })

  test('is one of a batch with others, which are all stored.', async () => {
    const { realm, ada, grace } = await setUp()
    const url = gateways()[0] as string
    const sends = [1, 1, 2, 2, 2, 3].map((n) => send(ada, { ...hello, queue_id: 'q', local_id: String(n) }, url))
    const others = Array.from({ length: 8 }, () => send(grace, hello, url))
    const ids = (await Promise.all(sends)).map(({ body }) => body.id)
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200))
    expect(new Set(ids).size).toBe(3)
    expect([ids[1], ids[3], ids[4]]).toEqual([ids[0], ids[2], ids[2]])
    expect(await countMessages(realm)).toBe(11)
  })

  test('has the policy in its answer that the first one set.', async () => {
    const { realm, ada } = await setUp()
    await ok(ada, 'PATCH', '/settings', { automatically_follow_topics_policy: 1 })
    const first = await send(ada, { ...hello, ...echo })
    expect(first.body).toMatchObject({ automatic_new_visibility_policy: 3 })
    expect(await send(ada, { ...hello, ...echo })).toEqual(first)
    expect(await countMessages(realm)).toBe(1)
  })

  test('gets the first answer also when it is not permitted any more.', async () => {
    const { ada, grace } = await setUp()
    const first = await send(grace, { ...hello, ...echo })
    const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: 'design' })
    await ok(ada, 'DELETE', `/streams/${stream_id}`)
    expect(await send(grace, { ...hello, ...echo })).toEqual(first)
    expect((await send(grace, { ...hello, ...echo, local_id: '100.02' })).status).toBe(400)
  })

  test('is another message with another text, by another account, or with another local id.', async () => {
    const { realm, ada, grace } = await setUp()
    await send(ada, { ...hello, ...echo })
    await send(ada, { ...hello, ...echo, content: 'hello, corrected' })
    await send(ada, { ...hello, ...echo, local_id: '100.02' })
    await send(grace, { ...hello, ...echo })
    await send(ada, hello)
    await send(ada, hello)
    expect(await countMessages(realm)).toBe(6)
  })

  test('through a new gateway, after the first one was killed, is stored once.', async () => {
    const { realm, ada } = await setUp()
    const killed = await startGateway()
    const first = await send(ada, { ...hello, ...echo }, killed.url)
    killed.signal('SIGKILL')
    await killed.ended
    expect(await send(ada, { ...hello, ...echo })).toEqual(first)
    expect(await countMessages(realm)).toBe(1)
  })

  test('after 24 hours is another message.', async () => {
    const { realm, ada } = await setUp()
    const first = await send(ada, { ...hello, ...echo })
    await deleteOldKeys(realm.sql)
    expect(await send(ada, { ...hello, ...echo })).toEqual(first)
    await realm.sql`
      update idempotency_keys set at = now() - interval '25 hours' where realm_id = ${realm.realm_id}`
    await deleteOldKeys(realm.sql)
    expect((await send(ada, { ...hello, ...echo })).body.id).not.toBe(first.body.id)
  })
})

describe('A send with an Idempotency-Key', () => {
  test('is stored once, and another send with its key is refused, over HTTP and over a socket.', async () => {
    const { realm, ada } = await setUp()
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => sendWithKey(ada, 'order 66', {}, i)))
    expect(answers[0]).toMatchObject({ status: 200, body: { id: expect.any(Number) } })
    expect(answers).toEqual(answers.map(() => answers[0]))
    const other = { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } }
    expect(await sendWithKey(ada, 'order 66', { content: 'another' })).toMatchObject(other)
    await using socket = await openSocket(ada)
    const overSocket = (params: Record<string, unknown>) => socket.call('POST', '/messages', params, 'order 66')
    expect(await overSocket({ ...hello, to: 'design' })).toMatchObject({ status: 200, body: answers[0]?.body })
    expect(await overSocket({ ...hello, content: 'another' })).toMatchObject(other)
    expect(await countMessages(realm)).toBe(1)
  })

  test('that was refused may be repeated with its key, and a key that is too long is refused.', async () => {
    const { realm, ada } = await setUp()
    expect(await sendWithKey(ada, 'k', { to: 'nowhere' })).toMatchObject({ status: 400 })
    expect(await sendWithKey(ada, 'k')).toMatchObject({ status: 200 })
    expect(await sendWithKey(ada, 'k'.repeat(255))).toMatchObject({ status: 200 })
    expect(await sendWithKey(ada, 'k'.repeat(256))).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(await countMessages(realm)).toBe(2)
  })
})
