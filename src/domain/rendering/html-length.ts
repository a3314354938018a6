/** The length of the HTML of a message. */
import { MAX_HTML_LENGTH } from '../markdown/render.js'
import { errors } from '../protocol/errors.js'

/** Throws BAD_REQUEST when the HTML would be too long to store. */
export const checkHtmlLength = ({ html }: { html: string }): void => {
  if (html.length > MAX_HTML_LENGTH) throw errors.badRequest('This message is too long once rendered: shorten it.')
}
