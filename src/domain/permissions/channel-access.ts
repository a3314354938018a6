/**
 * Channels as they exist for a user, and everyone for whom a channel exists. Who that is: rules/src/channel-access.ts.
 *
 * 1. The audience of `metadataAudience` is exactly the users who have metadata access.
 *
 * Source: protocol/permissions.md 5.2 and 6.
 */
import { hasContentAccess, hasMetadataAccess } from '#rules/channel-access.js'
import { Role } from '#rules/roles.js'
import { AllUsers, type Audience } from '../log/entry.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { nonGuestHolders } from './holders.js'

/** The settings whose holders have metadata access; holders of all but the first have content access, too. */
const metadataGroups = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies readonly (keyof ChannelRow)[]

/** The channel of this id, if it exists for the user. */
export const findVisibleChannel = (state: RealmState, user: UserRow, channel_id: number): ChannelRow | undefined => {
  const channel = state.channels.get(channel_id)
  return channel !== undefined && hasMetadataAccess(state, user, channel) ? channel : undefined
}

/** The channel with this name, compared without case, if it exists for the user. */
export const findVisibleChannelByName = (state: RealmState, user: UserRow, name: string): ChannelRow | undefined => {
  const channel = state.channelByName(name)
  return channel !== undefined && hasMetadataAccess(state, user, channel) ? channel : undefined
}

/** The channel of this id, if the user may read it. Throws BAD_REQUEST. */
export const requireReadableChannel = (state: RealmState, user: UserRow, channel_id: number): ChannelRow => {
  const channel = findVisibleChannel(state, user, channel_id)
  if (channel === undefined || !hasContentAccess(state, user, channel)) throw errors.invalidChannelId()
  return channel
}

/**
 * The channel of this id, if callers without credentials may read it. For every other id the error is the same.
 * Throws UNAUTHORIZED.
 */
export const requireWebPublicChannel = (state: RealmState, channel_id: number): ChannelRow => {
  const channel = state.channels.get(channel_id)
  if (channel === undefined || !channel.is_web_public || channel.is_archived) throw errors.notLoggedIn()
  return channel
}

/**
 * Returns everyone who has metadata access (1). It is `META(c)` of protocol/events.md 2.6, and guests too where the
 * channel is web-public: guests get the event of its creation, so they need the later ones, too.
 */
export const metadataAudience = (state: RealmState, channel: ChannelRow): Audience => {
  if (channel.is_web_public) return AllUsers
  if (!channel.invite_only) {
    const nonGuests: Audience = { roles: [Role.owner, Role.member] }
    return hasGuests(state, channel.id) ? { channel: channel.id, ...nonGuests } : nonGuests
  }
  return { channel: channel.id, ...groupViewers(state, channel) }
}

/** The users with metadata access to a private channel without a subscription. */
export const groupViewers = (state: RealmState, channel: ChannelRow): Audience => {
  const { weakest, users } = nonGuestHolders(
    state,
    metadataGroups.map((setting) => channel[setting]),
  )
  const to = Math.max(weakest, Role.administrator)
  const others = [...users].filter((id) => (state.users.get(id)?.role ?? 0) > to)
  return { roles: [Role.owner, to], ...(others.length > 0 ? { users: others.sort((a, b) => a - b) } : {}) }
}

const hasGuests = (state: RealmState, channel_id: number): boolean => {
  for (const id of state.subscribers(channel_id)) if (state.users.get(id)?.role === Role.guest) return true
  return false
}
