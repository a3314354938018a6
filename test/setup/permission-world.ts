/**
 * The people of a permission matrix, and channels of every kind around them.
 *
 * 1. One permission, one holder. What a new organization gives to all members is given to a custom group here, the
 *    stewards, and the groups of a channel name one account each. So a cell shows by which right something was done,
 *    and that administrators have none by accident.
 * 2. `guest holder` is named wherever a guest can be named, against the rule that a setting closed to guests never
 *    lets one pass.
 * 3. The founder made everything, is in every channel and reads what became of it. The founder is in no table.
 */

import { updated } from '../../src/domain/log/row-changes.js'
import { BotType, type ChannelRow, Role } from '../../src/domain/log/rows.js'
import type { RealmState } from '../../src/domain/log/state.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { type Answer, newRealm, ok, type Person, type TestRealm } from './realm.js'
import { commitRowChanges, updateRealmSettings } from './row-changes.js'

const day = 86_400
const longAgo = () => Math.floor(Date.now() / 1000) - 400 * day

/** The accounts, under the names that tables use. Bots are made after them. */
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

/** Bots: of whom, and with which role and type. */
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

/** What callers answer everywhere, but where a table says something else. */
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
  /** by caller; nobody is behind `spectator` */
  people: Record<Exclude<Caller, 'spectator'>, Person> & { spectator?: undefined }
  /** somebody who is in no channel */
  newcomer: Person
  /** the group that holds the organization's permissions */
  stewards: number
  /** a folder for channels */
  folder: number
  /** the state as it is now */
  look(): Promise<RealmState>
  /** So many new channels of a kind, with the founder and these callers in them. */
  channels(kind: Kind, count: number, crowd: readonly Caller[]): Promise<Channel[]>
  archive(channels: readonly Channel[]): Promise<void>
  /** Changes the rows of channels, whatever anybody may do. */
  set(channels: readonly Channel[], patch: Partial<ChannelRow>): Promise<void>
  /** Subscribes these callers to the channels, or ends their subscriptions. */
  join(channels: readonly Channel[], names: readonly Caller[]): Promise<void>
  leave(channels: readonly Channel[], names: readonly Caller[]): Promise<void>
}

const listed = (...people: Person[]) => ({ direct_members: people.map((one) => one.user_id), direct_subgroups: [] })

/** Those who are in every channel from its beginning, if a table does not say otherwise. */
export const subscribers = callers.filter((name) => name.startsWith('sub ')) as Exclude<Caller, 'spectator'>[]

/** Everybody else who could be in one. */
export const others = callers.filter(
  (name) => !subscribers.includes(name as 'owner') && name in { ...accounts, ...bots },
)

let count = 0

/** Makes the organization and everybody in it. */
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
  const cast = people as PermissionWorld['people']

  const { group_id: stewards } = await ok(founder, 'POST', '/user_groups/create', {
    name: 'stewards',
    description: '',
    members: [cast.steward, cast['sub steward'], cast['guest holder'], cast['sub guest holder']].map(
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

  const guests = [cast['guest holder'], cast['sub guest holder']]
  const groups = {
    can_administer_channel_group: listed(cast.administers, cast['sub administers'], ...guests),
    can_add_subscribers_group: listed(cast.adds, ...guests),
    can_subscribe_group: listed(cast.joins, ...guests),
    can_remove_subscribers_group: listed(cast.removes, cast['sub removes'], ...guests),
    can_move_messages_out_of_channel_group: listed(cast.moves, cast['sub moves'], ...guests),
    can_move_messages_within_channel_group: listed(cast.moves, cast['sub moves'], ...guests),
  }
  const move = async (method: string, channels: readonly Channel[], names: readonly Caller[]) => {
    await ok(founder, method, '/users/me/subscriptions', {
      subscriptions: channels.map(({ name }) => (method === 'POST' ? { name } : name)),
      principals: names.map((name) => cast[name as 'owner'].user_id),
      send_new_subscription_messages: method === 'POST' ? false : undefined,
    })
  }
  const look = async () => {
    await realm.realm.barrier()
    return realm.realm.state
  }
  const set: PermissionWorld['set'] = async (channels, patch) => {
    const { channels: rows } = await look()
    await commitRowChanges(
      realm,
      channels.map(({ id }) => {
        const row = rows.get(id)
        return row && updated('channels', row, patch)
      }),
    )
  }
  return {
    realm,
    founder,
    newcomer,
    people: cast,
    stewards,
    folder,
    look,
    set,
    archive: (channels) => set(channels, { is_archived: true }),
    join: (channels, names) => move('POST', channels, names),
    leave: (channels, names) => move('DELETE', channels, names),
    async channels(kind, number, crowd) {
      const names = Array.from({ length: number }, () => `${kind} ${++count}`)
      await ok(founder, 'POST', '/users/me/subscriptions', {
        subscriptions: names.map((name) => ({ name })),
        principals: [founder, ...crowd.map((name) => cast[name as 'owner'])].map((one) => one.user_id),
        send_new_subscription_messages: false,
        ...kinds[kind],
        ...groups,
      })
      const state = await look()
      return names.map((name) => ({ name, id: state.channelByName(name)?.id as number }))
    },
    [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose](),
  }
}

export const hasSucceeded = ({ status, body }: Answer): boolean => status === 200 && body.result === 'success'
