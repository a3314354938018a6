/**
 * Which URL templates administrators can store. What precedes the first expression of a template begins every address
 * that it expands to, so it decides the scheme, whatever a user writes.
 *
 * Clients expand templates by themselves. So a template that was stored before it was checked is sent as one that leads
 * nowhere: administrators see it, and can change or remove it.
 */
import { hasLinkScheme } from '../markdown/links/link-urls.js'

const literalStart = (template: string): string => template.split('{', 1)[0] ?? ''

/** Whether a template expands to http and https addresses only. */
export const isWebTemplate = (template: string): boolean => /^https?:\/\//i.test(literalStart(template))

/**
 * Whether a template expands to addresses that links can have. They are addresses of this site, and addresses with a
 * scheme that links can have.
 */
export const isLinkTemplate = (template: string): boolean =>
  /^[/#]/.test(literalStart(template)) || hasLinkScheme(literalStart(template))

/** No address under `.invalid` exists (RFC 6761). */
const nowhere = 'https://refused-template.invalid/'

/** The template of a playground as clients get it. */
export const playgroundTemplateOnWire = (template: string): string =>
  isWebTemplate(template) ? template : `${nowhere}{code}`

/** The template of a linkifier as clients get it. */
export const linkifierTemplateOnWire = (template: string): string => (isLinkTemplate(template) ? template : nowhere)
