/**
 * The proxy through which clients load pictures and videos of other sites, so that those
 * sites do not learn who reads a message. Source: messages.md 6.5.
 */
import { createHmac } from 'node:crypto'

/** Returns the address under which the proxy serves the file at `url`. */
export type MediaProxy = (url: string) => string

/**
 * Creates the function for the proxy at an address.
 * @param uri the prefix of the proxy's addresses
 * @param key the secret with which the proxy verifies its addresses
 */
export const openMediaProxy = (uri: string, key: string): MediaProxy => {
  const prefix = uri.endsWith('/') ? uri : `${uri}/`
  return (url) => `${prefix}${createHmac('sha1', key).update(url).digest('hex')}/${Buffer.from(url).toString('hex')}`
}
