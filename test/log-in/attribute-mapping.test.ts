/** What the claims of a provider say about an account: its role, its groups and its profile. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AttributeMapping,
  hasAttribute,
  listMappedAttributes,
  readMapping,
} from '../../src/domain/log-in/attribute-mapping.js'
import { sessionCookie } from '../setup/log-in/provider-log-in.js'
import { type ScriptedProvider, startProvider } from '../setup/log-in/scripted-provider.js'
import { acts, auditLog, openStage, type Stage, userOf } from '../setup/log-in/stage.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person } from '../setup/realm/realm.js'

let provider: ScriptedProvider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' }
const bob = { sub: 'bob', email: 'bob@example.com', email_verified: true, name: 'Bob' }

const createGroup = async (owner: Person, name: string, members: number[] = []): Promise<number> =>
  (await ok<{ group_id: number }>(owner, 'POST', '/user_groups/create', { name, description: '', members })).group_id

const createField = async (owner: Person, name: string, field_type: number, more: object = {}): Promise<number> =>
  (await ok<{ id: number }>(owner, 'POST', '/realm/profile_fields', { name, field_type, ...more })).id

interface Member {
  user_id: number
  full_name: string
  role: number
  profile_data: Record<string, { value: string }>
}

const memberOf = async ({ owner }: Stage, name: string): Promise<Member | undefined> => {
  const given = { include_custom_profile_fields: true }
  const { members } = await ok<{ members: Member[] }>(owner, 'GET', '/users', given)
  return members.find(({ full_name }) => full_name === name)
}

const isIn = async ({ owner, ada: person }: Stage, group_id: number): Promise<boolean> =>
  (await ok<{ is_user_group_member: boolean }>(owner, 'GET', `/user_groups/${group_id}/members/${person.user_id}`))
    .is_user_group_member

const roles = { attribute: 'realm_access.roles', value: 'chat-admin', role: 'administrator' }

describe('Roles', () => {
  test('A claim gives a role at each log-in, and takes it away again, with event and audit log.', async () => {
    await using s = await openStage(provider, { mapping: { roles: [roles], other_role: 'member' } })
    const queue = await listen(s.ada, { event_types: ['realm_user'] })
    expect((await s.enter({ ...ada, realm_access: { roles: ['x', 'chat-admin'] } })).status).toBe(302)
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 200 })
    expect(await queue.events()).toMatchObject([{ op: 'update', person: { user_id: s.ada.user_id, role: 200 } }])
    const [recorded] = await auditLog(s, { subject: 'users' })
    expect(recorded).toMatchObject({ user_id: null, changes: [{ table: 'users', after: { role: 200 } }] })
    // Without the claim, the role is that of all other users.
    await s.enter(ada)
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 400 })
    expect(await acts(s)).toMatchObject([{ result: 'entered', reason: '' }, { result: 'linked' }])
  })

  test('The highest of several roles counts, and without a rule for the others a role stays.', async () => {
    const guest = { ...roles, value: 'outside', role: 'guest' }
    await using s = await openStage(provider, { mapping: { roles: [guest, roles] } })
    await s.enter({ ...ada, realm_access: { roles: ['outside', 'chat-admin'] } })
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 200 })
    await s.enter({ ...ada, realm_access: { roles: [] } })
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 200 })
    await s.enter({ ...ada, realm_access: { roles: 'outside' } })
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 600 })
  })

  test('Owners stay owners unless the mapping says who is one, and the last owner always.', async () => {
    await using s = await openStage(provider, { mapping: { roles: [roles], other_role: 'guest' } })
    const options = { issuer: provider.issuer, client_id: 'parley' }
    const set = (mapping: object) =>
      ok(s.owner, 'PATCH', `/realm/log_in_methods/${s.method}`, { options: { ...options, mapping } })
    await ok(s.owner, 'PATCH', `/users/${s.ada.user_id}`, { role: 100 })
    await s.enter({ ...ada, realm_access: { roles: ['chat-admin'] } })
    await s.enter(ada)
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 100 })
    await set({ roles: [{ ...roles, value: 'boss', role: 'owner' }], other_role: 'member' })
    await s.realm.realm.barrier()
    await s.enter(ada)
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 400 })
    await s.enter({ ...ada, realm_access: { roles: ['boss'] } })
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 100 })
    // The other owner leaves: then Ada is the last one.
    await ok(s.ada, 'PATCH', `/users/${s.owner.user_id}`, { role: 200 })
    await s.enter(ada)
    expect((await ok<{ role: number }>(s.ada, 'GET', '/users/me')).role).toBe(100)
  })

  test('No rule for all other users makes an owner.', async () => {
    await using s = await openStage(provider)
    const mapping = { roles: [roles], other_role: 'owner' }
    const options = { issuer: provider.issuer, client_id: 'parley', mapping }
    const { status, body } = await call(s.owner, 'PATCH', `/realm/log_in_methods/${s.method}`, { options })
    expect([status, body.msg]).toEqual([400, 'The option mapping.other_role of the log-in provider is not valid.'])
  })

  test('A mapping for the first log-in leaves later changes of administrators alone.', async () => {
    await using s = await openStage(provider, { mapping: { applies: 'first_log_in', roles: [roles] } })
    const claims = { ...ada, realm_access: { roles: ['chat-admin'] } }
    await s.enter(claims)
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 200 })
    await ok(s.owner, 'PATCH', `/users/${s.ada.user_id}`, { role: 400 })
    await s.enter(claims)
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 400 })
  })
})

describe('Groups', () => {
  test('A user is in the mapped groups that the provider names, and other groups stay.', async () => {
    const groups = { staff: 0, sales: 0, club: 0 }
    await using s = await openStage(provider, async ({ owner, ada: person }) => {
      groups.staff = await createGroup(owner, 'staff')
      groups.sales = await createGroup(owner, 'sales', [person.user_id])
      groups.club = await createGroup(owner, 'club', [person.user_id])
      return {
        mapping: {
          groups: [
            { attribute: 'groups', value: '/staff', group: groups.staff },
            { attribute: 'groups', value: '/sales', group: groups.sales },
          ],
        },
      }
    })
    const held = () => Promise.all(Object.values(groups).map((id) => isIn(s, id)))
    await s.enter({ ...ada, groups: ['/staff', '/unknown'] })
    expect(await held()).toEqual([true, false, true])
    const [recorded] = await auditLog(s, { subject: 'groups' })
    expect(recorded?.changes).toMatchObject([
      { table: 'group_members', key: { group_id: groups.staff, user_id: s.ada.user_id }, before: null },
      { table: 'group_members', key: { group_id: groups.sales, user_id: s.ada.user_id }, after: null },
    ])
    // A user of many groups: Entra ID says only that there are some.
    await s.enter({ ...ada, _claim_names: { groups: 'src1' } })
    expect(await held()).toEqual([true, false, true])
    await s.enter(ada)
    expect(await held()).toEqual([false, false, true])
    // A deactivated group is left alone.
    await ok(s.owner, 'POST', `/user_groups/${groups.staff}/deactivate`)
    await s.realm.realm.barrier()
    expect((await s.enter({ ...ada, groups: '/staff' })).status).toBe(302)
  })

  test('A mapping names only groups and fields that the organization has, and no group that roles fill.', async () => {
    await using s = await openStage(provider)
    const set = async (mapping: object) => {
      const options = { issuer: provider.issuer, client_id: 'parley', mapping }
      const { status, body } = await call(s.owner, 'PATCH', `/realm/log_in_methods/${s.method}`, { options })
      return status === 200 ? 'ok' : body.msg
    }
    const rule = { attribute: 'groups', value: 'x' }
    expect(await set({ groups: [{ ...rule, group: 4711 }] })).toBe('There is no user group 4711.')
    expect(await set({ groups: [{ ...rule, group: 'role:members' }] })).toBe('There is no user group role:members.')
    expect(await set({ profile_fields: [{ attribute: 'a', field: 'Team' }] })).toBe('There is no profile field Team.')
    expect(await set({ groups: [{ ...rule, attribute: '', group: 1 }] })).toMatch(/mapping.groups.0.attribute/)
    expect(await set({ roles: Array.from({ length: 201 }, () => roles) })).toMatch(/mapping.roles/)
    expect(await set({ roles: Array.from({ length: 200 }, () => roles) })).toBe('ok')
  })
})

describe('Profiles', () => {
  test('Claims fill fields of each type, also those that users cannot change, and what does not fit is said.', async () => {
    const fields: Record<string, number> = {}
    await using s = await openStage(provider, async ({ owner }) => {
      const choices = { b: { text: 'Berlin', order: '1' } }
      fields.team = await createField(owner, 'Team', 1, { editable_by_user: false })
      fields.office = await createField(owner, 'Office', 3, { field_data: choices })
      fields.start = await createField(owner, 'Start', 4)
      fields.manager = await createField(owner, 'Manager', 6)
      const of = (attribute: string, field: unknown) => ({ attribute, field })
      return {
        mapping: {
          profile_fields: [
            of('department', fields.team),
            of('https://example.com/office', 'Office'),
            of('start', fields.start),
            of('address.manager', fields.manager),
          ],
        },
      }
    })
    const profile = async () => {
      const profile_data = (await memberOf(s, 'Ada'))?.profile_data ?? {}
      return Object.fromEntries(Object.entries(fields).map(([name, id]) => [name, profile_data[id]?.value]))
    }
    const claims = {
      ...ada,
      department: ['Design', 'Research'],
      'https://example.com/office': 'berlin',
      start: 'soon',
      address: { manager: s.owner.email },
    }
    expect((await s.enter(claims)).status).toBe(302)
    const expected = { team: 'Design, Research', office: 'b', start: undefined, manager: `[${s.owner.user_id}]` }
    expect(await profile()).toEqual(expected)
    const reason = 'Start must be a date like 2030-01-31.'
    expect(await acts(s)).toMatchObject([{ result: 'linked', reason }])
    // An empty claim clears a field, one that is missing does not.
    await s.enter({ ...ada, department: '' })
    expect(await profile()).toEqual({ ...expected, team: undefined })
  })
})

describe('New accounts', () => {
  test('A new account has its role, its groups and its profile from the beginning, whatever its invitation says.', async () => {
    let [staff, invited, team] = [0, 0, 0]
    await using s = await openStage(provider, async ({ owner }) => {
      staff = await createGroup(owner, 'staff')
      invited = await createGroup(owner, 'invited')
      team = await createField(owner, 'Team', 1)
      return {
        mapping: {
          roles: [{ attribute: 'role', value: 'external', role: 'guest' }],
          groups: [{ attribute: 'groups', value: 'staff', group: 'staff' }],
          profile_fields: [{ attribute: 'department', field: team }],
        },
      }
    })
    await ok(s.owner, 'POST', '/invites', {
      invitee_emails: bob.email,
      stream_ids: [],
      invite_as: 300,
      group_ids: [invited],
    })
    const queue = await listen(s.owner, { event_types: ['realm_user'] })
    const answer = await s.enter({ ...bob, role: 'external', groups: ['staff'], department: 'Design' })
    expect(answer.status).toBe(302)
    const found = await memberOf(s, 'Bob')
    expect(found).toMatchObject({ role: 600, profile_data: { [team]: { value: 'Design' } } })
    expect(await queue.events()).toMatchObject([{ op: 'add', person: { full_name: 'Bob', role: 600 } }, {}])
    for (const id of [staff, invited]) {
      const { members } = await ok<{ members: number[] }>(s.owner, 'GET', `/user_groups/${id}/members`)
      expect(members).toEqual([found?.user_id])
    }
    expect(await userOf(s.realm, sessionCookie(answer))).toBe(found?.user_id)
    expect(await acts(s)).toMatchObject([{ result: 'created', reason: '' }])
  })

  test('The endpoint of user information says what the ID token lacks, also parts of an object.', async () => {
    await using own = await startProvider()
    own.script = { userinfo: {} }
    const rules = [roles, { ...roles, attribute: 'realm_access.more', value: 'yes', role: 'moderator' }]
    await using s = await openStage(own, { mapping: { roles: rules } })
    const userinfo = { sub: 'ada', realm_access: { roles: ['chat-admin'], more: 'no' } }
    await s.enter({ ...ada, realm_access: { more: 'yes' } }, { userinfo })
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 200 })
    await s.enter({ ...ada, realm_access: { roles: [], more: 'yes' } }, { userinfo })
    expect(await memberOf(s, 'Ada')).toMatchObject({ role: 300 })
  })
})

describe('Attributes', () => {
  const textsOf = (values: Record<string, unknown>, attribute: string) =>
    readMapping(AttributeMapping.parse({ profile_fields: [{ attribute, field: 1 }] }), { values }).profile.get(1)

  test.each<[string, Record<string, unknown>, readonly string[] | undefined]>([
    ['a.b', { a: { b: 'x' } }, ['x']],
    ['a.b', { 'a.b': 'x' }, ['x']],
    ['a.b.c', { 'a.b': { c: ['x', 'y'] } }, ['x', 'y']],
    ['a.b.c', { a: { 'b.c': 'x' } }, ['x']],
    ['a.b', { a: [{ b: 'x' }, { b: ['y', 3] }, 'z'] }, ['x', 'y', '3']],
    ['a', { a: [true, null, { b: 1 }, ' x '] }, ['true', 'x']],
    ['a', { a: null }, []],
    ['a.b', { a: 'x' }, undefined],
    ['constructor.name', {}, undefined],
    ['a.length', { a: ['x'] }, undefined],
    ['__proto__.b', { a: {} }, undefined],
  ])('%s of %j is %j.', (attribute, values, expected) => {
    expect(textsOf(values, attribute)).toEqual(expected)
    expect(hasAttribute(values, attribute)).toBe(expected !== undefined)
  })

  test('A mapping names each of its attributes once.', () => {
    const rule = { attribute: 'a', value: 'x' }
    const mapping = AttributeMapping.parse({
      roles: [{ ...rule, role: 'guest' }],
      groups: [{ ...rule, group: 1 }],
      profile_fields: [{ attribute: 'b', field: 1 }],
    })
    expect(listMappedAttributes(mapping)).toEqual(['a', 'b'])
  })
})
