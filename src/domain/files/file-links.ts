/**
 * Addresses of uploaded files. A permanent address works with credentials only; a temporary address contains a signed
 * token, and works without credentials until the token expires.
 *
 * A permanent address contains a secret, so it cannot be guessed. It still requires credentials, because messages
 * contain it, and users can forward messages.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** How long a temporary address works, in seconds (endpoints.md 3.10). */
const TEMPORARY_LINK_SECONDS = 60

/** Returns a file name that is safe in an address and in a header: `my cat.png` becomes `my-cat.png`. */
export const cleanFileName = (given: string): string => {
  const name = (given.split(/[\\/]/).at(-1) ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|-+$/g, '')
  return name.slice(-100) || 'file'
}

/** Returns a new path id: the permanent address of a file below /user_uploads/. */
export const createPathId = (realm_id: number, name: string): string =>
  `${realm_id}/${randomBytes(18).toString('base64url')}/${cleanFileName(name)}`

/**
 * Returns the token for a temporary address of a file.
 * @param secrets of the deployment; the first one signs (deployment/keys.ts)
 * @param now UNIX seconds
 */
export const signFileToken = (
  [newest = '']: readonly string[],
  realm_id: number,
  attachment_id: number,
  now: number,
): string => {
  const claim = `${attachment_id}.${now + TEMPORARY_LINK_SECONDS}`
  return `${claim}.${sign(newest, realm_id, claim)}`
}

/** Returns the attachment id in a token; undefined: the token has expired, or its signature is wrong. */
export const verifyFileToken = (
  secrets: readonly string[],
  realm_id: number,
  token: string,
  now: number,
): number | undefined => {
  const [, id, until, given] = /^(\d{1,15})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || until === undefined || given === undefined || Number(until) < now) return undefined
  const isRight = secrets.some((secret) =>
    timingSafeEqual(Buffer.from(given), Buffer.from(sign(secret, realm_id, `${id}.${until}`))),
  )
  return isRight ? Number(id) : undefined
}

const sign = (secret: string, realm_id: number, claim: string): string =>
  createHmac('sha256', secret).update(`temporary-file:${realm_id}:${claim}`).digest('base64url')
