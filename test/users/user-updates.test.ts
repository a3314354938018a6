/** Users over the API: changing, deactivating and reactivating them, and the events. */
import { describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { listen } from '../setup/realm/event-listener.js'
import { Refused, readEvents, type WireEvent } from '../setup/realm/event-reader.js'
import { anyGateway, call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const setUp = async () => {
  const realm = await newRealm()
  const [owner, admin, moderator, ada, grace, guest] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Admin', role: Role.administrator },
    { full_name: 'Moderator', role: Role.moderator },
    { full_name: 'Ada' },
    { full_name: 'Grace' },
    { full_name: 'Guest', role: Role.guest },
  )) as [Person, Person, Person, Person, Person, Person]
  let bots = 0
  const botOf = async (person: Person) => {
    const full_name = `Helper ${++bots} of ${person.full_name}`
    const [bot] = (await realm.people({ full_name, bot: { type: 1, owner_id: person.user_id } })) as [Person]
    return bot
  }
  const people = { owner, admin, moderator, ada, grace, guest }
  return { realm, people, botOf, ...people, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

type Stage = Awaited<ReturnType<typeof setUp>>

const refusal = async (...given: Parameters<typeof call>) => {
  const { status, body } = await call(...given)
  return status === 200 ? 'done' : `${status} ${body.code}: ${body.msg}`
}

const path = ({ user_id }: Person) => `/users/${user_id}`
const withoutIds = (events: WireEvent[]) => events.map(({ id: _, ...event }) => event)
const userOf = async (viewer: Person, person: Person) => (await ok(viewer, 'GET', path(person))).user

const insufficient = '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.'
const owners = '400 UNAUTHORIZED_PRINCIPAL: Only owners of the organization may do this.'

describe('Permission to change users', () => {
  const callers = ['owner', 'admin', 'moderator', 'grace', 'guest'] as const
  const operations: Record<string, (s: Stage) => Promise<[string, string, object]>> = {
    'rename Ada': async (s) => ['PATCH', path(s.ada), { full_name: 'Ada Lovelace' }],
    'make Ada a moderator': async (s) => ['PATCH', path(s.ada), { role: Role.moderator }],
    'make Ada an administrator': async (s) => ['PATCH', path(s.ada), { role: Role.administrator }],
    'make Ada an owner': async (s) => ['PATCH', path(s.ada), { role: Role.owner }],
    'give Ada another address': async (s) => ['PATCH', path(s.ada), { new_email: 'countess@example.com' }],
    'deactivate Ada': async (s) => ['DELETE', path(s.ada), {}],
    "rename Ada's bot": async (s) => ['PATCH', path(await s.botOf(s.ada)), { full_name: 'Other' }],
  }
  const cells: [string, Record<string, string>][] = [
    ['rename Ada', { owner: 'Y', admin: 'Y' }],
    ['make Ada a moderator', { owner: 'Y', admin: 'Y' }],
    ['make Ada an administrator', { owner: 'Y', admin: 'Y' }],
    ['make Ada an owner', { owner: 'Y', admin: owners }],
    ['give Ada another address', { owner: 'Y', admin: 'Y' }],
    ['deactivate Ada', { owner: 'Y', admin: 'Y' }],
    ["rename Ada's bot", { owner: 'Y', admin: 'Y' }],
  ]
  test.each(cells)('The lowest role that can %s is the one in the table.', async (name, expected) => {
    await using s = await setUp()
    for (const caller of [...callers].reverse()) {
      const [method, where, params] = await (operations[name] as (typeof operations)[string])(s)
      const found = await refusal(s.people[caller], method, where, { ...params })
      expect([caller, found === 'done' ? 'Y' : found]).toEqual([caller, expected[caller] ?? insufficient])
      if (found === 'done') break
    }
  })

  test('The owner of a bot can rename it, but cannot change its role or email address.', async () => {
    await using s = await setUp()
    const bot = await s.botOf(s.ada)
    expect(await refusal(s.ada, 'PATCH', path(bot), { full_name: 'Renamed' })).toBe('done')
    expect(await refusal(s.ada, 'PATCH', path(bot), { role: Role.moderator })).toBe(
      '400 UNAUTHORIZED_PRINCIPAL: Only administrators of the organization may do this.',
    )
    expect(await refusal(s.ada, 'PATCH', path(bot), { new_email: 'bot@example.com' })).toContain(
      'Only administrators may change the email addresses of other users.',
    )
  })

  test('An administrator cannot demote, deactivate or reactivate an owner, and an owner can deactivate and reactivate one.', async () => {
    await using s = await setUp()
    await ok(s.owner, 'PATCH', path(s.ada), { role: Role.owner })
    expect(await refusal(s.admin, 'PATCH', path(s.ada), { role: Role.member })).toBe(owners)
    expect(await refusal(s.admin, 'DELETE', path(s.ada))).toBe(owners)
    await ok(s.owner, 'DELETE', path(s.ada))
    expect(await refusal(s.admin, 'POST', `${path(s.ada)}/reactivate`)).toBe(owners)
    await ok(s.owner, 'POST', `${path(s.ada)}/reactivate`)
  })

  test('The last owner cannot be deactivated or demoted.', async () => {
    await using s = await setUp()
    const last = { code: 'CANNOT_DEACTIVATE_LAST_USER', is_last_owner: true, entity: 'organization owner' }
    expect((await call(s.owner, 'DELETE', path(s.owner))).body).toMatchObject(last)
    expect((await call(s.owner, 'DELETE', '/users/me')).body).toMatchObject(last)
    expect(await refusal(s.owner, 'PATCH', path(s.owner), { role: Role.member })).toContain(
      'The organization has no other owner: make another user an owner first.',
    )
    await ok(s.owner, 'PATCH', path(s.ada), { role: Role.owner })
    await ok(s.owner, 'PATCH', path(s.owner), { role: Role.member })
    expect(await userOf(s.ada, s.owner)).toMatchObject({ role: Role.member, is_owner: false })
  })

  test('The server refuses to change or deactivate an unknown user or a system bot.', async () => {
    await using s = await setUp()
    for (const id of [999, 1]) {
      expect(await refusal(s.owner, 'PATCH', `/users/${id}`, { full_name: 'X Y' })).toContain('There is no such user.')
      expect(await refusal(s.owner, 'DELETE', `/users/${id}`)).toContain('There is no such user.')
      expect(await refusal(s.owner, 'POST', `/users/${id}/reactivate`)).toContain('There is no such user.')
    }
    expect(await refusal(s.owner, 'DELETE', path(await s.botOf(s.ada)))).toContain('There is no such user.')
  })
})

describe('Changing a user', () => {
  test('An administrator can name the user by an email address that they may see.', async () => {
    await using s = await setUp()
    await ok(s.admin, 'PATCH', '/users/ada@example.com', { full_name: 'Ada Lovelace' })
    expect(await userOf(s.grace, s.ada)).toMatchObject({ full_name: 'Ada Lovelace' })
    await ok(s.ada, 'PATCH', '/settings', { email_address_visibility: 4 })
    expect(await refusal(s.admin, 'PATCH', '/users/ada@example.com', { full_name: 'Countess' })).toContain(
      'There is no such user.',
    )
    await ok(s.admin, 'PATCH', `/users/user${s.ada.user_id}@${s.realm.host}`, { full_name: 'Countess' })
  })

  test.each([
    [{ full_name: 'A' }, 'A name must have at least 2 characters.'],
    [{ role: 150 }, 'role must be one of the possible values.'],
    [{ new_email: 'nowhere' }, 'This is not an email address.'],
    [{ new_email: 'grace@example.com' }, 'An account with this email address already exists.'],
  ])('The server refuses the change %j and leaves the role as it was: %s', async (params, msg) => {
    await using s = await setUp()
    expect(await refusal(s.admin, 'PATCH', path(s.ada), { role: Role.moderator, ...params })).toBe(
      `400 BAD_REQUEST: ${msg}`,
    )
    expect(await userOf(s.grace, s.ada)).toMatchObject({ role: Role.member })
  })

  test('One request can change the name, role and email address of a user, and other users receive an event for each.', async () => {
    await using s = await setUp()
    const { user_id } = s.ada
    const listener = await listen(s.guest, { event_types: ['realm_user', 'user_group'] })
    const changes = { full_name: 'Ada Lovelace', role: Role.moderator, new_email: 'countess@example.com' }
    await ok(s.admin, 'PATCH', path(s.ada), changes)
    expect(withoutIds(await listener.events())).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id, role: Role.moderator } },
      { type: 'realm_user', op: 'update', person: { user_id, full_name: 'Ada Lovelace' } },
      { type: 'realm_user', op: 'update', person: { user_id, avatar_url: `/user_avatars/drawn/${user_id}.41.4c.png` } },
      { type: 'realm_user', op: 'update', person: { user_id, new_email: 'countess@example.com' } },
      { type: 'realm_user', op: 'update', person: { user_id, delivery_email: 'countess@example.com' } },
      { type: 'user_group', op: 'remove_members', group_id: SystemGroup.fullmembers, user_ids: [user_id] },
      { type: 'user_group', op: 'remove_members', group_id: SystemGroup.members, user_ids: [user_id] },
      { type: 'user_group', op: 'add_members', group_id: SystemGroup.moderators, user_ids: [user_id] },
    ])
    await ok(s.admin, 'PATCH', path(s.ada), { ...changes, full_name: '  ' })
    expect(await listener.events()).toEqual([])
    // The API key stays valid together with the new email address.
    await ok({ ...s.ada, email: 'countess@example.com' }, 'GET', '/users/me')
  })
})

describe("Changing a user's role", () => {
  const types = { event_types: ['stream', 'subscription', 'default_streams', 'realm_bot'] }
  const setRole = (s: Stage, person: Person, role: number) => ok(s.owner, 'PATCH', path(person), { role })

  test('A new administrator gains access to every private channel and bot, and loses it on becoming a moderator.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true })
    await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open' }] })
    const bot = await s.botOf(s.ada)
    const listener = await listen(s.grace, types)
    await setRole(s, s.grace, Role.administrator)
    expect(withoutIds(await listener.events())).toMatchObject([
      { op: 'create', streams: [{ name: 'secret' }] },
      { op: 'peer_add', stream_ids: [1], user_ids: [s.ada.user_id] },
      { type: 'realm_bot', op: 'add', bot: { user_id: bot.user_id, api_key: bot.api_key } },
    ])
    await setRole(s, s.grace, Role.moderator)
    expect(withoutIds(await listener.events())).toMatchObject([
      { op: 'delete', stream_ids: [1] },
      { type: 'realm_bot', op: 'delete', bot: { user_id: bot.user_id } },
    ])
  })

  test('A member who becomes a guest loses the channels they are not subscribed to, and regains them as a member.', async () => {
    await using s = await setUp()
    await ok(s.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'news' }], is_default_stream: true })
    await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
    await ok(s.grace, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'lobby' }] })
    const listener = await listen(s.grace, types)
    await setRole(s, s.grace, Role.guest)
    expect(withoutIds(await listener.events())).toMatchObject([
      { op: 'delete', stream_ids: [1, 2] },
      { type: 'default_streams', default_streams: [] },
    ])
    await setRole(s, s.grace, Role.member)
    expect(withoutIds(await listener.events())).toMatchObject([
      { op: 'create', streams: [{ name: 'news' }, { name: 'design' }] },
      { op: 'peer_add', stream_ids: [1], user_ids: [s.owner.user_id] },
      { op: 'peer_add', stream_ids: [2], user_ids: [s.ada.user_id] },
      { type: 'default_streams', default_streams: [1] },
    ])
  })

  test('A user receives the email addresses that only their new role may see, and loses them with the role.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'PATCH', '/settings', { email_address_visibility: 3 })
    const listener = await listen(s.grace, { event_types: ['realm_user'] })
    await setRole(s, s.grace, Role.administrator)
    const [, address] = await listener.events()
    expect(address).toMatchObject({ person: { user_id: s.ada.user_id, delivery_email: 'ada@example.com' } })
    await setRole(s, s.grace, Role.member)
    const [, hidden] = await listener.events()
    expect(hidden).toMatchObject({ person: { user_id: s.ada.user_id, delivery_email: null } })
  })

  test('A restricted guest who becomes a member gains access to all users, and loses it on becoming a guest again.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { can_access_all_users_group: SystemGroup.members })
    const listener = await listen(s.guest, { event_types: ['realm_user'] })
    await setRole(s, s.guest, Role.member)
    const others = [s.owner, s.admin, s.moderator, s.ada, s.grace].map(({ user_id }) => user_id)
    const added = (await listener.events()).filter(({ op }) => op === 'add')
    expect(added.map(({ person }) => (person as { user_id: number }).user_id)).toEqual(others)
    await setRole(s, s.guest, Role.guest)
    const removed = (await listener.events()).filter(({ op }) => op === 'remove')
    expect(removed.map(({ person }) => (person as { user_id: number }).user_id)).toEqual(others)
  })
})

describe('Deactivating and reactivating a user', () => {
  test('A deactivated user cannot call the API, is listed as inactive, and loses their event queues.', async () => {
    await using s = await setUp()
    const { queue_id, last_event_id } = await ok(s.ada, 'POST', '/register')
    await ok(s.admin, 'DELETE', path(s.ada), { deactivation_notification_comment: '' })
    expect(await refusal(s.ada, 'GET', '/users/me')).toBe(
      '401 UNAUTHORIZED: This account is deactivated: ask an administrator of the organization.',
    )
    expect(await refusal(s.admin, 'DELETE', path(s.ada))).toContain('This user is deactivated.')
    expect(await userOf(s.grace, s.ada)).toMatchObject({ is_active: false })
    const { realm_users, realm_non_active_users } = await ok(s.grace, 'POST', '/register', {
      fetch_event_types: ['realm_user'],
    })
    expect(realm_users?.map(({ user_id }) => user_id)).not.toContain(s.ada.user_id)
    expect(realm_non_active_users?.map(({ user_id }) => user_id)).toEqual([s.ada.user_id])
    await ok(s.admin, 'POST', `${path(s.ada)}/reactivate`)
    await expect(readEvents('poll', anyGateway(), s.ada, { queue_id, last_event_id })).rejects.toThrow(Refused)
  })

  test('Deactivation sends the events of the bots of a user first, and reactivation sends events in the order that clients rely on.', async () => {
    await using s = await setUp()
    const bot = await s.botOf(s.ada)
    await ok(s.ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'design' }, { name: 'open' }],
      principals: [s.ada.user_id, bot.user_id, s.grace.user_id],
    })
    const id = (
      await ok(s.ada, 'POST', '/user_groups/create', {
        name: 'drawers',
        description: '',
        members: [s.ada.user_id],
      })
    ).group_id
    const listener = await listen(s.admin)
    await ok(s.admin, 'DELETE', path(s.ada))
    expect(withoutIds(await listener.events())).toEqual([
      { type: 'subscription', op: 'peer_remove', stream_ids: [1, 2], user_ids: [bot.user_id] },
      { type: 'realm_user', op: 'update', person: { user_id: bot.user_id, is_active: false } },
      { type: 'realm_bot', op: 'update', bot: { user_id: bot.user_id, is_active: false } },
      { type: 'subscription', op: 'peer_remove', stream_ids: [1, 2], user_ids: [s.ada.user_id] },
      { type: 'realm_user', op: 'update', person: { user_id: s.ada.user_id, is_active: false } },
    ])
    const groups = await ok(s.admin, 'GET', '/user_groups')
    expect(groups.user_groups.at(-1)).toMatchObject({ id, members: [], can_manage_group: SystemGroup.nobody })

    await ok(s.admin, 'POST', `${path(s.ada)}/reactivate`)
    const { user_id } = s.ada
    expect(withoutIds(await listener.events())).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id, is_active: true } },
      { type: 'user_group', op: 'add_members', group_id: SystemGroup.fullmembers, user_ids: [user_id] },
      { type: 'user_group', op: 'add_members', group_id: SystemGroup.members, user_ids: [user_id] },
      { type: 'user_group', op: 'add_members', group_id: id, user_ids: [user_id] },
      {
        type: 'user_group',
        op: 'update',
        group_id: id,
        data: { can_add_members_group: { direct_members: [user_id] } },
      },
      { type: 'user_group', op: 'update', group_id: id, data: { can_manage_group: { direct_members: [user_id] } } },
      { type: 'stream', op: 'update', stream_id: 1, property: 'can_administer_channel_group' },
      { type: 'stream', op: 'update', stream_id: 2, property: 'can_administer_channel_group' },
      { type: 'subscription', op: 'peer_add', stream_ids: [1, 2], user_ids: [user_id] },
      { type: 'realm_export_consent', user_id, consented: false },
    ])
    // The subscriptions of the user are restored, but their bot stays deactivated.
    expect(await ok(s.ada, 'GET', '/users/me/subscriptions')).toMatchObject({
      subscriptions: [{ name: 'design' }, { name: 'open' }],
    })
    expect(await userOf(s.ada, bot)).toMatchObject({ is_active: false })
  })

  test('Clients that list archived channels keep counting their subscribers when a user is deactivated and reactivated.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'old' }, { name: 'open' }],
      principals: [s.ada.user_id, s.grace.user_id],
    })
    const { stream_id: old } = await ok(s.ada, 'GET', '/get_stream_id', { stream: 'old' })
    const { stream_id: open } = await ok(s.ada, 'GET', '/get_stream_id', { stream: 'open' })
    await ok(s.admin, 'DELETE', `/streams/${old}`)
    const event_types = ['subscription']
    const client_capabilities = { notification_settings_null: true, archived_channels: true }
    const listing = await listen(s.grace, { event_types, client_capabilities })
    const other = await listen(s.grace, { event_types })
    const channelsOf = (events: readonly WireEvent[]) => events.map(({ op, stream_ids }) => [op, stream_ids])

    await ok(s.admin, 'DELETE', path(s.ada))
    await ok(s.admin, 'POST', `${path(s.ada)}/reactivate`)
    expect(channelsOf(await listing.events())).toEqual([
      ['peer_remove', [old, open]],
      ['peer_add', [old, open]],
    ])
    expect(channelsOf(await other.events())).toEqual([
      ['peer_remove', [open]],
      ['peer_add', [open]],
    ])
  })

  test('A restricted guest loses a deactivated user they shared a channel with, and regains them on reactivation.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'lobby' }],
      principals: [s.ada.user_id, s.guest.user_id],
    })
    await updateRealmSettings(s.realm, { can_access_all_users_group: SystemGroup.members })
    const listener = await listen(s.guest, { event_types: ['realm_user', 'user_group'] })
    await ok(s.admin, 'DELETE', path(s.ada))
    const { user_id } = s.ada
    expect(withoutIds(await listener.events())).toMatchObject([
      { type: 'realm_user', op: 'remove', person: { user_id } },
      { type: 'user_group', op: 'remove_members', group_id: SystemGroup.fullmembers, user_ids: [user_id] },
      { type: 'user_group', op: 'remove_members', group_id: SystemGroup.members, user_ids: [user_id] },
    ])
    await ok(s.admin, 'POST', `${path(s.ada)}/reactivate`)
    expect(withoutIds(await listener.events())).toMatchObject([
      { type: 'realm_user', op: 'add', person: { user_id, full_name: 'Ada' } },
      { type: 'user_group', op: 'add_members' },
      { type: 'user_group', op: 'add_members' },
    ])
  })

  test('A user can deactivate their own account.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'DELETE', '/users/me')
    expect(await refusal(s.ada, 'GET', '/users/me')).toContain(
      'This account is deactivated: ask an administrator of the organization.',
    )
  })

  test('Reactivating an active user succeeds and sends no event.', async () => {
    await using s = await setUp()
    const listener = await listen(s.grace)
    await ok(s.admin, 'POST', `${path(s.ada)}/reactivate`)
    expect(await listener.events()).toEqual([])
  })
})
