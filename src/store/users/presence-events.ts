/** Sends the presence of a user as an event. Clients poll for every other change of presence. */
import { limits } from '../../domain/limits/limits.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { type LastSeen, toSlimPresence, toWebsitePresence } from '../../domain/users/presence/presence.js'
import { presence } from '../../domain/users/presence/presence-entries.js'
import { audienceWithAccess, contactSources } from '../../domain/users/user-access.js'
import { announce } from '../log/ephemeral.js'
import type { Realm } from '../log/realm.js'
import type { WriteDependencies } from '../log/write-context.js'
import { loadAccountPartners } from './account-changes.js'

/** Sends the presence of a user as an event. It sends none in an organization that is too large for such events. */
export const announcePresence = async (
  { sql, bus }: Pick<WriteDependencies, 'sql' | 'bus'>,
  realm: Realm,
  user: UserRow,
  seen: LastSeen,
  server_timestamp: number,
): Promise<void> => {
  const { state } = realm
  if (countActiveHumans(state) > limits.max_presence_event_audience) return
  const website = toWebsitePresence(seen)
  const partners = await loadAccountPartners(sql, state, user)
  const viewers = audienceWithAccess(state, user, contactSources(state, user, partners))
  const event = { user_id: user.id, email: user.email, viewers }
  announce(bus, realm, presence({ ...event, server_timestamp, presence: { website }, modern: toSlimPresence(seen) }))
}

const countActiveHumans = (state: RealmState): number => {
  let count = 0
  for (const user of state.users.values()) if (user.is_active && !user.is_bot) count += 1
  return count
}
