/** Finds the words of a page that are not in the language of the page. The pseudo language has no plain letters. */
import type { Page } from 'playwright-core'

/** What stands in Latin letters in every language. */
const codes: readonly [pattern: RegExp, reason: string][] = [
  [/https?:\/\/\S+/g, 'addresses'],
  [/\S+@\S+/g, 'addresses of mail'],
  [/\bt\d+x\d+x\w+\b\S*/g, 'the address of the organization'],
  [/\S+\.png\b/g, 'names of files'],
  [
    /\b(Parley|Zulip|Android|Firefox|Chrome|Chromium|Safari|Linux|Windows|Mac|iOS|iPhone|iPad|Jitsi Meet|Notification Bot|Google|Microsoft|GitHub|GitLab|Keycloak|authentik)\b/g,
    'names of products',
  ],
  [/\b(Ctrl|Escape|Enter|Tab|Shift|Home|End|ArrowDown|ArrowUp)\b/g, 'names of keys'],
  [/\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/g, 'written by the browser, which knows no pseudo language'],
  [
    /\b(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sep(tember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?)\b/g,
    'the same',
  ],
  [/\b(bytes?|kilobytes?|megabytes?|GiB|MiB|KiB)\b/g, 'the same'],
  [/\bUTC\b/g, 'the name of a time zone'],
  [/:?\b(octopus|calendar)\b:?/g, 'names of emoji, as they are written in messages'],
  [/(^|\s)[@/](all|everyone|topic|channel|stream|poll|todo|me)\b/g, 'what is written in messages'],
  [/(^|\s)-?[a-z-]+:("[^"]+"|\S+)/g, 'terms of a search'],
  [/\b(WebSocket|OpenID Connect|SAML 2\.0)\b/g, 'names of protocols'],
  [/\bpython\b/gi, 'the name of a programming language'],
]

/** Elements whose words are codes, or in a language of their own. */
const skipped = [
  'script, style, noscript',
  'code, kbd, .katex',
  // Names of emoji, as they are written in messages.
  '.emoji-choice, .emoji-name, .emoji',
  // Values as the audit log keeps them.
  '.audit-act ins, .audit-act del',
  '.licence-text',
  '[lang]:not(html)',
].join(', ')

const collect = `(() => {
  const found = []
  const skipped = ${JSON.stringify(skipped)}
  const describe = (element) => element.localName + (element.className?.baseVal === undefined && element.className !== '' ? '.' + String(element.className).split(' ')[0] : '')
  const add = (element, kind, text) => {
    if (text !== null && text !== undefined && /[A-Za-z]{3}/.test(text) && element.closest(skipped) === null) found.push([describe(element) + kind, text])
  }
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) add(walker.currentNode.parentElement, '', walker.currentNode.data)
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt', 'label']) {
      add(element, '[' + name + ']', element.getAttribute(name))
    }
  }
  return found
})()`

/** The names of time zones, as the page writes them. */
const zones = new Set(Intl.supportedValuesOf('timeZone').map((zone) => zone.replaceAll('_', ' ')))

/** The words of a page that are in no catalogue: `element: text`, each once. */
export const findUntranslated = async (page: Page): Promise<string[]> => {
  const found = await page.evaluate<[where: string, text: string][]>(collect)
  const left = found.filter(([, text]) => {
    if (zones.has(text.trim())) return false
    const rest = codes.reduce((words, [pattern]) => words.replace(pattern, ' '), text)
    return /[A-Za-z]{3}/.test(rest)
  })
  return [...new Set(left.map(([where, text]) => `${where}: ${text.trim().replace(/\s+/g, ' ').slice(0, 160)}`))]
}
