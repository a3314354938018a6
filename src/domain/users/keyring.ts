/**
 * The keys that clients are shown of accounts: derived where they are shown, so that none of them lies in the log.
 *
 * What an event says is a function of its entry (entry.ts). So the secret that the keys derive from is told to the
 * process once, at its start, and the entry holds only which key it is.
 */
import {
  apiKeyOf,
  emailChangeKeyOf,
  invitationKeyOf,
  isSameKey,
  passwordResetKeyOf,
  webhookTokenOf,
} from './api-key.js'

let secret: string | undefined

/** Tells the deployment's secret, before the first event or answer is built. */
export const unlockKeyring = (given: string): void => {
  secret = given
}

/** The API key that an account has, had or will have, by its version. */
export const keyOf = (realm_id: number, user_id: number, key_version: number): string =>
  apiKeyOf(unlocked(), realm_id, user_id, key_version)

/** What an outgoing webhook shows to the bot's server, which knows by it who calls. */
export const tokenOf = (realm_id: number, user_id: number): string => webhookTokenOf(unlocked(), realm_id, user_id)

/** What the link of an invitation ends with. */
export const invitationToken = (realm_id: number, invitation_id: number): string =>
  `${invitation_id}-${invitationKeyOf(unlocked(), realm_id, invitation_id)}`

/** Whether this is the key of the invitation. */
export const isSameInvitation = (given: string, realm_id: number, invitation_id: number): boolean =>
  isSameKey(given, invitationKeyOf(unlocked(), realm_id, invitation_id))

/** What the link that confirms a new address ends with. */
export const emailChangeToken = (realm_id: number, change_id: number): string =>
  `${change_id}-${emailChangeKeyOf(unlocked(), realm_id, change_id)}`

/** Whether this is the key of the change. */
export const isSameEmailChange = (given: string, realm_id: number, change_id: number): boolean =>
  isSameKey(given, emailChangeKeyOf(unlocked(), realm_id, change_id))

export interface PasswordReset {
  user_id: number
  /** UNIX seconds */
  expires_at: number
  /** of the password that is to be replaced */
  password_hash: string
}

/** What the link by which somebody chooses another password ends with. */
export const passwordResetToken = (realm_id: number, reset: PasswordReset): string =>
  `${reset.user_id}-${reset.expires_at}-${passwordResetKeyOf(unlocked(), realm_id, reset)}`

/** Whether this is the key of the reset. */
export const isSamePasswordReset = (given: string, realm_id: number, reset: PasswordReset): boolean =>
  isSameKey(given, passwordResetKeyOf(unlocked(), realm_id, reset))

const unlocked = (): string => {
  if (secret === undefined) throw new Error('the keyring was not unlocked at the start of this process')
  return secret
}
