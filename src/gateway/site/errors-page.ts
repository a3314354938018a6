/** The errors of the API, as an HTML page: each code with its status, its sentence and its endpoints. */
import { element, empty, escapeCode, type Html, html, joinHtml } from '../../domain/html/html.js'
import { siteUrl } from '../../domain/markdown/links/link-urls.js'
import { closes, type ErrorKind, errors } from '../../domain/protocol/errors.js'
import type { Registry } from '../call/endpoint.js'
import type { Page } from '../pages/html-page.js'
import { composeReferencePage } from './reference-layout.js'
import { resourceOf } from './resources.js'

/** Renders the page. */
export const renderErrorsPage = (registry: Registry): Page => {
  const codes = groupByCode(Object.values(errors) as ErrorKind[])
  return composeReferencePage({
    path: '/api/docs/errors',
    links: [...[...codes.keys()].map((code) => ({ id: code, text: code })), { id: 'closes', text: 'Close codes' }],
    main: html`<h1>Errors</h1>${introduction}
${joinHtml([...codes].map(([code, kinds]) => renderCode(code, kinds, registry)))}
${closeCodes}`,
  })
}

const introduction = html`<p>A failed call is answered with an HTTP status of 400 or more, and with a JSON object:
<code>result</code> is <code>"error"</code>, <code>msg</code> is a sentence for people in the language of the account, and
<code>code</code> is for programs. Some errors have more fields. A call over a WebSocket is answered with the same status and object.</p>
<p>A client can send a call again after 429, 502, 503 and 504, when the seconds of <code>retry-after</code> are over. It
must not send other failed calls again unchanged.</p>`

const groupByCode = (kinds: readonly ErrorKind[]): Map<string, ErrorKind[]> => {
  const codes = new Map<string, ErrorKind[]>()
  for (const kind of kinds.toSorted((a, b) => ((a.code ?? '') < (b.code ?? '') ? -1 : 1))) {
    const code = kind.code ?? 'No code'
    codes.set(code, [...(codes.get(code) ?? []), kind])
  }
  return codes
}

const renderCode = (code: string, kinds: readonly ErrorKind[], registry: Registry): Html => {
  const declared = Object.entries(registry).filter(([, { errors: own = [] }]) =>
    own.some((error) => kinds.some((kind) => kind === error)),
  )
  return element(
    'section',
    { id: code },
    html`<h2><code>${escapeCode(code)}</code></h2>
<table><tr><th>status</th><th>msg</th><th>more fields</th></tr>${joinHtml(kinds.map(renderKind))}</table>
${declared.length === 0 ? empty : html`<p>Declared by: ${joinHtml(declared.map(renderOperationLink))}</p>`}`,
  )
}

const renderKind = ({ status, msg, isMatched = false, data }: ErrorKind): Html =>
  html`<tr><td>${escapeCode(String(status))}</td><td>${escapeCode(msg)}${escapeCode(isMatched ? ' (always in English)' : '')}</td><td>${escapeCode(Object.keys(data.shape).join(', '))}</td></tr>`

const renderOperationLink = ([name, { method, paths }]: [string, Registry[string]]): Html => {
  const tag = resourceOf(paths[0]).name.replaceAll(' ', '_')
  return html`${element('a', { href: siteUrl(`/api/docs#/${tag}/${name}`) }, html`<code>${escapeCode(`${method} ${paths[0]}`)}</code>`)} `
}

const closeCodes = element(
  'section',
  { id: 'closes' },
  html`<h2>Close codes of WebSockets</h2>
<p>After a code from 4000 to 4499, a client connects again with its last event id. After a code from 4500 on, connecting
again would fail too.</p>
<table>${joinHtml(Object.values(closes).map(({ code, reason }) => html`<tr><td>${escapeCode(String(code))}</td><td>${escapeCode(reason)}</td></tr>`))}</table>`,
)
