/**
 * Texts that a table keeps although they can contain a key or a password: encrypted, or as a digest. Both need the
 * secret of the deployment, which the database does not have.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** NIST SP 800-38D: a nonce of 96 bits, and a tag of 128. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

const deriveKey = (secret: string, purpose: string): Buffer => createHmac('sha256', secret).update(purpose).digest()

/** The key of texts without a purpose of their own. */
const NO_PURPOSE = 'sealed-text'

/**
 * Encrypts a text. The result is base64url.
 * @param purpose decides the key: a text that was sealed for one purpose does not open for another one
 */
export const sealText = (secret: string, text: string, purpose = NO_PURPOSE): string => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, purpose), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** Decrypts a text. Returns undefined for one that this secret has not encrypted for this purpose. */
export const openText = (secret: string, sealed: string, purpose = NO_PURPOSE): string | undefined => {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret, purpose), bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const encrypted = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** A digest of what a call asks for, as 32 hex digits. Without the secret, nobody can try passwords against it. */
export const digestRequest = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`request:${text}`).digest('hex').slice(0, 32)
