/** Code playgrounds over the API. */
import { describe, expect, test } from 'vitest'
import { listen } from '../setup/event-listener.js'
import { call, ok, type Person } from '../setup/realm.js'
import { newRealmWith } from '../setup/realm-with-people.js'

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

describe('Refused playgrounds', () => {
  test.each([
    [{ name: ' ' }, 'name', 'This must not be blank.'],
    [{ name: 'x'.repeat(41) }, 'name', 'name may have at most 40 characters.'],
    [{ pygments_language: 'a$b' }, 'pygments_language', 'A language name has letters, digits and + # . _ - only.'],
    [{ url_template: 'https://e.com/{code' }, 'url_template', 'This is no URL template: see RFC 6570.'],
    [{ url_template: 'https://e.com/{text}' }, 'url_template', 'The URL template must use the variable code.'],
    [
      { url_template: 'https://e.com/{code}/{text}' },
      'url_template',
      'The URL template must use no variable but code.',
    ],
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
