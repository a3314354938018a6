/**
 * The texts that registrations and lists of channels share, after random changes of an organization: each answer equals
 * that of a state which was built from the same changes and has answered nothing before.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  channelOnWire,
  compareByName,
  composeSubscription,
  settingsOnWire,
} from '../../src/domain/channels/channels.js'
import { plainProfile } from '../../src/domain/log/profile.js'
import { composeInsert, composeUpdate, type RowChange } from '../../src/domain/log/row-changes.js'
import { type ChannelRow, Role, type UserRow } from '../../src/domain/log/rows.js'
import type { RealmState } from '../../src/domain/log/state.js'
import type { Rows, TableName } from '../../src/domain/log/tables.js'
import { type RawJson, rawMembersOfFragments, SharedText } from '../../src/domain/protocol/raw-json.js'
import { fetchSet, takeSnapshot } from '../../src/domain/register/snapshot.js'
import type { Content, SnapshotRequest } from '../../src/domain/register/snapshot-request.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { getStreams } from '../../src/gateway/api/channels/channel-list.js'
import { getSubscriptions } from '../../src/gateway/api/channels/subscriptions.js'
import { channelRow, userRow } from '../setup/realm/rows.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const runs = Number(process.env.PROPERTY_RUNS ?? 8)
const DAY = 86_400
const USERS = 9
const CHANNELS = 6
const roles = [Role.owner, Role.administrator, Role.moderator, Role.member, Role.member, Role.guest]

const content: Content = {
  last_message_id: 0,
  unread_topics: { conversations: [], examined: 0, is_cut: false },
  unread_direct: { conversations: [], examined: 0, is_cut: false },
  recent_direct: [],
  starred: [],
  navigation_views: [],
  partners: [3, 5],
  user_topics: [],
  drafts: [],
  saved_snippets: [],
  scheduled_messages: [],
  onboarding_seen: [],
  presence: [{ user_id: 2, active_at: 1, connected_at: 2, update_id: 1 }],
}

const capabilities = [
  {},
  { client_gravatar: false, archived_channels: true, include_deactivated_groups: true, linkifier_url_template: true },
  { user_list_incomplete: true, notification_settings_null: true, slim_presence: true },
]

/** Which channels `GET /streams` includes. */
const selections = [
  { include_public: true, include_subscribed: true, exclude_archived: true },
  { include_subscribed: true, exclude_archived: true },
  { include_all: true, include_default: true },
]

/** The lists of channels of an account, in one of the forms. */
const channelLists = (state: RealmState, user: UserRow, form: number): unknown[] => {
  const call = { caller: { id: user.id, user }, state } as Parameters<typeof getStreams.handle>[0]
  const params = { ...call.params, ...selections[form] }
  return [
    getStreams.handle({ ...call, params }),
    getSubscriptions.handle({ ...call, params: { include_subscribers: form === 2 } }),
  ]
}

/** One registration of every viewer, and the lists of channels of every account, in one of the forms. */
const answers = (state: RealmState, form: number, now: number): string[] => {
  const users = [...state.users.values()].sort((a, b) => a.id - b.id)
  const lists = users.flatMap((user) => channelLists(state, user, form)) as RawJson[]
  const registrations = [null, ...users].map((viewer) => {
    const request: SnapshotRequest = {
      state,
      viewer,
      profile: { ...plainProfile, ...capabilities[form] },
      client: form === 1 ? 'ZulipTerminal' : 'Test',
      include_subscribers: form === 2 && viewer !== null,
      server: {
        realm_url: 'http://acme.test',
        host: 'acme.test',
        releaseId: 1,
        development: false,
        max_file_upload_size_mib: 25,
        ways: { JWT: false, 'OpenID Connect': false, SAML: false, LDAP: false },
        gateway_paths: [],
      },
      now,
      ...fetchSet(undefined, undefined),
    }
    return rawMembersOfFragments(takeSnapshot(request).finish(content)).text
  })
  return [...registrations, ...lists.map(({ text }) => text)]
}

/** The same lists without shared texts, in one of the first two forms. */
const composeChannelLists = (state: RealmState, user: UserRow, form: number) => {
  const channels = [...state.channels.values()].filter(({ is_archived }) => !is_archived).sort(compareByName)
  const subscriptions = state.userSubscriptions(user.id)
  const compose = (channel: ChannelRow) => channelOnWire(state, channel)
  const isListed = ({ id, invite_only }: ChannelRow) =>
    subscriptions.get(id)?.active === true || (form === 0 && !invite_only && user.role !== Role.guest)
  return [
    { streams: channels.filter(isListed).map(compose) },
    {
      subscriptions: channels.flatMap((channel) => {
        const settings = subscriptions.get(channel.id)
        return settings?.active === true ? [{ ...compose(channel), ...settingsOnWire(settings) }] : []
      }),
    },
  ]
}

/** A state, and a record of everything that changed it. */
class RecordedState {
  readonly #builder = new StateBuilder()
  readonly #steps: ((state: RealmState) => void)[] = []

  get state() {
    return this.#builder.state
  }

  #run(step: (state: RealmState) => void) {
    this.#steps.push(step)
    step(this.state)
  }

  put<T extends TableName>(table: T, row: Rows[T]) {
    this.apply(composeInsert(table, row))
  }

  update<T extends TableName>(table: T, row: Rows[T] | undefined, patch: Partial<Rows[T]>) {
    const change = row && composeUpdate(table, row, patch)
    if (change !== undefined) this.apply(change as RowChange)
  }

  apply(change: RowChange) {
    this.#run((state) => state.apply(change))
  }

  setFirstMessage(channel_id: number, message_id: number | undefined) {
    const seq = this.#steps.length + 1
    this.#run((state) => state.setFirstMessage(channel_id, message_id, seq))
  }

  /** A new state with the same content. */
  rebuild(): RealmState {
    const { state } = new StateBuilder()
    for (const step of this.#steps) step(state)
    return state
  }
}

/** @param isOpen all channels are public at first, so that members get the shared list */
const organization = (isOpen: boolean): RecordedState => {
  const recorded = new RecordedState()
  for (let id = 1; id <= USERS; id++) {
    const is_system_bot = id === 1
    const is_bot = is_system_bot || id === 7
    const bot = is_bot ? { is_bot, bot_type: 1, is_system_bot, bot_owner_id: is_system_bot ? null : 5 } : {}
    // Ids of two chunks, the later ones first.
    const user = { id: idOf(USERS + 1 - id), role: roles[id % roles.length] as number, date_joined: id * DAY }
    recorded.put('users', userRow(user.id, { ...user, ...bot }))
  }
  for (let id = 1; id <= CHANNELS; id++) {
    recorded.put('channels', channelRow(id, { invite_only: !isOpen && id % 3 === 0, is_web_public: id === 4 }))
  }
  return recorded
}

/** Ids of several chunks of the lists of users. */
const idOf = (n: number): number => (n % 2 === 0 ? n : n + 500)

const operation = fc.record({
  kind: fc.constantFrom(
    'rename',
    'role',
    'active',
    'address',
    'away',
    'status',
    'joined',
    'channel name',
    'privacy',
    'history',
    'archive',
    'setting of channel',
    'subscribe',
    'mute',
    'unsubscribe',
    'first message',
    'group',
    'deactivate group',
    'member',
    'waiting period',
    'restrict guests',
    'realm name',
    'default channel',
    'emoji',
    'time',
  ),
  n: fc.nat({ max: 1_000 }),
  m: fc.nat({ max: 1_000 }),
})

interface Operation {
  kind: string
  n: number
  m: number
}

const apply = (recorded: RecordedState, { kind, n, m }: Operation): void => {
  const { state } = recorded
  const users = [...state.users.values()]
  const user = users[n % users.length]
  const channels = [...state.channels.values()]
  const channel = channels[n % channels.length]
  if (user === undefined || channel === undefined) return
  const reader = users[m % users.length]?.id ?? 0
  const settings = state.userSubscriptions(reader).get(channel.id)
  const subscription = settings && { ...settings, user_id: reader, channel_id: channel.id }
  const groups = [...state.groups.values()].filter(({ is_system_group }) => !is_system_group)
  const group = groups[m % Math.max(groups.length, 1)]
  switch (kind) {
    case 'rename':
      recorded.update('users', user, { full_name: `Renamed ${m} ☃` })
      break
    case 'role':
      recorded.update('users', user, { role: roles[m % roles.length] as number })
      break
    case 'active':
      recorded.update('users', user, { is_active: !user.is_active })
      break
    case 'address':
      recorded.update('users', user, { settings: { email_address_visibility: 1 + (m % 5) } })
      break
    case 'away':
      recorded.update('users', user, { settings: { presence_enabled: m % 2 === 0 } })
      break
    case 'joined':
      recorded.update('users', user, { date_joined: (m % 20) * DAY })
      break
    case 'status':
      recorded.put('user_statuses', {
        user_id: user.id,
        status_text: m % 3 === 0 ? '' : `text ${m}`,
        emoji_name: '',
        emoji_code: '',
        reaction_type: 'unicode_emoji',
        ends_at: null,
      })
      break
    case 'channel name':
      recorded.update('channels', channel, { name: `${'zyxwa'[m % 5]} channel ${n} ${m}` })
      break
    case 'privacy':
      recorded.update('channels', channel, { invite_only: m % 2 === 0, is_web_public: m % 5 === 1 })
      break
    case 'history':
      recorded.update('channels', channel, { history_public_to_subscribers: m % 2 === 0 })
      break
    case 'archive':
      recorded.update('channels', channel, { is_archived: m % 2 === 0 })
      break
    case 'setting of channel':
      recorded.update('channels', channel, {
        can_administer_channel_group: { direct_members: [user.id], direct_subgroups: [] },
        can_subscribe_group: m % 2 === 0 ? (group?.id ?? SystemGroup.nobody) : SystemGroup.fullmembers,
      })
      break
    case 'subscribe':
      recorded.put('subscriptions', composeSubscription(reader, channel.id, '#c2c2c2'))
      break
    case 'mute':
      recorded.update('subscriptions', subscription, { is_muted: subscription?.is_muted !== true })
      break
    case 'unsubscribe':
      recorded.update('subscriptions', subscription, { active: false })
      break
    case 'first message':
      recorded.setFirstMessage(channel.id, m % 4 === 0 ? undefined : m)
      break
    case 'group': {
      const id = 100 + (n % 4)
      const template = state.groups.get(SystemGroup.nobody)
      if (template === undefined || state.groups.has(id)) break
      recorded.put('groups', { ...template, id, name: `group ${id}`, is_system_group: false })
      break
    }
    case 'deactivate group':
      recorded.update('groups', group, { deactivated: group?.deactivated !== true })
      break
    case 'member':
      if (group !== undefined) recorded.put('group_members', { group_id: group.id, user_id: user.id })
      break
    case 'waiting period':
      recorded.update('realms', state.realm, {
        settings: { ...state.realm.settings, waiting_period_threshold: m % 10 },
      })
      break
    case 'restrict guests':
      recorded.update('realms', state.realm, {
        settings: {
          ...state.realm.settings,
          can_access_all_users_group: m % 2 === 0 ? SystemGroup.everyone : SystemGroup.members,
          can_create_public_channel_group: SystemGroup.fullmembers,
        },
      })
      break
    case 'realm name':
      recorded.update('realms', state.realm, { name: `Name ${m}` })
      break
    case 'default channel':
      recorded.put('default_channels', { channel_id: channel.id })
      break
    case 'emoji':
      recorded.put('emoji', {
        id: 1 + (n % 5),
        name: `emoji_${m}`,
        author_id: user.id,
        deactivated: m % 3 === 0,
        file_name: `${m}.png`,
        still_file_name: null,
      } as Rows['emoji'])
      break
  }
}

describe('Shared texts of registrations', () => {
  test('After random changes every answer equals that of a state without cached texts, and lists equal plain ones.', () => {
    const steps = fc.array(fc.record({ operations: fc.array(operation, { maxLength: 3 }), form: fc.nat({ max: 2 }) }), {
      minLength: 4,
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.boolean(), steps, (isOpen, given) => {
        const recorded = organization(isOpen)
        let now = 15 * DAY * 1000
        for (const { operations, form } of given) {
          for (const one of operations) {
            if (one.kind === 'time') now += (one.n % 3) * DAY * 1000
            else apply(recorded, one)
          }
          const { state } = recorded
          expect(answers(state, form, now)).toEqual(answers(recorded.rebuild(), form, now))
          for (const user of state.users.values()) {
            for (const selection of [0, 1]) {
              const lists = channelLists(state, user, selection) as RawJson[]
              const parsed = lists.map(({ text }) => JSON.parse(text) as unknown)
              expect(parsed).toEqual(composeChannelLists(state, user, selection))
            }
          }
        }
      }),
      { numRuns: runs },
    )
  })

  test('Two members get the same bytes of the same users, and a change of one user leaves most of the bytes as they are.', () => {
    const build = new StateBuilder()
    const users = Array.from({ length: 1_000 }, (_, i) => build.user({ id: i + 1 }))
    const listShared = (id: number) => {
      const request = {
        state: build.state,
        viewer: build.state.users.get(id) ?? null,
        profile: plainProfile,
        ...fetchSet(['realm_user'], undefined),
      } as SnapshotRequest
      const pieces = takeSnapshot({ ...request, server: { host: 'acme.test' } as SnapshotRequest['server'] }).finish({})
      return pieces.flat().filter((piece) => piece instanceof SharedText)
    }
    const before = listShared(1)
    expect(before.length).toBeGreaterThan(2)
    expect(listShared(2).every((text, i) => text === before[i])).toBe(true)
    const change = composeUpdate('users', users[500] as (typeof users)[number], { full_name: 'Another Name' })
    build.state.apply(change as RowChange)
    const after = listShared(1)
    expect(after).toHaveLength(before.length)
    expect(after.filter((text, i) => text !== before[i])).toHaveLength(1)
  })
})
