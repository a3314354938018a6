/** The audit log: which acts are recorded, with which facts, and who reads them. */
import { expect, test } from 'vitest'
import { hideAddresses } from '../../src/domain/audit/audit.js'
import type { UserRow } from '../../src/domain/log/rows.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'

interface Act {
  user_id: number | null
  address: string
  action: string
  changes: { table: string; key: Record<string, unknown>; before: unknown; after: unknown }[]
}

const setUp = async () => {
  const realm = await newRealm()
  const [owner, admin, member] = (await realm.people(
    { full_name: 'Olga', role: 100 },
    { full_name: 'Abe', role: 200 },
    { full_name: 'Mia' },
  )) as [Person, Person, Person]
  const acts = async () => (await ok<{ acts: Act[] }>(owner, 'GET', '/realm/audit_log')).acts
  return { realm, owner, admin, member, acts }
}

test('A change of role is recorded with its author, address, and the role before and after.', async () => {
  const { realm, admin, member, acts } = await setUp()
  await using _ = realm
  await ok(admin, 'PATCH', `/users/${member.user_id}`, { role: 300 })
  expect((await acts())[0]).toMatchObject({
    user_id: admin.user_id,
    address: '127.0.0.1',
    action: 'PATCH /users/{user_id}',
    changes: [{ table: 'users', key: { id: member.user_id }, before: { role: 400 }, after: { role: 300 } }],
  })
})

test('Acts on settings, groups, channels, subscriptions of others, invitations and exports are recorded.', async () => {
  const { realm, owner, admin, member, acts } = await setUp()
  await using _ = realm
  await ok(admin, 'PATCH', '/realm', { description: 'new' })
  await ok(admin, 'POST', '/user_groups/create', { name: 'crew', description: '', members: [member.user_id] })
  await createChannel(admin, 'team', [admin, member])
  await ok(owner, 'POST', '/invites', { invitee_emails: 'new@example.com', stream_ids: [], invite_as: 400 })
  await ok(owner, 'POST', '/export/realm')
  expect((await acts()).map(({ user_id, action }) => [user_id, action])).toEqual([
    [owner.user_id, 'POST /export/realm'],
    [owner.user_id, 'POST /invites'],
    [admin.user_id, 'POST /users/me/subscriptions'],
    [admin.user_id, 'POST /user_groups/create'],
    [admin.user_id, 'PATCH /realm'],
  ])
})

test('What users do for themselves is not recorded, except a new key.', async () => {
  const { realm, admin, member, acts } = await setUp()
  await using _ = realm
  await createChannel(admin, 'team', [admin])
  const before = (await acts()).length
  await ok(member, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'team' }] })
  await ok(member, 'PATCH', '/settings', { full_name: 'Mia M.', twenty_four_hour_time: true })
  await postMessage(member, 'team', 't')
  expect(await acts()).toHaveLength(before)
  const { api_key } = await ok(member, 'POST', '/users/me/api_key/regenerate')
  const all = await acts()
  expect(all[0]).toMatchObject({ user_id: member.user_id, changes: [{ table: 'users', after: { key_version: 2 } }] })
  expect(JSON.stringify(all)).not.toContain(api_key)
})

test('A refused act leaves no record.', async () => {
  const { realm, member, owner, acts } = await setUp()
  await using _ = realm
  const before = (await acts()).length
  expect((await call(member, 'PATCH', `/users/${owner.user_id}`, { role: 400 })).status).toBe(400)
  expect(await acts()).toHaveLength(before)
})

test('An owner sees no address of a user who shows it to nobody, also in older records.', async () => {
  const { realm, owner, admin, member } = await setUp()
  await using _ = realm
  await ok(member, 'PATCH', '/settings', { email_address_visibility: 4 })
  await realm.realm.barrier()
  const { state } = realm.realm
  const created = ({ user_id }: Person) => ({
    table: 'users',
    key: { id: user_id },
    before: null,
    after: { ...(state.users.get(user_id) as UserRow) },
  })
  const viewer = state.users.get(owner.user_id) as UserRow
  const shown = JSON.stringify(hideAddresses([created(member), created(admin)], viewer, state))
  expect(shown).not.toContain(member.email)
  expect(shown).toContain(admin.email)
})

test('Only owners read the audit log, page by page.', async () => {
  const { realm, admin, owner, acts } = await setUp()
  await using _ = realm
  for (const description of ['1', '2', '3']) await ok(admin, 'PATCH', '/realm', { description })
  const [newest, , oldest] = (await acts()) as (Act & { id: number })[]
  const page = await ok<{ acts: unknown[] }>(owner, 'GET', '/realm/audit_log', { limit: 1, before: newest?.id })
  expect(page.acts).toMatchObject([{ changes: [{ after: { description: '2' } }] }])
  expect(oldest?.changes[0]).toMatchObject({ after: { description: '1' } })
  expect((await call(admin, 'GET', '/realm/audit_log')).body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' })
})

test('An owner reads the acts of one account, about one subject, of one time.', async () => {
  const { realm, admin, owner, member } = await setUp()
  await using _ = realm
  await ok(admin, 'PATCH', '/realm', { description: 'new' })
  await createChannel(admin, 'team', [admin, member])
  await ok(owner, 'POST', '/invites/multiuse', { invite_as: 400, stream_ids: [] })
  await ok(owner, 'PATCH', `/users/${member.user_id}`, { role: 300 })
  await realm.sql`
    update audit_log set at = now() - interval '2 days' where realm_id = ${realm.realm_id} and action = 'PATCH /realm'`
  const actions = async (query: Record<string, unknown>) =>
    (await ok<{ acts: Act[] }>(owner, 'GET', '/realm/audit_log', query)).acts.map(({ action }) => action)
  const yesterday = Math.floor(Date.now() / 1000) - 86_400
  expect(await actions({ user_id: admin.user_id })).toEqual(['POST /users/me/subscriptions', 'PATCH /realm'])
  expect(await actions({ subject: 'users' })).toEqual(['PATCH /users/{user_id}'])
  expect(await actions({ subject: 'channels' })).toEqual(['POST /users/me/subscriptions'])
  expect(await actions({ subject: 'organization' })).toEqual(['PATCH /realm'])
  expect(await actions({ subject: 'invitations' })).toEqual(['POST /invites/multiuse'])
  expect(await actions({ subject: 'exports' })).toEqual([])
  expect(await actions({ until: yesterday })).toEqual(['PATCH /realm'])
  expect(await actions({ since: yesterday, user_id: admin.user_id })).toEqual(['POST /users/me/subscriptions'])
})
