/**
 * Where clients load pictures and videos of other sites from: through a proxy of the deployment's, so that reading a
 * message tells those sites nothing. The process is told so once, at its start. Source: messages.md 6.5.
 */
import { createHmac } from 'node:crypto'

type Through = (url: string) => string

let proxy: Through | undefined

/**
 * Names the proxy, before the first message is rendered; without one, clients load from the sites themselves.
 * @param uri where the addresses of the proxy begin
 * @param key what the proxy knows its own addresses by
 */
export const useMediaProxy = (uri: string | undefined, key = ''): void => {
  proxy = uri === undefined ? undefined : through(uri.endsWith('/') ? uri : `${uri}/`, key)
}

/** From where clients load what is at an address; undefined: there is no proxy. */
export const mediaProxy = (): Through | undefined => proxy

const through = (uri: string, key: string) => (url: string) =>
  `${uri}${createHmac('sha1', key).update(url).digest('hex')}/${Buffer.from(url).toString('hex')}`
