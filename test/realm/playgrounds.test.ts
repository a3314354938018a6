/** Code playgrounds over the API. */
import { describe, expect, test } from 'vitest'
import { composeInsert } from '../../src/domain/log/row-changes.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'

const setUp = () => newRealmWith('Admin', 'Ada')

const rust = {
  name: 'Rust playground',
  pygments_language: 'Rust',
  url_template: 'https://play.example.com/?code={code}',
}

const registered = async (person: Person) =>
  (await ok(person, 'POST', '/register', { fetch_event_types: ['realm_playgrounds'] })).realm_playgrounds

test('An administrator can add and remove playgrounds, and users receive the whole list.', async () => {
  await using s = await setUp()
  const listener = await listen(s.ada, { event_types: ['realm_playgrounds'] })
  const { id } = await ok(s.admin, 'POST', '/realm/playgrounds', { ...rust, name: '  Rust playground ' })
  const { id: second } = await ok(s.admin, 'POST', '/realm/playgrounds', { ...rust, name: 'Another' })
  const list = [
    { id, ...rust },
    { id: second, ...rust, name: 'Another' },
  ]
  expect(await registered(s.ada)).toEqual(list)
  await ok(s.admin, 'DELETE', `/realm/playgrounds/${id}`)
  expect((await listener.events()).map((event) => event.realm_playgrounds)).toEqual([[list[0]], list, [list[1]]])
  expect(await registered(s.ada)).toEqual([list[1]])
})

test('Removing the last playground of the default code block language resets that setting.', async () => {
  await using s = await setUp()
  const { id } = await ok(s.admin, 'POST', '/realm/playgrounds', rust)
  const { id: second } = await ok(s.admin, 'POST', '/realm/playgrounds', { ...rust, name: 'Another' })
  await ok(s.admin, 'PATCH', '/realm', { default_code_block_language: 'Rust' })
  const listener = await listen(s.ada, { event_types: ['realm'] })
  await ok(s.admin, 'DELETE', `/realm/playgrounds/${id}`)
  expect(await listener.events()).toEqual([])
  await ok(s.admin, 'DELETE', `/realm/playgrounds/${second}`)
  expect(await listener.events()).toMatchObject([{ property: 'default_code_block_language', value: '' }])
})

test('The ID of a removed playground is not used again.', async () => {
  await using s = await setUp()
  await ok(s.admin, 'POST', '/realm/playgrounds', rust)
  await ok(s.admin, 'DELETE', '/realm/playgrounds/1')
  expect(await ok(s.admin, 'POST', '/realm/playgrounds', rust)).toMatchObject({ id: 2 })
  expect(await call(s.admin, 'DELETE', '/realm/playgrounds/1')).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST', msg: 'There is no such playground.' },
  })
})

test('A member cannot add or remove playgrounds.', async () => {
  await using s = await setUp()
  const refused = {
    body: { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Only administrators of the organization may do this.' },
  }
  expect(await call(s.ada, 'POST', '/realm/playgrounds', rust)).toMatchObject(refused)
  expect(await call(s.ada, 'DELETE', '/realm/playgrounds/1')).toMatchObject(refused)
})

test('A playground whose template was stored before templates were checked is sent as one that leads nowhere.', async () => {
  await using s = await setUp()
  const bad = { id: 9, name: 'Bad', pygments_language: 'Rust', url_template: 'javascript:alert({code})' }
  await commitRowChanges(s.realm, [composeInsert('playgrounds', bad)])
  const harmless = { ...bad, url_template: 'https://refused-template.invalid/{code}' }
  expect(await registered(s.ada)).toEqual([harmless])
  const listener = await listen(s.ada, { event_types: ['realm_playgrounds'] })
  await ok(s.admin, 'POST', '/realm/playgrounds', rust)
  await ok(s.admin, 'DELETE', '/realm/playgrounds/9')
  const added = { id: expect.any(Number), ...rust }
  expect((await listener.events()).map((event) => event.realm_playgrounds)).toEqual([[added, harmless], [added]])
})

describe('Refused playgrounds', () => {
  test.each([
    [{ name: ' ' }, 'name', 'This must not be blank.'],
    [{ name: 'x'.repeat(601) }, 'name', 'name may have at most 600 characters.'],
    [{ pygments_language: 'x'.repeat(41) }, 'pygments_language', 'pygments_language may have at most 40 characters.'],
    [{ pygments_language: 'a$b' }, 'pygments_language', 'A language name has letters, digits and + # . _ - only.'],
    [{ url_template: 'https://e.com/{code' }, 'url_template', 'This is no URL template: see RFC 6570.'],
    [{ url_template: 'https://e.com/{text}' }, 'url_template', 'The URL template must use the variable code.'],
    [
      { url_template: 'https://e.com/{code}/{text}' },
      'url_template',
      'The URL template must use no variable but code.',
    ],
    ...[
      'javascript:alert({code})',
      'JavaScript://e.com/%0aalert({code})',
      'data:text/html,{code}',
      '{+code}',
      '{code}',
      '//e.com/{code}',
      'e.com/{code}',
      'h{code}ttps://e.com/',
      'ftp://e.com/{code}',
    ].map((url_template): [object, string, string] => [
      { url_template },
      'url_template',
      'The URL template must begin with https:// or http://.',
    ]),
    [{}, '__all__', 'There is a playground with this language and name already.'],
  ])('The server refuses a playground with %j in %s: %s', async (given, field, msg) => {
    await using s = await setUp()
    await ok(s.admin, 'POST', '/realm/playgrounds', rust)
    const { status, body } = await call(s.admin, 'POST', '/realm/playgrounds', { ...rust, ...given })
    expect([status, body]).toEqual([
      400,
      { result: 'error', msg, code: 'BAD_REQUEST', errors: { [field as string]: [msg] } },
    ])
  })
})
