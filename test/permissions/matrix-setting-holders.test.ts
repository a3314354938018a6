/**
 * The callers that a group setting permits, for every form of its value (protocol/permissions.md 3.4), and which
 * settings include guests (4.1 to 4.3). Every cell is tested over the API.
 *
 * The test sets each setting to each form in turn, and every caller tries the permitted action. Apart from guests, the
 * table is the same for all settings. Callers who may do the action without the setting have no row.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { type GroupSettingValue, SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { realmGroupSettingNames, realmSettingReaders } from '../../src/domain/settings/realm-settings.js'
import { refusalOf, tableOf, walk } from '../setup/realm/matrix-table.js'
import { type Answer, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { groupSettingNames } from '../setup/realm/setting-values.js'
import { redPixel, upload } from '../setup/requests/files.js'

const nobody = SystemGroup.nobody

let realm: TestRealm
let owner: Person
let cast: Record<string, Person>
let crowd: Person[]
let forms: Record<string, GroupSettingValue>
/** public; every user is subscribed, and no group has a permission in it */
let channel: number
/** private, with shared history; only the owner is subscribed */
let closed: number
let group: number
let elsewhere: number
let count = 0

beforeAll(async () => {
  realm = await newRealm()
  const names = ['moderator', 'in the group', 'listed', 'nested', 'outsider', 'gone']
  const [first, ...others] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    ...names.map((full_name) => ({ full_name, role: full_name === 'moderator' ? Role.moderator : Role.member })),
    { full_name: 'guest', role: Role.guest },
    ...Array.from({ length: 12 }, (_, i) => ({ full_name: `Crowd ${i}` })),
  )) as [Person, ...Person[]]
  owner = first
  cast = Object.fromEntries([...names, 'guest'].map((name, i) => [name, others[i] as Person]))
  crowd = others.slice(7)
  const ids = (...wanted: string[]) => wanted.map((name) => cast[name]?.user_id as number)
  const create = async (name: string, members: number[], subgroups: number[] = []) =>
    (
      await ok(owner, 'POST', '/user_groups/create', {
        name,
        description: '',
        members,
        subgroups,
        can_manage_group: nobody,
        can_add_members_group: nobody,
      })
    ).group_id
  const custom = await create('custom', ids('in the group', 'guest', 'gone'))
  const inner = await create('inner', ids('nested', 'guest', 'gone'))
  const outer = await create('outer', [], [await create('middle', [], [inner])])
  group = await create('the group', [])
  await updateRealmSettings(realm, {
    send_channel_events_messages: false,
    can_add_subscribers_group: nobody,
    can_create_bots_group: nobody,
    can_create_write_only_bots_group: nobody,
    can_delete_any_message_group: nobody,
    can_move_messages_between_channels_group: nobody,
    can_move_messages_between_topics_group: nobody,
    can_resolve_topics_group: nobody,
    can_delete_own_message_group: nobody,
    can_set_topics_policy_group: SystemGroup.members,
  })
  const everyone = [owner, ...others].map((one) => one.user_id)
  const make = async (name: string, principals: number[], params: object) => {
    await ok(owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals,
      can_administer_channel_group: nobody,
      send_new_subscription_messages: false,
      ...params,
    })
    return (await ok(owner, 'GET', '/get_stream_id', { stream: name })).stream_id
  }
  channel = await make('open', everyone, {})
  elsewhere = await make('elsewhere', everyone, {})
  closed = await make('closed', [owner.user_id], { invite_only: true, history_public_to_subscribers: true })
  await ok(owner, 'DELETE', `/users/${cast.gone?.user_id}`)
  forms = {
    nobody,
    system: SystemGroup.moderators,
    group: custom,
    listed: { direct_members: ids('listed', 'guest'), direct_subgroups: [] },
    nested: outer,
    mixed: { direct_members: ids('listed', 'guest'), direct_subgroups: [outer, SystemGroup.moderators] },
  }
})
afterAll(() => realm[Symbol.asyncDispose]())

const post = async (by: Person, { to = channel, topic = 'lunch' } = {}): Promise<number> =>
  (await ok(by, 'POST', '/messages', { type: 'stream', to, topic, content: 'hello' })).id

const send = (by: Person, content: string) =>
  call(by, 'POST', '/messages', { type: 'stream', to: channel, topic: 'lunch', content })

const subscribeTo = (by: Person, name: string, params: object = {}) =>
  call(by, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    send_new_subscription_messages: false,
    ...params,
  })

const nextOfCrowd = (i = ++count) => crowd[i % crowd.length] as Person

/** Pairs of users in the crowd. Each pair is used once, so its conversation is always new. */
const pairs = Array.from({ length: 12 }, (_, a) => Array.from({ length: a }, (_, b) => [a, b])).flat()
const strangers = () => pairs.pop()?.map((i) => crowd[i]?.user_id)

/** A different user of the crowd for each caller, so that callers do not affect each other. */
const crowdMemberFor = (by: Person) => crowd[by.user_id % crowd.length]?.user_id as number

const members = (by: Person, params: object) => call(by, 'POST', `/user_groups/${group}/members`, { ...params })
const addMembers = (...ids: number[]) => members(owner, { add: ids })
const removeMembers = (...ids: number[]) => members(owner, { delete: ids })

/** The action that each setting permits. */
const actions: Record<string, (by: Person) => Promise<Answer>> = {
  'channel/can_administer_channel_group': (by) =>
    call(by, 'PATCH', `/streams/${channel}`, { description: `word ${++count}` }),
  'channel/can_add_subscribers_group': (by) => subscribeTo(by, 'open', { principals: [nextOfCrowd().user_id] }),
  'channel/can_subscribe_group': async (by) => call(by, 'GET', `/messages/${await post(owner, { to: closed })}`),
  'channel/can_remove_subscribers_group': (by) =>
    call(by, 'DELETE', '/users/me/subscriptions', { subscriptions: ['open'], principals: [crowd[0]?.user_id] }),
  'channel/can_send_message_group': (by) => send(by, 'hello'),
  'channel/can_move_messages_out_of_channel_group': async (by) =>
    call(by, 'PATCH', `/messages/${await post(owner)}`, { stream_id: elsewhere }),
  'channel/can_move_messages_within_channel_group': async (by) =>
    call(by, 'PATCH', `/messages/${await post(owner)}`, { topic: 'dinner' }),

  'channel/can_create_topic_group': (by) =>
    call(by, 'POST', '/messages', { type: 'stream', to: channel, topic: `topic ${++count}`, content: 'hello' }),
  'channel/can_delete_any_message_group': async (by) => call(by, 'DELETE', `/messages/${await post(owner)}`),
  'channel/can_delete_own_message_group': async (by) =>
    call(by, 'DELETE', `/messages/${await post(by === cast.gone ? owner : by)}`),
  'channel/can_resolve_topics_group': async (by) => {
    const topic = `lunch ${++count}`
    return call(by, 'PATCH', `/messages/${await post(owner, { topic })}`, { topic: `✔ ${topic}` })
  },

  'group/can_manage_group': (by) => call(by, 'PATCH', `/user_groups/${group}`, { description: `word ${++count}` }),
  'group/can_add_members_group': async (by) => {
    const answer = await members(by, { add: [crowdMemberFor(by)] })
    await removeMembers(crowdMemberFor(by))
    return answer
  },
  'group/can_join_group': async (by) => {
    const answer = await members(by, { add: [by.user_id] })
    await removeMembers(by.user_id)
    return answer
  },
  'group/can_remove_members_group': async (by) => {
    await addMembers(crowdMemberFor(by))
    return members(by, { delete: [crowdMemberFor(by)] })
  },
  'group/can_leave_group': async (by) => {
    await addMembers(by.user_id)
    const answer = await members(by, { delete: [by.user_id] })
    await removeMembers(by.user_id)
    return answer
  },
  'group/can_mention_group': (by) => send(by, '@*the group*'),

  'realm/can_add_custom_emoji_group': async (by) => {
    const file = { filename: 'dot.png', type: 'image/png', data: redPixel }
    const { status, json } = await upload(by, `/realm/emoji/dot${++count}`, file)
    return { status, body: json }
  },
  'realm/can_add_subscribers_group': (by) => subscribeTo(by, 'open', { principals: [nextOfCrowd().user_id] }),
  'realm/can_create_bots_group': (by) =>
    call(by, 'POST', '/bots', { full_name: `Robot ${++count}`, short_name: `robot${count}` }),
  'realm/can_create_write_only_bots_group': (by) =>
    call(by, 'POST', '/bots', { full_name: `Hook ${++count}`, short_name: `hook${count}`, bot_type: 2 }),
  'realm/can_create_groups': (by) =>
    call(by, 'POST', '/user_groups/create', { name: `group ${++count}`, description: '', members: [] }),
  'realm/can_manage_all_groups': (by) => call(by, 'PATCH', `/user_groups/${group}`, { description: `word ${++count}` }),
  'realm/can_create_public_channel_group': (by) => subscribeTo(by, `public ${++count}`),
  'realm/can_create_private_channel_group': (by) => subscribeTo(by, `private ${++count}`, { invite_only: true }),
  'realm/can_delete_any_message_group': async (by) => call(by, 'DELETE', `/messages/${await post(owner)}`),
  'realm/can_delete_own_message_group': async (by) =>
    call(by, 'DELETE', `/messages/${await post(by === cast.gone ? owner : by)}`),
  'realm/can_invite_users_group': (by) =>
    call(by, 'POST', '/invites', { invitee_emails: `new${++count}@example.com`, stream_ids: [] }),
  'realm/create_multiuse_invite_group': (by) => call(by, 'POST', '/invites/multiuse', {}),
  'realm/can_mention_many_users_group': (by) => send(by, '@**all**'),
  'realm/can_move_messages_between_channels_group': async (by) =>
    call(by, 'PATCH', `/messages/${await post(owner)}`, { stream_id: elsewhere }),
  'realm/can_move_messages_between_topics_group': async (by) =>
    call(by, 'PATCH', `/messages/${await post(owner)}`, { topic: 'dinner' }),
  'realm/can_resolve_topics_group': async (by) => {
    const topic = `lunch ${++count}`
    return call(by, 'PATCH', `/messages/${await post(owner, { topic })}`, { topic: `✔ ${topic}` })
  },
  'realm/can_set_delete_message_policy_group': (by) =>
    subscribeTo(by, `deletion ${++count}`, { can_delete_own_message_group: SystemGroup.members }),
  'realm/can_set_topics_policy_group': (by) =>
    subscribeTo(by, `policy ${++count}`, { topics_policy: 'disable_empty_topic' }),
  'realm/direct_message_initiator_group': (by) =>
    call(by, 'POST', '/messages', { type: 'direct', to: strangers(), content: 'hello' }),
  'realm/direct_message_permission_group': (by) =>
    call(by, 'POST', '/messages', { type: 'direct', to: [crowd[0]?.user_id], content: 'hello' }),
}

const set = (setting: string, value: GroupSettingValue) => {
  const [place, name] = setting.split('/') as [string, string]
  const where = setting === 'channel/can_subscribe_group' ? closed : channel
  const path = { channel: `/streams/${where}`, group: `/user_groups/${group}`, realm: '/realm' }[place] as string
  return ok(owner, 'PATCH', path, { [name]: { new: value } })
}

const tableWithGuests = (guest: 'yes' | 'no') => `
                nobody  system  group   listed  nested  mixed
  moderator     no      yes     no      no      no      yes
  in the group  no      no      yes     no      no      no
  listed        no      no      no      yes     no      yes
  nested        no      no      no      no      yes     yes
  outsider      no      no      no      no      no      no
  gone          no      no      no      no      no      no
  guest         no      no      ${guest}      ${guest}      ${guest}      ${guest}
`

/** Sets the setting to each form, lets every caller try its action, and sets `afterwards`. */
const tryAll = async (setting: string, text: string, afterwards: GroupSettingValue) => {
  const action = actions[setting] as (by: Person) => Promise<Answer>
  const found = new Map<string, string>()
  const table = tableOf(text)
  for (const form of table.columns) {
    await set(setting, forms[form] as GroupSettingValue)
    await Promise.all(
      [...table.rows.keys()].map(async (caller) => {
        const answer = await action(cast[caller] as Person)
        expect([200, 400, 401], refusalOf(answer)).toContain(answer.status)
        found.set(`${caller}/${form}`, answer.status === 200 ? 'yes' : 'no')
      }),
    )
  }
  await set(setting, afterwards)
  await walk(table, async (caller, form) => found.get(`${caller}/${form}`) ?? 'untried')
}

/** The settings, and the value that each has after its test. */
const excludeGuests: [setting: string, afterwards: GroupSettingValue][] = [
  ['channel/can_administer_channel_group', nobody],
  ['channel/can_add_subscribers_group', nobody],
  ['channel/can_subscribe_group', nobody],
  ['channel/can_delete_any_message_group', nobody],
  ['group/can_manage_group', nobody],
  ['group/can_add_members_group', nobody],
  ['group/can_join_group', nobody],
  ['group/can_remove_members_group', nobody],
  ['group/can_leave_group', nobody], // its value may contain guests, but no guest may call this (10.1 "Group endpoints")
  ['realm/can_add_custom_emoji_group', nobody],
  ['realm/can_add_subscribers_group', nobody],
  ['realm/can_create_bots_group', nobody],
  ['realm/can_create_write_only_bots_group', nobody],
  ['realm/can_create_groups', nobody],
  ['realm/can_create_public_channel_group', SystemGroup.members],
  ['realm/can_create_private_channel_group', SystemGroup.members],
  ['realm/can_delete_any_message_group', nobody],
  ['realm/can_invite_users_group', nobody],
  ['realm/create_multiuse_invite_group', nobody],
  ['realm/can_move_messages_between_channels_group', nobody],
  ['realm/can_set_delete_message_policy_group', SystemGroup.members],
  ['realm/can_set_topics_policy_group', SystemGroup.members], // its value may contain guests, but no guest may create channels (6.6)
]
const includeGuests: [setting: string, afterwards: GroupSettingValue][] = [
  ['channel/can_remove_subscribers_group', nobody],
  ['channel/can_send_message_group', SystemGroup.everyone],
  ['channel/can_create_topic_group', SystemGroup.everyone],
  ['channel/can_delete_own_message_group', nobody],
  ['channel/can_move_messages_out_of_channel_group', nobody],
  ['channel/can_move_messages_within_channel_group', nobody],
  ['channel/can_resolve_topics_group', nobody],
  ['group/can_mention_group', SystemGroup.everyone],
  ['realm/can_delete_own_message_group', nobody],
  ['realm/can_mention_many_users_group', nobody],
  ['realm/can_move_messages_between_topics_group', nobody],
  ['realm/can_resolve_topics_group', nobody],
  ['realm/direct_message_initiator_group', SystemGroup.everyone],
  ['realm/direct_message_permission_group', SystemGroup.everyone],
]
/** Settings on which nothing acts, and those to which only some system groups can be set. */
const untried = [
  'realm/can_access_all_users_group',
  'realm/can_create_web_public_channel_group',
  ...realmGroupSettingNames.filter((name) => realmSettingReaders[name] === 'none').map((name) => `realm/${name}`),
]

test('The tables contain every group setting that permits an action.', () => {
  const tried = [...excludeGuests, ...includeGuests].map(([setting]) => setting)
  expect([...tried, 'realm/can_manage_all_groups', ...untried].sort()).toEqual(groupSettingNames)
})

describe('Group settings that exclude guests', () => {
  test.each(excludeGuests)(
    'The setting %s permits the members of its group and no guest.',
    (setting, afterwards) => tryAll(setting, tableWithGuests('no'), afterwards),
    60_000,
  )
})

describe('Group settings that include guests', () => {
  test.each(includeGuests)(
    'The setting %s permits the members of its group, guests included.',
    (setting, afterwards) => tryAll(setting, tableWithGuests('yes'), afterwards),
    60_000,
  )
})

// 4.3: this setting cannot be set to role:nobody, so its table has no such column
// (matrix-setting-values tests the refusal).
test('The setting realm/can_manage_all_groups permits the members of its group and no guest.', async () => {
  const text = tableWithGuests('no')
    .replace('nobody', '')
    .replaceAll(/^( +[a-z ]+? {2,})(?:no|yes) +/gm, '$1')
  await tryAll('realm/can_manage_all_groups', text, SystemGroup.owners)
}, 60_000)
