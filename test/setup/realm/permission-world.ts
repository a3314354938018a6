/**
 * The permission world: a realm with one account for each way to hold a permission, and channels of every kind.
 *
 * Accounts: every role, a new and a full member, bots, a deactivated account and a spectator, who has none. `steward`
 * is in the group that holds the permissions of the organization; `administers`, `adds`, `joins`, `removes` and `moves`
 * each hold one permission of a channel. Accounts whose name begins with `sub` are subscribed to the channels.
 *
 * 1. Each permission has one holder: the group of stewards has what a new organization gives to all members, and each
 *    group setting of a channel names one account. So a cell of a table shows which permission allowed the action, and
 *    that administrators do not have it by accident.
 * 2. Every group setting that can name a guest names `guest holder`. This tests that a setting which excludes guests
 *    refuses a guest that it names.
 * 3. The founder creates everything, is subscribed to every channel and reads the result. No table has the founder.
 */

import { composeUpdate } from '../../../src/domain/log/row-changes.js'
import { BotType, type ChannelRow, Role } from '../../../src/domain/log/rows.js'
import type { RealmState } from '../../../src/domain/log/state.js'
import { SystemGroup } from '../../../src/domain/settings/group-setting-values.js'
import { type Answer, newRealm, ok, type Person, type TestRealm } from './realm.js'
import { commitRowChanges, updateRealmSettings } from './row-changes.js'

const day = 86_400
const longAgo = () => Math.floor(Date.now() / 1000) - 400 * day

/** The accounts by the names that tables use. */
const accounts = {
  owner: { role: Role.owner },
  administrator: { role: Role.administrator },
  moderator: { role: Role.moderator },
  'full member': {},
  'new member': { date_joined: Math.floor(Date.now() / 1000) },
  guest: { role: Role.guest },
  'guest holder': { role: Role.guest },
  steward: {},
  administers: {},
  adds: {},
  joins: {},
  removes: {},
  moves: {},
  'sub administrator': { role: Role.administrator },
  'sub member': {},
  'sub steward': {},
  'sub administers': {},
  'sub removes': {},
  'sub moves': {},
  'sub guest': { role: Role.guest },
  'sub guest holder': { role: Role.guest },
} as const

/** The bots: owner, role and type. */
const bots = {
  bot: { of: 'full member' },
  'bot of sub': { of: 'sub member' },
  'sub bot': { of: 'full member' },
  'administrator bot': { of: 'administrator', role: Role.administrator },
  'webhook bot': { of: 'sub member', type: BotType.incomingWebhook },
} as const satisfies Record<string, { of: keyof typeof accounts; role?: number; type?: number }>

export const callers = [
  ...Object.keys(accounts),
  ...Object.keys(bots),
  'deactivated',
  'spectator',
] as readonly string[] as readonly Caller[]

export type Caller = keyof typeof accounts | keyof typeof bots | 'deactivated' | 'spectator'

/** The answer to these callers, where a table has no line for them. */
export const outsiders = { 'webhook bot': 'webhook', deactivated: 'inactive', spectator: 'login' } as const

export const kinds = {
  'web-public': { is_web_public: true },
  public: {},
  shared: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
  /** a public channel that was archived */
  archived: {},
  /** a private one, with shared history */
  'arch-priv': { invite_only: true, history_public_to_subscribers: true },
} as const

export type Kind = keyof typeof kinds

export interface Channel {
  id: number
  name: string
}

export interface PermissionWorld extends AsyncDisposable {
  realm: TestRealm
  founder: Person
  /** by caller; `spectator` has no account */
  people: Record<Exclude<Caller, 'spectator'>, Person> & { spectator?: undefined }
  /** a member without subscriptions */
  newcomer: Person
  /** the id of the group that holds the permissions of the organization */
  stewards: number
  /** the id of a channel folder */
  folder: number
  /** Returns the current state. */
  loadState(): Promise<RealmState>
  /** Creates channels of one kind, with the founder and these callers as subscribers. */
  createChannels(kind: Kind, count: number, crowd: readonly Caller[]): Promise<Channel[]>
  archive(channels: readonly Channel[]): Promise<void>
  /** Changes the rows of channels, without any permission. */
  updateRows(channels: readonly Channel[], patch: Partial<ChannelRow>): Promise<void>
  /** Subscribes these callers to the channels. */
  subscribe(channels: readonly Channel[], names: readonly Caller[]): Promise<void>
  /** Ends the subscriptions of these callers. */
  unsubscribe(channels: readonly Channel[], names: readonly Caller[]): Promise<void>
}

const listed = (...people: Person[]) => ({ direct_members: people.map((one) => one.user_id), direct_subgroups: [] })

/** The initial subscribers of every channel, unless an action says otherwise. */
export const subscribers = callers.filter((name) => name.startsWith('sub ')) as Exclude<Caller, 'spectator'>[]

/** The other accounts that can subscribe to a channel. */
export const others = callers.filter(
  (name) => !subscribers.includes(name as 'owner') && name in { ...accounts, ...bots },
)

let count = 0

/** Creates the realm and its accounts. Channels are created on demand. */
export const newPermissionWorld = async (): Promise<PermissionWorld> => {
  const realm = await newRealm()
  const names = Object.keys(accounts)
  const made = await realm.people(
    { full_name: 'founder', role: Role.owner, date_joined: longAgo() },
    { full_name: 'newcomer', date_joined: longAgo() },
    { full_name: 'deactivated', date_joined: longAgo() },
    ...Object.entries(accounts).map(([full_name, given]) => ({ full_name, date_joined: longAgo(), ...given })),
  )
  const [founder, newcomer, deactivated, ...others] = made as [Person, Person, Person, ...Person[]]
  const people = Object.fromEntries([['deactivated', deactivated], ...others.map((one, i) => [names[i], one])])
  const madeBots = await realm.people(
    ...Object.entries<{ of: string; role?: number; type?: number }>(bots).map(([full_name, { of, role, type }]) => ({
      full_name,
      email: `${full_name.replace(/ /g, '-')}-bot@example.com`,
      role: role ?? Role.member,
      date_joined: longAgo(),
      bot: { type: type ?? BotType.generic, owner_id: people[of].user_id },
    })),
  )
  Object.assign(people, Object.fromEntries(Object.keys(bots).map((name, i) => [name, madeBots[i]])))
  const world = people as PermissionWorld['people']

  const { group_id: stewards } = await ok(founder, 'POST', '/user_groups/create', {
    name: 'stewards',
    description: '',
    members: [world.steward, world['sub steward'], world['guest holder'], world['sub guest holder']].map(
      (one) => one.user_id,
    ),
  })
  await updateRealmSettings(realm, {
    send_channel_events_messages: false,
    enable_spectator_access: true,
    waiting_period_threshold: 10,
    can_add_subscribers_group: stewards,
    can_create_web_public_channel_group: SystemGroup.administrators,
    can_delete_any_message_group: stewards,
    can_mention_many_users_group: stewards,
    can_move_messages_between_channels_group: stewards,
    can_move_messages_between_topics_group: stewards,
    can_resolve_topics_group: stewards,
    can_set_topics_policy_group: stewards,
  })
  await ok(founder, 'DELETE', `/users/${deactivated.user_id}`)
  const { channel_folder_id: folder } = await ok(founder, 'POST', '/channel_folders/create', { name: 'shelf' })

  const guests = [world['guest holder'], world['sub guest holder']]
  const groups = {
    can_administer_channel_group: listed(world.administers, world['sub administers'], ...guests),
    can_add_subscribers_group: listed(world.adds, ...guests),
    can_subscribe_group: listed(world.joins, ...guests),
    can_remove_subscribers_group: listed(world.removes, world['sub removes'], ...guests),
    can_move_messages_out_of_channel_group: listed(world.moves, world['sub moves'], ...guests),
    can_move_messages_within_channel_group: listed(world.moves, world['sub moves'], ...guests),
  }
  const move = async (method: string, channels: readonly Channel[], names: readonly Caller[]) => {
    await ok(founder, method, '/users/me/subscriptions', {
      subscriptions: channels.map(({ name }) => (method === 'POST' ? { name } : name)),
      principals: names.map((name) => world[name as 'owner'].user_id),
      send_new_subscription_messages: method === 'POST' ? false : undefined,
    })
  }
  const loadState = async () => {
    await realm.realm.barrier()
    return realm.realm.state
  }
  const updateRows: PermissionWorld['updateRows'] = async (channels, patch) => {
    const { channels: rows } = await loadState()
    await commitRowChanges(
      realm,
      channels.map(({ id }) => {
        const row = rows.get(id)
        return row && composeUpdate('channels', row, patch)
      }),
    )
  }
  return {
    realm,
    founder,
    newcomer,
    people: world,
    stewards,
    folder,
    loadState,
    updateRows,
    archive: (channels) => updateRows(channels, { is_archived: true }),
    subscribe: (channels, names) => move('POST', channels, names),
    unsubscribe: (channels, names) => move('DELETE', channels, names),
    async createChannels(kind, number, crowd) {
      const names = Array.from({ length: number }, () => `${kind} ${++count}`)
      await ok(founder, 'POST', '/users/me/subscriptions', {
        subscriptions: names.map((name) => ({ name })),
        principals: [founder, ...crowd.map((name) => world[name as 'owner'])].map((one) => one.user_id),
        send_new_subscription_messages: false,
        ...kinds[kind],
        ...groups,
      })
      const state = await loadState()
      return names.map((name) => ({ name, id: state.channelByName(name)?.id as number }))
    },
    [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose](),
  }
}

/** Whether a call succeeded. */
export const hasSucceeded = ({ status, body }: Answer): boolean => status === 200 && body.result === 'success'
