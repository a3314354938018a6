/**
 * A log-in with a provider, from its beginning to its end: what the browser keeps of it in a cookie, encrypted.
 *
 * 1. Nothing is stored until the provider has answered, so a stranger who begins log-ins fills no table.
 * 2. The cookie names the organization and the method: the answer of one provider does not end the log-in with another
 *    one (mix-up).
 * 3. The answer is accepted once: its state is marked as used (store/users/used-tokens.ts).
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Keys } from '../../domain/deployment/keys.js'
import { errors } from '../../domain/protocol/errors.js'
import type { LogInChecks } from './openid-connect.js'

/** How long a user may take at the provider. */
export const FLOW_SECONDS = 900
/** How long the token that a user carries to the desktop app is valid. */
export const TICKET_SECONDS = 120

/** What happens after the log-in. */
const Purpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), next: z.string() }),
  z.object({ kind: z.literal('mobile'), otp: z.string() }),
  z.object({ kind: z.literal('desktop'), otp: z.string() }),
  z.object({ kind: z.literal('link'), user_id: z.int(), session_id: z.int() }),
])

export type LogInPurpose = z.infer<typeof Purpose>

const Flow = z.object({
  realm_id: z.int(),
  method: z.string(),
  checks: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  purpose: Purpose,
  expires_at: z.number(),
})

/** A log-in that has begun. */
export interface LogInFlow {
  readonly realm_id: number
  /** the key of the method */
  readonly method: string
  readonly checks: LogInChecks
  readonly purpose: LogInPurpose
  /** UNIX seconds */
  readonly expires_at: number
}

/** The value of the cookie. */
export const sealFlow = (keys: Keys, flow: LogInFlow): string => keys.sealFor('log-in-flow', JSON.stringify(flow))

/**
 * The log-in of the browser. Throws BAD_REQUEST when it has begun none with this method, or too long ago.
 * @param now UNIX seconds
 */
export const openFlow = (
  keys: Keys,
  cookie: string | undefined,
  { realm_id, method, now }: { realm_id: number; method: string; now: number },
): LogInFlow => {
  const text = cookie === undefined ? undefined : keys.openFor('log-in-flow', cookie)
  const flow = text === undefined ? undefined : Flow.safeParse(JSON.parse(text)).data
  if (flow?.realm_id !== realm_id || flow.method !== method || flow.expires_at < now) {
    throw errors.badRequest('This log-in did not begin in this browser, or took too long. Begin again.')
  }
  return flow
}

/** Identifies the answer to a log-in, or a ticket, among those that were used (3). */
export const hashOnce = (id: string): Uint8Array => createHash('sha256').update(`log-in:${id}`).digest()

/** What the browser opens after the log-in. It is an address of this server, whatever was asked for. */
export const validateNext = (input: string): string => {
  // A browser takes a backslash for a slash, and ignores tabs and line ends.
  if (!/^\/(?![/\\])[^\\\s]{0,1000}$/.test(input)) return '/'
  return input
}

/** Refuses a one-time pad that apps do not send: 32 bytes as hex digits. Throws BAD_REQUEST. */
export const validatePad = (input: string): string => {
  if (!/^[0-9a-f]{64}$/i.test(input)) throw errors.badRequest('The one-time pad of the app must have 64 hex digits.')
  return input.toLowerCase()
}

/**
 * The address with which a mobile app takes over. It has the API key, combined with the pad that only the app knows.
 * Source: protocol/clients.md 7.1.
 */
export const composeMobileAddress = (
  pad: string,
  account: { realm_url: string; email: string; user_id: number; api_key: string },
): string => {
  const key = Buffer.from(account.api_key)
  const encrypted = Buffer.from(pad, 'hex').map((byte, i) => byte ^ (key[i] ?? 0))
  const { realm_url: realm, email, user_id } = account
  const query = new URLSearchParams({
    realm,
    email,
    user_id: String(user_id),
    otp_encrypted_api_key: Buffer.from(encrypted).toString('hex'),
  })
  return `zulip://login?${query}`
}

/** The text that a user carries to the desktop app. It is a nonce, and the token in AES-256-GCM with the pad as key. */
export const encryptForDesktop = (pad: string, token: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(pad, 'hex'), nonce)
  const encrypted = Buffer.concat([cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([nonce, encrypted]).toString('hex')
}

const Ticket = z.object({
  /** names the ticket, of whose text base64 has several spellings */
  id: z.string(),
  realm_id: z.int(),
  user_id: z.int(),
  key_version: z.int(),
  expires_at: z.number(),
  provider: z.object({
    method: z.string(),
    issuer: z.string(),
    subject: z.string(),
    sid: z.string(),
    sealed_id_token: z.string().nullable(),
  }),
})

/** A log-in that goes on in another program. */
export type LogInTicket = z.infer<typeof Ticket>

/** The token with which the other program goes on. */
export const sealTicket = (keys: Keys, ticket: LogInTicket): string =>
  keys.sealFor('log-in-ticket', JSON.stringify(ticket))

/** The log-in that a token stands for. Throws BAD_REQUEST. @param now UNIX seconds */
export const openTicket = (keys: Keys, token: string, realm_id: number, now: number): LogInTicket => {
  const text = keys.openFor('log-in-ticket', token.trim())
  const ticket = text === undefined ? undefined : Ticket.safeParse(JSON.parse(text)).data
  if (ticket?.realm_id !== realm_id || ticket.expires_at < now) {
    throw errors.badRequest('This token is not valid any more. Log in again.')
  }
  return ticket
}
