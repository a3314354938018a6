/** Addresses under which this server shows pictures of other sites. */

const proxied = /\/external_content\/[0-9a-f]{40}\/((?:[0-9a-f]{2})+)/g

/** Lists them in the HTML of a message. */
export const proxiedAddresses = (html: string): string[] => html.match(proxied) ?? []

/** Returns the HTML with the addresses of the other sites instead. */
export const withoutProxy = (html: string): string =>
  html.replace(proxied, (_, hex: string) => Buffer.from(hex, 'hex').toString().replaceAll('&', '&amp;'))
