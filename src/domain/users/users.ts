/**
 * An account as clients see it: the user object, its avatar, and which viewers see its real address.
 *
 * 1. `email` is the API address, the same for every viewer. The real address, `delivery_email`, is visible to the users
 *    whom `email_address_visibility` of the account includes and to the account itself;
 *    a bot's is visible to all users.
 * 2. The hash in a Gravatar URL confirms a guessed address. So the hash is of the real address only for viewers who may
 *    see that address, and of the API address for all others.
 * 3. Only an organization that chose it (`default_avatar_source`) has Gravatars. In all others the server draws the
 *    picture of an account (drawn-pictures.ts).
 *
 * Source: the API document's user object; protocol/events.md 2.3; protocol/permissions.md 14.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { DAY } from '#rules/time.js'
import { Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { getSetting } from '../settings/user-settings.js'
import { composeDrawnPath } from './drawn-pictures.js'

/** The values of a user's profile fields, by the id of the field. */
export const profileData = z.record(z.string(), z.object({ value: z.string(), rendered_value: z.string().optional() }))

export const userObject = z.object({
  user_id: z.int(),
  delivery_email: z.string().nullable(),
  email: z.string(),
  full_name: z.string(),
  date_joined: z.string(),
  is_active: z.boolean(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable(),
  bot_owner_id: z.int().nullable().optional(),
  role: z.int(),
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  profile_data: profileData.optional(),
  is_system_bot: z.literal(true).optional(),
})

export type UserObject = z.infer<typeof userObject>

/** The user object in a registration. A registration lists active and deactivated users apart. */
export const listedUser = userObject.omit({ is_active: true })

/** The user object for callers without credentials. */
export const spectatedUser = userObject.omit({ profile_data: true })

/** Which form of the user object a viewer receives. */
export interface UserView {
  /** the viewer sees the real address */
  address: boolean
  /** the client computes Gravatar URLs where it has the address */
  client_gravatar: boolean
  profile_data: boolean
}

/** The greatest role value that sees the real address, by the value of `email_address_visibility`. */
const maxRoleByVisibility: Readonly<Record<number, number>> = {
  1: Role.guest,
  2: Role.member,
  3: Role.administrator,
  4: 0,
  5: Role.moderator,
}

/**
 * Returns the highest role value of the users who see the account's real address. Users whose role value is at most
 * this see it; 0: only the account itself does.
 */
export const maxRoleSeeingAddress = (user: Pick<UserRow, 'is_bot' | 'settings'>): number => {
  if (user.is_bot) return Role.guest
  return maxRoleByVisibility[getSetting(user, 'email_address_visibility')] ?? 0
}

/** Whether the viewer may see the account's real address. */
export const canSeeAddress = (viewer: Pick<UserRow, 'id' | 'role'>, user: UserRow): boolean =>
  viewer.role <= maxRoleSeeingAddress(user) || viewer.id === user.id

/** Returns the API address of an account. It is the real one if all users may see it (protocol/permissions.md 14). */
export const apiEmail = (user: Omit<UserRow, 'email'>, host: string): string =>
  maxRoleSeeingAddress(user) === Role.guest ? user.delivery_email : placeholderEmail(user.id, host)

/** An API address that reveals only the id. */
export const placeholderEmail = (user_id: number, host: string): string => `user${user_id}@${host}`

/** The account of an address `user{id}@host`, in lower case. It need not be its API address. */
export const findUserByPlaceholder = (state: RealmState, email: string, host: string): UserRow | undefined => {
  const id = Number(/^user(\d{1,9})@/.exec(email)?.[1])
  return placeholderEmail(id, host).toLowerCase() === email ? state.users.get(id) : undefined
}

/**
 * The URL of the account's avatar.
 * @param address whether the viewer sees the real address (2)
 * @param medium the larger size, 500 pixels
 */
export const avatarUrl = (user: UserRow, address: boolean, medium = false): string => {
  const version = `version=${user.avatar_version}`
  const size = medium ? '-medium' : ''
  if (user.avatar_source === 'U') return `/user_avatars/${user.id}${size}.png?${version}`
  if (!isGravatar(user)) return `/user_avatars/${composeDrawnPath(user, medium)}`
  const hash = md5((address ? user.delivery_email : user.email).toLowerCase())
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon${medium ? '&s=500' : ''}&${version}`
}

/** Whether the avatar is a Gravatar. A client can compute the URL of a Gravatar from the address. */
export const isGravatar = (user: UserRow): boolean => user.uses_gravatar && user.avatar_source === 'G'

/** The avatar of accounts to which the viewer has no access. */
export const unknownAvatarUrl = '/static/images/unknown-user-avatar.png'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** The account's user object in this form. */
export const composeUser = (user: UserRow, view: UserView): UserObject => ({
  user_id: user.id,
  delivery_email: view.address ? user.delivery_email : null,
  email: user.email,
  full_name: user.full_name,
  date_joined: formatMinutes(user.date_joined),
  is_active: user.is_active,
  ...roleFlags(user),
  is_bot: user.is_bot,
  bot_type: user.bot_type,
  ...(user.is_bot ? { bot_owner_id: user.bot_owner_id } : {}),
  role: user.role,
  timezone: user.timezone,
  avatar_url: view.client_gravatar && view.address && isGravatar(user) ? null : avatarUrl(user, view.address),
  avatar_version: user.avatar_version,
  ...(view.profile_data && !user.is_bot ? { profile_data: user.profile_data } : {}),
  ...(user.is_system_bot ? { is_system_bot: true } : {}),
})

/** The booleans that older clients read instead of `role`. */
export const roleFlags = ({ role }: Pick<UserRow, 'role'>) => ({
  is_owner: role <= Role.owner,
  is_admin: role <= Role.administrator,
  is_guest: role >= Role.guest,
})

/** The name of an account that the viewer may not access. */
export const unknownName = 'Unknown user'

/** Returns the user object for a viewer without access to the account. See protocol/permissions.md 10.1. */
export const unknownUser = (user_id: number, host: string): UserObject => ({
  user_id,
  delivery_email: null,
  email: placeholderEmail(user_id, host),
  full_name: unknownName,
  date_joined: formatMinutes(0),
  is_active: true,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  bot_type: null,
  role: Role.member,
  timezone: '',
  avatar_url: unknownAvatarUrl,
  avatar_version: 1,
  profile_data: {},
})

/**
 * Returns the account as readers without credentials see it. It is without the address of a person
 * (protocol/permissions.md 14).
 */
export const maskAddress = (user: UserRow, host: string): UserRow =>
  user.is_bot ? user : { ...user, email: placeholderEmail(user.id, host) }

/**
 * Composes the user object for callers without credentials. It has the day on which the account joined, as its first
 * minute, no time zone, and a masked address.
 */
export const composeUserForSpectator = (user: UserRow, host: string): z.infer<typeof spectatedUser> => {
  const view = { address: user.is_bot, client_gravatar: false, profile_data: false }
  const seen = composeUser(maskAddress(user, host), view)
  return { ...seen, timezone: '', date_joined: joiningDay(user) }
}

/**
 * Returns the first minute of the day on which the account joined, in UTC. Callers without credentials learn no more.
 */
export const joiningDay = ({ date_joined }: Pick<UserRow, 'date_joined'>): string =>
  formatMinutes(date_joined - (date_joined % DAY))

/** UNIX seconds in the protocol's form, with minute precision: `2025-01-02T03:04+00:00`. */
const formatMinutes = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 16)}+00:00`

const texts = new WeakMap<UserRow, (string | undefined)[]>()

/**
 * Returns the JSON text of `composeUser`. If `listed`, the text is without `is_active`, as in a registration. It is
 * cached as long as the row: in a realm of 10,000 accounts these texts are most of a registration, and few forms of the
 * object are in use.
 */
export const userJson = (user: UserRow, view: UserView, listed: boolean): string => {
  let cached = texts.get(user)
  if (cached === undefined) {
    cached = []
    texts.set(user, cached)
  }
  const form = +view.address | (+view.client_gravatar << 1) | (+view.profile_data << 2) | (+listed << 3)
  cached[form] ??= JSON.stringify(listed ? omitActivity(composeUser(user, view)) : composeUser(user, view))
  return cached[form]
}

/** The user object as a registration lists it. */
export const omitActivity = <U extends { is_active: boolean }>({ is_active: _, ...listed }: U) => listed
