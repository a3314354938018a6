/**
 * The keys and tokens that derive from the deployment's secret. They are derived where they are shown, so that none of
 * them is stored in the log or in a table: an entry holds only what identifies the key, such as its version.
 */
import {
  deriveApiKey,
  deriveEmailChangeKey,
  deriveInvitationKey,
  deriveJoinKey,
  derivePasswordResetKey,
  deriveSigningSecret,
  deriveSignUpKey,
  deriveStreamKey,
  deriveUnsubscribeKey,
  deriveWebhookToken,
  isSameKey,
  type JoinConfirmation,
  type PasswordReset,
  type SignUpConfirmation,
  type StreamTicket,
  signPictureAddress,
} from './api-key.js'
import { digestRequest, openText, sealText } from './sealed-text.js'

/** What texts of log-ins are encrypted for. */
export type SealPurpose =
  | 'log-in-secret'
  | 'log-in-flow'
  | 'log-in-ticket'
  | 'log-in-answer'
  | 'id-token'
  | 'half-log-in'
  | 'second-factor'
  | 'second-factor-enrolment'

/** The keys and tokens of a deployment. */
export interface Keys {
  /** The API key of an account at a version, which may be a past or a future one. */
  apiKey(realm_id: number, user_id: number, key_version: number): string
  /** The API keys that are valid for an account at a version: one for each secret, the newest first. */
  validApiKeys(realm_id: number, user_id: number, key_version: number): string[]
  /** The token by which the server of a bot recognizes calls of this deployment. */
  webhookToken(realm_id: number, user_id: number): string
  /** The secrets of an event subscription at a version: one for each secret of the deployment, the newest first. */
  signingSecrets(realm_id: number, subscription_id: string, version: number): string[]
  /** The last part of an invitation's link: the id, a dash and the key. */
  invitationToken(realm_id: number, invitation_id: number): string
  /** Whether `input` is the key of the invitation. */
  isInvitationKey(input: string, realm_id: number, invitation_id: number): boolean
  /**
   * The last part of the link that confirms the address of a new user: invitation id, time of expiry, address and key.
   */
  joinToken(realm_id: number, join: JoinConfirmation): string
  /** The confirmation in such a part of a link; undefined when it is not valid. @param now UNIX seconds */
  readJoinToken(token: string, realm_id: number, now: number): JoinConfirmation | undefined
  /** The last part of the link that confirms the address of a user who signs up: the id, a dash and the key. */
  signUpToken(realm_id: number, sign_up: SignUpConfirmation): string
  /** Whether `input` is the key of the sign-up. */
  isSignUpKey(input: string, realm_id: number, sign_up: SignUpConfirmation): boolean
  /** The last part of the link that confirms a new address: the id, a dash and the key. */
  emailChangeToken(realm_id: number, change_id: number): string
  /** Whether `input` is the key of the address change. */
  isEmailChangeKey(input: string, realm_id: number, change_id: number): boolean
  /** The last part of the link for setting a new password: the user id, the time of expiry and the key. */
  passwordResetToken(realm_id: number, reset: PasswordReset): string
  /** Whether `input` is the key of the reset. */
  isPasswordResetKey(input: string, realm_id: number, reset: PasswordReset): boolean
  /** The last part of the link that ends an account's mails about missed messages: the user id, a dash and the key. */
  unsubscribeToken(realm_id: number, user_id: number): string
  /** The user id in such a part of a link; undefined when it is not valid. */
  readUnsubscribeToken(token: string, realm_id: number): number | undefined
  /** A ticket with which a page streams a queue: the user id, the time of expiry and the key. */
  streamTicket(realm_id: number, ticket: StreamTicket): string
  /** Whether `input` is the key of the ticket. */
  isStreamKey(input: string, realm_id: number, ticket: StreamTicket): boolean
  /** The signature of the address of another site's picture, as 40 hex digits. */
  pictureSignature(url: string): string
  /** Whether `input` is the signature of the address. */
  isPictureSignature(input: string, url: string): boolean
  /** The digests of what a call asks for: one for each secret, the newest first. */
  requestDigests(text: string): string[]
  /** Encrypts an answer that a table keeps. */
  sealAnswer(text: string): string
  /** The answer that was encrypted; undefined: no secret of the deployment has encrypted it. */
  openAnswer(sealed: string): string | undefined
  /** Encrypts a text of a log-in. The purpose decides the key. */
  sealFor(purpose: SealPurpose, text: string): string
  /** The text that was encrypted for this purpose; undefined: no secret of the deployment has encrypted it. */
  openFor(purpose: SealPurpose, sealed: string): string | undefined
}

/**
 * The keys of a deployment.
 * @param secrets the first one derives every key that is shown; a key is valid if any of them derives it, so that the
 *   operator can replace the secret without revoking all keys at once
 */
export const openKeys = (secrets: readonly string[]): Keys => {
  const [newest = ''] = secrets
  const isDerived = (input: string, derive: (secret: string) => string): boolean =>
    secrets.some((secret) => isSameKey(input, derive(secret)))

  return {
    apiKey: (realm_id, user_id, key_version) => deriveApiKey(newest, realm_id, user_id, key_version),
    validApiKeys: (realm_id, user_id, key_version) =>
      secrets.map((secret) => deriveApiKey(secret, realm_id, user_id, key_version)),
    webhookToken: (realm_id, user_id) => deriveWebhookToken(newest, realm_id, user_id),
    signingSecrets: (realm_id, id, version) =>
      secrets.map((secret) => deriveSigningSecret(secret, realm_id, id, version)),
    invitationToken: (realm_id, id) => `${id}-${deriveInvitationKey(newest, realm_id, id)}`,
    isInvitationKey: (input, realm_id, id) => isDerived(input, (secret) => deriveInvitationKey(secret, realm_id, id)),
    joinToken(realm_id, join) {
      const email = Buffer.from(join.email).toString('base64url')
      return `${join.invitation_id}-${join.expires_at}-${email}-${deriveJoinKey(newest, realm_id, join)}`
    },
    readJoinToken(token, realm_id, now) {
      const [, id, expires_at, encoded, input] = /^(\d{1,15})-(\d{1,12})-([\w-]+)-([0-9A-Za-z]{32})$/.exec(token) ?? []
      if (encoded === undefined || input === undefined || Number(expires_at) < now) return undefined
      const email = Buffer.from(encoded, 'base64url').toString()
      const join = { invitation_id: Number(id), expires_at: Number(expires_at), email }
      return isDerived(input, (secret) => deriveJoinKey(secret, realm_id, join)) ? join : undefined
    },
    signUpToken: (realm_id, sign_up) => `${sign_up.id}-${deriveSignUpKey(newest, realm_id, sign_up)}`,
    isSignUpKey: (input, realm_id, sign_up) => isDerived(input, (secret) => deriveSignUpKey(secret, realm_id, sign_up)),
    emailChangeToken: (realm_id, id) => `${id}-${deriveEmailChangeKey(newest, realm_id, id)}`,
    isEmailChangeKey: (input, realm_id, id) => isDerived(input, (secret) => deriveEmailChangeKey(secret, realm_id, id)),
    passwordResetToken: (realm_id, reset) =>
      `${reset.user_id}-${reset.expires_at}-${derivePasswordResetKey(newest, realm_id, reset)}`,
    isPasswordResetKey: (input, realm_id, reset) =>
      isDerived(input, (secret) => derivePasswordResetKey(secret, realm_id, reset)),
    unsubscribeToken: (realm_id, user_id) => `${user_id}-${deriveUnsubscribeKey(newest, realm_id, user_id)}`,
    readUnsubscribeToken(token, realm_id) {
      const [, id, input] = /^(\d{1,9})-([0-9A-Za-z]{32})$/.exec(token) ?? []
      if (id === undefined || input === undefined) return undefined
      const user_id = Number(id)
      return isDerived(input, (secret) => deriveUnsubscribeKey(secret, realm_id, user_id)) ? user_id : undefined
    },
    streamTicket: (realm_id, ticket) =>
      `${ticket.user_id}-${ticket.expires_at}-${deriveStreamKey(newest, realm_id, ticket)}`,
    isStreamKey: (input, realm_id, ticket) => isDerived(input, (secret) => deriveStreamKey(secret, realm_id, ticket)),
    pictureSignature: (url) => signPictureAddress(newest, url),
    isPictureSignature: (input, url) =>
      /^[0-9a-f]{40}$/.test(input) && isDerived(input, (secret) => signPictureAddress(secret, url)),
    requestDigests: (text) => secrets.map((secret) => digestRequest(secret, text)),
    sealAnswer: (text) => sealText(newest, text),
    openAnswer: (sealed) => openAny(secrets, (secret) => openText(secret, sealed)),
    sealFor: (purpose, text) => sealText(newest, text, purpose),
    openFor: (purpose, sealed) => openAny(secrets, (secret) => openText(secret, sealed, purpose)),
  }
}

/** What the first of the secrets opens that opens anything. */
const openAny = (secrets: readonly string[], open: (secret: string) => string | undefined): string | undefined => {
  for (const secret of secrets) {
    const text = open(secret)
    if (text !== undefined) return text
  }
  return undefined
}
