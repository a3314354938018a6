/** Who may send direct messages. Source: protocol/messages.md 3.4, protocol/permissions.md 8.2. */
import type { Account, Organization } from './organization.js'
import { mayInRealm } from './permissions.js'

/** Whether no permission is needed: a bot sends, or only bots and the sender receive. */
const isExempt = (sender: Account, participants: readonly Account[]): boolean =>
  sender.is_bot || participants.every((user) => user.is_bot || user.id === sender.id)

/**
 * Whether the sender may send a direct message to these users. One of them must hold the permission.
 * @param participants the sender included
 */
export const mayPostDirectly = (
  organization: Organization,
  sender: Account,
  participants: readonly Account[],
): boolean =>
  isExempt(sender, participants) ||
  participants.some((user) => mayInRealm(organization, user, 'direct_message_permission_group'))

/** Whether the sender may begin the conversation of these users. The first message begins a conversation. */
export const mayBeginConversation = (
  organization: Organization,
  sender: Account,
  participants: readonly Account[],
): boolean => isExempt(sender, participants) || mayInRealm(organization, sender, 'direct_message_initiator_group')
