/**
 * HTML pages: the document around a body, and the headers that confine it.
 *
 * A page has one inline style, which the policy names by its hash. It loads nothing, runs no script, sends its forms to
 * this server only, is shown in no frame, and its address, which may contain a token, is sent to no other site. With
 * `no-referrer`, browsers would also send `Origin: null` with its forms, as if another site had sent them.
 */
import { createHash } from 'node:crypto'
import { directionOf } from '#rules/languages.js'
import { escapeCode, type Html, html, openTag } from '../../domain/html/html.js'
import type { Headers } from '../contract/transport.js'

export interface Page {
  readonly html: Html
  readonly headers: Headers
}

/** Makes the pages of one style, each in its language. @param style CSS, as a constant */
export const pageLayout = (style: Html): ((language: string, title: string, body: Html) => Page) => {
  const hash = createHash('sha256').update(style).digest('base64')
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'same-origin',
  }
  return (language, title, body) => ({ headers, html: composeDocument(language, title, style, body) })
}

const composeDocument = (language: string, title: string, style: Html, body: Html): Html => html`<!doctype html>
${openTag('html', { lang: language, dir: directionOf(language) })}
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeCode(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
