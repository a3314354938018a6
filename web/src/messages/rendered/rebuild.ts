/**
 * Builds the HTML of a message anew from what is allowed.
 *
 * 1. DOMParser makes a document without scripts, and loads nothing. Each node is built anew from it: no node and no
 *    attribute gets into the page unless it is in the list (allowed.ts).
 * 2. An element that is not allowed is replaced by its text; script, style and the like lose their text too.
 * 3. Styles are set through the CSSOM (styles.ts): the policy of the page allows no style attribute. It is parsed under
 *    another name, because browsers report each style attribute as a violation of the policy.
 */
import { linkAddress, mediaAddress } from './addresses.js'
import { allowedAttributes, isAllowedClass, type Surroundings } from './allowed.js'
import { allowedStyles } from './styles.js'

const MAX_DEPTH = 200

const styleInTag = /(<[a-z][^>]*?\s)style=/gi

/** Builds the content of a message from its HTML. */
export const rebuildHtml = (html: string): DocumentFragment => {
  const parsed = new DOMParser().parseFromString(html.replace(styleInTag, '$1data-style='), 'text/html')
  const fragment = document.createDocumentFragment()
  copyChildren(parsed.body, fragment, 'text', 0)
  return fragment
}

const copyChildren = (from: Node, to: Node, surroundings: Surroundings, depth: number): void => {
  if (depth > MAX_DEPTH) return
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(child.nodeValue ?? ''))
    else if (child instanceof Element) copyElement(child, to, surroundings, depth)
  }
}

const withoutText = new Set(['script', 'style', 'template', 'iframe', 'noscript', 'noembed', 'noframes', 'textarea'])

const copyElement = (from: Element, to: Node, surroundings: Surroundings, depth: number): void => {
  const attributes = allowedAttributes(from)
  if (attributes === undefined || (surroundings !== 'formula' && !isHtml(from) && from.localName !== 'math')) {
    if (!withoutText.has(from.localName)) copyChildren(from, to, surroundings, depth + 1)
    return
  }
  const element = document.createElementNS(from.namespaceURI, from.localName) as HTMLElement
  for (const name of attributes) {
    const value = from.getAttribute(name)
    if (value !== null) element.setAttribute(name, value)
  }
  copyClasses(from, element, surroundings)
  copyAddresses(from, element)
  const inside = surroundingsInside(from, surroundings)
  const style = from.getAttribute('data-style')
  if (style !== null) {
    for (const [name, value] of allowedStyles(style, from, inside === 'formula')) element.style.setProperty(name, value)
  }
  copyChildren(from, element, inside, depth + 1)
  to.appendChild(element)
}

const isHtml = (element: Element): boolean => element.namespaceURI === 'http://www.w3.org/1999/xhtml'

const surroundingsInside = (element: Element, outside: Surroundings): Surroundings => {
  if (outside !== 'text') return outside
  if (element.classList.contains('katex') || element.classList.contains('katex-display')) return 'formula'
  return element.localName === 'code' ? 'code' : 'text'
}

const copyClasses = (from: Element, element: Element, surroundings: Surroundings): void => {
  const allowed = [...from.classList].filter((name) => isAllowedClass(name, surroundings))
  if (allowed.length > 0) element.setAttribute('class', allowed.join(' '))
}

const copyAddresses = (from: Element, element: HTMLElement): void => {
  if (from.localName === 'a') {
    const href = linkAddress(from.getAttribute('href') ?? '')
    if (href === undefined) return
    element.setAttribute('href', href)
    if (!href.startsWith('#')) {
      element.setAttribute('target', '_blank')
      element.setAttribute('rel', 'noopener noreferrer')
    }
  } else if (from.localName === 'img' || from.localName === 'video') {
    const src = mediaAddress(from.getAttribute('src') ?? '')
    if (src !== undefined) element.setAttribute('src', src)
    // Another site learns of a reader only who plays its video.
    if (from.localName === 'video' && src?.startsWith('/') !== true) element.setAttribute('preload', 'none')
  }
}
