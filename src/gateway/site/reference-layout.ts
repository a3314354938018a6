/** The layout of the reference pages without scripts: events and errors. */
import { sourceLanguage } from '#rules/languages.js'
import { element, escapeCode, type Html, html, joinHtml } from '../../domain/html/html.js'
import { siteUrl } from '../../domain/markdown/links/link-urls.js'
import { type Page, pageLayout } from '../pages/html-page.js'

const layout = pageLayout(html`
:root { color-scheme: light dark }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff }
a { color: #1f4fbf }
header { position: sticky; top: 0; padding: .6rem 1.25rem; background: #f5f5f5; border-bottom: 1px solid #ddd }
header nav { display: flex; flex-wrap: wrap; gap: 1.25rem }
header [aria-current] { color: inherit; font-weight: 600; text-decoration: none }
.columns { display: flex; align-items: flex-start }
aside { width: 17rem; max-height: calc(100vh - 3rem); overflow: auto; position: sticky; top: 3rem; padding: 1rem 1.25rem; box-sizing: border-box; flex: none }
aside ul { list-style: none; margin: 0; padding: 0; font-size: 13px } aside a { text-decoration: none }
main { padding: 1rem 1.5rem; max-width: 60rem; min-width: 0 }
section { border-bottom: 1px solid #ddd; padding: 1rem 0; scroll-margin-top: 3rem } h1 { margin-top: 0 }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-top: 1px solid #eee; overflow-wrap: anywhere }
code, pre { background: #f0f0f0 } code { padding: 0 .2em } pre { padding: .75rem; overflow: auto; font-size: 13px } h2 code, h3 code, pre code { background: none }
@media (max-width: 50rem) { aside { display: none } main { padding: 1rem } }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1c1c1c } header { background: #252525; border-color: #333 } code, pre { background: #333 } section, td, th { border-color: #333 } a { color: #8ab4f8 } }
`)

const pages = [
  { path: '/api/docs', title: 'Endpoints' },
  { path: '/api/docs/events', title: 'Events' },
  { path: '/api/docs/errors', title: 'Errors' },
  { path: '/api/v1/openapi.json', title: 'openapi.json' },
  { path: '/api/v1/openapi-3.0.json', title: 'For generators' },
] as const

/** What one page shows: links to its sections, and the sections. */
export interface ReferencePage {
  path: (typeof pages)[number]['path']
  links: readonly { id: string; text: string }[]
  main: Html
}

/** Composes a page of the reference. */
export const composeReferencePage = ({ path, links, main }: ReferencePage): Page =>
  layout(
    sourceLanguage,
    `${pages.find((page) => page.path === path)?.title} of the Parley API`,
    html`<header><nav>${joinHtml(pages.map((page) => renderPageLink(page, page.path === path)))}</nav></header>
<div class="columns">
<aside><ul>${joinHtml(links.map(({ id, text }) => html`<li>${element('a', { href: siteUrl(`${path}#${id}`) }, escapeCode(text))}</li>`))}</ul></aside>
<main>${main}</main>
</div>`,
  )

const renderPageLink = ({ path, title }: (typeof pages)[number], isCurrent: boolean): Html =>
  element('a', { href: siteUrl(path), ...(isCurrent ? { 'aria-current': 'page' } : {}) }, escapeCode(title))

/** Renders text as HTML, with code between backticks as `<code>`. */
export const renderInline = (text: string): Html =>
  joinHtml(
    text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? html`<code>${escapeCode(part)}</code>` : escapeCode(part))),
  )
