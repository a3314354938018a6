/**
 * The client library says exactly what the server says, in random organizations: whether a message is in a narrow.
 *
 * The server's conditions are decided here by the rule that test/messages/narrow-pages.test.ts compares with SQL.
 */
import type { Message, Narrow } from '@parley/client'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesNarrow, type NarrowContext } from '../../client/src/realm/narrow.js'
import { hasMetadataAccess } from '../../rules/src/channel-access.js'
import { replaceEmptyTopicName } from '../../rules/src/narrow.js'
import { type NarrowedMessage, passesTest } from '../../rules/src/narrow-matching.js'
import { Role } from '../../rules/src/roles.js'
import type { TopicPolicy } from '../../rules/src/topic-policies.js'
import { channelOnWire, composeSubscription } from '../../src/domain/channels/channels.js'
import type { UserRow } from '../../src/domain/log/rows.js'
import type { RealmState } from '../../src/domain/log/state.js'
import { Flag, flagNames } from '../../src/domain/messages/flags.js'
import { type Condition, parseNarrow, resolveNarrow } from '../../src/domain/messages/narrow/narrow.js'
import { ApiError } from '../../src/domain/protocol/errors.js'
import { apiEmail, canSeeAddress, composeUser } from '../../src/domain/users/users.js'
import { userRow } from '../setup/realm/rows.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const VIEWER = 1
const userIds = [VIEWER, 2, 3, 4]
const channelIds = [1, 2, 3, 4]
const topics = ['plans', 'Plans', '✔ plans', 'other', '']

const organization = fc.record({
  role: fc.constantFrom(Role.administrator, Role.member, Role.guest),
  visibilities: fc.tuple(...userIds.map(() => fc.constantFrom(1, 2, 3, 4, 5))),
  channels: fc.tuple(
    ...channelIds.map(() =>
      fc.record({
        kind: fc.constantFrom('public', 'private', 'web-public'),
        is_archived: fc.boolean(),
        subscription: fc.constantFrom('none', 'former', 'heard', 'muted'),
        policies: fc.dictionary(fc.constantFrom('plans', '✔ plans', ''), fc.constantFrom<TopicPolicy>(1, 2, 3)),
      }),
    ),
  ),
})
type Plan = typeof organization extends fc.Arbitrary<infer T> ? T : never

interface World {
  state: RealmState
  viewer: UserRow
  policies: ReadonlyMap<number, ReadonlyMap<string, TopicPolicy>>
  context: NarrowContext
}

const build = ({ role, visibilities, channels }: Plan): World => {
  const builder = new StateBuilder()
  const { state } = builder
  const users = userIds.map((id, i) => {
    const row = userRow(id, {
      role: id === VIEWER ? role : Role.member,
      delivery_email: `person${id}@test.invalid`,
      settings: { email_address_visibility: visibilities[i] ?? 1 },
    })
    return builder.user({ ...row, email: apiEmail(row, 'test.invalid') })
  })
  const viewer = users[0] as UserRow
  channels.forEach(({ kind, is_archived, subscription }, i) => {
    const channel = builder.channel({
      id: channelIds[i],
      name: `Channel ${i}`,
      invite_only: kind === 'private',
      is_web_public: kind === 'web-public',
      is_archived,
    })
    if (subscription === 'none') return
    const [active, is_muted] = [subscription !== 'former', subscription === 'muted']
    builder.put('subscriptions', { ...composeSubscription(VIEWER, channel.id, '#c2c2c2'), active, is_muted })
  })
  const policies = new Map(channels.map(({ policies: named }, i) => [i + 1, new Map(Object.entries(named))]))
  return { state, viewer, policies, context: readStores(state, viewer, policies) }
}

/** The stores of the viewer's client, with what the server sends. */
const readStores = (state: RealmState, viewer: UserRow, policies: World['policies']): NarrowContext => {
  const store = <T>(value: T) => ({ get: () => value, subscribe: () => () => {} })
  const users = [...state.users.values()].map((row) =>
    composeUser(row, { address: canSeeAddress(viewer, row), client_gravatar: false, profile_data: false }),
  )
  const channels = [...state.channels.values()].filter((row) => hasMetadataAccess(state, viewer, row))
  const subscribed = [...state.userSubscriptions(viewer.id)].filter(([, { active }]) => active)
  return {
    self: store({ user_id: viewer.id }),
    users: store(new Map(users.map((user) => [user.user_id, user]))),
    channels: store(new Map(channels.map((row) => [row.id, channelOnWire(state, row)]))),
    subscriptions: store(new Map(subscribed)),
    topicPolicies: store(policies),
  } as unknown as NarrowContext
}

const bits = [Flag.read, Flag.starred, Flag.mentioned, Flag.topic_wildcard_mentioned, Flag.has_alert_word]
const message = fc.record({
  id: fc.integer({ min: 1, max: 4 }),
  sender_id: fc.constantFrom(...userIds),
  channel_id: fc.constantFrom(null, ...channelIds),
  topic: fc.constantFrom(...topics),
  others: fc.subarray(userIds.slice(1)),
  flags: fc.subarray(bits).map((some) => some.reduce((all, bit) => all | bit, 0)),
})
type MessagePlan = typeof message extends fc.Arbitrary<infer T> ? T : never

const participantsOf = ({ others }: MessagePlan): number[] => [VIEWER, ...others]

/** The message as events and pages have it. */
const asSent = (state: RealmState, given: MessagePlan): Message => {
  const { id, sender_id, channel_id, topic, flags } = given
  const name = state.channels.get(channel_id ?? 0)?.name
  const place =
    channel_id === null
      ? { type: 'private', subject: '', display_recipient: participantsOf(given).map((user_id) => ({ id: user_id })) }
      : { type: 'stream', subject: topic, stream_id: channel_id, display_recipient: name }
  return { id, sender_id, ...place, flags: [...flagNames(flags)] } as unknown as Message
}

const address = fc.oneof(
  fc.constantFrom(...userIds).map((id) => `person${id}@test.invalid`),
  fc.constantFrom(...userIds).map((id) => `USER${id}@test.invalid`),
)
const oneUser = fc.oneof(fc.constantFrom(...userIds), address)
const operand: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  channel: fc.oneof(fc.constantFrom(...channelIds), fc.constantFrom('Channel 0', 'channel 1', 'CHANNEL 2')),
  channels: fc.constantFrom('public', 'web-public'),
  topic: fc.constantFrom(...topics, 'general chat'),
  dm: fc.oneof(
    fc.subarray(userIds),
    fc.array(address, { maxLength: 2 }).map((some) => some.join(', ')),
    fc.constantFrom(', ', ' user2@test.invalid ,'),
  ),
  'dm-including': oneUser,
  'group-pm-with': oneUser,
  sender: oneUser,
  mentions: oneUser,
  id: fc.constantFrom(1, 2, '3', 'x'),
  near: fc.constantFrom('1', '2'),
  search: fc.constant('tea'),
  is: fc.constantFrom(
    ...['dm', 'private', 'starred', 'mentioned', 'alerted', 'unread', 'resolved', 'muted', 'followed', 'new'],
  ),
  has: fc.constantFrom('link', 'reaction'),
  in: fc.constantFrom('home', 'all'),
  later: fc.constant('x'),
}
const synonyms: Readonly<Record<string, string>> = { channel: 'stream', channels: 'streams', dm: 'pm-with' }
const term = fc.constantFrom(...Object.keys(operand)).chain((operator) =>
  fc.record({
    operator: fc.constantFrom(operator, synonyms[operator] ?? operator),
    operand: operand[operator] as fc.Arbitrary<unknown>,
    negated: fc.boolean(),
  }),
)
const narrows = fc.array(term, { minLength: 1, maxLength: 3 })

/** What the server says; undefined where the message does not tell, or for a narrow that the server refuses. */
const findServerAnswer = (world: World, terms: readonly unknown[], given: MessagePlan): boolean | undefined => {
  const { state, viewer, policies } = world
  const { channel_id, topic, flags } = given
  const own = channel_id === null ? undefined : state.userSubscriptions(viewer.id).get(channel_id)
  const facts: NarrowedMessage = {
    id: given.id,
    sender_id: given.sender_id,
    channel_id: channel_id ?? undefined,
    topic: channel_id === null ? '' : topic,
    user_ids: channel_id === null ? participantsOf(given) : [],
    flags: flagNames(flags),
    policy: policies.get(channel_id ?? 0)?.get(topic.toLowerCase()),
    isChannelMuted: own?.active === true && own.is_muted,
  }
  const decide = (condition: Condition): boolean | undefined => {
    if (condition.test === 'has' || condition.test === 'mentions' || condition.test === 'search') return undefined
    const passes = condition.test === 'flag' ? (flags & condition.flags) !== 0 : passesTest(condition, facts)
    return passes !== condition.negated
  }
  const answers = resolveNarrow(state, viewer, replaceEmptyTopicName(parseNarrow(terms))).conditions.map(decide)
  if (answers.includes(false)) return false
  return answers.includes(undefined) ? undefined : true
}

const numRuns = 1_500 * Number(process.env.PROPERTY_RUNS ?? 1)

test('The client says of every message what the server says, where a message tells.', () => {
  let compared = 0
  fc.assert(
    fc.property(organization, narrows, message, (plan, terms, given) => {
      const world = build(plan)
      // The viewer gets only messages of channels that exist for them.
      const channel = given.channel_id === null ? undefined : world.state.channels.get(given.channel_id)
      fc.pre(channel === undefined || hasMetadataAccess(world.state, world.viewer, channel))
      let expected: boolean | undefined
      try {
        expected = findServerAnswer(world, terms, given)
      } catch (error) {
        // No window shows a narrow that the server refuses.
        if (error instanceof ApiError) return
        throw error
      }
      compared += 1
      expect(matchesNarrow(world.context, terms as Narrow, asSent(world.state, given))).toBe(expected)
    }),
    { numRuns },
  )
  expect(compared).toBeGreaterThan(numRuns / 4)
})

describe('The client', () => {
  const world = build({
    role: Role.member,
    visibilities: [1, 1, 4, 1],
    channels: [
      { kind: 'public', is_archived: false, subscription: 'muted', policies: {} },
      { kind: 'public', is_archived: false, subscription: 'none', policies: {} },
      { kind: 'private', is_archived: false, subscription: 'heard', policies: {} },
      { kind: 'public', is_archived: false, subscription: 'heard', policies: { plans: 1 } },
    ],
  })
  const inChannel = (channel_id: number): MessagePlan => ({
    id: 1,
    sender_id: 2,
    channel_id,
    topic: 'plans',
    others: [],
    flags: 0,
  })
  const direct = (...others: number[]): MessagePlan => ({ ...inChannel(0), channel_id: null, topic: '', others })
  const unnamed = { ...inChannel(3), topic: '' }

  test.each<[what: string, terms: Narrow, MessagePlan, expected: boolean]>([
    ['in:home has no muted channel', [{ operator: 'in', operand: 'home' }], inChannel(1), false],
    [
      'in:home has the muted channel that it names',
      [
        { operator: 'channel', operand: 1 },
        { operator: 'in', operand: 'home' },
      ],
      inChannel(1),
      true,
    ],
    ['in:home has channels without a subscription', [{ operator: 'in', operand: 'home' }], inChannel(2), true],
    ['is:muted has muted topics', [{ operator: 'is', operand: 'muted' }], inChannel(4), true],
    ['a negated in:all filters nothing', [{ operator: 'in', operand: 'all', negated: true }], inChannel(3), true],
    ['near filters nothing', [{ operator: 'near', operand: '5' }], inChannel(3), true],
    [
      'the first topic "general chat" is the empty one',
      [{ operator: 'topic', operand: 'general chat' }],
      unnamed,
      true,
    ],
    ['a conversation of nobody has no messages', [{ operator: 'dm', operand: [] }], direct(), false],
    ['addresses may end with a comma', [{ operator: 'dm', operand: 'person2@test.invalid, ' }], direct(2), true],
    ['public channels are known', [{ operator: 'channels', operand: 'public' }], inChannel(3), false],
    ['groups are known', [{ operator: 'group-pm-with', operand: 2 }], direct(2, 3), true],
  ])('decides like the server that %s.', (_what, terms, given, expected) => {
    expect(matchesNarrow(world.context, terms, asSent(world.state, given))).toBe(expected)
    const full = terms.map(({ operator, operand: named, negated = false }) => ({ operator, operand: named, negated }))
    expect(findServerAnswer(world, full, given)).toBe(expected)
  })
})
