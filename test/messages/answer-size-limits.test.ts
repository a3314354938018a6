/** Data without a count limit of its own never makes an answer that is too large for a process to hold. */
import { expect, test } from 'vitest'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'

const MB = 1_000_000

interface Page {
  messages: { id: number }[]
  found_oldest: boolean
  found_newest: boolean
  found_anchor: boolean
}

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  const [ada, grace] = people as [Person, Person]
  return { realm, ada, grace, stream_id: await createChannel(ada, 'design', [ada, grace]) }
}

/** Gives the messages rendered content of the maximum size. */
const inflate = ({ sql, realm_id }: TestRealm, ids: readonly number[]) => sql`
  update messages set rendered_content = repeat('x', ${MB}) where realm_id = ${realm_id} and id = any(${[...ids]}::bigint[])`

test('A page of large messages is shorter, the following pages contain the rest, and other requests for too many of them are refused.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const ids: number[] = []
  for (let n = 0; n < 40; n++) ids.push(await postMessage(ada, 'design', 'logo'))
  await inflate(realm, ids)
  const narrow = [{ operator: 'topic', operand: 'logo' }]
  const page = (params: object) => ok(ada, 'GET', '/messages', { narrow, ...params })
  const idsOf = ({ messages }: Page) => messages.map(({ id }) => id)

  const newest = await page({ anchor: 'newest', num_before: 100, num_after: 0 })
  expect(newest).toMatchObject({ found_oldest: false, found_newest: true })
  expect(idsOf(newest)).toEqual(ids.slice(-15))

  const middle = await page({ anchor: ids[20], num_before: 100, num_after: 100 })
  expect(middle).toMatchObject({ found_oldest: false, found_newest: false, found_anchor: true })
  expect(idsOf(middle)).toEqual(ids.slice(13, 27))

  const all: number[] = []
  for (let anchor = 0; ; ) {
    const next = await page({ anchor, include_anchor: false, num_before: 0, num_after: 100 })
    all.push(...idsOf(next))
    if (next.found_newest) break
    anchor = all.at(-1) ?? 0
  }
  expect(all).toEqual(ids)

  const tooManyError = badRequest('These messages are too large for one response: request fewer messages at once.')
  expect(await readRefusal(call(ada, 'GET', '/messages', { message_ids: ids }))).toEqual(tooManyError)
  expect(idsOf(await ok(ada, 'GET', '/messages', { message_ids: ids.slice(0, 10) }))).toHaveLength(10)
  const asked = { msg_ids: ids, narrow }
  expect(await readRefusal(call(ada, 'GET', '/messages/matches_narrow', asked))).toEqual(tooManyError)
})

test('Earlier versions and submessages count towards the size of a page.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const ids: number[] = []
  for (let n = 0; n < 6; n++) ids.push(await postMessage(ada, 'design', 'logo'))
  const item = { user_id: ada.user_id, timestamp: 1, prev_content: 'x'.repeat(3 * MB), prev_rendered_content: '' }
  await realm.sql`
    update messages set edit_history = ${JSON.stringify([item])}::text::jsonb
    where realm_id = ${realm.realm_id} and id = any(${ids.slice(0, 3)}::bigint[])`
  for (const message_id of ids.slice(3)) {
    await realm.sql`
      insert into submessages (realm_id, message_id, sender_id, msg_type, content)
      values (${realm.realm_id}, ${message_id}, ${ada.user_id}, 'widget', repeat('x', ${3 * MB}))`
  }
  const page = await ok(ada, 'GET', '/messages', { anchor: ids[0], num_before: 0, num_after: 100 })
  expect(page.messages.map(({ id }) => id)).toEqual(ids.slice(0, 5))
  expect(page.found_newest).toBe(false)
})

test('The oldest versions of a message are dropped when its edit history is too large.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const message_id = await postMessage(ada, 'design', 'logo')
  const items = Array.from({ length: 5 }, (_, n) => ({
    user_id: ada.user_id,
    timestamp: 5 - n,
    prev_content: `text ${4 - n}`,
    prev_rendered_content: 'x'.repeat(MB),
  }))
  await realm.sql`
    update messages set edit_history = ${JSON.stringify(items)}::text::jsonb
    where realm_id = ${realm.realm_id} and id = ${message_id}`
  await ok(ada, 'PATCH', `/messages/${message_id}`, { content: 'text 6' })
  const { message_history } = await ok(ada, 'GET', `/messages/${message_id}/history`)
  expect(message_history.map(({ content }) => content)).toEqual(['text 2', 'text 3', 'text 4', 'hello', 'text 6'])
})

const later = Math.floor(Date.now() / 1_000) + 3_600

test.each([
  [
    'drafts',
    '/drafts',
    (ada: Person) => ({ drafts: [{ type: 'private', to: [ada.user_id], topic: '', content: 'x'.repeat(10_000) }] }),
  ],
  ['saved_snippets', '/saved_snippets', () => ({ title: 'x', content: 'x'.repeat(10_000) })],
  [
    'scheduled_messages',
    '/scheduled_messages',
    (ada: Person) => ({
      type: 'direct',
      to: [ada.user_id],
      content: 'x'.repeat(10_000),
      scheduled_delivery_timestamp: later,
    }),
  ],
])('A user cannot keep more %s than fit one answer.', async (table, path, params) => {
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  const { sql, realm_id } = realm
  const made = await ok(ada, 'POST', path, params(ada))
  // Enlarges the existing row, as if the user had several very large ones.
  await sql`update ${sql(table)} set content = repeat('x', ${16 * MB - 5_000}) where realm_id = ${realm_id}`
  const full = badRequest(`There is no room for more ${table.replace('_', ' ')}: delete some first.`)
  expect(await readRefusal(call(ada, 'POST', path, params(ada)))).toEqual(full)
  const [kept] = await sql`select count(*)::int as n from ${sql(table)} where realm_id = ${realm_id}`
  expect(kept).toEqual({ n: 1 })
  await ok(grace, 'POST', path, params(grace))
  const id = ((made.ids as number[] | undefined)?.[0] ?? made.saved_snippet_id ?? made.scheduled_message_id) as number
  await ok(ada, 'DELETE', `${path}/${id}`)
  await ok(ada, 'POST', path, params(ada))
})

test('Drafts that are created in one request get ids in the order of the request.', async () => {
  const { realm, ada, stream_id } = await setUp()
  await using _ = realm
  const drafts = Array.from({ length: 500 }, (_, n) => ({
    type: 'stream',
    to: [stream_id],
    topic: 't',
    content: `draft ${n}`,
    timestamp: 1_000 + n,
  }))
  const { ids } = await ok(ada, 'POST', '/drafts', { drafts })
  const kept = await ok(ada, 'GET', '/drafts')
  expect(kept.drafts).toEqual(drafts.map((draft, n) => ({ id: ids[n], ...draft })))
})

test('A widget refuses a submessage when its submessages are too large.', async () => {
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  const id = await sendDirectMessage(ada, [grace], '/poll Lunch?\nSoup')
  const vote = (by: Person) =>
    call(by, 'POST', '/submessage', {
      message_id: id,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
    })
  expect((await vote(grace)).status).toBe(200)
  await realm.sql`
    insert into submessages (realm_id, message_id, sender_id, msg_type, content)
    values (${realm.realm_id}, ${id}, ${ada.user_id}, 'widget', repeat('x', ${4 * MB}))`
  expect(await readRefusal(vote(grace))).toEqual(
    badRequest('This widget has no space for more submessages: begin a new widget.'),
  )
})

test('A user can have at most 1,000 alert words, compared without regard to case.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const path = '/users/me/alert_words'
  const words = Array.from({ length: 1_000 }, (_, n) => `word${n}`)
  expect(await ok(ada, 'POST', path, { alert_words: words })).toMatchObject({ alert_words: words })
  expect(await ok(ada, 'POST', path, { alert_words: ['WORD1', 'Word2'] })).toMatchObject({ alert_words: words })
  expect(await readRefusal(call(ada, 'POST', path, { alert_words: ['one more'] }))).toEqual(
    badRequest('You can have at most 1000 alert words: remove some first.'),
  )
  await ok(ada, 'DELETE', path, { alert_words: ['WORD7'] })
  expect((await ok(ada, 'POST', path, { alert_words: ['last', 'LAST'] })).alert_words).toEqual([
    ...words.filter((word) => word !== 'word7'),
    'last',
  ])
})

test('One request can create at most 1,000 channels, and the number of subscriptions per request is limited.', async () => {
  const realm = await newRealm()
  await using _ = realm
  const people = await realm.people(...Array.from({ length: 300 }, (_, n) => ({ full_name: `Person ${n}` })))
  const [ada] = people as [Person]
  const path = '/users/me/subscriptions'
  const named = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `channel ${n}` }))
  const all = { principals: people.map(({ user_id }) => user_id), send_new_subscription_messages: false }
  expect(await readRefusal(call(ada, 'POST', path, { subscriptions: named(1_001) }))).toEqual(
    badRequest('At most 1000 channels can be created at once.'),
  )
  await ok(ada, 'POST', path, { subscriptions: named(1_000), send_new_subscription_messages: false })
  const tooMany = badRequest('This request makes too many subscriptions: send fewer channels or fewer users.')
  expect(await readRefusal(call(ada, 'POST', path, { subscriptions: named(700), ...all }))).toEqual(tooMany)
  await ok(ada, 'POST', path, { subscriptions: named(2), ...all })
})

test('A narrow can have at most 100 terms.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const id = await postMessage(ada, 'design', 'logo')
  const terms = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ operator: ['topic', 'search', 'id', 'is'][n % 4], negated: true })).map(
      (term, n) => ({ ...term, operand: ['t', 'word', 1_000_000 + n, 'starred'][n % 4] }),
    )
  const page = (count: number) => ({ anchor: 'newest', num_before: 10, num_after: 0, narrow: terms(count) })
  const asked = (count: number) => ({ msg_ids: [id], narrow: terms(count) })
  const tooMany = badRequest('A narrow may have at most 100 terms.')
  expect(await readRefusal(call(ada, 'GET', '/messages', page(101)))).toEqual(tooMany)
  expect(await readRefusal(call(ada, 'GET', '/messages/matches_narrow', asked(101)))).toEqual(tooMany)
  expect((await ok(ada, 'GET', '/messages', page(100))).messages.map((one) => one.id)).toContain(id)
  const { messages } = await ok(ada, 'GET', '/messages/matches_narrow', asked(100))
  expect(Object.keys(messages)).toEqual([String(id)])
})
