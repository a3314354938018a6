/**
 * A client's copy of the organization: settings, accounts, groups, bots and channels, from a registration and updated
 * with events. It is written from the protocol's description of clients (protocol/events.md 3.3 to 3.5 and 4.7).
 */
import { SystemGroup } from '../../../src/domain/settings/group-setting-values.js'
import type { WireEvent } from '../realm/event-reader.js'

type Row = Record<string, unknown>
type Value = number | { direct_members: number[]; direct_subgroups: number[] }

/** Keys that clients compute from others, or of an older form that no event updates. */
const derived =
  /^realm_((email|password)_auth_enabled|allow_edit_history|create_.*_stream_policy|wildcard_mention_policy)$/

export const organizationNames = [
  'realm',
  'realm_user',
  'realm_bot',
  'realm_user_groups',
  'realm_user_settings_defaults',
  'user_settings',
  'user_status',
  'stream',
  'default_streams',
  'default_stream_groups',
]

/** The copy, with a method that applies an event. */
export class KnownOrganization {
  readonly realm: Row
  readonly self: Row
  readonly users = new Map<number, Row>()
  readonly bots = new Map<number, Row>()
  readonly groups = new Map<number, Row>()
  readonly streams = new Map<number, Row>()
  readonly statuses = new Map<number, Row>()
  /** whether the list of invitations has changed since the registration */
  areInvitationsOld = false
  settings: Row
  defaults: Row
  defaultStreams: number[]
  defaultStreamGroups: Row[]
  readonly #host: string
  readonly #isIncomplete: boolean

  constructor(snapshot: Row, host: string, user_list_incomplete: boolean) {
    const rows = (key: string) => snapshot[key] as Row[]
    this.#host = host
    this.#isIncomplete = user_list_incomplete
    this.realm = Object.fromEntries(
      Object.entries(snapshot).filter(
        ([key, value]) => key.startsWith('realm_') && !derived.test(key) && !(Array.isArray(value) || key in listed),
      ),
    )
    const own = ['user_id', 'email', 'delivery_email', 'full_name', 'is_owner', 'is_admin', 'is_moderator', 'is_guest']
    this.self = Object.fromEntries(own.map((key) => [key, snapshot[key]]))
    for (const row of rows('realm_users')) this.users.set(row.user_id as number, { ...row, is_active: true })
    for (const row of rows('realm_non_active_users'))
      this.users.set(row.user_id as number, { ...row, is_active: false })
    for (const row of rows('realm_bots')) this.bots.set(row.user_id as number, row)
    for (const row of rows('realm_user_groups')) this.groups.set(row.id as number, row)
    for (const row of rows('streams')) this.streams.set(row.stream_id as number, row)
    for (const [id, status] of Object.entries(snapshot.user_status as Row)) this.statuses.set(Number(id), status as Row)
    this.settings = snapshot.user_settings as Row
    this.defaults = snapshot.realm_user_settings_defaults as Row
    this.defaultStreams = snapshot.realm_default_streams as number[]
    this.defaultStreamGroups = rows('realm_default_stream_groups')
  }

  apply(event: WireEvent): void {
    const name = event.op === undefined ? event.type : `${event.type}/${event.op}`
    handlers[name]?.(this, event as WireEvent & Record<string, never>)
  }

  isSelf(user_id: number): boolean {
    return this.self.user_id === user_id
  }

  /** Removes an account that the client may no longer access. Clients without incomplete lists keep a placeholder. */
  forget(user_id: number): void {
    const { users } = this
    this.statuses.delete(user_id)
    if (this.#isIncomplete) {
      users.delete(user_id)
      return
    }
    users.set(user_id, {
      user_id,
      delivery_email: null,
      email: `user${user_id}@${this.#host}`,
      full_name: 'Unknown user',
      date_joined: '1970-01-01T00:00+00:00',
      is_active: true,
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_bot: false,
      bot_type: null,
      role: 400,
      timezone: '',
      avatar_url: '/static/images/unknown-user-avatar.png',
      avatar_version: 1,
      profile_data: {},
    })
  }

  /** Removes a deactivated account from groups and group settings. */
  drop(user_id: number): void {
    for (const group of this.groups.values()) {
      group.members = (group.members as number[]).filter((id) => id !== user_id)
    }
    for (const holder of [this.realm, ...this.groups.values(), ...this.streams.values()]) {
      for (const [key, value] of Object.entries(holder)) {
        if (isList(value))
          holder[key] = normal({ ...value, direct_members: value.direct_members.filter((id) => id !== user_id) })
      }
    }
  }

  /** The whole copy, in a comparable form. */
  known(): Row {
    const map = (rows: Map<number, Row>, ...hidden: string[]) =>
      Object.fromEntries([...rows].sort(([a], [b]) => a - b).map(([id, row]) => [id, visible(row, hidden)]))
    return {
      realm: visible(this.realm, []),
      self: this.self,
      users: map(this.users),
      bots: map(this.bots),
      groups: map(this.groups),
      // Another test checks these two, which depend on messages and subscribers.
      streams: map(this.streams, 'subscriber_count', 'first_message_id'),
      statuses: map(new Map([...this.statuses].filter(([, status]) => Object.keys(status).length > 0))),
      settings: this.settings,
      defaults: this.defaults,
      defaultStreams: [...this.defaultStreams].sort((a, b) => a - b),
      defaultStreamGroups: this.defaultStreamGroups,
    }
  }
}

/** Keys of a registration that begin like a setting but are none. */
const listed: Row = { realm_user_settings_defaults: 0 }

const visible = (row: Row, hidden: string[]): Row => {
  const copy: Row = {}
  for (const key of Object.keys(row).sort()) {
    if (hidden.includes(key)) continue
    const value = row[key]
    copy[key] = Array.isArray(value) && typeof value[0] === 'number' ? [...value].sort((a, b) => a - b) : value
  }
  return copy
}

const isList = (value: unknown): value is Exclude<Value, number> =>
  typeof value === 'object' && value !== null && 'direct_subgroups' in value

const normal = (value: Exclude<Value, number>): Value => {
  if (value.direct_members.length > 0) return value
  if (value.direct_subgroups.length === 0) return SystemGroup.nobody
  return value.direct_subgroups.length === 1 ? (value.direct_subgroups[0] as number) : value
}

// biome-ignore lint/suspicious/noExplicitAny: events are read as clients read them, by key
type Handler = (known: KnownOrganization, event: any) => void

const handlers: Record<string, Handler> = {
  'realm/update': ({ realm }, { property, value }) => {
    realm[`realm_${property}`] = value
  },
  'realm/update_dict': ({ realm }, { data }) => {
    for (const [key, value] of Object.entries(data)) realm[`realm_${key}`] = value
  },
  'realm_user_settings_defaults/update': ({ defaults }, { property, value }) => {
    defaults[property] = value
  },
  'user_settings/update': ({ settings }, { property, value }) => {
    settings[property] = value
  },
  user_status: ({ statuses }, { type: _, id: __, user_id, ...patch }) => {
    const { away, status_text, emoji_name, ...emoji } = { ...statuses.get(user_id), ...patch }
    statuses.set(user_id, {
      ...(away ? { away } : {}),
      ...(status_text ? { status_text } : {}),
      ...(emoji_name ? { emoji_name, ...emoji } : {}),
    })
  },
  invites_changed: (known) => {
    known.areInvitationsOld = true
  },
  'realm_user/add': ({ users }, { person }) => void users.set(person.user_id, { ...person }),
  'realm_user/remove': (known, { person }) => known.forget(person.user_id),
  'realm_user/update': (
    known,
    { person: { user_id, new_email, avatar_url_medium: _, avatar_source: __, ...rest } },
  ) => {
    const user = known.users.get(user_id)
    if (user === undefined) throw new Error(`an update of ${user_id}, of whom nothing is known`)
    if (new_email !== undefined) rest.email = new_email
    Object.assign(user, rest)
    if ('role' in rest) {
      Object.assign(user, { is_owner: rest.role === 100, is_admin: rest.role <= 200, is_guest: rest.role === 600 })
    }
    if (rest.is_active === false) {
      known.drop(user_id)
      known.statuses.delete(user_id)
    }
    if (!known.isSelf(user_id)) return
    for (const key of ['email', 'delivery_email', 'full_name']) if (key in rest) known.self[key] = rest[key]
    if (!('role' in rest)) return
    const { is_owner, is_admin, is_guest } = user
    Object.assign(known.self, { is_owner, is_admin, is_guest, is_moderator: rest.role <= 300 })
  },
  'realm_bot/add': ({ bots }, { bot }) => void bots.set(bot.user_id, bot),
  'realm_bot/update': ({ bots }, { bot }) => {
    const known = bots.get(bot.user_id)
    if (known === undefined) throw new Error(`an update of bot ${bot.user_id}, of which nothing is known`)
    Object.assign(known, bot)
  },
  'realm_bot/delete': ({ bots }, { bot }) => void bots.delete(bot.user_id),
  'user_group/add': ({ groups }, { group }) => void groups.set(group.id, group),
  'user_group/remove': ({ groups }, { group_id }) => void groups.delete(group_id),
  'user_group/update': ({ groups }, { group_id, data }) => void Object.assign(groups.get(group_id) ?? {}, data),
  'user_group/add_members': (known, { group_id, user_ids }) => list(known, group_id, 'members', user_ids, true),
  'user_group/remove_members': (known, { group_id, user_ids }) => list(known, group_id, 'members', user_ids, false),
  'user_group/add_subgroups': (known, event) =>
    list(known, event.group_id, 'direct_subgroup_ids', event.direct_subgroup_ids, true),
  'user_group/remove_subgroups': (known, event) =>
    list(known, event.group_id, 'direct_subgroup_ids', event.direct_subgroup_ids, false),
  'stream/create': ({ streams: known }, { streams }) => {
    for (const stream of streams) known.set(stream.stream_id, stream)
  },
  'stream/delete': ({ streams }, { stream_ids }) => {
    for (const id of stream_ids) streams.delete(id)
  },
  'stream/update': ({ streams }, { stream_id, property, value, ...more }) => {
    const stream = streams.get(stream_id)
    if (stream === undefined) throw new Error(`an update of channel ${stream_id}, which does not exist`)
    stream[property] = value
    for (const key of ['rendered_description', 'history_public_to_subscribers', 'is_web_public']) {
      if (key in more) stream[key] = more[key]
    }
  },
  default_streams: (known, { default_streams }) => {
    known.defaultStreams = default_streams
  },
  default_stream_groups: (known, { default_stream_groups }) => {
    known.defaultStreamGroups = default_stream_groups
  },
}

const list = (known: KnownOrganization, group_id: number, key: string, ids: number[], present: boolean): void => {
  const group = known.groups.get(group_id)
  if (group === undefined) return
  const others = (group[key] as number[]).filter((id) => !ids.includes(id))
  group[key] = present ? [...others, ...ids] : others
}
