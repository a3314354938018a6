/**
 * The frame of the pages that the server itself shows to people: account pages and errors.
 *
 * They look like the web client: the values of the custom properties are those of web/src/styles/tokens.css, which
 * test/web/account-pages.test.ts compares. They work without scripts, and in browsers that do not know light-dark()
 * they are light.
 */
import type { Texts } from '#rules/texts.js'
import { element, empty, escapeCode, type Html, html, type SafeUrl } from '../../domain/html/html.js'
import { type Page, pageLayout } from './html-page.js'

/** What a page says: a heading, one sentence below it, and what follows. */
export interface PeoplePage {
  title: string
  lead?: string
  body?: Html
}

/** Composes a page in the language of these texts. */
export const composePeoplePage = (
  { language }: Pick<Texts, 'language'>,
  { title, lead, body = empty }: PeoplePage,
): Page =>
  layout(
    language,
    title,
    html`<main>
<header>
${icon}
<div>
<h1>${escapeCode(title)}</h1>
${lead === undefined ? empty : html`<p>${escapeCode(lead)}</p>`}
</div>
</header>
${body}
</main>`,
  )

/** A link that looks like a button. */
export const renderButtonLink = (href: SafeUrl, text: string): Html =>
  html`<p>${element('a', { href, class: 'button' }, escapeCode(text))}</p>`

/** web/src/icons/icon.svg */
const icon = html`<svg aria-hidden="true" viewBox="0 0 32 32" width="48" height="48"><rect width="32" height="32" rx="7" fill="#4c6ef5"/><path fill="#fff" d="M16 7c6 0 10 3.5 10 8s-4 8-10 8l-1.5-.1L9 27v-5.5C7 20 6 17.700 6 15c0-4.5 4-8 10-8Z"/></svg>`

const layout = pageLayout(html`
:root {
  color-scheme: light dark;
  --ground: #ffffff; --ground: light-dark(#ffffff, #15171c);
  --ground-side: #f5f5f8; --ground-side: light-dark(#f5f5f8, #1b1e24);
  --ground-raised: #ffffff; --ground-raised: light-dark(#ffffff, #22262e);
  --line: #e3e4ea; --line: light-dark(#e3e4ea, #2b2f38);
  --line-strong: #7d8394; --line-strong: light-dark(#7d8394, #7c8598);
  --text: #1d2129; --text: light-dark(#1d2129, #e2e5eb);
  --text-soft: #525a6b; --text-soft: light-dark(#525a6b, #a3abba);
  --text-link: #2f55c4; --text-link: light-dark(#2f55c4, #8fb0ff);
  --text-on-accent: #ffffff; --text-on-accent: light-dark(#ffffff, #11131a);
  --accent: #4453d6; --accent: light-dark(#4453d6, #98a5ff);
  --accent-hover: #3644bd; --accent-hover: light-dark(#3644bd, #b0baff);
  --danger: #b3261e; --danger: light-dark(#b3261e, #ff8a80);
  --focus: #4453d6; --focus: light-dark(#4453d6, #aab5ff);
}
*, *::before, *::after { box-sizing: border-box }
body {
  display: grid; place-items: center; place-items: safe center; min-height: 100vh; min-height: 100dvh;
  margin: 0; padding: 2rem 1rem; background: var(--ground-side); color: var(--text); overflow-wrap: anywhere;
  font: 0.9375rem/1.45 "Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main {
  display: grid; gap: 1.25rem; width: min(26rem, 100%); padding: 2rem; border: 1px solid var(--line);
  border-radius: 14px; background: var(--ground-raised); box-shadow: 0 1px 2px rgb(0 0 0 / 8%), 0 8px 28px rgb(0 0 0 / 16%);
}
header { display: flex; gap: 0.9rem; align-items: center }
header svg { flex: none }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.2 }
p { margin: 0 }
header p, .hint { color: var(--text-soft) }
form { display: grid; gap: 0.9rem }
label { display: block; margin-bottom: 0.25rem; font-size: 0.8125rem; font-weight: 550 }
input, select {
  width: 100%; min-height: 2.5rem; padding: 0.35rem 0.65rem; border: 1px solid var(--line-strong); border-radius: 6px;
  background: var(--ground); color: inherit; font: inherit; font-size: 1rem;
}
fieldset { margin: 0; padding: 0; border: 0 }
legend { margin-bottom: 0.25rem; padding: 0; font-size: 0.8125rem; font-weight: 550 }
.choice { display: flex; gap: 0.5rem; align-items: center; min-height: 2.5rem; margin: 0; font-size: 0.9375rem; font-weight: 400 }
.choice + .hint { margin: -0.5rem 0 0; padding-inline-start: 1.6rem }
input[type=checkbox] { flex: none; width: 1.1rem; min-height: 1.1rem; margin: 0; accent-color: var(--accent) }
input:read-only { background: var(--ground-side) }
.hint { margin-top: 0.25rem; font-size: 0.8125rem }
button, .button {
  display: block; width: 100%; padding: 0.6rem 0.9rem; border: 1px solid transparent; border-radius: 6px;
  background: var(--accent); color: var(--text-on-accent); font: inherit; font-weight: 500; text-align: center;
  text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-hover) }
a { color: var(--text-link) }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
[role=alert] { padding: 0.5rem 0.75rem; border: 1px solid currentcolor; border-radius: 6px; color: var(--danger) }
@media (max-width: 30rem) {
  body { place-items: start center; padding: 0; background: var(--ground-raised) }
  main { padding: 2rem 1.25rem; border: 0; border-radius: 0; box-shadow: none }
}
`)
