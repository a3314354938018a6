/** What is stored for calls that may be repeated: its bound, and its deletion (protocol/endpoints.md 0.1). */
import { expect, test } from 'vitest'
import { deleteOldKeys } from '../../src/store/log/old-keys.js'
import { genericPlanOf, recordStatements } from '../setup/processes/statements.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { anyGateway, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const callWithKey = async (by: Person, key: string, path: string, params: Record<string, string>) => {
  const { status, json, headers } = await sendRequest(Number(new URL(anyGateway()).port), {
    method: 'POST',
    path: `/api/v1${path}`,
    host: by.host,
    authorization: basicAuthorization(by),
    headers: { 'Idempotency-Key': key },
    body: new URLSearchParams(params).toString(),
  })
  return { status, body: json, retryAfter: Number(headers['retry-after']) }
}

/** Stores keys of an account: `count` of them, with answers of `bytes` bytes. */
const storeKeys = (
  { sql, realm_id }: TestRealm,
  user_id: number,
  { count, bytes, hours }: { count: number; bytes: number; hours: number },
) => sql`
  insert into idempotency_keys (realm_id, user_id, key, request, answer, at)
  select ${realm_id}, ${user_id}, gen_random_uuid(), gen_random_uuid(), repeat('x', ${bytes}),
    now() - make_interval(hours => ${hours})
  from generate_series(1, ${count})`

const countKeys = async ({ sql, realm_id }: TestRealm): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from idempotency_keys where realm_id = ${realm_id}`
  return row?.n ?? 0
}

/** A call with a long answer. */
const addWords = (by: Person) => {
  const words = Array.from({ length: 80 }, (_, i) => `${'a'.repeat(90)}${String(i).padStart(3, '0')}`)
  return callWithKey(by, 'long', '/users/me/alert_words', { alert_words: JSON.stringify(words) })
}

test('An account is refused more long answers than it may have, and goes on after the time of their keys.', async () => {
  await using realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  await storeKeys(realm, ada.user_id, { count: 64, bytes: 1024 * 1024, hours: 23 })
  const refused = await addWords(ada)
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } })
  expect(refused.retryAfter).toBeGreaterThan(3_000)
  expect(refused.retryAfter).toBeLessThanOrEqual(3_600)
  // The refused call has changed nothing. Short answers are not bounded, and neither are other accounts.
  expect(await ok(ada, 'GET', '/users/me/alert_words')).toMatchObject({ alert_words: [] })
  const snippet = { title: 'Hello', content: 'Hello, and welcome' }
  expect(await callWithKey(ada, 'short', '/saved_snippets', snippet)).toMatchObject({ status: 200 })
  const message = { type: 'direct', to: JSON.stringify([grace.user_id]), content: 'Hello' }
  expect(await callWithKey(ada, 'send', '/messages', message)).toMatchObject({ status: 200 })
  expect(await addWords(grace)).toMatchObject({ status: 200 })
  await realm.sql`
    update idempotency_keys set at = at - interval '2 hours' where realm_id = ${realm.realm_id}`
  const first = await addWords(ada)
  expect(first).toMatchObject({ status: 200 })
  expect(await addWords(ada)).toEqual(first)
})

test('The deletion of old keys deletes all of them and no other, and reads each page once.', async () => {
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  for (const hours of [30, 1, 25, 23]) await storeKeys(realm, ada.user_id, { count: 10_000, bytes: 100, hours })
  const { sql, statements } = recordStatements(realm.sql)
  await deleteOldKeys(sql)
  expect(await countKeys(realm)).toBe(20_000)
  const parts = statements().filter(({ text }) => text.includes('delete from idempotency_keys'))
  expect(parts.length).toBeGreaterThan(3)
  for (const part of parts.slice(0, 2)) {
    const plan = await genericPlanOf(realm.sql, part)
    expect(plan.Plans?.map((node) => node['Node Type'])).toEqual(['Tid Range Scan'])
  }
  // A worker that stops does not wait for the walk.
  expect(await deleteOldKeys(realm.sql, () => true)).toBe(0)
})
