/**
 * Addresses of uploaded files. A permanent address works with credentials only; a temporary address contains a signed
 * token, and works without credentials until the token expires, or the user who asked for it loses access to the file.
 *
 * A permanent address contains a secret, so it cannot be guessed. It still requires credentials, because messages
 * contain it, and users can forward messages.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** How long a temporary address works, in seconds (protocol/endpoints.md 3.10). */
const TEMPORARY_LINK_SECONDS = 60

/** Makes a file name safe in an address and in a header. For example, `my cat.png` becomes `my-cat.png`. */
export const cleanFileName = (input: string): string => {
  const name = (input.split(/[\\/]/).at(-1) ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|-+$/g, '')
  return name.slice(-100) || 'file'
}

/** Code points of the stored name and type of a file. The name is sent in a header, whose length proxies limit. */
const MAX_NAME_LENGTH = 255
const MAX_TYPE_LENGTH = 255

/** Returns the name to store for a file that a user uploads. The name has no folders and no control characters. */
export const storedFileName = (input: string): string => {
  const name = (input.split(/[\\/]/).at(-1) ?? '').replace(/\p{Cc}/gu, '')
  return [...name].slice(-MAX_NAME_LENGTH).join('') || 'file'
}

/** Returns the content type to store for a file that a user uploads. */
export const storedContentType = (input: string): string =>
  input.replace(/\P{ASCII}|\p{Cc}/gu, '').slice(0, MAX_TYPE_LENGTH)

/** Returns a new path id: the permanent address of a file below /user_uploads/. */
export const generatePathId = (realm_id: number, name: string): string =>
  `${realm_id}/${randomBytes(18).toString('base64url')}/${cleanFileName(name)}`

/** What a temporary address gives access to. */
export interface FileClaim {
  attachment_id: number
  /** the user who asked for the address: it works while this user can read the file; undefined: a spectator */
  user_id: number | undefined
}

/**
 * Returns the token for a temporary address of a file.
 * @param secrets of the deployment; the first one signs (deployment/keys.ts)
 * @param now UNIX seconds
 */
export const signFileToken = (
  [newest = '']: readonly string[],
  realm_id: number,
  { attachment_id, user_id }: FileClaim,
  now: number,
): string => {
  const claim = `${attachment_id}.${user_id ?? 0}.${now + TEMPORARY_LINK_SECONDS}`
  return `${claim}.${sign(newest, realm_id, claim)}`
}

/**
 * Verifies a token, and returns the claim in it. Returns undefined if the token has expired, or its signature is wrong.
 */
export const verifyFileToken = (
  secrets: readonly string[],
  realm_id: number,
  token: string,
  now: number,
): FileClaim | undefined => {
  const [, id, user, until, input] = /^(\d{1,15})\.(\d{1,15})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || user === undefined || input === undefined || Number(until) < now) return undefined
  const isRight = secrets.some((secret) =>
    timingSafeEqual(Buffer.from(input), Buffer.from(sign(secret, realm_id, `${id}.${user}.${until}`))),
  )
  return isRight ? { attachment_id: Number(id), user_id: user === '0' ? undefined : Number(user) } : undefined
}

const sign = (secret: string, realm_id: number, claim: string): string =>
  createHmac('sha256', secret).update(`temporary-file:${realm_id}:${claim}`).digest('base64url')
