/**
 * The values that each group setting accepts (protocol/permissions.md 3.2, 3.3 and 4.1 to 4.3). Every cell is tested
 * over the API.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import {
  type GroupSettingValue,
  normalizeGroupSettingValue,
  SystemGroup,
} from '../../src/domain/settings/group-setting-values.js'
import { refusals, tableOf, walk, wordOf } from '../setup/realm/matrix-table.js'
import { type Answer, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { groupSettingNames } from '../setup/realm/setting-values.js'

const vocabulary = {
  ...refusals,
  not: '400 BAD_REQUEST: … cannot be the group role:….',
  system: '400 SYSTEM_GROUP_REQUIRED: … must be a system group.',
  off: '400 BAD_REQUEST: This user group is deactivated: reactivate it first.',
  'no-group': '400 BAD_REQUEST: There is no such user group.',
  'no-sub': '400 BAD_REQUEST: There is no user group with ID ….',
  'no-user': '400 BAD_REQUEST: There is no user with ID ….',
  stale: '400 EXPECTATION_MISMATCH: The value is not the one in old: fetch it again before you change it.',
}

let realm: TestRealm
let owner: Person
let channel: number
let group: number
let values: Record<string, GroupSettingValue>

beforeAll(async () => {
  realm = await newRealm()
  const people = await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada' },
    { full_name: 'Grace' },
    { full_name: 'Gone' },
  )
  const [, ada, grace, gone] = people.map((one) => one.user_id) as [number, number, number, number]
  owner = people[0] as Person
  await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
  channel = (await ok(owner, 'GET', '/get_stream_id', { stream: 'design' })).stream_id
  const create = async (name: string) =>
    (await ok(owner, 'POST', '/user_groups/create', { name, description: '', members: [] })).group_id
  group = await create('set')
  const [custom, other, off] = [await create('custom'), await create('other'), await create('off')]
  await ok(owner, 'POST', `/user_groups/${off}/deactivate`)
  const crowd = await create('crowd')
  await ok(owner, 'POST', `/user_groups/${crowd}/subgroups`, { add: [SystemGroup.everyone] })
  await ok(owner, 'DELETE', `/users/${gone}`)
  values = {
    ...SystemGroup,
    custom,
    listed: { direct_members: [ada], direct_subgroups: [] },
    mixed: { direct_members: [grace, ada, ada], direct_subgroups: [other, custom] },
    // An anonymous group with one subgroup is stored as that group, and an empty one as role:nobody (3.1).
    lone: { direct_members: [], direct_subgroups: [SystemGroup.moderators] },
    empty: { direct_members: [], direct_subgroups: [] },
    // A system group that may not hold the setting may not be inside an object either, nor inside its subgroups.
    wide: { direct_members: [ada], direct_subgroups: [SystemGroup.everyone, SystemGroup.internet] },
    deep: { direct_members: [ada], direct_subgroups: [crowd] },
    led: { direct_members: [ada], direct_subgroups: [SystemGroup.owners] },
    off,
    unknown: 999_999,
    'off-sub': { direct_members: [ada], direct_subgroups: [off] },
    'no-sub': { direct_members: [ada], direct_subgroups: [999_999] },
    gone: { direct_members: [gone], direct_subgroups: [] },
    stranger: { direct_members: [999_999], direct_subgroups: [] },
  }
})
afterAll(() => realm[Symbol.asyncDispose]())

/** Updates a setting named `channel/x`, `group/x` or `realm/x`. */
const update = (setting: string, change: object): Promise<Answer> => {
  const [place, name] = setting.split('/') as [string, string]
  const path = { channel: `/streams/${channel}`, group: `/user_groups/${group}`, realm: '/realm' }[place] as string
  return call(owner, 'PATCH', path, { [name]: change })
}

const stored = async (setting: string): Promise<GroupSettingValue> => {
  const [place, name] = setting.split('/') as [string, string]
  await realm.realm.barrier()
  const { channels, groups, settings } = realm.realm.state
  const row = { channel: channels.get(channel), group: groups.get(group), realm: settings }[place]
  return (row as unknown as Record<string, GroupSettingValue>)[name] as GroupSettingValue
}

/** Runs the columns of a row sequentially and the rows in parallel. */
const runRowsSequentially = (work: (setting: string, column: string) => Promise<string>) => {
  const last = new Map<string, Promise<unknown>>()
  return (setting: string, column: string): Promise<string> => {
    const next = (last.get(setting) ?? Promise.resolve()).then(() => work(setting, column))
    last.set(setting, next)
    return next
  }
}

const cells = 100

test('Each group setting accepts exactly the groups and the anonymous groups that its rules allow.', async () => {
  const table = tableOf(`
                                                    nobody  owners  administrators  moderators  fullmembers  members  everyone  internet  custom  listed  mixed   lone  empty  wide    deep    led     off  unknown   off-sub  no-sub  gone     stranger
    channel/can_administer_channel_group            yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_add_subscribers_group               yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_subscribe_group                     yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_remove_subscribers_group            yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_create_topic_group                  yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_delete_any_message_group            yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_delete_own_message_group            yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_resolve_topics_group                yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_send_message_group                  yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_move_messages_out_of_channel_group  yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    channel/can_move_messages_within_channel_group  yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    group/can_manage_group                          yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    group/can_add_members_group                     yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    group/can_join_group                            yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    group/can_remove_members_group                  yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    group/can_leave_group                           yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    group/can_mention_group                         yes     not     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     not     off  no-group  off      no-sub  no-user  no-user  # the API document, endpoint 6
    realm/can_add_subscribers_group                 yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_add_custom_emoji_group                yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_create_bots_group                     yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_create_write_only_bots_group          yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_create_groups                         yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_manage_all_groups                     not     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   not    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_manage_billing_group                  not     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   not    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_create_public_channel_group           yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_create_private_channel_group          yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_delete_any_message_group              yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_invite_users_group                    yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/create_multiuse_invite_group              yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_move_messages_between_channels_group  yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_delete_own_message_group              yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_mention_many_users_group              yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_move_messages_between_topics_group    yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_resolve_topics_group                  yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_set_delete_message_policy_group       yes     yes     yes             yes         yes          yes      not       not       yes     yes     yes     yes   yes    not     not     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_set_topics_policy_group               yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_summarize_topics_group                yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    realm/direct_message_initiator_group            yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    realm/direct_message_permission_group           yes     yes     yes             yes         yes          yes      yes       not       yes     yes     yes     yes   yes    not     yes     yes     off  no-group  off      no-sub  no-user  no-user
    realm/can_access_all_users_group                not     not     not             not         not          yes      yes       not       system  system  system  not   not    system  system  system  off  no-group  system   system  system   system
    realm/can_create_web_public_channel_group       yes     yes     yes             yes         not          not      not       not       system  system  system  yes   yes    system  system  system  off  no-group  system   system  system   system
  `)
  expect([...table.rows.keys()].sort()).toEqual(groupSettingNames)
  await walk(
    table,
    runRowsSequentially(async (setting, column) => {
      const before = JSON.stringify(await stored(setting))
      const wanted = values[column] as GroupSettingValue
      const answer = await update(setting, { new: wanted })
      const after = JSON.stringify(await stored(setting))
      if (answer.status !== 200) return wordOf(answer, vocabulary) + (after === before ? '' : '!changed')
      return after === JSON.stringify(normalizeGroupSettingValue(wanted)) ? 'yes' : `[stored ${after}]`
    }),
    cells,
  )
}, 60_000)

// 3.2 steps 1 to 5, and property 8 of section 18: a value that the caller read is always accepted as `old`.
test('A change of a group setting succeeds only if old equals the stored value.', async () => {
  const table = tableOf(`
                                         as-it-was  in-other-order  as-it-is-not  as-a-list  and-broken  unchanged
    channel/can_send_message_group       yes        yes             stale         stale      stale       yes
    channel/can_administer_channel_group yes        yes             stale         stale      stale       yes
    group/can_leave_group                yes        yes             stale         stale      stale       yes
    realm/can_resolve_topics_group       yes        yes             stale         stale      stale       yes
  `)
  const mixed = () => values.mixed as Exclude<GroupSettingValue, number>
  const turned = () => ({
    direct_members: [...mixed().direct_members].reverse(),
    direct_subgroups: [...mixed().direct_subgroups].reverse(),
  })
  await walk(
    table,
    runRowsSequentially(async (setting, column) => {
      await update(setting, { new: values.mixed })
      const given: Record<string, object> = {
        'as-it-was': { new: SystemGroup.moderators, old: await stored(setting) },
        'in-other-order': { new: SystemGroup.moderators, old: turned() },
        'as-it-is-not': { new: SystemGroup.moderators, old: SystemGroup.owners },
        // A part of the anonymous group is not equal to all of it.
        'as-a-list': { new: SystemGroup.moderators, old: values.listed },
        // The server compares `old` before it checks the new value.
        'and-broken': { new: 999_999, old: SystemGroup.owners },
        unchanged: { new: turned(), old: mixed() },
      }
      const answer = await update(setting, given[column] as object)
      if (answer.status !== 200) return wordOf(answer, vocabulary)
      const expected = column === 'unchanged' ? normalizeGroupSettingValue(mixed()) : SystemGroup.moderators
      expect(await stored(setting)).toEqual(expected)
      return 'yes'
    }),
    cells,
  )
}, 60_000)
