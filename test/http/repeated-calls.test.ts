/** A client that lost the answer to a call repeats it, and the call happened once (protocol/endpoints.md 0.1). */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { openKeys } from '../../src/domain/deployment/keys.js'
import { Role } from '../../src/domain/log/rows.js'
import { deleteOldKeys } from '../../src/store/log/old-keys.js'
import { startGateway } from '../setup/processes/processes.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { openSocket } from '../setup/requests/socket.js'

const setUp = async () => {
  const realm = await newRealm()
  onTestFinished(() => realm[Symbol.asyncDispose]())
  const [ada, grace] = (await realm.people({ full_name: 'Ada', role: Role.owner }, { full_name: 'Grace' })) as [
    Person,
    Person,
  ]
  return { realm, ada, grace }
}

const callWithKey = async (
  by: Person,
  key: string,
  [method, path, params]: readonly [string, string, Record<string, unknown>],
  url = gateways()[0] as string,
) => {
  const texts = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const { status, json } = await sendRequest(Number(new URL(url).port), {
    method,
    path: `/api/v1${path}`,
    host: by.host,
    authorization: basicAuthorization(by),
    headers: { 'Idempotency-Key': key },
    body: new URLSearchParams(texts).toString(),
  })
  return { status, body: json }
}

const snippet = ['POST', '/saved_snippets', { title: 'Hello', content: 'Hello, and welcome' }] as const
const reused = { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } }

test('A call is made once at the same time through all gateways, and over a socket.', async () => {
  const { ada, grace } = await setUp()
  const calls = Array.from({ length: 16 }, (_, i) => callWithKey(ada, 'k', snippet, gateways()[i % gateways().length]))
  const answers = await Promise.all(calls)
  expect(answers[0]).toMatchObject({ status: 200, body: { saved_snippet_id: expect.any(Number) } })
  expect(answers).toEqual(answers.map(() => answers[0]))
  await using socket = await openSocket(ada)
  const [method, path, params] = snippet
  expect(await socket.call(method, path, params, 'k')).toMatchObject({ status: 200, body: answers[0]?.body })
  expect((await ok(ada, 'GET', '/saved_snippets')).saved_snippets).toHaveLength(1)
  // The key is of one account.
  expect((await callWithKey(grace, 'k', snippet)).body).not.toEqual(answers[0]?.body)
})

test('A key of another call, or of other parameters, is refused; a refused call does not use its key up.', async () => {
  const { ada } = await setUp()
  expect(await callWithKey(ada, 'k', ['POST', '/saved_snippets', { title: ' ', content: 'a' }])).toMatchObject({
    status: 400,
  })
  expect(await callWithKey(ada, 'k', snippet)).toMatchObject({ status: 200 })
  expect(await callWithKey(ada, 'k', ['POST', snippet[1], { ...snippet[2], title: 'Bye' }])).toMatchObject(reused)
  expect(await callWithKey(ada, 'k', ['PATCH', '/settings', { twenty_four_hour_time: true }])).toMatchObject(reused)
  const message = { type: 'direct', to: [ada.user_id], content: 'a' }
  expect(await callWithKey(ada, 'k', ['POST', '/messages', message])).toMatchObject(reused)
  expect(await callWithKey(ada, 'k'.repeat(256), snippet)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
})

test('A repeated call has the first answer where it would be refused or do nothing now, and after a death.', async () => {
  const { ada, grace } = await setUp()
  const doomed = await startGateway()
  const channel = ['POST', '/channels/create', { name: 'design', subscribers: [ada.user_id] }] as const
  const subscription = ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'logo' }] }] as const
  const first = await callWithKey(ada, 'a', channel, doomed.url)
  const subscribed = await callWithKey(grace, 'b', subscription, doomed.url)
  expect(subscribed.body).toMatchObject({ subscribed: { [grace.user_id]: ['logo'] } })
  doomed.signal('SIGKILL')
  await doomed.ended
  expect(await callWithKey(ada, 'a', channel)).toEqual(first)
  expect(await callWithKey(ada, randomUUID(), channel)).toMatchObject({ status: 409 })
  expect(await callWithKey(grace, 'b', subscription)).toEqual(subscribed)
})

test('What a call has stored is there if and only if its change is.', async () => {
  const { realm, ada } = await setUp()
  const countKeys = async () => {
    const [row] = await realm.sql<{ n: number }[]>`
      select count(*)::int as n from idempotency_keys where realm_id = ${realm.realm_id}`
    return row?.n
  }
  // The commit inserts the key, and is rolled back with it.
  await realm.sql.unsafe(`
    create function refuse_snippet() returns trigger language plpgsql as $$
      begin if new.realm_id = ${realm.realm_id} then raise exception 'refused'; end if; return new; end $$;
    create constraint trigger refuse_snippet after insert on saved_snippets
      deferrable initially deferred for each row execute function refuse_snippet()`)
  try {
    expect((await callWithKey(ada, 'k', snippet)).status).toBe(500)
    expect(await countKeys()).toBe(0)
  } finally {
    await realm.sql.unsafe('drop trigger refuse_snippet on saved_snippets; drop function refuse_snippet')
  }
  expect((await callWithKey(ada, 'k', snippet)).status).toBe(200)
  expect(await countKeys()).toBe(1)
})

test('The table has no key and no password, and a digest of parameters needs the secret.', async () => {
  const { realm, ada } = await setUp()
  const made = await callWithKey(ada, 'a', ['POST', '/bots', { full_name: 'Sun', short_name: 'sun' }])
  expect(made.body).toMatchObject({ api_key: expect.stringMatching(/^\w{32}$/) })
  expect(await callWithKey(ada, 'a', ['POST', '/bots', { full_name: 'Sun', short_name: 'sun' }])).toEqual(made)
  const linked = await callWithKey(ada, 'b', ['POST', '/invites/multiuse', {}])
  const [, token = ''] = /\/join\/([^/]+)/.exec(String(linked.body.invite_link)) ?? []
  expect(token.length).toBeGreaterThan(32)
  const account = { email: 'eve@example.com', full_name: 'Eve', password: 'correct horse battery staple' }
  expect(await callWithKey(ada, 'c', ['POST', '/users', account])).toMatchObject({ status: 200 })
  const rows = await realm.sql<{ text: string }[]>`
    select to_jsonb(k)::text as text from idempotency_keys k where realm_id = ${realm.realm_id}`
  expect(rows).toHaveLength(3)
  for (const secret of [made.body.api_key, token, account.password]) {
    expect(rows.filter(({ text }) => text.includes(String(secret)))).toEqual([])
  }
  // A reader of the table who has not the secret of the deployment cannot try passwords against a digest.
  const [one, other] = ['a', 'b'].map((secret) => openKeys([secret]).requestDigests('the parameters'))
  expect(one).not.toEqual(other)
})

test('After 24 hours, a key names another call.', async () => {
  const { realm, ada } = await setUp()
  const first = await callWithKey(ada, 'k', snippet)
  await realm.sql`
    update idempotency_keys set at = now() - interval '25 hours' where realm_id = ${realm.realm_id}`
  await deleteOldKeys(realm.sql)
  expect((await callWithKey(ada, 'k', snippet)).body).not.toEqual(first.body)
})
