/** The accounts: the user's own, all others, their status, their presence, and who is muted. */
import type { EventOf, Snapshot } from '../kernel/api.js'
import { createStore } from '../kernel/store.js'
import { createRows, type Section } from './section.js'
import type { Presence, Self, User, UserStatus } from './types.js'

/** Creates the section. */
export const createUsers = () => {
  const users = createRows<number, User>()
  const self = createStore<Self>({} as Self)
  const statuses = createRows<number, UserStatus>()
  const mutedUsers = createStore<ReadonlySet<number>>(new Set())
  const presence = createRows<number, Presence>()

  const patchSelf = (fields: Partial<User> & { avatar_url?: string | null }) => {
    const { email, full_name, avatar_url, role } = { ...self.get(), ...fields }
    self.set({
      ...self.get(),
      email,
      full_name,
      avatar_url: avatar_url ?? self.get().avatar_url,
      ...(role === undefined ? {} : { role, ...rights(role) }),
    })
  }

  const section: Section = {
    load(snapshot) {
      users.set(readUsers(snapshot))
      self.set(readSelf(snapshot, users.get()))
      statuses.set(byNumber(snapshot.user_status))
      mutedUsers.set(new Set(snapshot.muted_users?.map(({ id }) => id)))
      presence.set(byNumber(snapshot.presences as Record<string, Presence> | undefined))
    },
    handlers: {
      realm_user(event) {
        if (event.op === 'add') users.put(event.person.user_id, event.person as User)
        else if (event.op === 'remove') {
          users.remove([event.person.user_id])
          statuses.remove([event.person.user_id])
        } else {
          const { user_id, fields, field } = readUpdate(event.person as PersonUpdate)
          if (field === undefined) users.patch(user_id, fields)
          else users.patch(user_id, { profile_data: changeProfile(users.get().get(user_id), field) })
          if (fields.is_active === false) statuses.remove([user_id])
          if (user_id === self.get().user_id) patchSelf(fields)
        }
      },
      user_status({ user_id, id: _, type: __, ...changed }) {
        const status = composeStatus({ ...statuses.get().get(user_id), ...changed })
        if (Object.keys(status).length === 0) statuses.remove([user_id])
        else statuses.put(user_id, status)
      },
      muted_users: (event) => mutedUsers.set(new Set(event.muted_users.map(({ id }) => id))),
      presence(event) {
        // The other form is for clients with a capability that this one does not have.
        if ('presences' in event) return
        const { user_id } = event
        const { website } = event.presence
        const { status, timestamp } = website
        const before = presence.get().get(user_id) ?? { active_timestamp: 0, idle_timestamp: 0 }
        const active = status === 'active' ? { active_timestamp: Math.max(timestamp, before.active_timestamp) } : {}
        presence.put(user_id, { ...before, idle_timestamp: Math.max(timestamp, before.idle_timestamp), ...active })
      },
    },
  }
  return { section, users, self, statuses, mutedUsers, presence }
}

interface ProfileField {
  id: number
  value: string | null
  rendered_value?: string
}

/** All fields that an update may have; each event has some of them. */
type PersonUpdate = Partial<User> & {
  user_id: number
  new_email?: string
  avatar_url_medium?: string
  avatar_source?: string
}

/** What an update changes: fields of the user, or one field of their profile. */
const readUpdate = (person: PersonUpdate) => {
  const { user_id, new_email, avatar_url_medium: _, avatar_source: __, ...rest } = person
  const { is_owner, is_admin, is_guest } = rights(rest.role ?? 0)
  const fields: Partial<User> = {
    ...rest,
    ...(new_email === undefined ? {} : { email: new_email }),
    ...(rest.role === undefined ? {} : { is_owner, is_admin, is_guest }),
  }
  return { user_id, fields, field: (rest as { custom_profile_field?: ProfileField }).custom_profile_field }
}

/** A status without the fields that are not set. */
const composeStatus = ({
  away,
  status_text,
  emoji_name,
  emoji_code,
  reaction_type,
  scheduled_end_time,
}: Partial<EventOf<'user_status'>>): UserStatus =>
  ({
    ...(away ? { away } : {}),
    ...(status_text ? { status_text } : {}),
    ...(emoji_name ? { emoji_name, emoji_code, reaction_type } : {}),
    ...(typeof scheduled_end_time === 'number' ? { scheduled_end_time } : {}),
  }) as UserStatus

const changeProfile = (user: User | undefined, { id, value, rendered_value }: ProfileField): User['profile_data'] => {
  const { [String(id)]: _, ...others } = user?.profile_data ?? {}
  if (value === null) return others
  return { ...others, [id]: { value, ...(rendered_value === undefined ? {} : { rendered_value }) } }
}

/** Owners have role 100, administrators 200, moderators 300, members 400 and guests 600. */
const rights = (role: number) => ({
  is_owner: role === 100,
  is_admin: role <= 200,
  is_moderator: role <= 300,
  is_guest: role === 600,
})

const readUsers = ({ realm_users, realm_non_active_users, cross_realm_bots }: Snapshot): Map<number, User> => {
  const all = new Map<number, User>()
  for (const row of realm_non_active_users ?? []) all.set(row.user_id, { ...row, is_active: false } as User)
  for (const row of cross_realm_bots ?? []) all.set(row.user_id, row as User)
  for (const row of realm_users ?? []) all.set(row.user_id, { ...row, is_active: true })
  return all
}

const readSelf = (snapshot: Snapshot, users: ReadonlyMap<number, User>): Self => {
  const { user_id = 0, email = '', full_name = '', avatar_url = '' } = snapshot
  const role = users.get(user_id)?.role ?? 600
  return { user_id, email, full_name, avatar_url, role, ...rights(role) }
}

const byNumber = <V>(rows: Record<string, V> | undefined): Map<number, V> =>
  new Map(Object.entries(rows ?? {}).map(([id, row]) => [Number(id), row]))
