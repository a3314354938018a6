/** The effect of structural changes on access to channels. Tests of pure functions, without a server. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasMetadataAccess } from '../../rules/src/channel-access.js'
import { announceAccessChanges, compareAccess } from '../../src/domain/channels/access-changes.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../../src/domain/log/row-changes.js'
import { type RealmRow, Role, type UserRow } from '../../src/domain/log/rows.js'
import type { RealmState } from '../../src/domain/log/state.js'
import type { GroupSettingValue } from '../../src/domain/settings/group-setting-values.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const roles = Object.values(Role)

/** Builds a small random organization, and changes to it. */
const randomOrganization = (choose: (n: number) => number) => {
  const build = new StateBuilder({ waiting_period_threshold: choose(2) * 3 })
  const now = Math.floor(Date.now() / 1000)
  const users = Array.from({ length: 6 }, () =>
    build.user({ role: roles[choose(5)], is_active: choose(5) > 0, date_joined: now - choose(6) * 86_400 }),
  )
  const some = () => users.filter(() => choose(3) === 0)
  const first = build.group({}, some(), choose(2) === 0 ? [] : [1 + choose(8)])
  const second = build.group({}, some(), choose(2) === 0 ? [first.id] : [1 + choose(8)])
  const value = (): GroupSettingValue =>
    choose(2) === 0
      ? ([first.id, second.id, 1 + choose(8)][choose(3)] ?? 1)
      : { direct_members: some().map(({ id }) => id), direct_subgroups: choose(2) === 0 ? [first.id] : [] }
  const channels = Array.from({ length: 4 }, () =>
    build.channel({
      invite_only: choose(3) > 0,
      is_web_public: choose(8) === 0,
      can_administer_channel_group: value(),
      can_add_subscribers_group: value(),
      can_subscribe_group: value(),
    }),
  )
  for (const user of users) build.subscribe(user, ...channels.filter(() => choose(4) === 0))

  const { state } = build
  const user = users[choose(users.length)] as UserRow
  const group = [first, second][choose(2)] as typeof first
  const channel = channels[choose(channels.length)] as (typeof channels)[number]
  const row = { group_id: group.id, user_id: user.id }
  const isIn = state.directMembers(group.id).has(user.id)
  const settings: RealmRow['settings'] = { waiting_period_threshold: choose(6) }
  const changes: (RowChange | undefined)[] = [
    isIn ? composeDelete('group_members', row) : composeInsert('group_members', row),
    composeUpdate('users', user, { role: roles[choose(5)] as number }),
    composeUpdate('users', user, { is_active: !user.is_active }),
    composeUpdate('realms', state.realm, { settings }),
    composeUpdate('channels', channel, { can_subscribe_group: value() }),
    composeUpdate('channels', channel, { invite_only: !channel.invite_only }),
  ]
  return { state, changes: changes.filter((change) => change !== undefined && choose(2) === 0) as RowChange[] }
}

/** All pairs of a channel and a user with metadata access to it. */
const visiblePairs = (state: RealmState): string[] =>
  [...state.channels.values()].flatMap((channel) =>
    [...state.users.values()]
      .filter((user) => hasMetadataAccess(state, user, channel))
      .map(({ id }) => `${channel.id} ${id}`),
  )

const arbitrary = fc.infiniteStream(fc.nat(1_000_000))
const chooser = (stream: Iterator<number>) => (n: number) => (stream.next().value as number) % n

describe('The state after changes', () => {
  test('The derived state contains the changes, and the original state does not.', () => {
    fc.assert(
      fc.property(arbitrary, (stream) => {
        const { state, changes } = randomOrganization(chooser(stream))
        const before = visiblePairs(state)
        const members = JSON.stringify([...state.groups.keys()].map((id) => [...state.directMembers(id)]))
        const subscribers = JSON.stringify([...state.channels.keys()].map((id) => [...state.subscribers(id)]))
        const after = state.withChanges(changes)
        expect(visiblePairs(state)).toEqual(before)
        expect(JSON.stringify([...state.groups.keys()].map((id) => [...state.directMembers(id)]))).toBe(members)
        expect(JSON.stringify([...state.channels.keys()].map((id) => [...state.subscribers(id)]))).toBe(subscribers)
        const expectedPairs = visiblePairs(after)
        for (const change of changes) state.apply(change)
        expect(visiblePairs(state)).toEqual(expectedPairs)
      }),
    )
  })
})

describe('Access changes', () => {
  test('The changes equal a comparison of every pair of user and channel, for users who are active before and after.', () => {
    fc.assert(
      fc.property(arbitrary, (stream) => {
        const { state, changes } = randomOrganization(chooser(stream))
        const after = state.withChanges(changes)
        const expected = new Set<string>()
        for (const channel of after.channels.values()) {
          for (const user of after.users.values()) {
            const [formerChannel, former] = [state.channels.get(channel.id), state.users.get(user.id)]
            if (formerChannel === undefined || !former?.is_active || !user.is_active) continue
            const saw = hasMetadataAccess(state, former, formerChannel)
            const sees = hasMetadataAccess(after, user, channel)
            if (saw !== sees) expected.add(`${channel.id} ${user.id} ${sees ? 'gained' : 'lost'}`)
          }
        }
        const found = compareAccess(state, after).flatMap(({ channel, gained, lost }) => [
          ...gained.map(({ id }) => `${channel.id} ${id} gained`),
          ...lost.map(({ id }) => `${channel.id} ${id} lost`),
        ])
        expect(new Set(found)).toEqual(expected)
        expect(found.length).toBe(expected.size)
      }),
      { numRuns: 500 },
    )
  })

  test('Users who gain access to the same channels share one stream/create entry.', () => {
    const build = new StateBuilder()
    const [ada, grace, linus] = [build.user(), build.user(), build.user()]
    const group = build.group()
    const channels = [1, 2].map(() => build.channel({ invite_only: true, can_subscribe_group: group.id }))
    build.subscribe(linus, ...channels)
    const rows = [ada, grace].map(({ id }) => composeInsert('group_members', { group_id: group.id, user_id: id }))
    const after = build.state.withChanges(rows)
    const entries = announceAccessChanges(after, compareAccess(build.state, after))
    expect(entries.map(({ kind, audience }) => [kind, audience])).toEqual([
      ['stream/create', { users: [ada.id, grace.id] }],
      ['subscription/peer_add', { users: [ada.id, grace.id], except: [linus.id] }],
      ['subscription/peer_add', { users: [ada.id, grace.id], except: [linus.id] }],
    ])
    expect(announceAccessChanges(build.state, compareAccess(after, build.state)).map(({ kind }) => kind)).toEqual([
      'stream/delete',
    ])
  })
})
