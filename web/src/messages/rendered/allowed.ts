/**
 * What the HTML of a message may contain. Everything else is left out when the HTML is rebuilt (rebuild.ts).
 *
 * The server encodes what users write (src/domain/html/html.ts). This list is a second line of defence, and the reason
 * why no message can look like a part of the page: a class that the page uses for itself is not in it.
 */
import { katexClasses } from './katex-classes.js'

/** The elements of Markdown, with the attributes that are copied as they are. Addresses are checked in rebuild.ts. */
const markdownElements: Record<string, readonly string[]> = {
  a: ['title', 'data-stream-id', 'data-id'],
  blockquote: [],
  br: [],
  code: [],
  del: [],
  div: ['data-code-language'],
  em: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  hr: [],
  img: ['alt', 'title', 'data-original-dimensions', 'data-original-content-type', 'data-animated'],
  li: [],
  ol: ['start'],
  p: [],
  pre: [],
  span: ['aria-label', 'aria-hidden', 'role', 'title', 'data-user-id', 'data-user-group-id'],
  strong: [],
  table: [],
  tbody: [],
  td: [],
  th: [],
  thead: [],
  time: ['datetime'],
  tr: [],
  ul: [],
  video: ['preload'],
}

/** The elements of MathML that KaTeX writes for screen readers. */
const mathElements: Record<string, readonly string[]> = {
  annotation: ['encoding'],
  math: ['display'],
  menclose: ['notation'],
  mfrac: ['linethickness'],
  mi: ['mathvariant'],
  mn: ['mathvariant'],
  mo: ['accent', 'fence', 'lspace', 'maxsize', 'minsize', 'rspace', 'separator', 'stretchy'],
  mover: ['accent'],
  mpadded: ['depth', 'height', 'lspace', 'voffset', 'width'],
  mphantom: [],
  mroot: [],
  mrow: [],
  mspace: ['height', 'linebreak', 'width'],
  msqrt: [],
  mstyle: ['displaystyle', 'mathcolor', 'mathsize', 'scriptlevel'],
  msub: [],
  msubsup: [],
  msup: [],
  mtable: ['columnalign', 'columnlines', 'columnspacing', 'rowlines', 'rowspacing', 'width'],
  mtd: ['width'],
  mtext: ['mathvariant'],
  mtr: [],
  munder: ['accentunder'],
  munderover: [],
  semantics: [],
}

/** The elements of SVG with which KaTeX draws roots, braces and arrows. */
const svgElements: Record<string, readonly string[]> = {
  g: [],
  line: ['x1', 'x2', 'y1', 'y2', 'stroke-width'],
  path: ['d'],
  svg: ['height', 'preserveAspectRatio', 'viewBox', 'width'],
}

/** Returns the allowed attributes of an element by namespace and name. Undefined if the element is not allowed. */
export const allowedAttributes = (element: Element): readonly string[] | undefined => {
  const elements =
    element.namespaceURI === 'http://www.w3.org/1998/Math/MathML'
      ? mathElements
      : element.namespaceURI === 'http://www.w3.org/2000/svg'
        ? svgElements
        : markdownElements
  return Object.hasOwn(elements, element.localName) ? elements[element.localName] : undefined
}

/** The words by which two versions of a text differ. */
const differenceClasses = new Set(['highlight_text_deleted', 'highlight_text_inserted'])

const markdownClasses = new Set([
  ...differenceClasses,
  'channel-wildcard-mention',
  'codehilite',
  'data-container',
  'embed-video',
  'emoji',
  'highlight',
  'image-loading-placeholder',
  'message-link',
  'message_embed',
  'message_embed_description',
  'message_embed_image',
  'message_embed_title',
  'message_inline_image',
  'message_inline_video',
  'silent',
  'spoiler-block',
  'spoiler-content',
  'spoiler-header',
  'stream',
  'stream-topic',
  'tex-error',
  'timestamp-error',
  'topic-mention',
  'user-group-mention',
  'user-mention',
  'youtube-video',
])

/** Where an element is: code has the classes of Pygments, a formula those of KaTeX. */
export type Surroundings = 'text' | 'code' | 'formula'

/** Whether an element may have a class. */
export const isAllowedClass = (name: string, surroundings: Surroundings): boolean => {
  if (surroundings === 'code') return /^[a-z]{1,2}[a-z0-9]?$/.test(name) || differenceClasses.has(name)
  if (surroundings === 'formula') return katexClasses.has(name)
  return markdownClasses.has(name) || /^emoji-[0-9a-f-]+$/.test(name) || name === 'katex' || name === 'katex-display'
}
