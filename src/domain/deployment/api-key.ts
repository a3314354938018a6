/**
 * Derives API keys and the keys in links from the deployment's secret, so that no key is stored in a table.
 *
 * Increasing `key_version` in the user's row invalidates every earlier key of that account.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The confirmation of an address by a user who joins by a reusable invitation. */
export interface JoinConfirmation {
  invitation_id: number
  /** UNIX seconds */
  expires_at: number
  /** the address to which the link is mailed */
  email: string
}

/** The request of a user who signs up, of which the link confirms the address. */
export interface SignUpConfirmation {
  id: number
  /** the address to which the link is mailed */
  email: string
}

export interface PasswordReset {
  user_id: number
  /** UNIX seconds */
  expires_at: number
  /** the hash of the password that is to be replaced */
  password_hash: string
  key_version: number
  /** the address to which the link is mailed */
  delivery_email: string
}

/** What a ticket permits: to stream one queue of an account, with no other credentials. */
export interface StreamTicket {
  user_id: number
  /** UNIX seconds */
  expires_at: number
  /** a ticket becomes invalid with the API key with which it was requested */
  key_version: number
  queue_id: string
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 32

/** The key of an account: 32 letters and digits (190 bits). */
export const deriveApiKey = (secret: string, realm_id: number, user_id: number, key_version: number): string =>
  deriveKey(secret, `api-key:${realm_id}:${user_id}:${key_version}`)

/** The token that an outgoing webhook sends to the server of a bot. It has the length of an API key, and is none. */
export const deriveWebhookToken = (secret: string, realm_id: number, user_id: number): string =>
  deriveKey(secret, `webhook-token:${realm_id}:${user_id}`)

/** The secret that signs deliveries of an event subscription. Its form is that of Standard Webhooks. */
export const deriveSigningSecret = (secret: string, realm_id: number, subscription_id: string, version: number) =>
  `whsec_${createHmac('sha256', secret).update(`event-subscription:${realm_id}:${subscription_id}:${version}`).digest('base64')}`

/** The key in the link of an invitation. */
export const deriveInvitationKey = (secret: string, realm_id: number, invitation_id: number): string =>
  deriveKey(secret, `invitation:${realm_id}:${invitation_id}`)

/** Derives the key in the link that confirms the address of a joining user. The user joins by a reusable invitation. */
export const deriveJoinKey = (secret: string, realm_id: number, join: JoinConfirmation): string =>
  deriveKey(secret, `join:${realm_id}:${join.invitation_id}:${join.expires_at}:${join.email}`)

/**
 * The key in the link that confirms the address of a user who signs up. It belongs to the address too: in an
 * organization that was moved or restored, another address can get the id.
 */
export const deriveSignUpKey = (secret: string, realm_id: number, { id, email }: SignUpConfirmation): string =>
  deriveKey(secret, `sign-up:${realm_id}:${id}:${email}`)

/** The key in the link that confirms a new address. */
export const deriveEmailChangeKey = (secret: string, realm_id: number, change_id: number): string =>
  deriveKey(secret, `email-change:${realm_id}:${change_id}`)

/**
 * The key in the link that sets a new password. It depends on every credential of the account that the link replaces.
 */
export const derivePasswordResetKey = (secret: string, realm_id: number, reset: PasswordReset): string => {
  const { user_id, expires_at, password_hash, key_version, delivery_email } = reset
  return deriveKey(
    secret,
    `password-reset:${realm_id}:${user_id}:${expires_at}:${password_hash}:${key_version}:${delivery_email}`,
  )
}

/** The key in the link that ends an account's mails about missed messages. It permits nothing else, and stays valid. */
export const deriveUnsubscribeKey = (secret: string, realm_id: number, user_id: number): string =>
  deriveKey(secret, `unsubscribe:${realm_id}:${user_id}`)

/** The key in a ticket for a stream. */
export const deriveStreamKey = (secret: string, realm_id: number, ticket: StreamTicket): string => {
  const { user_id, expires_at, key_version, queue_id } = ticket
  return deriveKey(secret, `stream:${realm_id}:${user_id}:${expires_at}:${key_version}:${queue_id}`)
}

/** Signs the address of another site's picture. The signature is as long as that of a Camo, 40 hex digits. */
export const signPictureAddress = (secret: string, url: string): string =>
  createHmac('sha256', secret).update(`external-picture:${url}`).digest('hex').slice(0, 40)

const deriveKey = (secret: string, purpose: string): string => {
  const digest = createHmac('sha256', secret).update(purpose).digest('hex')
  let rest = BigInt(`0x${digest}`)
  let key = ''
  for (let i = 0; i < LENGTH; i++) {
    key += ALPHABET[Number(rest % 62n)]
    rest /= 62n
  }
  return key
}

/** Whether a text has the form of a key. */
export const looksLikeApiKey = (text: string): boolean => /^[0-9A-Za-z]{32}$/.test(text)

/** Whether `input`, which must have the form of a key, equals `key`. The time does not depend on where they differ. */
export const isSameKey = (input: string, key: string): boolean => timingSafeEqual(Buffer.from(input), Buffer.from(key))
