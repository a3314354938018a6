/**
 * Presence: when a user last used a client, in the two forms that clients read.
 *
 * Source: protocol/endpoints.md 3.4, protocol/register.md 5.7, protocol/events.md 3.3.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { limits } from '../../limits/limits.js'
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { getSetting } from '../../settings/user-settings.js'

/** When a user was last active and last connected, in UNIX seconds. */
export interface LastSeen {
  user_id: number
  /** the user last used a client */
  active_at: number
  /** a client of the user was last connected */
  connected_at: number
}

/** The presence of a user for clients that ask for `slim_presence`. The times are in UNIX seconds. */
export const slimPresence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() })

const status = z.enum(['active', 'idle', 'offline'])
export const presenceEntry = z.object({ client: z.literal('website'), status, timestamp: z.int() })

/** The presence of a user at one client. This server reports all clients as `website`. */
export const websitePresence = presenceEntry.extend({ pushable: z.literal(false) })
/** The presence of a user for clients that do not ask for `slim_presence`. */
export const legacyPresence = z.object({ aggregated: presenceEntry, website: websitePresence })

/** A connected user counts as active for this many seconds after the last use. */
const ACTIVE_SECONDS = 70

/** The presence as times, from which the client derives a status. */
export const toSlimPresence = ({ active_at, connected_at }: LastSeen): z.infer<typeof slimPresence> => ({
  active_timestamp: active_at,
  idle_timestamp: connected_at,
})

const toPresenceEntry = ({ active_at, connected_at }: LastSeen) => {
  const isActive = active_at >= connected_at - ACTIVE_SECONDS
  return {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? active_at : connected_at,
  } as const
}

/** The presence at the client `website`: a status and its time. The status is never `offline`. */
export const toWebsitePresence = (seen: LastSeen): z.infer<typeof websitePresence> => ({
  ...toPresenceEntry(seen),
  pushable: false,
})

/** The presence over all clients and by client, which are the same here. */
export const toLegacyPresence = (seen: LastSeen): z.infer<typeof legacyPresence> => ({
  aggregated: toPresenceEntry(seen),
  website: toWebsitePresence(seen),
})

/** The status of one user. @param now UNIX seconds */
export const presenceStatus = (seen: LastSeen, now: number) => {
  const { status, timestamp } = toPresenceEntry(seen)
  const isOffline = now - timestamp > limits.server_presence_offline_threshold_seconds
  return { status: isOffline ? ('offline' as const) : status, timestamp }
}

/**
 * Composes the presence of a user who has just hidden it. It is that of a client that went offline before.
 * @param now UNIX seconds
 */
export const hiddenPresence = (user_id: number, now: number): LastSeen => {
  const last = now - limits.server_presence_offline_threshold_seconds - 1
  return { user_id, active_at: last, connected_at: last }
}

/**
 * Returns the presence with which settings hide a user. It is undefined when they do not, or when the user is hidden
 * already.
 */
export const presenceToHide = (user: UserRow, presence_enabled: boolean | undefined): LastSeen | undefined =>
  presence_enabled === false && getSetting(user, 'presence_enabled') ? hiddenPresence(user.id, secondsNow()) : undefined

/** After an absence of this many seconds, a user's return is sent as an event. */
export const AWAY_SECONDS =
  limits.server_presence_offline_threshold_seconds - limits.server_presence_ping_interval_seconds - 10

type IsKnown = (user: UserRow) => boolean

/** The presence of these users by id, in the slim form. Only that of active users to whom the caller has access. */
export const composeSlimForm = (state: RealmState, all: readonly LastSeen[], isKnown: IsKnown) =>
  Object.fromEntries(selectVisible(state, all, isKnown).map(([user, seen]) => [user.id, toSlimPresence(seen)]))

/** The same by API address, in the legacy form. */
export const composeLegacyForm = (state: RealmState, all: readonly LastSeen[], isKnown: IsKnown) =>
  Object.fromEntries(selectVisible(state, all, isKnown).map(([user, seen]) => [user.email, toLegacyPresence(seen)]))

/** The active users to whom the caller has access: the legacy form contains addresses. */
const selectVisible = (state: RealmState, all: readonly LastSeen[], isKnown: IsKnown): [UserRow, LastSeen][] =>
  all.flatMap((seen) => {
    const user = state.users.get(seen.user_id)
    return user?.is_active === true && isKnown(user) ? [[user, seen]] : []
  })
