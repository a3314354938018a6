/**
 * The proxy through which clients load pictures and videos of other sites, so that reading a message does not tell
 * those sites who reads it. Source: messages.md 6.5.
 */
import { createHmac } from 'node:crypto'

/** Returns the address under which the proxy serves what is at `url`. */
export type MediaProxy = (url: string) => string

/**
 * The proxy at an address.
 * @param uri the prefix of the proxy's addresses
 * @param key the secret with which the proxy verifies its addresses
 */
export const openMediaProxy = (uri: string, key: string): MediaProxy => {
  const prefix = uri.endsWith('/') ? uri : `${uri}/`
  return (url) => `${prefix}${createHmac('sha1', key).update(url).digest('hex')}/${Buffer.from(url).toString('hex')}`
}
