/**
 * The destination of a message: parses the forms in which clients write it.
 *
 * Source: protocol/messages.md 3.1, protocol/clients.md 11.3.
 */

import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { isDirectType } from '../protocol/aliases.js'
import { errors } from '../protocol/errors.js'
import { canSeeAddress } from '../users/users.js'

/** A channel, by name or id, with a topic; or users (the sender may be missing). */
export type Destination = { channel: string | number; topic: string } | { users: readonly UserRow[] }

/** The destination of a request; without `to`, the bot's default channel. Throws BAD_REQUEST for unknown users. */
export const parseDestination = (
  state: RealmState,
  sender: UserRow,
  input: { type: string; to?: string | undefined; topic?: string | undefined },
  isKnown?: AccessCheck,
): Destination => {
  const { type, to, topic } = input
  if (isDirectType(type)) return { users: requireRecipients(state, sender, parseUsers(to ?? ''), isKnown) }
  const channel = to === undefined ? state.bots.get(sender.id)?.default_sending_channel_id : parseChannel(to)
  if (channel == null) throw errors.badRequest('Send the name or the ID of a channel in the parameter to.')
  if (topic === undefined) throw errors.badRequest('A channel message needs a topic.')
  return { channel, topic }
}

/** The channel that `to` names: a name, plain or as JSON, an id, or a list of exactly one of these. */
const parseChannel = (to: string): string | number => {
  const value = parseJsonOrText(to)
  const named = Array.isArray(value) ? value[0] : value
  if (Array.isArray(value) && value.length !== 1)
    throw errors.badRequest('Send exactly one channel in the parameter to.')
  if (typeof named === 'string' || Number.isSafeInteger(named)) return named
  throw errors.badRequest('The parameter to must be the name or the ID of a channel.')
}

/** The users in `to`: a list of ids or of addresses, or addresses separated by commas, plain or as JSON. */
const parseUsers = (to: string): readonly (string | number)[] => {
  const value = parseJsonOrText(to)
  const list = typeof value === 'string' ? value.split(',') : value
  if (!Array.isArray(list)) throw errors.badRequest('Recipients must be a list of user IDs or of email addresses.')
  const recipients = list
    .map((recipient) => (typeof recipient === 'string' ? recipient.trim() : recipient))
    .filter((recipient) => recipient !== '')
  if (recipients.length === 0) throw errors.badRequest('Send at least one recipient in the parameter to.')
  const [first] = recipients
  if (typeof first !== 'string' && !Number.isSafeInteger(first)) {
    throw errors.badRequest('Recipients must be a list of user IDs or of email addresses.')
  }
  if (
    recipients.some(
      (recipient) =>
        typeof recipient !== typeof first || (typeof recipient === 'number' && !Number.isSafeInteger(recipient)),
    )
  ) {
    throw errors.badRequest('Send all recipients as user IDs, or all as email addresses.')
  }
  return recipients
}

/** The users, each once, in the order given. Throws BAD_REQUEST for one whom the sender cannot write to. */
export const requireRecipients = (
  state: RealmState,
  sender: UserRow,
  recipients: readonly (string | number)[],
  isKnown?: AccessCheck,
): readonly UserRow[] => {
  const found = new Map<number, UserRow>()
  for (const named of recipients) {
    const user = findAccount(state, sender, named, isKnown)
    if (user === undefined) {
      throw typeof named === 'number'
        ? errors.invalidRecipient({ user_id: named })
        : errors.invalidEmail({ email: named })
    }
    if (!user.is_active)
      throw errors.badRequest('{email} is deactivated: remove this recipient.', { email: user.email })
    found.set(user.id, user)
  }
  return [...found.values()]
}

/** Whether the viewer has access to an account: restricted guests have to few (users/user-access.ts). */
export type AccessCheck = (user: UserRow) => boolean

/**
 * The user with this id or address. A real address finds a user only for viewers who may see the address, and an
 * account that exists for them: otherwise a viewer could guess addresses to learn who has an account.
 * @param viewer undefined: without credentials, who gets addresses only of bots, and `user{id}@host` of people
 */
export const findAccount = (
  state: RealmState,
  viewer: UserRow | undefined,
  named: string | number,
  isKnown: AccessCheck = () => true,
): UserRow | undefined => {
  if (typeof named === 'number') return state.users.get(named)
  const user = state.userByEmail(named)
  if (viewer === undefined) return user?.is_bot === true ? user : findByPlaceholder(state, named)
  if (user === undefined || !isKnown(user)) return undefined
  return user.email.toLowerCase() === named.toLowerCase() || canSeeAddress(viewer, user) ? user : undefined
}

/** The account of an address `user{id}@host`. The host does not matter: the number alone names the account. */
const findByPlaceholder = (state: RealmState, address: string): UserRow | undefined =>
  state.users.get(Number(/^user(\d{1,9})@/i.exec(address)?.[1] ?? 0))

const parseJsonOrText = (text: string): unknown => {
  // Not tried on a plain name: most messages name their channel, and an exception costs more than all other parsing.
  if (!/^\s*["[{\dtfn-]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
