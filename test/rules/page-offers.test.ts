/**
 * The page offers exactly what the server permits, in random organizations: the functions of the page, on its stores as
 * a registration fills them, against the functions of the server that refuse.
 */
import type { Message } from '@parley/client'
import type { Channel, UserGroup } from '@parley/client/realm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as rules from '../../rules/src/channel-access.js'
import { hasMetadataAccess, maySubscribe } from '../../rules/src/channel-access.js'
import { canAddMembers, canManageGroup, canRemoveMembers } from '../../rules/src/group-access.js'
import { channelGroupRules, realmGroupRules, SystemGroup, userGroupRules } from '../../rules/src/group-settings.js'
import { isGuest, Role } from '../../rules/src/roles.js'
import { DAY } from '../../rules/src/time.js'
import { requireAdministeredChannel } from '../../src/domain/channels/channel-update-checks.js'
import { channelOnWire } from '../../src/domain/channels/channels.js'
import { activeMembers, groupOnWire, systemGroupMembers } from '../../src/domain/groups/user-groups.js'
import type { ChannelRow, GroupRow, UserRow } from '../../src/domain/log/rows.js'
import type { RealmState } from '../../src/domain/log/state.js'
import { checkDeletion } from '../../src/domain/messages/editing/deleting.js'
import { checkEdit } from '../../src/domain/messages/editing/editing.js'
import { canRead } from '../../src/domain/messages/reading.js'
import { checkDirectPost, requirePostableChannel } from '../../src/domain/messages/sending/posting.js'
import { wireValue } from '../../src/domain/permissions/group-setting-rules.js'
import type { GroupSettingValue } from '../../src/domain/settings/group-setting-values.js'
import { composeUser } from '../../src/domain/users/users.js'
import { messagePermissions } from '../../web/src/messages/actions/permissions.js'
import type { Chat } from '../../web/src/realm/chat.js'
import {
  mayAddGroupMembers,
  mayAddSubscribers,
  mayAdministerChannel,
  mayJoinChannel,
  mayJoinGroup,
  mayLeaveGroup,
  mayManageGroup,
  mayReadChannel,
  mayRemoveGroupMembers,
  mayRemoveSubscribers,
} from '../../web/src/realm/permissions.js'
import { findObstacle } from '../../web/src/realm/posting.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

/** The time of all checks, UNIX seconds. */
const NOW = 1_800_000_000
/** The seconds that the server adds to a time limit of edits and moves, for the time between offer and request. */
const GRACE = 20

beforeAll(() => {
  vi.useFakeTimers({ now: NOW * 1_000, toFake: ['Date'] })
})
afterAll(() => {
  vi.useRealTimers()
})

const userIds = [1, 2, 3, 4]
const VIEWER = 1
const customGroups = [9, 10, 11]
const groupIds = [...Object.values(SystemGroup), ...customGroups]

const value: fc.Arbitrary<GroupSettingValue> = fc.oneof(
  fc.constantFrom(...groupIds),
  fc.record({ direct_members: fc.subarray(userIds), direct_subgroups: fc.subarray(groupIds) }),
)
const valuesOf = <Name extends string>(rules: Readonly<Record<Name, unknown>>) =>
  fc.record(Object.fromEntries(Object.keys(rules).map((name) => [name, value]))) as fc.Arbitrary<
    Record<Name, GroupSettingValue>
  >
const LIMIT = 1_000
const limit = fc.constantFrom(null, LIMIT)

const user = fc.record({
  role: fc.constantFrom(...Object.values(Role)),
  is_active: fc.boolean(),
  is_bot: fc.boolean(),
  bot_owner_id: fc.constantFrom(null, VIEWER, 2),
  date_joined: fc.constantFrom(0, NOW - 2 * DAY - 30, NOW - 2 * DAY + 30, NOW),
})

const organization = fc.record({
  permissions: valuesOf(realmGroupRules),
  settings: fc.record({
    waiting_period_threshold: fc.constantFrom(0, 2),
    allow_message_editing: fc.boolean(),
    message_content_edit_limit_seconds: limit,
    message_content_delete_limit_seconds: limit,
    move_messages_within_stream_limit_seconds: limit,
    move_messages_between_streams_limit_seconds: limit,
    topics_policy: fc.constantFrom('allow_empty_topic' as const, 'disable_empty_topic' as const),
  }),
  users: fc.tuple(user, user, user, user),
  groups: fc.array(
    fc.record({
      members: fc.subarray(userIds),
      subgroups: fc.subarray(groupIds),
      deactivated: fc.boolean(),
      permissions: valuesOf(userGroupRules),
    }),
    { minLength: customGroups.length, maxLength: customGroups.length },
  ),
  channel: fc.record({
    permissions: valuesOf(channelGroupRules),
    kind: fc.constantFrom('public', 'private', 'web-public'),
    history_public_to_subscribers: fc.boolean(),
    is_archived: fc.boolean(),
    topics_policy: fc.constantFrom(
      'inherit' as const,
      'allow_empty_topic' as const,
      'disable_empty_topic' as const,
      'empty_topic_only' as const,
    ),
  }),
  isSubscribed: fc.boolean(),
})
type Plan = typeof organization extends fc.Arbitrary<infer T> ? T : never

interface World {
  state: RealmState
  viewer: UserRow
  channel: ChannelRow
  /** a channel to which the viewer may move every message */
  open: ChannelRow
  chat: Chat
}

const build = (plan: Plan): World => {
  const world = new StateBuilder({ ...plan.settings, ...plan.permissions })
  const users = plan.users.map((given, i) => {
    const { is_bot, bot_owner_id } = given
    // The user of a page is a person with an active account.
    if (i === 0) return world.user({ ...given, is_active: true, is_bot: false, bot_owner_id: null })
    return world.user({ ...given, bot_owner_id: is_bot ? bot_owner_id : null })
  })
  const viewer = users[0] as UserRow
  plan.groups.forEach(({ members, subgroups, deactivated, permissions }, i) => {
    const rows = users.filter(({ id }) => members.includes(id))
    world.group({ id: customGroups[i], deactivated, ...permissions }, rows, subgroups)
  })
  const { permissions, kind, history_public_to_subscribers, ...others } = plan.channel
  const channel = world.channel({
    ...others,
    ...permissions,
    invite_only: kind === 'private',
    is_web_public: kind === 'web-public',
    history_public_to_subscribers: kind !== 'private' || history_public_to_subscribers,
  })
  const open = world.channel({ topics_policy: 'allow_empty_topic', can_send_message_group: SystemGroup.everyone })
  world.subscribe(viewer, open)
  if (plan.isSubscribed) world.subscribe(viewer, channel)
  return { state: world.state, viewer, channel, open, chat: readChat(world.state, viewer) }
}

/** The stores of the viewer's page, with what the server sends. */
const readChat = (state: RealmState, viewer: UserRow): Chat => {
  const view = { address: true, client_gravatar: false, profile_data: false }
  const system = systemGroupMembers(state, NOW)
  const settings = Object.entries(state.settings).map(([name, set]) => [
    `realm_${name}`,
    Object.hasOwn(realmGroupRules, name) ? wireValue(state, set as GroupSettingValue) : set,
  ])
  const byId = <T>(rows: Iterable<T>, id: (row: T) => number) => ({
    value: new Map([...rows].map((row) => [id(row), row])),
  })
  return {
    ownUserId: viewer.id,
    realm: { self: { get: () => ({ is_moderator: viewer.role <= Role.moderator }) } },
    organization: {
      value: {
        ...Object.fromEntries(settings),
        realm_mandatory_topics: state.settings.topics_policy === 'disable_empty_topic',
      },
    },
    users: byId(
      [...state.users.values()].map((row) => composeUser(row, view)),
      ({ user_id }) => user_id,
    ),
    groups: byId(
      [...state.groups.values()].map((group) =>
        groupOnWire(state, group, system.get(group.id) ?? activeMembers(state, group.id)),
      ),
      ({ id }) => id,
    ),
    channels: byId(
      [...state.channels.values()].map((row) => channelOnWire(state, row)),
      ({ stream_id }) => stream_id,
    ),
    subscriptions: byId(
      [...state.channels.values()].filter(({ id }) => state.isSubscribed(viewer.id, id)),
      ({ id }) => id,
    ),
    directConversations: { value: new Map() },
  } as unknown as Chat
}

/** Whether a check of the server does not refuse. */
const permits = (check: () => unknown): boolean => {
  try {
    check()
    return true
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    return false
  }
}

const message = fc.record({
  sender_id: fc.constantFrom(...userIds),
  age: fc.constantFrom(0, LIMIT - 1, LIMIT, LIMIT + 1),
  topic: fc.constantFrom('plans', '✔ plans', ''),
  is_widget: fc.boolean(),
  isDirect: fc.boolean(),
})
type MessagePlan = typeof message extends fc.Arbitrary<infer T> ? T : never

/** What the server permits. It loads no message of an archived channel for a change (`requireChangeableMessage`). */
const findPermitted = ({ state, viewer, channel, open }: World, given: MessagePlan) => {
  const { sender_id, age, is_widget, isDirect } = given
  const topic = isDirect ? '' : given.topic
  const channel_id = isDirect ? null : channel.id
  const facts = { sender_id, channel_id, topic, content: 'Text', timestamp: NOW - age, is_widget }
  const isFrozen = !isDirect && channel.is_archived
  const mayEdit = (request: { content?: string; topic?: string; stream_id?: number }, change = facts) =>
    !isFrozen &&
    permits(() => checkEdit(state, viewer, change, { propagate_mode: 'change_one', ...request }, NOW + GRACE))
  const resolved = topic.startsWith('✔ ') ? topic.slice(2) : `✔ ${topic}`
  return {
    edit: mayEdit({ content: 'Another text' }),
    delete: !isFrozen && permits(() => checkDeletion(state, viewer, facts, NOW)),
    moveTopic: ['other plans', ''].some((name) => name !== topic && mayEdit({ topic: name })),
    moveChannel: mayEdit({ stream_id: open.id }),
    renameOnMove: mayEdit({ stream_id: open.id, topic: 'other plans' }),
    resolve: mayEdit({ topic: resolved }),
  }
}

const findOffered = ({ chat, channel }: World, { sender_id, age, topic, is_widget, isDirect }: MessagePlan) => {
  const sent = {
    sender_id,
    timestamp: NOW - age,
    type: isDirect ? 'private' : 'stream',
    stream_id: isDirect ? undefined : channel.id,
    subject: isDirect ? '' : topic,
    submessages: is_widget ? [{}] : [],
  } as unknown as Message
  const { edit, delete: remove, moveTopic, moveChannel, renameOnMove, resolve } = messagePermissions(chat, sent)
  return { edit, delete: remove, moveTopic, moveChannel, renameOnMove, resolve }
}

const numRuns = 500 * Number(process.env.PROPERTY_RUNS ?? 1)

test('The page offers exactly what the server permits to do with a message.', () => {
  fc.assert(
    fc.property(organization, message, (plan, sent) => {
      const world = build(plan)
      const { state, viewer, channel } = world
      // The page shows only messages that the user may read.
      fc.pre(canRead(state, viewer, { channel_id: sent.isDirect ? null : channel.id, received: true }))
      expect(findOffered(world, sent)).toEqual(findPermitted(world, sent))
    }),
    { numRuns },
  )
})

test('The page finds an obstacle to writing exactly where the server refuses a message.', () => {
  const conversation = fc.record({
    topic: fc.constantFrom('plans', ''),
    others: fc.subarray([2, 3, 4], { minLength: 1 }),
  })
  fc.assert(
    fc.property(organization, conversation, (plan, { topic, others }) => {
      const { state, viewer, channel, chat } = build(plan)
      const isOpen = (place: Parameters<typeof findObstacle>[1]) => {
        const obstacle = findObstacle(chat, place)
        return obstacle === undefined || obstacle.isAdvice === true
      }
      const inTopic = isOpen({ kind: 'topic', channelId: channel.id, topic })
      expect(inTopic).toBe(permits(() => requirePostableChannel(state, viewer, channel.id, topic)))
      const obstacle = findObstacle(chat, { kind: 'topic', channelId: channel.id, topic })
      if (obstacle?.text.startsWith('You are not subscribed')) {
        expect(obstacle.join !== undefined).toBe(maySubscribe(state, viewer, channel))
      }
      const participants = [viewer, ...others.map((id) => state.users.get(id) as UserRow)]
      const isSent =
        participants.every(({ is_active }) => is_active) &&
        permits(() => {
          if (!checkDirectPost(state, viewer, participants).mayBegin) throw Object.assign(new Error(), { code: '' })
        })
      expect(isOpen({ kind: 'direct', userIds: others })).toBe(isSent)
    }),
    { numRuns },
  )
})

test('The page offers exactly the changes of channels and groups that the server permits.', () => {
  fc.assert(
    fc.property(organization, fc.constantFrom(...groupIds), (plan, group_id) => {
      const { state, viewer, channel, chat } = build(plan)
      const group = state.groups.get(group_id) as GroupRow
      const shownChannel = chat.channels.value.get(channel.id) as Channel
      const shownGroup = chat.groups.value.get(group_id) as UserGroup
      // A page has only the channels that exist for the user.
      if (hasMetadataAccess(state, viewer, channel)) {
        expect({
          administer: mayAdministerChannel(chat, shownChannel),
          read: mayReadChannel(chat, shownChannel),
          join: mayJoinChannel(chat, shownChannel),
          add: mayAddSubscribers(chat, shownChannel),
          remove: mayRemoveSubscribers(chat, shownChannel),
        }).toEqual({
          administer: permits(() => requireAdministeredChannel(state, viewer, channel.id)),
          read: canRead(state, viewer, { channel_id: channel.id, received: true }),
          join: !channel.is_archived && maySubscribe(state, viewer, channel),
          add: !channel.is_archived && rules.mayAddSubscribers(state, viewer, channel),
          remove: rules.mayRemoveSubscribers(state, viewer, [channel]),
        })
      }
      // The endpoints of groups are closed to guests. The page does not change the members of a deactivated group.
      const isOpen = !isGuest(viewer)
      const isLive = isOpen && !group.deactivated
      expect({
        manage: mayManageGroup(chat, shownGroup),
        add: mayAddGroupMembers(chat, shownGroup),
        remove: mayRemoveGroupMembers(chat, shownGroup),
        join: mayJoinGroup(chat, shownGroup),
        leave: mayLeaveGroup(chat, shownGroup),
      }).toEqual({
        manage: isOpen && canManageGroup(state, viewer, group),
        add: isLive && canAddMembers(state, viewer, group, [2]),
        remove: isLive && canRemoveMembers(state, viewer, group, [2]),
        join: isLive && canAddMembers(state, viewer, group, [viewer.id]),
        leave: isLive && canRemoveMembers(state, viewer, group, [viewer.id]),
      })
    }),
    { numRuns },
  )
})
