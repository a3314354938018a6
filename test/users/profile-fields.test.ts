/** Profile fields over the API: their configuration by administrators, the values of users, and the events. */
import { describe, expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'

const setUp = () => newRealmWith('Admin', 'Ada', 'Grace', 'Guest')

const create = async (person: Person, params: Record<string, unknown>) =>
  (await ok(person, 'POST', '/realm/profile_fields', params)).id

const listed = async (person: Person) => (await ok(person, 'GET', '/realm/profile_fields')).custom_fields

const setValue = (person: Person, id: number, value: unknown) =>
  ok(person, 'PATCH', '/users/me/profile_data', { data: [{ id, value }] })

const profileOf = async (viewer: Person, { user_id }: Person) => {
  const asked = { include_custom_profile_fields: true }
  const { user } = await ok(viewer, 'GET', `/users/${user_id}`, asked)
  return user.profile_data
}

const refusal = async (...given: Parameters<typeof call>) => {
  const { status, body } = await call(...given)
  return `${status} ${body.code}: ${body.msg}`
}

const colours = { r: { text: 'Red', order: '1' }, b: { text: 'Blue', order: '2' } }

describe('The list of profile fields', () => {
  test('Profile fields are listed in the order of creation until an administrator reorders them.', async () => {
    await using s = await setUp()
    const listener = await listen(s.guest, { event_types: ['custom_profile_fields'] })
    const motto = await create(s.admin, { name: ' Motto ', hint: 'one line', field_type: 1 })
    const colour = await create(s.admin, {
      name: 'Colour',
      field_type: 3,
      field_data: colours,
      display_in_profile_summary: true,
      required: true,
      editable_by_user: false,
    })
    const first = {
      id: motto,
      name: 'Motto',
      type: 1,
      hint: 'one line',
      field_data: '',
      order: motto,
      required: false,
      editable_by_user: true,
    }
    const second = {
      id: colour,
      name: 'Colour',
      type: 3,
      hint: '',
      field_data: JSON.stringify(colours),
      order: colour,
      required: true,
      editable_by_user: false,
      display_in_profile_summary: true,
    }
    expect(await listed(s.guest)).toEqual([first, second])
    await ok(s.admin, 'PATCH', '/realm/profile_fields', { order: [colour, motto] })
    const turned = [
      { ...second, order: 0 },
      { ...first, order: 1 },
    ]
    expect(await listed(s.guest)).toEqual(turned)
    expect((await listener.events()).map(({ fields }) => fields)).toEqual([[first], [first, second], turned])
    const fetched = await ok(s.ada, 'POST', '/register', { fetch_event_types: ['custom_profile_fields'] })
    expect(fetched.custom_profile_fields).toEqual(turned)
  })

  test('An option of a list can have the key `__proto__`.', async () => {
    await using s = await setUp()
    const field_data = Object.fromEntries([
      ['__proto__', { text: 'Red', order: '1' }],
      ['b', { text: 'Blue', order: '2' }],
    ])
    const id = await create(s.admin, { name: 'Colour', field_type: 3, field_data })
    expect((await listed(s.ada))[0]?.field_data).toBe(JSON.stringify(field_data))
    await setValue(s.ada, id, '__proto__')
    expect(await profileOf(s.admin, s.ada)).toEqual({ [id]: { value: '__proto__' } })
  })

  test('A new order must name every existing field, and may name unknown fields.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { name: 'Motto', field_type: 1 })
    expect(await refusal(s.admin, 'PATCH', '/realm/profile_fields', { order: [id + 1] })).toBe(
      '400 BAD_REQUEST: The order must contain every field once.',
    )
    await ok(s.admin, 'PATCH', '/realm/profile_fields', { order: [id + 1, id] })
  })

  test('A member cannot create, reorder, change or delete profile fields.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { name: 'Motto', field_type: 1 })
    const refused = '400 UNAUTHORIZED_PRINCIPAL: Only administrators of the organization may do this.'
    expect(await refusal(s.ada, 'POST', '/realm/profile_fields', { name: 'x', field_type: 1 })).toBe(refused)
    expect(await refusal(s.ada, 'PATCH', '/realm/profile_fields', { order: [id] })).toBe(refused)
    expect(await refusal(s.ada, 'PATCH', `/realm/profile_fields/${id}`, { name: 'x' })).toBe(refused)
    expect(await refusal(s.ada, 'DELETE', `/realm/profile_fields/${id}`)).toBe(refused)
  })

  test('A field needs no name, and keeps its other properties changeable.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { field_type: 1, hint: 'one line' })
    expect(await listed(s.ada)).toMatchObject([{ id, name: '', hint: 'one line' }])
    await ok(s.admin, 'PATCH', `/realm/profile_fields/${id}`, { required: true })
    expect(await refusal(s.admin, 'POST', '/realm/profile_fields', { field_type: 2 })).toBe(
      '400 BAD_REQUEST: There is a field without a name already: send a name.',
    )
    expect(await refusal(s.admin, 'PATCH', `/realm/profile_fields/${id}`, { name: '' })).toBe(
      '400 BAD_REQUEST: The name of a field must not be blank.',
    )
    await ok(s.admin, 'PATCH', `/realm/profile_fields/${id}`, { name: 'Motto' })
    expect(await listed(s.ada)).toMatchObject([{ id, name: 'Motto', required: true }])
  })

  test('A field for a known external service has the name of the service, which cannot change.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { field_type: 7, field_data: { subtype: 'github' } })
    expect(await listed(s.ada)).toMatchObject([{ id, name: 'GitHub username', field_data: '{"subtype":"github"}' }])
    expect(await refusal(s.admin, 'PATCH', `/realm/profile_fields/${id}`, { name: 'Mine' })).toBe(
      '400 BAD_REQUEST: Only the order and the summary of a built-in field can be changed.',
    )
    await ok(s.admin, 'PATCH', `/realm/profile_fields/${id}`, { display_in_profile_summary: true })
  })
})

describe('Refused profile fields', () => {
  test.each([
    [{ name: ' ', field_type: 1 }, 'The name of a field must not be blank.'],
    [{ name: 'x'.repeat(41), field_type: 1 }, 'name may have at most 40 characters.'],
    [{ name: 'x', hint: 'x'.repeat(81), field_type: 1 }, 'hint may have at most 80 characters.'],
    [{ name: 'x', field_type: 9 }, 'There is no such field type.'],
    [{ name: 'Motto', field_type: 2 }, 'There is a field with this name already.'],
    [
      { name: 'x', field_type: 2, display_in_profile_summary: true },
      'A field of this type cannot be shown in the profile summary.',
    ],
    [
      { name: 'x', field_type: 6, display_in_profile_summary: true },
      'A field of this type cannot be shown in the profile summary.',
    ],
    [{ name: 'x', field_type: 3 }, 'A list needs at least one option.'],
    [
      { name: 'x', field_type: 3, field_data: { '': { text: 'a', order: '1' } } },
      'The key of an option must not be blank.',
    ],
    [
      { name: 'x', field_type: 3, field_data: { a: { text: ' ', order: '1' } } },
      'field_data["a"]["text"] must not be blank.',
    ],
    [{ name: 'x', field_type: 3, field_data: { a: { text: 'a' } } }, 'field_data["a"]["order"] must not be blank.'],
    [
      { name: 'x', field_type: 3, field_data: { a: { text: 'a', order: '1' }, b: { text: 'a', order: '2' } } },
      'A list must not contain the same option twice.',
    ],
    [{ name: 'x', field_type: 7, field_data: { subtype: 'gopher' } }, 'There is no such type of external account.'],
    [
      { name: 'x', field_type: 7, field_data: { subtype: 'custom', url_pattern: 'https://e.com/' } },
      'url_pattern must contain %(username)s exactly once.',
    ],
  ])('The server refuses the profile field %j: %s', async (params, msg) => {
    await using s = await setUp()
    await create(s.admin, { name: 'Motto', field_type: 1 })
    expect(await refusal(s.admin, 'POST', '/realm/profile_fields', params)).toBe(`400 BAD_REQUEST: ${msg}`)
  })

  test('The server refuses a third field in the profile summary.', async () => {
    await using s = await setUp()
    const shown = { field_type: 1, display_in_profile_summary: true }
    const id = await create(s.admin, { ...shown, name: 'one' })
    await create(s.admin, { ...shown, name: 'two' })
    const refused = '400 BAD_REQUEST: The profile summary shows at most 2 fields: remove another field from it first.'
    expect(await refusal(s.admin, 'POST', '/realm/profile_fields', { ...shown, name: 'three' })).toBe(refused)
    await ok(s.admin, 'PATCH', `/realm/profile_fields/${id}`, { name: 'uno', display_in_profile_summary: true })
  })

  test('The server refuses an unknown profile field ID.', async () => {
    await using s = await setUp()
    const refused = '400 BAD_REQUEST: There is no profile field with ID 7.'
    expect(await refusal(s.admin, 'PATCH', '/realm/profile_fields/7', { name: 'x' })).toBe(refused)
    expect(await refusal(s.admin, 'DELETE', '/realm/profile_fields/7')).toBe(refused)
    expect(await refusal(s.ada, 'PATCH', '/users/me/profile_data', { data: [{ id: 7, value: 'x' }] })).toBe(refused)
    expect(await refusal(s.ada, 'DELETE', '/users/me/profile_data', { data: [7] })).toBe(refused)
  })
})

describe('Profile field values', () => {
  test('Other users receive and see the values that a user sets, and text values are rendered.', async () => {
    await using s = await setUp()
    const motto = await create(s.admin, { name: 'Motto', field_type: 1 })
    const about = await create(s.admin, { name: 'About', field_type: 2 })
    const born = await create(s.admin, { name: 'Born', field_type: 4 })
    const listener = await listen(s.guest, { event_types: ['realm_user'] })
    const data = [
      { id: motto, value: 'be *kind*' },
      { id: about, value: 'one\n\n**two**' },
      { id: born, value: '1815-12-10' },
    ]
    await ok(s.ada, 'PATCH', '/users/me/profile_data', { data })
    await ok(s.ada, 'PATCH', '/users/me/profile_data', { data })
    const mottoValue = { value: 'be *kind*', rendered_value: '<p>be <em>kind</em></p>' }
    const longer = { value: 'one\n\n**two**', rendered_value: '<p>one</p>\n<p><strong>two</strong></p>' }
    expect(await profileOf(s.guest, s.ada)).toEqual({
      [motto]: mottoValue,
      [about]: longer,
      [born]: { value: '1815-12-10' },
    })
    await ok(s.ada, 'DELETE', '/users/me/profile_data', { data: [born, about] })
    await setValue(s.ada, motto, '')
    expect(await profileOf(s.grace, s.ada)).toEqual({})
    const received = (await listener.events()).map(({ op, person }) => [op, person])
    const of = (custom_profile_field: object) => ['update', { user_id: s.ada.user_id, custom_profile_field }]
    expect(received).toEqual([
      of({ id: motto, ...mottoValue }),
      of({ id: about, ...longer }),
      of({ id: born, value: '1815-12-10' }),
      of({ id: born, value: null }),
      of({ id: about, value: null }),
      of({ id: motto, value: null }),
    ])
  })

  test('Registrations and the list of users contain the profile field values.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { name: 'Colour', field_type: 3, field_data: colours })
    await setValue(s.ada, id, 'b')
    type Users = { user_id: number; profile_data?: unknown }[]
    const of = (users: Users) => users.find(({ user_id }) => user_id === s.ada.user_id)?.profile_data
    const { realm_users } = await ok(s.grace, 'POST', '/register', {
      fetch_event_types: ['realm_user'],
    })
    expect(of(realm_users)).toEqual({ [id]: { value: 'b' } })
    const { members } = await ok(s.grace, 'GET', '/users', { include_custom_profile_fields: true })
    expect(of(members)).toEqual({ [id]: { value: 'b' } })
    expect(await ok(s.ada, 'GET', '/users/me')).toMatchObject({ profile_data: { [id]: { value: 'b' } } })
  })

  test('An administrator can set the profile field values of another user, and a member cannot.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { name: 'Desk', field_type: 1, editable_by_user: false })
    const profile_data = [{ id, value: 'window' }]
    await ok(s.admin, 'PATCH', `/users/${s.ada.user_id}`, { profile_data })
    expect(await profileOf(s.grace, s.ada)).toMatchObject({ [id]: { value: 'window' } })
    expect(await refusal(s.grace, 'PATCH', `/users/${s.ada.user_id}`, { profile_data })).toBe(
      '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.',
    )
    await ok(s.admin, 'PATCH', `/users/${s.ada.user_id}`, { profile_data: [{ id, value: null }] })
    expect(await profileOf(s.grace, s.ada)).toEqual({})
  })

  test('Deleting a profile field deletes its values.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { name: 'Motto', field_type: 1 })
    await setValue(s.ada, id, 'hello')
    await ok(s.admin, 'DELETE', `/realm/profile_fields/${id}`)
    expect(await listed(s.ada)).toEqual([])
    expect(await profileOf(s.grace, s.ada)).toEqual({})
    expect(await create(s.admin, { name: 'Motto', field_type: 1 })).toBe(id + 1)
  })

  test('Removing an option of a list field deletes the values that chose it, and other users receive an event.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { name: 'Colour', field_type: 3, field_data: colours })
    await setValue(s.ada, id, 'b')
    await setValue(s.grace, id, 'r')
    const listener = await listen(s.guest, { event_types: ['realm_user'] })
    await ok(s.admin, 'PATCH', `/realm/profile_fields/${id}`, { field_data: { r: colours.r } })
    expect(await profileOf(s.grace, s.ada)).toEqual({})
    expect(await profileOf(s.ada, s.grace)).toEqual({ [id]: { value: 'r' } })
    expect(await listener.events()).toMatchObject([
      { person: { user_id: s.ada.user_id, custom_profile_field: { id, value: null } } },
    ])
  })

  test('The value of a field of users is a text with a JSON array of user IDs.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { name: 'Mentor', field_type: 6 })
    await setValue(s.ada, id, [s.grace.user_id, s.guest.user_id])
    expect(await profileOf(s.grace, s.ada)).toEqual({ [id]: { value: `[${s.grace.user_id},${s.guest.user_id}]` } })
    await setValue(s.ada, id, [])
    expect(await profileOf(s.grace, s.ada)).toEqual({})
  })

  test.each([
    [1, 'x'.repeat(51), 'F may have at most 50 characters.'],
    [2, 'x'.repeat(501), 'F may have at most 500 characters.'],
    [8, 'x'.repeat(51), 'F may have at most 50 characters.'],
    [3, 'g', '“g” is not an option of F.'],
    [4, '2026-02-30', 'F must be a date like 2030-01-31.'],
    [4, 'yesterday', 'F must be a date like 2030-01-31.'],
    [5, 'example', 'F must be an http or https address.'],
    [5, 'javascript:alert(1)', 'F must be an http or https address.'],
    [6, [99], 'There are no users with these IDs: 99'],
    [6, [1], 'User 1 is a bot.'],
    [1, [2], 'F must be text.'],
  ])('The server refuses for a field of type %j the value %j: %s', async (field_type, value, msg) => {
    await using s = await setUp()
    const field_data = field_type === 3 ? colours : {}
    const id = await create(s.admin, { name: 'F', field_type, field_data })
    expect(await refusal(s.ada, 'PATCH', '/users/me/profile_data', { data: [{ id, value }] })).toBe(
      `400 BAD_REQUEST: ${msg}`,
    )
  })

  test('A member cannot set a field that only administrators may edit.', async () => {
    await using s = await setUp()
    const id = await create(s.admin, { name: 'Desk', field_type: 1, editable_by_user: false })
    expect(await refusal(s.ada, 'PATCH', '/users/me/profile_data', { data: [{ id, value: 'x' }] })).toBe(
      '400 BAD_REQUEST: Only administrators can change this field.',
    )
    await setValue(s.admin, id, 'window')
  })
})
