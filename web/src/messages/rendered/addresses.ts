/** Checks the addresses in messages: those of links, and those of pictures and videos. */

const linkSchemes =
  /^(?:https?|ftp|file|bitcoin|geo|im|ircs?|magnet|mailto|matrix|mid|mms|news|nntp|openpgp4fpr|sip|smsto|sms|ssh|tel|urn|webcal|wtai|xmpp):/

/** Returns the address of a link, as the page uses it. Undefined if it could run script or has an unknown scheme. */
export const linkAddress = (href: string): string | undefined => {
  // Browsers ignore control characters and spaces in schemes.
  const address = [...href].filter((sign) => sign > ' ').join('')
  if (/^\/?#/.test(address)) return address.replace(/^\//, '')
  if (/^user_uploads\//.test(address)) return `/${address}`
  if (/^[/\\]{2}/.test(address)) return undefined
  return address.startsWith('/') || linkSchemes.test(address.toLowerCase()) ? address : undefined
}

/** Returns the address of a picture or a video. It is of this server, or over TLS. Undefined for any other. */
export const mediaAddress = (src: string): string | undefined => {
  if (/^user_uploads\//.test(src)) return `/${src}`
  return /^https:\/\//i.test(src) || /^\/(?![/\\])/.test(src) ? src : undefined
}
