/**
 * Users in message objects: the sender's fields, and the participants of a direct message.
 *
 * The sender's fields are the same for every account, so an avatar's URL is computed from the API address. Only a guest
 * who may not know the sender gets the fields of an unknown user, and a reader without credentials gets no address.
 * Source: protocol/messages.md 2.2, protocol/permissions.md 10.1 and 14.
 */

import { Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import {
  avatarUrl,
  isGravatar,
  maskAddress,
  maxRoleSeeingAddress,
  placeholderEmail,
  unknownAvatarUrl,
  unknownName,
} from '../users/users.js'
import type { Participant, SenderFields } from './message.js'

const known = new WeakMap<UserRow, SenderFields>()

/** The sender's fields, cached as long as the user's row. */
export const senderFields = (state: RealmState, user: UserRow): SenderFields => {
  let fields = known.get(user)
  if (fields === undefined) {
    fields = {
      sender_id: user.id,
      sender_email: user.email,
      sender_full_name: user.full_name,
      sender_realm_str: state.realm.string_id,
      avatar_url: avatarUrl(user, false),
      is_gravatar: isGravatar(user) && maxRoleSeeingAddress(user) === Role.guest,
    }
    known.set(user, fields)
  }
  return fields
}

/**
 * Returns the fields of a sender for a reader without credentials. Such a reader sees the address of no person
 * (protocol/permissions.md 14).
 */
export const senderForSpectator = (state: RealmState, user: UserRow, host: string): SenderFields => {
  const masked = maskAddress(user, host)
  return { ...senderFields(state, user), sender_email: masked.email, avatar_url: avatarUrl(masked, false) }
}

/** The fields of a sender whom the reader may not know. */
export const unknownSender = (state: RealmState, user_id: number, host: string): SenderFields => ({
  sender_id: user_id,
  sender_email: placeholderEmail(user_id, host),
  sender_full_name: unknownName,
  sender_realm_str: state.realm.string_id,
  avatar_url: unknownAvatarUrl,
  is_gravatar: false,
})

/** The participants of a direct message, the same for each of them. */
export const participantFields = (users: readonly UserRow[]): Participant[] =>
  users.map(({ id, email, full_name }) => ({ id, email, full_name, is_mirror_dummy: false }))
