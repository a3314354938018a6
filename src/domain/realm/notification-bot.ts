/** The notification bot: the system account that posts notices. Every organization has one from its creation on. */
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'

/** Its address, the same in every organization. */
export const notificationBotAddress = 'notification-bot@parley.invalid'

/** The organization's notification bot. */
export const notificationBot = (state: RealmState): UserRow | undefined => state.userByEmail(notificationBotAddress)
