/**
 * Addresses of uploaded files: lasting ones, which need credentials, and short-lived ones, which are their own.
 *
 * A lasting address holds a secret, so it cannot be guessed either; but it is in messages, and those are passed on.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** How long an address without credentials is good for, in seconds (endpoints.md 3.10). */
const TEMPORARY_LINK_SECONDS = 60

/** A name that is safe in an address and in a header: `my cat.png` is `my-cat.png`. */
export const cleanFileName = (given: string): string => {
  const name = (given.split(/[\\/]/).at(-1) ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|-+$/g, '')
  return name.slice(-100) || 'file'
}

/** A new lasting address, below /user_uploads/. */
export const newPathId = (realm_id: number, name: string): string =>
  `${realm_id}/${randomBytes(18).toString('base64url')}/${cleanFileName(name)}`

/** What stands in a short-lived address of a file. @param now UNIX seconds */
export const signFileToken = (secret: string, realm_id: number, attachment_id: number, now: number): string => {
  const claim = `${attachment_id}.${now + TEMPORARY_LINK_SECONDS}`
  return `${claim}.${sign(secret, realm_id, claim)}`
}

/** The file that such an address is of; undefined when it is over, or not ours. */
export const verifyFileToken = (secret: string, realm_id: number, token: string, now: number): number | undefined => {
  const [, id, until, given] = /^(\d{1,15})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || until === undefined || given === undefined || Number(until) < now) return undefined
  const right = sign(secret, realm_id, `${id}.${until}`)
  return timingSafeEqual(Buffer.from(given), Buffer.from(right)) ? Number(id) : undefined
}

const sign = (secret: string, realm_id: number, claim: string): string =>
  createHmac('sha256', secret).update(`temporary-file:${realm_id}:${claim}`).digest('base64url')
