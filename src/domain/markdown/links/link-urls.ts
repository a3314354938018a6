/**
 * Decides which addresses a link can have, and how an href is written.
 *
 * Only this file decides what becomes an href. An address begins with one of the schemes below, or gets one, or stays
 * within the organization (`/x`, `#y`). Browsers decode entities in an href: none can be in the scheme, nor directly
 * after the first slash. So no address that a browser would execute becomes an href, however it is spelled.
 * Source: protocol/messages.md 6.3.
 */

import type { SafeUrl } from '../../html/html.js'

const schemes = new Set(
  'http https ftp file bitcoin geo im irc ircs magnet mailto matrix mid mms news nntp openpgp4fpr sip sms smsto ssh tel urn webcal wtai xmpp'.split(
    ' ',
  ),
)

/** An address with a scheme that requires a host, without the host. */
const needsHost = /^(?:https?|ftp):(?!\/\/[^/?#])/i

/** Browsers ignore these characters inside a scheme. */
const control = /\p{Cc}/gu

/** An entity directly after the first slash could be another slash: the address of another site. */
const entityAfterSlash = /^\/&(?=#?[0-9a-z]+;)/i

/** Completes the typed address with its scheme. Returns undefined if a link cannot have this address. */
export const completeSafeUrl = (typed: string): SafeUrl | undefined =>
  completeUrl(typed.trim().replace(control, '').replaceAll(' ', '%20').replace(entityAfterSlash, '/%26')) as
    | SafeUrl
    | undefined

/**
 * Returns the typed address as an href in a message of this organization. Returns undefined if a link cannot have it.
 */
export const completeSafeHref = (typed: string, realm_url: string): SafeUrl | undefined => {
  const url = completeSafeUrl(typed)
  return url === undefined ? undefined : (shortenRealmUrl(url, realm_url) as SafeUrl)
}

const completeUrl = (url: string): string | undefined => {
  // Browsers read `/\\` as `//`: the address of another site.
  if (/^\/[/\\]/.test(url)) return completeUrl(`http://${url.slice(2)}`)
  if (url.startsWith('/') || (url.startsWith('#') && url.length > 1)) return url
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0]
  if (scheme === undefined) return /^[^/?#]*@/.test(url) ? `mailto:${url}` : `http://${url}`
  if (!hasLinkScheme(url) || needsHost.test(url)) return undefined
  return scheme.toLowerCase() + url.slice(scheme.length)
}

/** Whether an address begins with a scheme that links can have. */
export const hasLinkScheme = (url: string): boolean =>
  schemes.has(/^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? '')

/** An address of the organization's own site. */
export const siteUrl = (path: `/${string}`): SafeUrl => path as string as SafeUrl

/** The address with which a mobile app takes over; undefined for any other one. */
export const mobileAppUrl = (address: string): SafeUrl | undefined =>
  address.startsWith('zulip://login?') ? (address as SafeUrl) : undefined

/**
 * Returns the address of an image or a video that clients load by themselves. Returns undefined if they may not load
 * it.
 */
export const mediaUrl = (address: string): SafeUrl | undefined =>
  /^https?:\/\//i.test(address) || /^\/(?![/\\])/.test(address) ? (address as SafeUrl) : undefined

/** Links to messages and uploads of the organization are written relative to its address. */
const shortenRealmUrl = (url: string, realm_url: string): string => {
  const base = `${realm_url}/`
  if (!url.startsWith(base)) return url
  const path = url.slice(base.length)
  return path.startsWith('#narrow/') || path.startsWith('user_uploads/') ? path : url
}

/**
 * Returns the path id of the uploaded file that an href leads to. A path id is `1/ab/cat.png`, for example. Returns
 * undefined if the href leads to no uploaded file.
 */
export const parseUploadPath = (href: string): string | undefined => {
  const path = /^\/?user_uploads\/(?!thumbnail\/|temporary\/)([^?#]+)/.exec(href)?.[1]
  if (path === undefined) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
