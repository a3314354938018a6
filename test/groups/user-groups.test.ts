/** User groups over the API: reading and changing them, permissions, refusals and events. */
import { describe, expect, test } from 'vitest'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const listed = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] })

const groupsSeenBy = async (person: Person, params = {}) =>
  (await ok(person, 'GET', '/user_groups', params)).user_groups

const create = async (person: Person, name: string, params: Record<string, unknown> = {}) =>
  (
    await ok(person, 'POST', '/user_groups/create', {
      name,
      description: '',
      members: [],
      ...params,
    })
  ).group_id

/** The status, code and message of a refused call. */
const refusal = async (...given: Parameters<typeof call>) => {
  const { status, body } = await call(...given)
  return `${status} ${body.code}: ${body.msg}`
}

const setUp = () => newRealmWith('Owner', 'Admin', 'Ada', 'Grace', 'Guest')

describe('The list of groups', () => {
  test('The list begins with the system groups and contains their direct members.', async () => {
    await using s = await setUp()
    const groups = await groupsSeenBy(s.ada)
    expect(groups.map(({ id, name }) => [id, name])).toEqual(
      ['nobody', 'owners', 'administrators', 'moderators', 'fullmembers', 'members', 'everyone', 'internet'].map(
        (role, i) => [i + 1, `role:${role}`],
      ),
    )
    expect(groups.find(({ id }) => id === SystemGroup.members)).toMatchObject({
      members: [s.ada.user_id, s.grace.user_id],
      direct_subgroup_ids: [SystemGroup.fullmembers],
      is_system_group: true,
      can_mention_group: SystemGroup.nobody,
    })
    expect(groups.find(({ id }) => id === SystemGroup.everyone)?.members).toEqual([s.guest.user_id])
  })

  test('The list contains a new group with the requested properties.', async () => {
    await using s = await setUp()
    const inner = await create(s.ada, 'inner')
    const id = await create(s.ada, 'design', {
      description: 'those who draw',
      members: [s.grace.user_id, s.ada.user_id, s.ada.user_id],
      subgroups: [inner],
      can_join_group: { direct_members: [], direct_subgroups: [SystemGroup.moderators] },
    })
    expect((await groupsSeenBy(s.grace)).find((group) => group.id === id)).toEqual({
      id,
      name: 'design',
      description: 'those who draw',
      members: [s.ada.user_id, s.grace.user_id],
      direct_subgroup_ids: [inner],
      is_system_group: false,
      creator_id: s.ada.user_id,
      date_created: expect.any(Number),
      deactivated: false,
      can_add_members_group: listed(s.ada.user_id),
      can_join_group: SystemGroup.moderators,
      can_leave_group: SystemGroup.everyone,
      can_manage_group: listed(s.ada.user_id),
      can_mention_group: SystemGroup.everyone,
      can_remove_members_group: SystemGroup.nobody,
    })
  })

  test('A guest cannot read groups.', async () => {
    await using s = await setUp()
    for (const path of ['', '/7/members', `/7/members/${s.ada.user_id}`, '/7/subgroups']) {
      expect(await refusal(s.guest, 'GET', `/user_groups${path}`)).toBe('400 BAD_REQUEST: Guests may not do this.')
    }
  })

  test('A bot can create, change and read groups.', async () => {
    await using s = await setUp()
    const [bot] = (await s.realm.people({ full_name: 'Bot', bot: { type: 1, owner_id: s.ada.user_id } })) as [Person]
    const id = await create(bot, 'machines', { members: [bot.user_id] })
    await ok(bot, 'PATCH', `/user_groups/${id}`, { description: 'those who run' })
    expect((await groupsSeenBy(bot)).at(-1)).toMatchObject({ id, members: [bot.user_id], creator_id: bot.user_id })
  })

  test('The list omits deactivated groups unless the caller asks for them.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await ok(s.ada, 'POST', `/user_groups/${id}/deactivate`)
    expect((await groupsSeenBy(s.ada)).map((group) => group.id)).not.toContain(id)
    expect((await groupsSeenBy(s.ada, { include_deactivated_groups: true })).at(-1)).toMatchObject({
      id,
      deactivated: true,
    })
  })
})

describe('Group names', () => {
  test.each([
    ['  ', 'A user group needs a name.'],
    ['x'.repeat(101), 'A user group name may have at most 100 characters.'],
    ['@design', 'A user group name must not begin with “@”.'],
    ['role:design', 'A user group name must not begin with “role:”.'],
    ['user:design', 'A user group name must not begin with “user:”.'],
    ['stream:design', 'A user group name must not begin with “stream:”.'],
    ['channel:design', 'A user group name must not begin with “channel:”.'],
    ['taken', 'There is a user group “taken” already: choose another name.'],
    ['gone', 'There is a user group “gone” already: choose another name.'],
    ['t\u0430ken', 'There is a user group “t\u0430ken” already: choose another name.'],
    ['tak\u200ben', 'The name of the user group contains a character that is not allowed, at position 4.'],
    ['\u3164', 'The name of the user group contains a character that is not allowed, at position 1.'],
  ])('The server refuses the name %j for a new and for an existing group: %s', async (name, msg) => {
    await using s = await setUp()
    const id = await create(s.ada, 'mine')
    await create(s.ada, 'taken')
    await ok(s.ada, 'POST', `/user_groups/${await create(s.ada, 'gone')}/deactivate`)
    const wanted = { name, description: '', members: [] }
    expect(await refusal(s.ada, 'POST', '/user_groups/create', wanted)).toBe(`400 BAD_REQUEST: ${msg}`)
    expect(await refusal(s.ada, 'PATCH', `/user_groups/${id}`, { name })).toBe(`400 BAD_REQUEST: ${msg}`)
  })

  test('Group names may differ only in case, and an update may repeat the name of the group.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await create(s.ada, 'Design')
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, { name: 'design', description: 'new' })
    expect((await groupsSeenBy(s.ada)).find((group) => group.id === id)).toMatchObject({ description: 'new' })
  })
})

describe('Creating a group', () => {
  test.each([
    ['an unknown account', { members: [999] }, '400 BAD_REQUEST: There is no user with ID 999.'],
    ['an unknown group', { subgroups: [999] }, '400 BAD_REQUEST: There is no user group with ID 999.'],
    ['no list of members', { members: undefined }, '400 REQUEST_VARIABLE_MISSING: The parameter members is required.'],
    [
      'guests as managers',
      { can_manage_group: SystemGroup.everyone },
      '400 BAD_REQUEST: can_manage_group cannot be the group role:everyone.',
    ],
    [
      'owners who may mention',
      { can_mention_group: SystemGroup.owners },
      '400 BAD_REQUEST: can_mention_group cannot be the group role:owners.',
    ],
  ])('The server refuses a new group with %s.', async (_, params, expected) => {
    await using s = await setUp()
    const wanted = { name: 'design', description: '', members: [], ...params }
    expect(await refusal(s.ada, 'POST', '/user_groups/create', wanted)).toBe(expected)
    expect((await groupsSeenBy(s.ada)).length).toBe(8)
  })

  test('A user needs the right to create groups.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { can_create_groups: SystemGroup.administrators })
    const wanted = { name: 'design', description: '', members: [] }
    expect(await refusal(s.ada, 'POST', '/user_groups/create', wanted)).toBe(
      '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.',
    )
    await ok(s.admin, 'POST', '/user_groups/create', wanted)
  })
})

/** The operations on a group of Ada's that each kind of caller may do: Y or -, in the order of `operations`. */
describe('Permission to change a group', () => {
  const operations = {
    rename: (id: number) => ['PATCH', `/user_groups/${id}`, { name: 'other' }],
    'set up': (id: number) => ['PATCH', `/user_groups/${id}`, { can_join_group: { new: SystemGroup.members } }],
    deactivate: (id: number) => ['POST', `/user_groups/${id}/deactivate`, {}],
    'add others': (id: number, _: Person, s: Stage) => [
      'POST',
      `/user_groups/${id}/members`,
      { add: [s.admin.user_id] },
    ],
    join: (id: number, self: Person) => ['POST', `/user_groups/${id}/members`, { add: [self.user_id] }],
    'join with others': (id: number, self: Person, s: Stage) => [
      'POST',
      `/user_groups/${id}/members`,
      { add: [self.user_id, s.admin.user_id] },
    ],
    'remove others': (id: number, _: Person, s: Stage) => [
      'POST',
      `/user_groups/${id}/members`,
      { delete: [s.owner.user_id] },
    ],
    leave: (id: number, self: Person) => ['POST', `/user_groups/${id}/members`, { delete: [self.user_id] }],
    'add a group': (id: number) => ['POST', `/user_groups/${id}/subgroups`, { add: [SystemGroup.moderators] }],
    'remove a group': (id: number) => ['POST', `/user_groups/${id}/subgroups`, { delete: [SystemGroup.owners] }],
  } as const
  type Stage = Awaited<ReturnType<typeof setUp>>
  const names = Object.keys(operations) as (keyof typeof operations)[]

  test.each([
    ['a user without permissions', {}, '- - - - - - - - - -'],
    ['a user who may join', { can_join_group: true }, '- - - - Y - - - - -'],
    ['a user who may leave', { can_leave_group: true }, '- - - - - - - Y - -'],
    ['a user who may add members', { can_add_members_group: true }, '- - - Y Y Y - - Y -'],
    ['a user who may remove members', { can_remove_members_group: true }, '- - - - - - Y Y - -'],
    ['a manager', { can_manage_group: true }, 'Y Y Y Y Y Y Y Y Y Y'],
    ['a manager of all groups', 'all', 'Y Y Y Y Y Y Y Y Y Y'],
  ] as const)('The operations on a group that are open to %s match the row.', async (_, held, expected) => {
    await using s = await setUp()
    const { grace } = s
    if (held === 'all') {
      const managers = { direct_members: [grace.user_id], direct_subgroups: [SystemGroup.owners] }
      await updateRealmSettings(s.realm, { can_manage_all_groups: managers })
    }
    const settings = Object.fromEntries(
      [
        'can_join_group',
        'can_leave_group',
        'can_add_members_group',
        'can_remove_members_group',
        'can_manage_group',
      ].map((name) => [name, held !== 'all' && name in held ? listed(grace.user_id) : SystemGroup.nobody]),
    )
    const cells: string[] = []
    for (const [i, name] of names.entries()) {
      const isIn = name === 'leave' ? [grace.user_id] : []
      const members = [s.owner.user_id, ...isIn]
      const id = await create(s.ada, `group ${i}`, { members, subgroups: [SystemGroup.owners], ...settings })
      const [method, path, params] = operations[name](id, grace, s) as [string, string, object]
      const { status, body } = await call(grace, method, path, { ...params })
      cells.push(
        status === 200
          ? 'Y'
          : body.msg === 'Insufficient permission: ask an administrator of the organization.'
            ? '-'
            : String(body.msg),
      )
      if (name === 'rename') await ok(s.owner, 'PATCH', `/user_groups/${id}`, { name: `group ${i}` })
    }
    expect(cells.join(' ')).toBe(expected)
  })

  test('An owner cannot change a system group.', async () => {
    await using s = await setUp()
    for (const name of names) {
      const [method, path, params] = operations[name](SystemGroup.members, s.owner, s) as [string, string, object]
      expect(await refusal(s.owner, method, path, { ...params })).toBe(
        '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.',
      )
    }
  })

  test('The server refuses every operation on an unknown group.', async () => {
    await using s = await setUp()
    for (const name of names) {
      const [method, path, params] = operations[name](999, s.owner, s) as [string, string, object]
      expect(await refusal(s.owner, method, path, { ...params })).toBe('400 BAD_REQUEST: There is no such user group.')
    }
  })
})

describe('Changing a group', () => {
  test('A request without a change succeeds for users who may change the group, and lists unknown parameters.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    expect(await ok(s.ada, 'PATCH', `/user_groups/${id}`)).toEqual({ result: 'success', msg: '' })
    const ignored_parameters_unsupported = ['colour']
    expect(await ok(s.ada, 'PATCH', `/user_groups/${id}`, { colour: 'red' })).toMatchObject({
      ignored_parameters_unsupported,
    })
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, { deactivated: true })
    expect((await groupsSeenBy(s.ada)).at(-1)).toMatchObject({ name: 'design', deactivated: false })
    expect(await refusal(s.grace, 'PATCH', `/user_groups/${id}`)).toBe(
      '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.',
    )
    expect(await refusal(s.ada, 'PATCH', '/user_groups/999')).toBe('400 BAD_REQUEST: There is no such user group.')
  })

  test('The server refuses a change of members that names nobody.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    expect(await refusal(s.ada, 'POST', `/user_groups/${id}/members`, { add: [] })).toContain('Nothing to change')
    expect(await refusal(s.ada, 'POST', `/user_groups/${id}/subgroups`)).toContain('send add or delete')
  })

  test('The server refuses the whole request when the old value of a setting is stale.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    const stale = { name: 'other', can_join_group: { new: SystemGroup.members, old: SystemGroup.owners } }
    expect(await refusal(s.ada, 'PATCH', `/user_groups/${id}`, stale)).toMatch(/^400 EXPECTATION_MISMATCH/)
    expect((await groupsSeenBy(s.ada)).at(-1)).toMatchObject({ name: 'design', can_join_group: SystemGroup.nobody })
    const fresh = { can_join_group: { new: SystemGroup.members, old: listed() } }
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, fresh)
    expect((await groupsSeenBy(s.ada)).at(-1)).toMatchObject({ can_join_group: SystemGroup.members })
  })

  test('The server refuses to add a member or to remove a non-member, and a refused request changes nothing.', async () => {
    await using s = await setUp()
    const [ada, grace] = [s.ada.user_id, s.grace.user_id]
    const id = await create(s.ada, 'design', { members: [ada] })
    const members = (params: object) => refusal(s.ada, 'POST', `/user_groups/${id}/members`, { ...params })
    expect(await members({ add: [grace, ada] })).toContain(`User ${ada} is in this group already.`)
    expect(await members({ add: [grace], delete: [s.owner.user_id] })).toContain(
      `User ${s.owner.user_id} is not in this group.`,
    )
    expect(await members({ add: [999] })).toContain('There is no user with ID 999.')
    expect((await groupsSeenBy(s.ada)).at(-1)?.members).toEqual([ada])
    await ok(s.ada, 'POST', `/user_groups/${id}/members`, { add: [grace], delete: [ada], add_subgroups: [2] })
    expect((await groupsSeenBy(s.ada)).at(-1)).toMatchObject({ members: [grace], direct_subgroup_ids: [2] })
  })

  test('The server refuses to add a subgroup twice, to remove a missing one, and to create a cycle.', async () => {
    await using s = await setUp()
    const inner = await create(s.ada, 'inner')
    const middle = await create(s.ada, 'middle', { subgroups: [inner] })
    const outer = await create(s.ada, 'outer', { subgroups: [middle] })
    const subgroups = (id: number, params: object) =>
      refusal(s.ada, 'POST', `/user_groups/${id}/subgroups`, { ...params })
    expect(await subgroups(outer, { add: [middle] })).toContain(`Group ${middle} is in this group already.`)
    expect(await subgroups(outer, { delete: [inner] })).toContain(`Group ${inner} is not in this group.`)
    const circle = (id: number) => `Group ${id} would contain itself.`
    expect(await subgroups(inner, { add: [outer] })).toContain(circle(inner))
    expect(await subgroups(inner, { add: [inner] })).toContain(circle(inner))
    expect(await subgroups(inner, { add: [999] })).toContain('There is no user group with ID 999.')
  })
})

describe('Members and subgroups of a group', () => {
  test('The answers include nested subgroups unless the caller asks for direct ones only.', async () => {
    await using s = await setUp()
    const { ada, grace, admin, owner } = s
    const inner = await create(ada, 'inner', { members: [grace.user_id], subgroups: [SystemGroup.administrators] })
    const outer = await create(ada, 'outer', { members: [ada.user_id], subgroups: [inner] })
    const get = (path: string, params = {}) => ok(ada, 'GET', `/user_groups/${outer}/${path}`, params)
    expect(await get('members')).toMatchObject({
      members: [owner, admin, ada, grace].map(({ user_id }) => user_id),
    })
    expect(await get('members', { direct_member_only: true })).toMatchObject({ members: [ada.user_id] })
    expect(await get('subgroups')).toMatchObject({ subgroups: [SystemGroup.owners, SystemGroup.administrators, inner] })
    expect(await get('subgroups', { direct_subgroup_only: true })).toMatchObject({ subgroups: [inner] })
    expect(await get(`members/${grace.user_id}`)).toMatchObject({ is_user_group_member: true })
    expect(await get(`members/${grace.user_id}`, { direct_member_only: true })).toMatchObject({
      is_user_group_member: false,
    })
    expect(await refusal(ada, 'GET', `/user_groups/${outer}/members/999`)).toBe(
      '400 BAD_REQUEST: There is no such user.',
    )
    expect(await refusal(ada, 'GET', '/user_groups/999/members')).toBe('400 BAD_REQUEST: There is no such user group.')
  })
})

describe('Deactivating a group', () => {
  test('The server refuses to deactivate a group in use and lists its uses.', async () => {
    await using s = await setUp()
    const used = await create(s.ada, 'used')
    const asSubgroup = { direct_members: [s.ada.user_id], direct_subgroups: [used] }
    const above = await create(s.ada, 'above', { subgroups: [used], can_join_group: used })
    await ok(s.ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }],
      invite_only: true,
      can_subscribe_group: used,
      can_send_message_group: asSubgroup,
    })
    await updateRealmSettings(s.realm, { can_create_bots_group: asSubgroup })
    const { status, body } = await call(s.ada, 'POST', `/user_groups/${used}/deactivate`)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      objections: [
        { type: 'subgroup', supergroup_ids: [above] },
        { type: 'channel', channel_id: 1, settings: ['can_send_message_group', 'can_subscribe_group'] },
        { type: 'user_group', group_id: above, settings: ['can_join_group'] },
        { type: 'realm', settings: ['can_create_bots_group'] },
      ],
    })
  })

  test('A DELETE request, which the Python bindings send to remove a group, deactivates it.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'short-lived')
    await ok(s.ada, 'DELETE', `/user_groups/${id}`)
    expect((await groupsSeenBy(s.ada, { include_deactivated_groups: true })).at(-1)).toMatchObject({
      id,
      deactivated: true,
    })
    expect(await refusal(s.ada, 'DELETE', `/user_groups/${id}`)).toContain(
      'This user group is deactivated: reactivate it first.',
    )
  })

  test('A user can deactivate a group that only a deactivated group uses, but only once.', async () => {
    await using s = await setUp()
    const used = await create(s.ada, 'used')
    const above = await create(s.ada, 'above', { subgroups: [used], can_join_group: used })
    await ok(s.ada, 'POST', `/user_groups/${above}/deactivate`)
    await ok(s.ada, 'POST', `/user_groups/${used}/deactivate`)
    expect(await refusal(s.ada, 'POST', `/user_groups/${used}/deactivate`)).toContain(
      'This user group is deactivated: reactivate it first.',
    )
    expect(await refusal(s.ada, 'GET', `/user_groups/${used}/members`)).toContain(
      'This user group is deactivated: reactivate it first.',
    )
  })

  test('Users can change, join and reactivate a deactivated group, but cannot use it in another group.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    const other = await create(s.ada, 'other')
    await ok(s.ada, 'POST', `/user_groups/${id}/deactivate`)
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, { name: 'drawing', can_join_group: { new: SystemGroup.members } })
    await ok(s.grace, 'POST', `/user_groups/${id}/members`, { add: [s.grace.user_id] })
    expect(await refusal(s.ada, 'POST', `/user_groups/${other}/subgroups`, { add: [id] })).toContain('deactivated')
    expect(await refusal(s.ada, 'PATCH', `/user_groups/${other}`, { can_join_group: { new: id } })).toContain(
      'deactivated',
    )
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, { deactivated: true })
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, { deactivated: false })
    expect((await groupsSeenBy(s.ada)).find((group) => group.id === id)).toMatchObject({
      name: 'drawing',
      members: [s.grace.user_id],
      deactivated: false,
    })
  })
})

describe('Group events', () => {
  const types = { event_types: ['user_group'] }
  const withoutIds = (events: Record<string, unknown>[]) => events.map(({ id: _, type: __, ...event }) => event)

  test('A guest receives an event for a new group and for each of its changes.', async () => {
    await using s = await setUp()
    const listener = await listen(s.guest, types)
    const id = await create(s.ada, 'design', { members: [s.ada.user_id] })
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, {
      name: 'drawing',
      description: 'd',
      can_join_group: { new: listed(s.grace.user_id) },
    })
    await ok(s.ada, 'POST', `/user_groups/${id}/members`, {
      add: [s.grace.user_id],
      delete: [s.ada.user_id],
      add_subgroups: [2],
    })
    await ok(s.ada, 'POST', `/user_groups/${id}/subgroups`, { delete: [2] })
    const [added, ...changes] = withoutIds(await listener.events())
    expect(added).toMatchObject({ op: 'add', group: { id, name: 'design', members: [s.ada.user_id] } })
    expect(changes).toEqual([
      { op: 'update', group_id: id, data: { name: 'drawing' } },
      { op: 'update', group_id: id, data: { description: 'd' } },
      { op: 'update', group_id: id, data: { can_join_group: listed(s.grace.user_id) } },
      { op: 'add_members', group_id: id, user_ids: [s.grace.user_id] },
      { op: 'remove_members', group_id: id, user_ids: [s.ada.user_id] },
      { op: 'add_subgroups', group_id: id, direct_subgroup_ids: [2] },
      { op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [2] },
    ])
  })

  test('An update to the current values sends no event.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design', { members: [s.ada.user_id] })
    const listener = await listen(s.guest, types)
    const same = { name: 'design', description: '', can_leave_group: { new: SystemGroup.everyone }, deactivated: false }
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, same)
    expect(await listener.events()).toEqual([])
  })

  test('Each client receives deactivation and reactivation in the form that it supports.', async () => {
    await using s = await setUp()
    const olderListener = await listen(s.grace, types)
    const capabilities = { notification_settings_null: true, include_deactivated_groups: true }
    const newerListener = await listen(s.grace, { ...types, client_capabilities: capabilities })
    const id = await create(s.ada, 'design')
    await ok(s.ada, 'POST', `/user_groups/${id}/deactivate`)
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, { name: 'drawing' })
    await ok(s.ada, 'PATCH', `/user_groups/${id}`, { deactivated: false, description: 'd' })
    expect(withoutIds(await olderListener.events()).slice(1)).toMatchObject([
      { op: 'remove', group_id: id },
      { op: 'add', group: { id, name: 'drawing', description: '' } },
      { op: 'update', group_id: id, data: { description: 'd' } },
    ])
    expect(withoutIds(await newerListener.events()).slice(1)).toEqual([
      { op: 'update', group_id: id, data: { deactivated: true } },
      { op: 'update', group_id: id, data: { name: 'drawing' } },
      { op: 'update', group_id: id, data: { deactivated: false } },
      { op: 'update', group_id: id, data: { description: 'd' } },
    ])
  })

  test('A user receives a direct message when another user adds or removes them.', async () => {
    await using s = await setUp()
    const listener = await listen(s.grace, { event_types: ['message'] })
    const id = await create(s.ada, 'design', {
      can_leave_group: SystemGroup.everyone,
      can_join_group: SystemGroup.members,
    })
    const members = (person: Person, params: object) => ok(person, 'POST', `/user_groups/${id}/members`, { ...params })
    await members(s.ada, { add: [s.grace.user_id] })
    await members(s.grace, { delete: [s.grace.user_id] })
    await members(s.grace, { add: [s.grace.user_id] })
    await members(s.ada, { delete: [s.grace.user_id] })
    const received: string[] = []
    const hear = async () => {
      for (const { message } of await listener.events()) received.push((message as { content: string }).content)
      return received.length
    }
    await expect.poll(hear, { timeout: 15_000 }).toBe(2)
    // Two jobs send the messages. Workers may run them in parallel, so their order is unknown.
    expect(received).toContainEqual(expect.stringMatching(/Ada.* made you a member of the group .*design/))
    expect(received).toContainEqual(expect.stringMatching(/Ada.* took you out of the group .*design/))
  })
})

/** Ada's private channel has a group as can_subscribe_group. A user in that group has access to the channel. */
describe('Access to a channel through a group', () => {
  const types = { event_types: ['stream', 'subscription'] }
  const privateChannel = (s: { realm: TestRealm; ada: Person }, can_subscribe_group: unknown) =>
    ok(s.ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }],
      invite_only: true,
      can_subscribe_group,
    })
  const channelsOf = async (person: Person) =>
    (await ok(person, 'GET', '/streams', { include_all: true })).streams.map(({ name }) => name)

  test('A user gains access to the channel by joining the group and loses it by leaving.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await privateChannel(s, id)
    const [grace, admin, guest] = [
      await listen(s.grace, types),
      await listen(s.admin, types),
      await listen(s.guest, types),
    ]
    await ok(s.ada, 'POST', `/user_groups/${id}/members`, { add: [s.grace.user_id, s.admin.user_id, s.guest.user_id] })
    const [created, peers] = await grace.events()
    expect(created).toMatchObject({ op: 'create', streams: [{ name: 'secret', subscriber_count: 0 }] })
    // The count does not include the subscribers that peer_add adds next.
    expect(peers).toMatchObject({ op: 'peer_add', stream_ids: [1], user_ids: [s.ada.user_id] })
    expect(await channelsOf(s.grace)).toEqual(['secret'])

    await ok(s.ada, 'POST', `/user_groups/${id}/members`, { delete: [s.grace.user_id, s.admin.user_id] })
    expect(await grace.events()).toMatchObject([{ op: 'delete', stream_ids: [1] }])
    expect(await channelsOf(s.grace)).toEqual([])
    // An administrator has access without the group, and a guest never gains access through it.
    expect(await admin.eventNames()).toEqual([])
    expect(await guest.eventNames()).toEqual([])
  })

  test('A nested group grants access to the channel, and a user keeps it while another membership grants it.', async () => {
    await using s = await setUp()
    const inner = await create(s.ada, 'inner', { members: [s.grace.user_id] })
    const outer = await create(s.ada, 'outer')
    await privateChannel(s, { direct_members: [s.ada.user_id], direct_subgroups: [outer] })
    const listener = await listen(s.grace, types)
    await ok(s.ada, 'POST', `/user_groups/${outer}/subgroups`, { add: [inner] })
    expect(await listener.eventNames()).toEqual(['stream/create', 'subscription/peer_add'])
    await ok(s.ada, 'POST', `/user_groups/${outer}/members`, { add: [s.grace.user_id] })
    await ok(s.ada, 'POST', `/user_groups/${inner}/members`, { delete: [s.grace.user_id] })
    expect(await listener.eventNames()).toEqual([])
    await ok(s.ada, 'POST', `/user_groups/${outer}/members`, { delete: [s.grace.user_id] })
    expect(await listener.eventNames()).toEqual(['stream/delete'])
  })

  test('A subscriber keeps access to the channel when they leave the group.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design', { members: [s.grace.user_id] })
    await privateChannel(s, id)
    await ok(s.grace, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }] })
    const listener = await listen(s.grace, types)
    await ok(s.ada, 'POST', `/user_groups/${id}/members`, { delete: [s.grace.user_id] })
    expect(await listener.eventNames()).toEqual([])
  })

  test('A member gains access to the channel when role:members becomes a subgroup.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await privateChannel(s, id)
    const listener = await listen(s.grace, types)
    await ok(s.ada, 'POST', `/user_groups/${id}/subgroups`, { add: [SystemGroup.members] })
    expect(await listener.eventNames()).toEqual(['stream/create', 'subscription/peer_add'])
    await ok(s.ada, 'POST', `/user_groups/${id}/subgroups`, { delete: [SystemGroup.members] })
    expect(await listener.eventNames()).toEqual(['stream/delete'])
  })
})
