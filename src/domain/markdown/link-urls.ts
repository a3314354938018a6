/**
 * Which addresses may be linked to, and how they are written.
 *
 * The only place that decides what becomes an href. An address either begins with one of the schemes below, or is
 * made to, or stays within the organization (`/x`, `#y`): so nothing that a browser runs can get through, however it
 * is spelled. Source: messages.md 6.3.
 */

const schemes = new Set(
  'http https ftp file bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh tel urn webcal wtai xmpp'.split(
    ' ',
  ),
)

/** Schemes that mean nothing without a host. */
const needsHost = /^(?:https?|ftp):(?!\/\/[^/?#])/i

/** Browsers drop these inside of a scheme. */
const control = /\p{Cc}/gu

/** The address with its scheme, or undefined when it may not be linked to. */
export const completeSafeUrl = (typed: string): string | undefined =>
  completeUrl(typed.trim().replace(control, '').replaceAll(' ', '%20'))

/** The address as an href of a message of this organization. */
export const completeSafeHref = (typed: string, realm_url: string): string | undefined => {
  const url = completeSafeUrl(typed)
  return url === undefined ? undefined : shortenRealmUrl(url, realm_url)
}

const completeUrl = (url: string): string | undefined => {
  if (url === '') return undefined
  if (url.startsWith('//')) return completeUrl(`http:${url}`)
  if (url.startsWith('/') || (url.startsWith('#') && url.length > 1)) return url
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]
  if (scheme === undefined) {
    const completed = /^[^/?#]*@/.test(url) ? `mailto:${url}` : `http://${url}`
    return needsHost.test(completed) ? undefined : completed
  }
  return schemes.has(scheme.toLowerCase()) && !needsHost.test(url) ? url : undefined
}

/** Links to messages and uploads of the organization itself are written relative to it. */
const shortenRealmUrl = (url: string, realm_url: string): string => {
  const base = `${realm_url}/`
  if (!url.startsWith(base)) return url
  const path = url.slice(base.length)
  return path.startsWith('#narrow/') || path.startsWith('user_uploads/') ? path : url
}

/** The path id of an uploaded file, `1/ab/cat.png`, when the href leads to one. */
export const parseUploadPath = (href: string): string | undefined => {
  const path = /^\/?user_uploads\/(?!thumbnail\/|temporary\/)([^?#]+)/.exec(href)?.[1]
  if (path === undefined) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
