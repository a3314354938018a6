/** Permissions on user groups (protocol/permissions.md 12). Every cell is tested over the API. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { refusals, tableOf, walk, wordOf } from '../setup/realm/matrix-table.js'
import { type Answer, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'

const vocabulary = {
  ...refusals,
  unknown: '400 BAD_REQUEST: There is no such user group.',
}

/**
 * The columns. Each of `manages` to `removes` is in one setting of the group, and the guest is in every setting that
 * admits guests.
 */
const roles = {
  owner: Role.owner,
  admin: Role.administrator,
  moderator: Role.moderator,
  member: Role.member,
  manages: Role.member,
  adds: Role.member,
  joins: Role.member,
  leaves: Role.member,
  removes: Role.member,
  guest: Role.guest,
} as const

let realm: TestRealm
let founder: Person
let other: Person
let absent: Person
let cast: Record<string, Person>
let inner: number
let outer: number
let count = 0

beforeAll(async () => {
  realm = await newRealm()
  const people = await realm.people(
    { full_name: 'founder', role: Role.owner },
    { full_name: 'other' },
    { full_name: 'absent' },
    ...Object.entries(roles).map(([full_name, role]) => ({ full_name, role })),
  )
  const others = people.slice(3)
  ;[founder, other, absent] = people as [Person, Person, Person]
  cast = Object.fromEntries(Object.keys(roles).map((name, i) => [name, others[i] as Person]))
  const [bot] = (await realm.people({
    full_name: 'bot',
    email: 'plain-bot@example.com',
    bot: { type: BotType.generic, owner_id: founder.user_id },
  })) as [Person]
  cast.bot = bot
  inner = await create('inner', {})
  outer = await create('outer', {})
})
afterAll(() => realm[Symbol.asyncDispose]())

const create = async (name: string, params: object): Promise<number> =>
  (
    await ok(founder, 'POST', '/user_groups/create', {
      name,
      description: '',
      members: [],
      ...params,
    })
  ).group_id

const listed = (...names: string[]) => ({
  direct_members: names.map((name) => cast[name]?.user_id),
  direct_subgroups: [],
})

/** Creates a group for one cell. Its members are `other`, the inner group and, if `isIn`, the caller. */
const groupFor = (by: Person, isIn: boolean): Promise<number> =>
  create(`group ${++count}`, {
    members: [other.user_id, ...(isIn ? [by.user_id] : [])],
    subgroups: [inner],
    can_manage_group: listed('manages'),
    can_add_members_group: listed('adds'),
    can_join_group: listed('joins'),
    can_leave_group: listed('leaves', 'guest'),
    can_remove_members_group: listed('removes'),
  })

const readGroup = async (id: number): Promise<string> => {
  await realm.realm.barrier()
  const { state } = realm.realm
  return JSON.stringify([
    state.groups.get(id),
    [...state.directMembers(id)].sort(),
    [...state.directSubgroups(id)].sort(),
  ])
}

const members = (by: Person, id: number, params: object) =>
  call(by, 'POST', `/user_groups/${id}/members`, { ...params })

const actions: Record<string, (by: Person, id: number) => Promise<Answer>> = {
  'rename it': (by, id) => call(by, 'PATCH', `/user_groups/${id}`, { name: `renamed ${++count}` }),
  'describe it': (by, id) => call(by, 'PATCH', `/user_groups/${id}`, { description: 'about it' }),
  'set who joins': (by, id) =>
    call(by, 'PATCH', `/user_groups/${id}`, { can_join_group: { new: SystemGroup.members } }),
  'set who manages': (by, id) =>
    call(by, 'PATCH', `/user_groups/${id}`, { can_manage_group: { new: SystemGroup.members } }),
  'deactivate it': (by, id) => call(by, 'POST', `/user_groups/${id}/deactivate`),
  'reactivate it': (by, id) => call(by, 'PATCH', `/user_groups/${id}`, { deactivated: false }),
  'add another': (by, id) => members(by, id, { add: [absent.user_id] }),
  'join it': (by, id) => members(by, id, { add: [by.user_id] }),
  'join it with another': (by, id) => members(by, id, { add: [by.user_id, absent.user_id] }),
  'remove another': (by, id) => members(by, id, { delete: [other.user_id] }),
  'leave it': (by, id) => members(by, id, { delete: [by.user_id] }),
  'leave it with another': (by, id) => members(by, id, { delete: [by.user_id, other.user_id] }),
  'add a group to it': (by, id) => members(by, id, { add_subgroups: [outer] }),
  'add a group otherwise': (by, id) => call(by, 'POST', `/user_groups/${id}/subgroups`, { add: [outer] }),
  'remove a group of it': (by, id) => members(by, id, { delete_subgroups: [inner] }),
}

const tryAll = async (text: string, groupOf: (row: string, by: Person) => Promise<number>) => {
  await walk(tableOf(text), async (row, caller) => {
    const by = cast[caller] as Person
    const id = await groupOf(row, by)
    const before = await readGroup(id)
    const answer = await (actions[row] as (typeof actions)[string])(by, id)
    const after = await readGroup(id)
    if (answer.status !== 200) return wordOf(answer, vocabulary) + (before === after ? '' : '!changed')
    return before === after ? 'nothing' : 'yes'
  })
}

describe('Permissions on a user group', () => {
  // 12.1. can_manage_all_groups contains owners only, so administrators have no permission. Guests may call none of
  // these (10.1), so a guest in can_leave_group cannot leave. Bots count as users of their role (10.2, as at later
  // feature levels).
  test('Only callers whom a setting of the group or of the organization permits can change the group.', async () => {
    await tryAll(
      `
                               owner  admin   moderator  member  manages  adds    joins   leaves  removes  guest  bot
        rename it              yes    denied  denied     denied  yes      denied  denied  denied  denied   guest  denied
        describe it            yes    denied  denied     denied  yes      denied  denied  denied  denied   guest  denied
        set who joins          yes    denied  denied     denied  yes      denied  denied  denied  denied   guest  denied
        set who manages        yes    denied  denied     denied  yes      denied  denied  denied  denied   guest  denied
        deactivate it          yes    denied  denied     denied  yes      denied  denied  denied  denied   guest  denied
        reactivate it          yes    denied  denied     denied  yes      denied  denied  denied  denied   guest  denied
        add another            yes    denied  denied     denied  yes      yes     denied  denied  denied   guest  denied
        join it                yes    denied  denied     denied  yes      yes     yes     denied  denied   guest  denied
        join it with another   yes    denied  denied     denied  yes      yes     denied  denied  denied   guest  denied
        remove another         yes    denied  denied     denied  yes      denied  denied  denied  yes      guest  denied
        leave it               yes    denied  denied     denied  yes      denied  denied  yes     yes      guest  denied
        leave it with another  yes    denied  denied     denied  yes      denied  denied  denied  yes      guest  denied
        add a group to it      yes    denied  denied     denied  yes      yes     denied  denied  denied   guest  denied
        add a group otherwise  yes    denied  denied     denied  yes      yes     denied  denied  denied   guest  denied
        remove a group of it   yes    denied  denied     denied  yes      denied  denied  denied  denied   guest  denied
      `,
      async (row, by) => {
        const id = await groupFor(by, row.startsWith('leave'))
        if (row === 'reactivate it') await ok(founder, 'POST', `/user_groups/${id}/deactivate`)
        return id
      },
    )
  }, 60_000)

  // Section 2 "Immutable".
  test('No caller can change a system group.', async () => {
    await tryAll(
      `
                               owner   admin   moderator  member  manages  guest  bot
        rename it              denied  denied  denied     denied  denied   guest  denied
        describe it            denied  denied  denied     denied  denied   guest  denied
        set who joins          denied  denied  denied     denied  denied   guest  denied
        deactivate it          denied  denied  denied     denied  denied   guest  denied
        add another            denied  denied  denied     denied  denied   guest  denied
        join it                denied  denied  denied     denied  denied   guest  denied
        remove another         denied  denied  denied     denied  denied   guest  denied
        leave it               denied  denied  denied     denied  denied   guest  denied
        add a group to it      denied  denied  denied     denied  denied   guest  denied
        remove a group of it   denied  denied  denied     denied  denied   guest  denied
      `,
      async () => SystemGroup.moderators,
    )
  })

  test('The server refuses every change of an unknown group.', async () => {
    await tryAll(
      `
                               owner    admin    member   manages  guest  bot
        rename it              unknown  unknown  unknown  unknown  guest  unknown
        deactivate it          unknown  unknown  unknown  unknown  guest  unknown
        add another            unknown  unknown  unknown  unknown  guest  unknown
        leave it               unknown  unknown  unknown  unknown  guest  unknown
      `,
      async () => 999_999,
    )
  })

  // 12.1 "List, members, membership check": every caller except guests.
  test('Every caller except guests can read groups.', async () => {
    const id = await groupFor(founder, false)
    const paths: Record<string, string> = {
      list: '/user_groups',
      members: `/user_groups/${id}/members`,
      membership: `/user_groups/${id}/members/${other.user_id}`,
      subgroups: `/user_groups/${id}/subgroups`,
    }
    const table = tableOf(`
                  owner  admin  moderator  member  guest  bot
      list        yes    yes    yes        yes     guest  yes
      members     yes    yes    yes        yes     guest  yes
      membership  yes    yes    yes        yes     guest  yes
      subgroups   yes    yes    yes        yes     guest  yes
    `)
    await walk(table, async (row, caller) => {
      const answer = await call(cast[caller], 'GET', paths[row] as string)
      return answer.status === 200 ? 'yes' : wordOf(answer, vocabulary)
    })
  })
})
