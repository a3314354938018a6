/**
 * Leads the pictures in stored HTML through the proxy.
 *
 * The renderer writes addresses of the proxy. Stored HTML can have others: direct ones, from the time before there was
 * a proxy, and ones that were signed with a former secret. So HTML passes here whenever it leaves the server, and its
 * readers load pictures of other sites from the proxy, whenever it was written.
 */
import type { Deployment } from '../deployment/deployment.js'
import { EXTERNAL_CONTENT } from '../deployment/media-proxy.js'
import { unescapeHtml } from '../html/html.js'

/** Only these can load media. In text and in attributes, `<` is an entity. */
const mayHaveMedia = /<(?:img|video) |class="message_embed_image"/

/** A tag of the HTML that the server writes: its name and its attributes. */
const tag = /<(img|video|a)((?: [\w-]+="[^"]*")+)>/g
const source = /( src=")([^"]*)"/
const background = /( style="background-image: url\((?:&quot;|'))(.*?)(?=(?:&quot;|')\))/

/**
 * Returns the HTML with the addresses of the proxy.
 * @param stored HTML as this server wrote it
 */
export const proxyStoredMedia = (stored: string, deployment: Deployment): string => {
  if (deployment.mediaProxy === undefined || !mayHaveMedia.test(stored)) return stored
  return stored.replace(tag, (_, name: string, attributes: string) => {
    const address = name === 'a' ? background : source
    const proxied = attributes.replace(address, (whole, before: string, written: string) => {
      const changed = proxyAddress(unescapeHtml(written), name === 'video', deployment)
      return changed === undefined ? whole : `${before}${encodeURI(changed)}${name === 'a' ? '' : '"'}`
    })
    return `<${name}${proxied}>`
  })
}

/**
 * Returns the record with the addresses of the proxy in the HTML of these fields. It changes only those fields that the
 * record has.
 */
export const proxyMedia = <T extends object>(record: T, fields: readonly (keyof T)[], deployment: Deployment): T => {
  const changed = { ...record }
  for (const field of fields) {
    const html = record[field]
    if (typeof html === 'string') changed[field] = proxyStoredMedia(html, deployment) as T[typeof field]
  }
  return changed
}

/** The address of the proxy for an address; undefined: it stays as it is. */
const proxyAddress = (
  address: string,
  isVideo: boolean,
  { mediaProxy, isOwnAddress }: Deployment,
): string | undefined => {
  const url = address.startsWith(EXTERNAL_CONTENT) ? readSigned(address) : address
  if (url === undefined || mediaProxy === undefined || !/^https?:\/\//i.test(url)) return undefined
  const isProxied = mediaProxy.origin !== undefined && url.startsWith(`${mediaProxy.origin}/`)
  if (isProxied || isOwnAddress(url)) return undefined
  const proxied = isVideo ? mediaProxy.video(url) : mediaProxy.picture(url)
  return proxied === address ? undefined : proxied
}

const readSigned = (address: string): string | undefined => {
  const [, hex] = /^[0-9a-f]{40}\/((?:[0-9a-f]{2})+)$/.exec(address.slice(EXTERNAL_CONTENT.length)) ?? []
  return hex === undefined ? undefined : Buffer.from(hex, 'hex').toString()
}
