/** Membership in groups, and the values that a group setting accepts. Tests of pure functions, without a server. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { channelGroupRules, realmGroupRules, userGroupRules } from '../../rules/src/group-settings.js'
import { isHolder, mayInChannel, mayInRealm } from '../../rules/src/permissions.js'
import { fromRanges, toRanges } from '../../src/domain/log/id-ranges.js'
import { Role } from '../../src/domain/log/rows.js'
import { updatedValue, validateGroupSetting, wireValue } from '../../src/domain/permissions/group-setting-rules.js'
import { nonGuestHolders } from '../../src/domain/permissions/holders.js'
import {
  type GroupSettingValue,
  normalizeGroupSettingValue,
  SystemGroup,
} from '../../src/domain/settings/group-setting-values.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const DAY = 86_400
const users = (...direct_members: number[]): GroupSettingValue => ({ direct_members, direct_subgroups: [] })

describe('System groups', () => {
  const world = new StateBuilder({ waiting_period_threshold: 3 })
  const now = 100 * DAY
  const people = {
    owner: world.user({ role: Role.owner, date_joined: now }),
    administrator: world.user({ role: Role.administrator, date_joined: now }),
    moderator: world.user({ role: Role.moderator, date_joined: now }),
    'full member': world.user({ date_joined: now - 3 * DAY }),
    'new member': world.user({ date_joined: now - 3 * DAY + 1 }),
    guest: world.user({ role: Role.guest }),
  }
  test.each([
    ['nobody', ''],
    ['owners', 'owner'],
    ['administrators', 'owner, administrator'],
    ['moderators', 'owner, administrator, moderator'],
    ['fullmembers', 'owner, administrator, moderator, full member'],
    ['members', 'owner, administrator, moderator, full member, new member'],
    ['everyone', 'owner, administrator, moderator, full member, new member, guest'],
    ['internet', 'owner, administrator, moderator, full member, new member, guest'],
  ] as const)('The group role:%s contains: %s', (group, expected) => {
    const inside = Object.entries(people).filter(([, user]) => isHolder(world.state, user, SystemGroup[group], now))
    expect(inside.map(([name]) => name).join(', ')).toBe(expected)
  })

  test('A member becomes a full member when the waiting period has passed.', () => {
    const user = people['new member']
    expect(isHolder(world.state, user, SystemGroup.fullmembers, now)).toBe(false)
    expect(isHolder(world.state, user, SystemGroup.fullmembers, now + 1)).toBe(true)
  })
})

describe('Custom groups', () => {
  test('A member of a subgroup is also in the group that contains it.', () => {
    const world = new StateBuilder()
    const [ada, grace] = [world.user(), world.user()]
    const inner = world.group({}, [ada])
    const outer = world.group({}, [], [inner.id])
    expect(isHolder(world.state, ada, outer.id)).toBe(true)
    expect(isHolder(world.state, grace, outer.id)).toBe(false)
    expect(isHolder(world.state, ada, { direct_members: [], direct_subgroups: [outer.id] })).toBe(true)
  })

  test('The membership check ends for groups that contain each other.', () => {
    const world = new StateBuilder()
    const ada = world.user()
    const first = world.group()
    const second = world.group({}, [], [first.id])
    world.put('group_subgroups', { group_id: first.id, subgroup_id: second.id })
    expect(isHolder(world.state, ada, first.id)).toBe(false)
  })

  test('A custom group with a system group as subgroup contains the users of its roles.', () => {
    const world = new StateBuilder()
    const [moderator, member] = [world.user({ role: Role.moderator }), world.user()]
    const group = world.group({}, [], [SystemGroup.moderators])
    expect([moderator, member].map((user) => isHolder(world.state, user, group.id))).toEqual([true, false])
  })

  test('A deactivated user is in no group.', () => {
    const world = new StateBuilder()
    const ada = world.user({ is_active: false })
    const group = world.group({}, [ada])
    for (const value of [group.id, SystemGroup.everyone, users(ada.id)]) {
      expect(isHolder(world.state, ada, value)).toBe(false)
    }
  })

  test('A deactivated group keeps its members for the settings that still name it.', () => {
    const world = new StateBuilder()
    const ada = world.user()
    const group = world.group({ deactivated: true }, [ada])
    expect(isHolder(world.state, ada, group.id)).toBe(true)
  })

  test('A guest never passes a setting that cannot be set to role:everyone.', () => {
    const world = new StateBuilder()
    const guest = world.user({ role: Role.guest })
    const group = world.group({}, [guest])
    for (const value of [group.id, users(guest.id), { direct_members: [], direct_subgroups: [SystemGroup.everyone] }]) {
      const channel = world.channel({
        can_subscribe_group: value,
        can_administer_channel_group: value,
        can_add_subscribers_group: value,
        can_send_message_group: value,
      })
      expect(mayInChannel(world.state, guest, channel, 'can_subscribe_group')).toBe(false)
      expect(mayInChannel(world.state, guest, channel, 'can_administer_channel_group')).toBe(false)
      expect(mayInChannel(world.state, guest, channel, 'can_add_subscribers_group')).toBe(false)
      expect(mayInChannel(world.state, guest, channel, 'can_send_message_group')).toBe(true)
    }
    expect(mayInRealm(world.state, guest, 'can_create_groups')).toBe(false)
    expect(mayInRealm(world.state, guest, 'can_resolve_topics_group')).toBe(true)
  })

  test('The holders of a setting value are exactly the non-guests in it.', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(7)), fc.nat(1), (choices, threshold) => {
        const next = (n: number) => (choices.next().value as number) % n
        const world = new StateBuilder({ waiting_period_threshold: threshold * 3 })
        const now = 10 * DAY
        const roles = Object.values(Role)
        const everyone = Array.from({ length: 8 }, () =>
          world.user({ role: roles[next(5)] ?? Role.member, is_active: next(4) > 0, date_joined: now - next(8) * DAY }),
        )
        const some = () => everyone.filter(() => next(3) === 0)
        const first = world.group({}, some(), next(2) === 0 ? [] : [1 + next(8)])
        const second = world.group({}, some(), next(2) === 0 ? [first.id] : [1 + next(8)])
        const values: GroupSettingValue[] = [
          [first.id, second.id, 1 + next(8)][next(3)] ?? 1,
          { direct_members: some().map(({ id }) => id), direct_subgroups: next(2) === 0 ? [second.id] : [] },
        ]
        const { weakest, users } = nonGuestHolders(world.state, values, now)
        for (const user of everyone) {
          const holds = user.role < Role.guest && values.some((value) => isHolder(world.state, user, value, now))
          const listed = user.is_active && (user.role <= weakest || users.has(user.id))
          expect(listed).toBe(holds)
        }
      }),
    )
  })
})

describe('Values of a group setting', () => {
  const world = new StateBuilder()
  const ada = world.user()
  const gone = world.user({ is_active: false })
  const group = world.group({}, [ada])
  const old = world.group({ deactivated: true, name: 'old' })
  const wide = world.group({ name: 'wide' }, [], [SystemGroup.everyone])
  const { state } = world
  const rules = { ...channelGroupRules, ...userGroupRules, ...realmGroupRules }
  const set = (name: keyof typeof rules, value: GroupSettingValue) => () =>
    validateGroupSetting(state, name, rules[name], value)

  test.each([
    [{ direct_members: [], direct_subgroups: [] }, SystemGroup.nobody],
    [{ direct_members: [], direct_subgroups: [9] }, 9],
    [
      { direct_members: [3, 1, 3], direct_subgroups: [10, 9] },
      { direct_members: [1, 3], direct_subgroups: [9, 10] },
    ],
    [
      { direct_members: [], direct_subgroups: [10, 9, 10] },
      { direct_members: [], direct_subgroups: [9, 10] },
    ],
    [7, 7],
  ] as [GroupSettingValue, GroupSettingValue][])('The value %j is stored as %j.', (given, stored) => {
    expect(normalizeGroupSettingValue(given)).toEqual(stored)
  })

  test.each([
    ['can_send_message_group', 99, 'There is no such user group.'],
    ['can_send_message_group', old.id, 'This user group is deactivated: reactivate it first.'],
    ['can_send_message_group', SystemGroup.internet, 'cannot be the group role:internet.'],
    ['can_subscribe_group', SystemGroup.everyone, 'cannot be the group role:everyone.'],
    ['can_manage_all_groups', SystemGroup.nobody, 'cannot be the group role:nobody.'],
    ['can_manage_all_groups', { direct_members: [], direct_subgroups: [] }, 'cannot be the group role:nobody.'],
    ['can_mention_group', SystemGroup.owners, 'cannot be the group role:owners.'],
    ['can_create_web_public_channel_group', SystemGroup.members, 'cannot be the group role:members.'],
    ['can_create_web_public_channel_group', group.id, 'must be a system group.'],
    ['can_create_web_public_channel_group', users(ada.id), 'must be a system group.'],
    ['can_subscribe_group', users(ada.id, 99), 'There is no user with ID 99.'],
    ['can_subscribe_group', users(gone.id), `There is no user with ID ${gone.id}.`],
    ['can_subscribe_group', { direct_members: [], direct_subgroups: [98, 99] }, 'There is no user group with ID 98.'],
    [
      'can_subscribe_group',
      { direct_members: [ada.id], direct_subgroups: [old.id] },
      'This user group is deactivated: reactivate it first.',
    ],
  ] as [keyof typeof rules, GroupSettingValue, string][])('The setting %s cannot be %j: %s', (name, value, message) => {
    expect(set(name, value)).toThrow(message)
  })

  test('An anonymous group contains no system group that the setting cannot be, directly or in a custom group.', () => {
    const mixed = (...direct_subgroups: number[]) => ({ direct_members: [ada.id], direct_subgroups })
    const refused = 'cannot be the group role:everyone.'
    expect(set('can_subscribe_group', mixed(SystemGroup.everyone))).toThrow(refused)
    expect(set('can_subscribe_group', mixed(wide.id))).toThrow(refused)
    expect(set('can_subscribe_group', wide.id)).toThrow(refused)
    // A system group contains those of stronger roles, also one that may not hold the setting alone.
    const members = mixed(SystemGroup.members)
    expect(set('can_mention_group', members)()).toEqual(members)
    expect(set('can_send_message_group', mixed(wide.id))()).toEqual(mixed(wide.id))
  })

  test('Clients receive a value without deactivated users.', () => {
    expect(wireValue(state, users(ada.id, gone.id))).toEqual(users(ada.id))
    expect(wireValue(state, users(gone.id))).toBe(SystemGroup.nobody)
  })
})

describe('Updating a group setting', () => {
  const world = new StateBuilder()
  const ada = world.user()
  const gone = world.user({ is_active: false })
  const rule = channelGroupRules.can_subscribe_group
  const update = (stored: GroupSettingValue, value: GroupSettingValue, old?: GroupSettingValue) =>
    updatedValue(world.state, 'can_subscribe_group', rule, stored, { new: value, old })

  test('The update reports a stale old value before an invalid new value.', () => {
    expect(() => update(SystemGroup.members, 99, SystemGroup.nobody)).toThrow('The value is not the one in old')
  })

  test('The update accepts an old value with and without the deactivated users.', () => {
    const stored = users(ada.id, gone.id)
    expect(update(stored, SystemGroup.members, wireValue(world.state, stored))).toBe(SystemGroup.members)
    expect(update(stored, SystemGroup.members, { direct_members: [gone.id, ada.id], direct_subgroups: [] })).toBe(
      SystemGroup.members,
    )
  })

  test('The update changes nothing when the new value equals the stored one.', () => {
    expect(update(SystemGroup.members, { direct_members: [], direct_subgroups: [SystemGroup.members] })).toBeUndefined()
    expect(update(users(ada.id, gone.id), users(ada.id))).toBeUndefined()
  })

  test('The update does not accept the list of members as the old value of a group.', () => {
    const group = world.group({}, [ada])
    expect(() => update(group.id, SystemGroup.members, users(ada.id))).toThrow('The value is not the one in old')
  })
})

test('IDs survive the conversion to ranges and back.', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200)), (ids) => {
      expect(fromRanges(toRanges(ids))).toEqual([...new Set(ids)].sort((a, b) => a - b))
    }),
  )
  expect(toRanges(Array.from({ length: 10_000 }, (_, i) => i + 1))).toEqual([1, 10_000])
})
