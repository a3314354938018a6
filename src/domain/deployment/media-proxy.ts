/**
 * The proxies through which clients load pictures of other sites, so that those sites do not learn who reads a message:
 * this server itself, or the Camo of the operator. An address is signed, so that nobody loads other things through the
 * proxy. Source: protocol/messages.md 6.5.
 */
import { createHmac } from 'node:crypto'
import type { Keys } from './keys.js'

/** The addresses under which clients load media of other sites. */
export interface MediaProxy {
  /** the origin of these addresses; undefined: they are on this server */
  readonly origin: string | undefined
  /** Returns the address of a picture. */
  picture(url: string): string
  /** Returns the address of a video: this server only decodes pictures, so it leaves the address of a video alone. */
  video(url: string): string
}

/** Where this server serves pictures of other sites. The signature and the address in hex follow. */
export const EXTERNAL_CONTENT = '/external_content/'

/** Creates the addresses of pictures that this server loads. */
export const openOwnProxy = (keys: Pick<Keys, 'pictureSignature'>): MediaProxy => ({
  origin: undefined,
  picture: (url) => `${EXTERNAL_CONTENT}${keys.pictureSignature(url)}/${Buffer.from(url).toString('hex')}`,
  video: (url) => url,
})

/**
 * Creates the addresses of a Camo.
 * @param uri the prefix of the proxy's addresses
 * @param key the secret with which the proxy verifies its addresses
 */
export const openCamo = (uri: string, key: string): MediaProxy => {
  const prefix = uri.endsWith('/') ? uri : `${uri}/`
  const compose = (url: string) =>
    `${prefix}${createHmac('sha1', key).update(url).digest('hex')}/${Buffer.from(url).toString('hex')}`
  return { origin: new URL(uri).origin, picture: compose, video: compose }
}

/** The longest address of a picture: as hex, it has to fit into the head of a request. */
const MAX_ADDRESS_BYTES = 4_000

/** Reads the address in an address of this server's proxy. Returns undefined if the signature is wrong. */
export const readPictureAddress = (
  keys: Pick<Keys, 'isPictureSignature'>,
  signature: string,
  encoded: string,
): string | undefined => {
  if (encoded.length > 2 * MAX_ADDRESS_BYTES || !/^(?:[0-9a-f]{2})+$/.test(encoded)) return undefined
  const url = Buffer.from(encoded, 'hex').toString()
  // A message can have an address that no client can open: `http://[x]/a.png`.
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  return keys.isPictureSignature(signature, url) ? url : undefined
}
