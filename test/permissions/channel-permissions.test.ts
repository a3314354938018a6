/**
 * The permission functions for channels (protocol/permissions.md 6), cell by cell. Tests of pure functions, without a
 * server.
 */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hasContentAccess,
  hasMetadataAccess,
  isChannelAdministrator,
  mayAddSubscribers,
  mayCreateChannel,
  mayRemoveSubscribers,
  maySubscribe,
  postingRefusal,
} from '../../rules/src/channel-access.js'
import { checkCreation, validateChannelName } from '../../src/domain/channels/new-channels.js'
import { isNamed, viewerNow } from '../../src/domain/log/audience.js'
import { type ChannelRow, Role, type UserRow } from '../../src/domain/log/rows.js'
import type { RealmState } from '../../src/domain/log/state.js'
import { metadataAudience } from '../../src/domain/permissions/channel-access.js'
import { type GroupSettingValue, SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { plainOptions } from '../setup/realm/create-channel.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const kinds = {
  'web-public': { is_web_public: true },
  public: {},
  shared: { invite_only: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
} as const

/**
 * The permissions of a user in a channel: metadata access (m), content access (c), subscribe (j), add subscribers (a),
 * remove subscribers (r), post (p), administer (A).
 */
const abilities = (state: RealmState, user: UserRow, channel: ChannelRow): string =>
  [
    hasMetadataAccess(state, user, channel) && 'm',
    hasContentAccess(state, user, channel) && 'c',
    maySubscribe(state, user, channel) && 'j',
    mayAddSubscribers(state, user, channel) && 'a',
    mayRemoveSubscribers(state, user, [channel]) && 'r',
    postingRefusal(state, user, channel) === undefined && 'p',
    isChannelAdministrator(state, user, channel) && 'A',
  ]
    .filter(Boolean)
    .join('')

interface Cast {
  channel: ChannelRow
  people: Record<string, UserRow>
}

/** A channel of the kind, and a user for each role and each setting of the channel. */
const cast = (world: StateBuilder, kind: keyof typeof kinds): Cast => {
  const person = (role: number = Role.member, given: Partial<UserRow> = {}) => world.user({ role, ...given })
  const guest = person(Role.guest)
  const [administers, adds, joins, removes] = [person(), person(), person(), person()]
  const subscribed = {
    'subscribed administrator': person(Role.administrator),
    'subscribed member': person(),
    'subscribed guest': person(Role.guest),
  }
  const named = (user: UserRow): GroupSettingValue => ({ direct_members: [user.id, guest.id], direct_subgroups: [] })
  const channel = world.channel({
    ...kinds[kind],
    can_administer_channel_group: named(administers),
    can_add_subscribers_group: named(adds),
    can_subscribe_group: named(joins),
    can_remove_subscribers_group: { ...(named(removes) as object), direct_subgroups: [3] } as GroupSettingValue,
  })
  for (const user of Object.values(subscribed)) world.subscribe(user, channel)
  return {
    channel,
    people: {
      owner: person(Role.owner),
      administrator: person(Role.administrator),
      moderator: person(Role.moderator),
      member: person(),
      'guest in every group': guest,
      'in can_administer': administers,
      'in can_add_subscribers': adds,
      'in can_subscribe': joins,
      'in can_remove_subscribers': removes,
      ...subscribed,
      'bot of a subscriber': person(Role.member, {
        is_bot: true,
        bot_owner_id: subscribed['subscribed member'].id,
      }),
    },
  }
}

const columns = Object.keys(kinds) as (keyof typeof kinds)[]

describe('Permissions by kind of channel', () => {
  // The organization's setting lets no user add subscribers.
  const world = new StateBuilder({ can_add_subscribers_group: SystemGroup.nobody })
  const casts = columns.map((kind) => cast(world, kind))
  test.each([
    //                          web-public  public     shared     protected
    ['owner', ' mcjarpA     mcjarpA    mrA        mrA     '],
    ['administrator', ' mcjarpA     mcjarpA    mrA        mrA     '],
    ['moderator', ' mcjp        mcjp       -          -       '],
    ['member', ' mcjp        mcjp       -          -       '],
    ['guest in every group', ' mcrp        -          -          -       '],
    ['in can_administer', ' mcjarpA     mcjarpA    mrA        mrA     '],
    ['in can_add_subscribers', ' mcjap       mcjap      mcjap      mcja    '],
    ['in can_subscribe', ' mcjp        mcjp       mcjp       mcj     '],
    ['in can_remove_subscribers', ' mcjrp       mcjrp      -          -       '],
    ['subscribed administrator', ' mcjarpA     mcjarpA    mcjarpA    mcjarpA '],
    ['subscribed member', ' mcjp        mcjp       mcjp       mcjp    '],
    ['subscribed guest', ' mcp         mcp        mcp        mcp     '],
    ['bot of a subscriber', ' mcjp        mcjp       p          p       '],
  ])('The permissions of the caller "%s" are: %s', (name, row) => {
    const found = casts.map(({ people, channel }) => abilities(world.state, people[name] as UserRow, channel) || '-')
    expect(found).toEqual(row.trim().split(/\s+/))
  })
})

describe('Adding subscribers with the permission of the organization', () => {
  const world = new StateBuilder()
  const casts = columns.map((kind) => cast(world, kind))
  test.each([
    ['member', 'yes yes no no'],
    ['subscribed member', 'yes yes yes yes'],
    ['in can_subscribe', 'yes yes yes yes'],
    ['administrator', 'yes yes no no'],
    ['subscribed guest', 'no no no no'],
  ])('The permission of the caller "%s" to add subscribers is: %s', (name, row) => {
    const found = casts.map(({ people, channel }) => mayAddSubscribers(world.state, people[name] as UserRow, channel))
    expect(found.map((may) => (may ? 'yes' : 'no')).join(' ')).toBe(row)
  })
})

describe('Posting', () => {
  test('An owner cannot post in an archived channel.', () => {
    const world = new StateBuilder()
    const owner = world.user({ role: Role.owner })
    const channel = world.channel({ is_archived: true })
    world.subscribe(owner, channel)
    expect(postingRefusal(world.state, owner, channel)).toBe('not-reached')
  })

  test('An owner cannot post in a channel whose can_send_message_group does not contain them.', () => {
    const world = new StateBuilder()
    const owner = world.user({ role: Role.owner })
    const channel = world.channel({ can_send_message_group: SystemGroup.nobody })
    expect(postingRefusal(world.state, owner, channel)).toBe('not-permitted')
  })

  test('A bot can post where its owner may, and a bot without an owner cannot.', () => {
    const world = new StateBuilder()
    const owner = world.user({ role: Role.owner })
    const bot = world.user({ is_bot: true, bot_owner_id: owner.id })
    const ownerless = world.user({ is_bot: true })
    const channel = world.channel({ can_send_message_group: SystemGroup.administrators })
    expect(postingRefusal(world.state, bot, channel)).toBeUndefined()
    expect(postingRefusal(world.state, ownerless, channel)).toBe('not-permitted')
  })
})

describe('Removing subscribers from several channels', () => {
  test('A user must administer all of the channels or be permitted by all of them.', () => {
    const world = new StateBuilder()
    const ada = world.user()
    const own = { direct_members: [ada.id], direct_subgroups: [] }
    const administered = world.channel({ can_administer_channel_group: own })
    const permitted = world.channel({ can_remove_subscribers_group: own })
    expect(mayRemoveSubscribers(world.state, ada, [administered])).toBe(true)
    expect(mayRemoveSubscribers(world.state, ada, [permitted])).toBe(true)
    expect(mayRemoveSubscribers(world.state, ada, [administered, permitted])).toBe(false)
  })
})

describe('Creating channels', () => {
  const world = new StateBuilder({ enable_spectator_access: true })
  const people = {
    owner: world.user({ role: Role.owner }),
    administrator: world.user({ role: Role.administrator }),
    member: world.user(),
    guest: world.user({ role: Role.guest }),
  }
  test.each([
    ['owner', 'public private web-public default retention policy'],
    ['administrator', 'public private default retention policy'],
    ['member', 'public private policy'],
    ['guest', ''],
  ] as const)('The role %s may create channels with these options: %s', (name, expected) => {
    const options = {
      public: {},
      private: { invite_only: true },
      'web-public': { is_web_public: true },
      default: { is_default_stream: true },
      retention: { message_retention_days: 30 },
      policy: { topics_policy: 'disable_empty_topic' },
    } as const
    const allowed = Object.entries(options).filter(([, option]) => {
      try {
        checkCreation(world.state, people[name], { ...plainOptions, ...option })
        return true
      } catch {
        return false
      }
    })
    expect(allowed.map(([kind]) => kind).join(' ')).toBe(expected)
  })

  test('A user with the right to create web-public channels also needs the right to create public ones.', () => {
    const strict = new StateBuilder({ can_create_public_channel_group: SystemGroup.nobody })
    expect(mayCreateChannel(strict.state, strict.user({ role: Role.owner }), 'web-public')).toBe(false)
  })

  test('A web-public channel needs spectator access.', () => {
    const closed = new StateBuilder()
    const owner = closed.user({ role: Role.owner })
    expect(() => checkCreation(closed.state, owner, { ...plainOptions, is_web_public: true })).toThrow(
      'Turn on the setting enable_spectator_access first.',
    )
  })

  test.each([
    ['', 'A channel needs a name.'],
    ['  ', 'A channel needs a name.'],
    ['a'.repeat(61), 'A channel name may have at most 60 characters.'],
    ['a\u0000b', 'The channel name contains a character that is not allowed, at position 2.'],
    ['ab\n', undefined],
    ['😀'.repeat(60), undefined],
  ])('The check of the channel name %j results in: %s', (name, refusal) => {
    if (refusal === undefined) expect(validateChannelName(name)).toBe(name.trim())
    else expect(() => validateChannelName(name)).toThrow(refusal)
  })
})

test('The audience of a channel consists of exactly the users who see it.', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(11)), (choices) => {
      const next = (n: number) => (choices.next().value as number) % n
      const world = new StateBuilder()
      const roles = Object.values(Role)
      const people = Array.from({ length: 7 }, () =>
        world.user({ role: roles[next(5)] ?? Role.member, is_active: next(5) > 0 }),
      )
      const group = world.group(
        {},
        people.filter(() => next(3) === 0),
        next(2) === 0 ? [] : [1 + next(6)],
      )
      const value = (): GroupSettingValue =>
        next(3) === 0
          ? { direct_members: [1 + next(7)], direct_subgroups: [] }
          : ([1, group.id, 1 + next(6)][next(3)] ?? 1)
      const invite_only = next(3) > 0
      const channel = world.channel({
        invite_only,
        is_web_public: !invite_only && next(2) === 0,
        can_administer_channel_group: value(),
        can_add_subscribers_group: value(),
        can_subscribe_group: value(),
      })
      for (const user of people) if (next(3) === 0) world.subscribe(user, channel)
      const audience = metadataAudience(world.state, channel)
      for (const user of people) {
        const sees = user.is_active && hasMetadataAccess(world.state, user, channel)
        expect(isNamed(audience, viewerNow(world.state, user.id))).toBe(sees)
      }
    }),
  )
})
