/** Users over the API: listing and fetching them, creating them, and logging in. */
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { registry } from '../../src/gateway/api/index.js'
import { startGateway } from '../setup/processes/processes.js'
import { createChannel } from '../setup/realm/create-channel.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings, updateUserRow, withWriteContext } from '../setup/realm/row-changes.js'

const people = async () => {
  const realm = await newRealm()
  const [owner, ada, grace, guest] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada' },
    { full_name: 'Grace', settings: { email_address_visibility: 3 } },
    { full_name: 'Guest', role: Role.guest },
  )) as [Person, Person, Person, Person]
  return { realm, owner, ada, grace, guest }
}

/** Makes a successful call and parses its answer with the declared response schema. */
const shaped = async <R extends z.ZodObject>(
  { response }: { response: R },
  ...given: Parameters<typeof ok>
): Promise<z.output<R>> => response.parse(await ok(...given))

const refusal = async (...given: Parameters<typeof call>) => {
  const { status, body } = await call(...given)
  expect(body.result).toBe('error')
  return [status, body.code, body.msg]
}

const members = async (caller: Person, params: Record<string, unknown> = {}) =>
  (await shaped(registry.getUsers, caller, 'GET', '/users', params)).members

describe('The list of users', () => {
  test('The list contains all users except system bots, with the email addresses that the caller may see.', async () => {
    const { realm, owner, ada, grace, guest } = await people()
    await using _ = realm
    await updateUserRow(realm, guest.user_id, { is_active: false })
    const seen = await members(ada)
    expect(seen.map(({ user_id }) => user_id)).toEqual([owner, ada, grace, guest].map(({ user_id }) => user_id))
    expect(seen[2]).toMatchObject({ delivery_email: null, email: `user${grace.user_id}@${realm.host}` })
    expect(seen[3]).toMatchObject({ is_active: false })
    expect((await members(owner))[2]).toMatchObject({ delivery_email: grace.email })
  })

  test('The list omits avatars that the client can compute, and profile data, unless the caller asks for them.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    await updateUserRow(realm, ada.user_id, { uses_gravatar: true })
    const [plain] = (await members(ada)).filter(({ user_id }) => user_id === ada.user_id)
    expect(plain?.avatar_url).toBeNull()
    expect(plain).not.toHaveProperty('profile_data')
    const full = (await members(ada, { client_gravatar: false, include_custom_profile_fields: true })).find(
      ({ user_id }) => user_id === ada.user_id,
    )
    expect(full?.avatar_url).toMatch(/^https:/)
    expect(full).toMatchObject({ profile_data: {} })
  })

  test('The caller can limit the list to given user IDs, and unknown IDs are left out.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    const seen = await members(ada, { user_ids: [grace.user_id, 99_999, ada.user_id, ada.user_id] })
    expect(seen.map(({ user_id }) => user_id)).toEqual([ada.user_id, grace.user_id])
    expect(await members(ada, { user_ids: [] })).toEqual([])
  })

  test('A restricted guest sees users they share nothing with as unknown, and cannot fetch them.', async () => {
    const { realm, ada, grace, guest, owner } = await people()
    await using _ = realm
    await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.members })
    await withWriteContext(realm, (context) => {
      const members = [ada, guest].flatMap(({ user_id }) => realm.realm.state.users.get(user_id) ?? [])
      return createChannel(context.dependencies, realm.realm, { name: 'shared', members })
    })
    await ok(grace, 'POST', '/messages', { type: 'direct', to: [guest.user_id], content: 'hello' })
    const names = (list: { full_name: string }[]) => list.map(({ full_name }) => full_name)
    expect(names(await members(guest))).toEqual(['Unknown user', 'Ada', 'Grace', 'Guest'])
    expect(names(await members(guest, { user_ids: [owner.user_id, ada.user_id] }))).toEqual(['Ada'])
    expect(names(await members(ada))).toEqual(['Owner', 'Ada', 'Grace', 'Guest'])
    expect(await refusal(guest, 'GET', `/users/${owner.user_id}`)).toEqual([
      400,
      'BAD_REQUEST',
      'Insufficient permission: ask an administrator of the organization.',
    ])
    expect((await ok(guest, 'GET', `/users/${ada.user_id}`)).user).toMatchObject({ full_name: 'Ada' })
  })

  test('The list equals the accounts one by one, for each caller and form, before and after changes.', async () => {
    const { realm, owner, ada, grace, guest } = await people()
    await using _ = realm
    const forms = [true, false].flatMap((client_gravatar) =>
      [true, false].map((include_custom_profile_fields) => ({ client_gravatar, include_custom_profile_fields })),
    )
    const compare = async () => {
      for (const caller of [owner, ada, grace, guest]) {
        for (const form of forms) {
          const listed = await members(caller, form)
          expect(listed.length).toBe(4)
          for (const user of listed) {
            expect((await ok(caller, 'GET', `/users/${user.user_id}`, form)).user).toEqual(user)
          }
        }
      }
    }
    await compare()
    await updateUserRow(realm, ada.user_id, { full_name: 'Ada L.', settings: { email_address_visibility: 5 } })
    await updateUserRow(realm, guest.user_id, { is_active: false })
    await updateUserRow(realm, guest.user_id, { is_active: true })
    await compare()
  })

  test('A spectator can read the list when the organization allows spectators, without email addresses.', async () => {
    const { realm, owner } = await people()
    await using _ = realm
    const anonymously = () => call(undefined, 'GET', '/users', {}, { host: realm.host })
    expect(await anonymously()).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    await updateRealmSettings(realm, { enable_spectator_access: true })
    await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'web' }], is_web_public: true })
    const { status, body } = await anonymously()
    expect(status).toBe(200)
    const { members } = registry.getUsers.response.parse(body)
    expect(members[0]).toMatchObject({ full_name: 'Owner', delivery_email: null })
    expect(members[0]).toMatchObject({
      timezone: '',
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00\+00:00$/),
    })
    expect(JSON.stringify(members)).not.toContain('@example.com')
    const bot = await ok(owner, 'POST', '/bots', { full_name: 'Builder', short_name: 'builder' })
    const { email } = (await ok(owner, 'GET', `/users/${bot.user_id}`)).user
    const again = registry.getUsers.response.parse((await anonymously()).body).members
    expect(again.find(({ user_id }) => user_id === bot.user_id)).toMatchObject({ email, delivery_email: email })
  })
})

describe('Fetching a user', () => {
  test("The caller's own user object always contains an avatar URL.", async () => {
    const { realm, grace } = await people()
    await using _ = realm
    const own = await shaped(registry.getOwnUser, grace, 'GET', '/users/me')
    expect(own).toMatchObject({ user_id: grace.user_id, delivery_email: grace.email, max_message_id: -1 })
    expect(own.avatar_url).toBe(`/user_avatars/drawn/${grace.user_id}.47.png`)
  })

  test('A caller finds a user by ID, by API email address, and by real email address if they may see it.', async () => {
    const { realm, owner, ada, grace } = await people()
    await using _ = realm
    const find = async (caller: Person, what: string | number) =>
      (await shaped(registry.getUser, caller, 'GET', `/users/${what}`)).user.user_id
    expect(await find(ada, grace.user_id)).toBe(grace.user_id)
    expect(await find(ada, `user${grace.user_id}@${realm.host}`)).toBe(grace.user_id)
    expect(await find(owner, grace.email.toUpperCase())).toBe(grace.user_id)
    expect(await find(grace, grace.email)).toBe(grace.user_id)
    expect(await find(grace, `user${ada.user_id}@${realm.host}`)).toBe(ada.user_id)
    const none = [400, 'BAD_REQUEST', 'There is no such user.']
    expect(await refusal(ada, 'GET', `/users/${grace.email}`)).toEqual(none)
    expect(await refusal(ada, 'GET', '/users/nobody@example.com')).toEqual(none)
    expect(await refusal(ada, 'GET', '/users/99999')).toEqual(none)
  })
})

describe('Creating a user', () => {
  const wanted = { email: 'mary@example.com', full_name: 'Mary Shelley', password: 'a modern prometheus 1818' }

  test('A new user joins the system groups and default channels, and other users receive the events in order.', async () => {
    const { realm, owner, ada, guest } = await people()
    await using _ = realm
    await withWriteContext(realm, (context) =>
      createChannel(context.dependencies, realm.realm, { name: 'welcome', is_default: true }),
    )
    const [administrator, member, outsider] = [await listen(owner), await listen(ada), await listen(guest)]
    const { user_id } = await shaped(registry.createUser, owner, 'POST', '/users', wanted)

    const events = await administrator.events()
    expect(events.map(({ type, op }) => [type, op])).toEqual([
      ['realm_user', 'add'],
      ['user_group', 'add_members'],
      ['user_group', 'add_members'],
      ['realm_export_consent', undefined],
      ['subscription', 'peer_add'],
    ])
    expect(events[0]?.person).toMatchObject({
      user_id,
      delivery_email: wanted.email,
      is_active: true,
      profile_data: {},
    })
    expect(events[1]).toMatchObject({ group_id: SystemGroup.fullmembers, user_ids: [user_id] })
    expect(events[4]).toMatchObject({ user_ids: [user_id] })
    const groups = ['user_group/add_members', 'user_group/add_members']
    expect(await member.eventNames()).toEqual(['realm_user/add', ...groups, 'subscription/peer_add'])
    expect(await outsider.eventNames()).toEqual(['realm_user/add', ...groups])

    const mary = await ok(
      undefined,
      'POST',
      '/fetch_api_key',
      {
        username: wanted.email,
        password: wanted.password,
      },
      { host: realm.host },
    )
    const account = { host: realm.host, email: wanted.email, api_key: mary.api_key }
    const { subscriptions } = await ok(account, 'POST', '/register', {
      fetch_event_types: ['subscription'],
    })
    expect(subscriptions.map(({ name }) => name)).toEqual(['welcome'])
  })

  test('Only users who may see the email address of a new user receive it.', async () => {
    const { realm, owner, ada, guest } = await people()
    await using _ = realm
    const collectAddresses = async (person: Person) => {
      const listener = await listen(person, { event_types: ['realm_user'] })
      return async () =>
        (await listener.events()).map(({ person }) => (person as { delivery_email: string }).delivery_email)
    }
    const listeners = await Promise.all([owner, ada, guest].map(collectAddresses))
    await realm.people({ full_name: 'Members Only', settings: { email_address_visibility: 2 } })
    await realm.people({ full_name: 'Admins Only', settings: { email_address_visibility: 3 } })
    const [members, admins] = ['members.only@example.com', 'admins.only@example.com']
    expect(await Promise.all(listeners.map((events) => events()))).toEqual([
      [members, admins],
      [members, null],
      [null, null],
    ])
  })

  test('An administrator who has lost the right to create users or to change email addresses cannot do so.', async () => {
    const { realm, owner, ada } = await people()
    await using _ = realm
    const move = () => call(owner, 'PATCH', `/users/${ada.user_id}`, { new_email: 'other@example.com' })
    const taken = [400, 'BAD_REQUEST', 'The operator of this server has withdrawn this right from your account.']
    await updateUserRow(realm, owner.user_id, { can_create_users: false })
    expect(await refusal(owner, 'POST', '/users', wanted)).toEqual(taken)
    expect((await move()).status).toBe(200)
    await updateUserRow(realm, owner.user_id, { can_create_users: true, can_change_user_emails: false })
    expect((await call(owner, 'POST', '/users', wanted)).status).toBe(200)
    const { status, body } = await move()
    expect([status, body.code, body.msg]).toEqual(taken)
  })

  test('A member cannot create users.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    expect(await refusal(ada, 'POST', '/users', wanted)).toEqual([
      400,
      'UNAUTHORIZED_PRINCIPAL',
      'Only administrators of the organization may do this.',
    ])
  })

  test.each([
    [{ password: 'secret' }, 'The password is too easy to guess: choose a longer one.'],
    [{ password: 'Mary Shelley' }, 'The password is too easy to guess: choose a longer one.'],
    [{ password: 'x' }, 'The password is too easy to guess: choose a longer one.'],
    [{ full_name: 'M' }, 'A name must have at least 2 characters.'],
    [{ email: 'mary' }, 'This is not an email address.'],
    [{ email: 'mary@mailinator.com' }, 'The organization does not accept disposable email addresses.'],
    [{ email: 'ADA@example.com' }, 'An account with this email address already exists.'],
  ])('The server refuses a new user with %j: %s', async (change, msg) => {
    const { realm, owner } = await people()
    await using _ = realm
    expect(await refusal(owner, 'POST', '/users', { ...wanted, ...change })).toEqual([400, 'BAD_REQUEST', msg])
  })

  test('Only one of several simultaneous requests through all gateways creates a user with the same email address.', async () => {
    const { realm, owner } = await people()
    await using _ = realm
    const answers = await Promise.all(Array.from({ length: 6 }, () => call(owner, 'POST', '/users', wanted)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    expect(answers.find(({ status }) => status === 400)?.body.msg).toBe(
      'An account with this email address already exists.',
    )
  })
})

describe('Logging in', () => {
  const password = 'correct horse battery staple'
  const login = (host: string, username: string, given = password) =>
    call(undefined, 'POST', '/fetch_api_key', { username, password: given }, { host })

  test('A user who logs in receives their API key, real email address and ID, regardless of the case of the address.', async () => {
    await using realm = await newRealm()
    const [ada] = (await realm.people({ full_name: 'Ada', password, settings: { email_address_visibility: 4 } })) as [
      Person,
    ]
    const { status, body } = await login(realm.host, 'ADA@Example.com')
    expect(status).toBe(200)
    expect(registry.fetchApiKey.response.parse(body)).toEqual({
      api_key: ada.api_key,
      email: ada.email,
      user_id: ada.user_id,
    })
    expect(await ok(ada, 'GET', '/users/me')).toMatchObject({ email: `user${ada.user_id}@${realm.host}` })
  })

  test('The server gives a wrong password, an unknown email address and a user without a password the same answer.', async () => {
    await using realm = await newRealm()
    await realm.people({ full_name: 'Ada', password }, { full_name: 'Grace' })
    const refused = {
      status: 401,
      body: { code: 'AUTHENTICATION_FAILED', msg: 'The email address or the password is wrong.' },
    }
    expect(await login(realm.host, 'ada@example.com', 'wrong')).toMatchObject(refused)
    expect(await login(realm.host, 'nobody@example.com')).toMatchObject(refused)
    expect(await login(realm.host, 'grace@example.com')).toMatchObject(refused)
    expect(await login(realm.host, 'notification-bot@parley.invalid')).toMatchObject(refused)
    expect(await login(realm.host, 'ada')).toMatchObject({
      status: 400,
      body: { msg: 'This is not an email address.' },
    })
  })

  test('The answer names a deactivated user, a password that must be reset, and a host without an organization.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = (await realm.people({ full_name: 'Ada', password }, { full_name: 'Grace', password })) as [
      Person,
      Person,
    ]
    await updateUserRow(realm, ada.user_id, { is_active: false })
    expect(await login(realm.host, ada.email)).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } })
    expect(await login(realm.host, ada.email, 'wrong')).toMatchObject({ body: { code: 'AUTHENTICATION_FAILED' } })
    await realm.sql`
      update passwords set password_hash = '' where realm_id = ${realm.realm_id} and user_id = ${grace.user_id}`
    expect(await login(realm.host, grace.email)).toMatchObject({
      status: 401,
      body: { code: 'PASSWORD_RESET_REQUIRED' },
    })
    expect(await login(`nowhere.${realm.host}`, ada.email)).toMatchObject({
      status: 404,
      body: { code: 'NONEXISTENT_SUBDOMAIN' },
    })
  })

  test('Only a development server lets a user log in without a password.', async () => {
    await using realm = await newRealm()
    const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
    const asked = [undefined, 'POST', '/dev_fetch_api_key', { username: ada.email }] as const
    expect(await call(...asked, { host: realm.host })).toMatchObject({
      status: 400,
      body: { msg: 'This server does not allow logging in without a password.' },
    })
    await using development = await startGateway({ NODE_ENV: 'development' })
    expect(await ok(...asked, { host: realm.host, url: development.url })).toMatchObject({ api_key: ada.api_key })
  })
})
