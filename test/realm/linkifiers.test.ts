/**
 * Linkifiers over the API: changing them, and their effect on messages. The pattern language:
 * test/markdown/linkifiers.test.ts.
 */
import { describe, expect, test } from 'vitest'
import { composeInsert } from '../../src/domain/log/row-changes.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'

const setUp = () => newRealmWith('Admin', 'Ada')

const issue = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tracker.example.com/{id}' }
const commit = { pattern: 'commit-(?P<hash>[0-9a-f]+)', url_template: 'https://code.example.com/{hash}' }

const add = async (person: Person, linkifier: typeof issue) =>
  (await ok(person, 'POST', '/realm/filters', linkifier)).id

const listed = async (person: Person) => (await ok(person, 'GET', '/realm/linkifiers')).linkifiers

test('An administrator can add, change, reorder and remove linkifiers, and capable clients receive the whole list.', async () => {
  await using s = await setUp()
  const capable = {
    client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
    event_types: ['realm_linkifiers'],
  }
  const listener = await listen(s.ada, capable)
  const older = await listen(s.ada, { event_types: ['realm_linkifiers'] })
  const [first, second] = [await add(s.admin, issue), await add(s.admin, commit)]
  await ok(s.admin, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [second, first] })
  const changed = { ...issue, url_template: 'https://other.example.com/{id}' }
  await ok(s.admin, 'PATCH', `/realm/filters/${first}`, changed)
  const both = [
    { id: second, ...commit },
    { id: first, ...changed },
  ]
  expect(await listed(s.ada)).toEqual(both)
  await ok(s.admin, 'DELETE', `/realm/filters/${second}`)
  expect((await listener.events()).map((event) => event.realm_linkifiers)).toEqual([
    [{ id: first, ...issue }],
    [
      { id: first, ...issue },
      { id: second, ...commit },
    ],
    [
      { id: second, ...commit },
      { id: first, ...issue },
    ],
    both,
    [{ id: first, ...changed }],
  ])
  expect(await older.events()).toEqual([])
})

test('A registration lists linkifiers for clients with the linkifier_url_template capability.', async () => {
  await using s = await setUp()
  const id = await add(s.admin, issue)
  const asked = { fetch_event_types: ['realm_linkifiers'] }
  const capable = { ...asked, client_capabilities: { notification_settings_null: true, linkifier_url_template: true } }
  expect(await ok(s.ada, 'POST', '/register', capable)).toMatchObject({ realm_linkifiers: [{ id, ...issue }] })
  expect(await ok(s.ada, 'POST', '/register', asked)).toMatchObject({ realm_linkifiers: [] })
})

test('Text in a message that matches a linkifier becomes a link.', async () => {
  await using s = await setUp()
  await add(s.admin, issue)
  const { id } = await ok(s.ada, 'POST', '/messages', { type: 'private', to: [s.admin.user_id], content: 'see #42' })
  const { message } = await ok(s.ada, 'GET', `/messages/${id}`)
  expect(message.content).toBe('<p>see <a href="https://tracker.example.com/42">#42</a></p>')
})

test('A message contains the linkifier links of its topic.', async () => {
  await using s = await setUp()
  await add(s.admin, issue)
  await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'bugs' }] })
  const listener = await listen(s.ada, { event_types: ['message'] })
  const sent = { type: 'stream', to: 'bugs', topic: 'about #42', content: 'hello' }
  const { id } = await ok(s.ada, 'POST', '/messages', sent)
  const topic_links = [{ text: '#42', url: 'https://tracker.example.com/42' }]
  // The notice about the new channel may arrive first.
  const received = (await listener.events()).find(({ message }) => (message as { id: number }).id === id)
  expect(received).toMatchObject({ message: { topic_links } })
  expect(await ok(s.ada, 'GET', `/messages/${id}`)).toMatchObject({ message: { topic_links } })
})

test('A linkifier whose template was stored before templates were checked links nothing, and is sent as one that leads nowhere.', async () => {
  await using s = await setUp()
  const bad = { ...issue, url_template: 'javascript:alert({id})' }
  await commitRowChanges(s.realm, [composeInsert('linkifiers', { id: 9, position: 9, ...bad })])
  const harmless = [{ ...issue, id: 9, url_template: 'https://refused-template.invalid/' }]
  expect(await listed(s.ada)).toEqual(harmless)
  expect(await ok(s.ada, 'POST', '/messages/render', { content: '#42' })).toMatchObject({ rendered: '<p>#42</p>' })
  const { filters } = await ok(s.ada, 'GET', '/realm/filters')
  expect(filters).toEqual([[issue.pattern, 'https://refused-template.invalid/', 9]])
  await ok(s.admin, 'PATCH', '/realm/filters/9', issue)
  expect(await listed(s.ada)).toEqual([{ id: 9, ...issue }])
})

test('A linkifier can lead to any address that a link can have.', async () => {
  await using s = await setUp()
  for (const url_template of ['mailto:{id}@example.com', 'tel:{id}', '/#narrow/id/{id}', 'HTTPS://example.com/{id}'])
    await add(s.admin, { pattern: `${url_template.length}-(?P<id>[0-9]+)`, url_template })
  expect(await listed(s.ada)).toHaveLength(4)
})

describe('Refused linkifier requests', () => {
  test.each([
    [{ pattern: ' ' }, 'pattern', 'This must not be blank.'],
    [{ pattern: '(' }, 'pattern', expect.stringMatching(/^Bad regular expression: ./)],
    [{ url_template: 'https://e.com/{' }, 'url_template', 'This is no URL template: see RFC 6570.'],
    [
      { url_template: 'https://e.com/{x}/{id}' },
      'url_template',
      'Group “x” in URL template is not present in linkifier pattern.',
    ],
    [
      { url_template: 'https://e.com/' },
      'url_template',
      'Group “id” in linkifier pattern is not present in URL template.',
    ],
    ...[
      'javascript:alert({id})',
      'JavaScript:{+id}',
      'data:text/html,{id}',
      '{+id}',
      'e.com/{id}',
      'java{id}script:',
    ].map((url_template): [object, string, string] => [
      { url_template },
      'url_template',
      'The URL template must begin with https://, http:// or another scheme that links can have.',
    ]),
    [{}, '__all__', 'There is a linkifier with this pattern already.'],
  ])('The server refuses a linkifier with %j in %s: %s', async (given, field, msg) => {
    await using s = await setUp()
    await add(s.admin, issue)
    const refused = { msg, code: 'BAD_REQUEST', errors: { [field as string]: [msg] } }
    expect(await call(s.admin, 'POST', '/realm/filters', { ...issue, ...given })).toMatchObject({ body: refused })
    const other = await add(s.admin, commit)
    const target = `/realm/filters/${other}`
    expect(await call(s.admin, 'PATCH', target, { ...issue, ...given })).toMatchObject({ body: refused })
  })

  test('The server refuses to change or remove an unknown linkifier.', async () => {
    await using s = await setUp()
    const refused = { status: 400, body: { code: 'BAD_REQUEST', msg: 'There is no such linkifier.' } }
    expect(await call(s.admin, 'PATCH', '/realm/filters/7', issue)).toMatchObject(refused)
    expect(await call(s.admin, 'DELETE', '/realm/filters/7')).toMatchObject(refused)
  })

  test('The server refuses an order that names a linkifier twice or not at all.', async () => {
    await using s = await setUp()
    const id = await add(s.admin, issue)
    const order = (ids: number[]) => call(s.admin, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids })
    expect(await order([id, id])).toMatchObject({
      body: { msg: 'The order contains a linkifier twice: send each ID once.' },
    })
    for (const ids of [[], [id, id + 1]]) {
      expect(await order(ids)).toMatchObject({
        body: { msg: 'The order must contain every linkifier once.' },
      })
    }
  })

  test('A member cannot add, change, reorder or remove linkifiers.', async () => {
    await using s = await setUp()
    const refused = {
      body: { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Only administrators of the organization may do this.' },
    }
    expect(await call(s.ada, 'POST', '/realm/filters', issue)).toMatchObject(refused)
    expect(await call(s.ada, 'PATCH', '/realm/filters/1', issue)).toMatchObject(refused)
    expect(await call(s.ada, 'DELETE', '/realm/filters/1')).toMatchObject(refused)
    expect(await call(s.ada, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [] })).toMatchObject(refused)
  })
})
