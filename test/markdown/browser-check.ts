/**
 * Checks rendered HTML as a browser reads it: parse5 parses it by the HTML standard, css-tree its styles by the CSS
 * standard. Every element must be one of the shapes that a construct of messages writes, with its attributes and no
 * others.
 */
import { type CssNode, generate, parse as parseCss, walk } from 'css-tree'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html as markup, parseFragment, serialize } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

/** Whether an attribute may have a value. */
type Rule = (value: string) => boolean
type Rules = Readonly<Record<string, Rule>>

/** A shape of elements: one tag, and attributes that it must have and may have. */
interface Shape {
  tag: string
  required: Rules
  optional: Rules
}

const is =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value)
const matches =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value)
const any: Rule = () => true
const number = matches(/^\d+$/)

export const REALM_URL = 'https://chat.example.org'

const schemes = new Set(
  'http https ftp file bitcoin geo im irc ircs magnet mailto matrix mid mms news nntp openpgp4fpr sip sms smsto ssh tel urn webcal wtai xmpp'.split(
    ' ',
  ),
)

/**
 * Whether a browser opens an address without executing it. An address that looks as if it stays on the site must stay
 * there. A browser shows nothing for an address that it cannot parse.
 */
export const isSafeAddress: Rule = (address) => {
  if (!URL.canParse(address, `${REALM_URL}/`)) return true
  const { protocol, origin } = new URL(address, `${REALM_URL}/`)
  const looksLocal = /^(?:[/\\#]|user_uploads\/)/.test(address)
  return schemes.has(protocol.slice(0, -1)) && (!looksLocal || origin === REALM_URL)
}

const isMediaAddress: Rule = (address) => /^https?:\/\/|^\//i.test(address) && isSafeAddress(address)

/** The declarations of a style, parsed; undefined: it is not valid CSS. */
const parseStyle = (style: string): { property: string; value: string; urls: string[] }[] | undefined => {
  const declarations: { property: string; value: string; urls: string[] }[] = []
  let isValid = true
  const tree = parseCss(style, {
    context: 'declarationList',
    onParseError() {
      isValid = false
    },
  })
  walk(tree, (node: CssNode) => {
    if (node.type === 'Raw' || node.type === 'Atrule' || node.type === 'Rule') isValid = false
    if (node.type !== 'Declaration') return
    const urls: string[] = []
    walk(node, (part: CssNode) => {
      if (part.type === 'Url') urls.push(part.value)
    })
    declarations.push({ property: node.property, value: generate(node.value), urls })
  })
  return isValid ? declarations : undefined
}

const isBackground: Rule = (style) => {
  const declarations = parseStyle(style) ?? []
  const [first, ...others] = declarations
  return (
    others.length === 0 &&
    first?.property === 'background-image' &&
    first.urls.length === 1 &&
    first.urls.every(isMediaAddress) &&
    /^url\([^()]*\)$/.test(first.value)
  )
}

/** What KaTeX sets with `trust` off: sizes, positions inside the formula, and colours. */
const formulaProperties =
  /^(?:(?:min-|max-)?(?:height|width)|top|left|right|bottom|vertical-align|(?:margin|padding)(?:-(?:top|left|right|bottom))?|border(?:-(?:top|left|right|bottom))?-(?:width|style)|border-color|border-style|color|background-color|position|transform|font-weight|font-style|font-family|text-shadow|cursor)$/

const isFormulaStyle: Rule = (style) => {
  const declarations = parseStyle(style)
  return (
    declarations?.every(
      ({ property, value, urls }) =>
        formulaProperties.test(property) &&
        urls.length === 0 &&
        !/[(\\]/.test(value) &&
        (property !== 'position' || value === 'relative'),
    ) ?? false
  )
}

const shape = (tag: string, required: Rules = {}, optional: Rules = {}): Shape => ({ tag, required, optional })

const silent = (kind: string): Rule => is(kind, `${kind} silent`)
const imageData: Rules = { 'data-original-content-type': any, 'data-original-dimensions': matches(/^\d+x\d+$/) }
const narrow = String.raw`^/#narrow/channel/\d+-[\w.~-]*`

/** A frame of a video player: only its source varies. */
const isPlayer: Rule = (text) => {
  const [frame, ...others] = parse(text)
  if (frame === undefined || others.length > 0 || !('attrs' in frame) || frame.tagName !== 'iframe') return false
  const { src = '', ...rest } = attributesOf(frame)
  return (
    frame.childNodes.length === 0 &&
    src.startsWith('https://') &&
    Object.keys(rest).join() === 'frameborder,allowfullscreen'
  )
}

const shapes: readonly Shape[] = [
  ...'p br hr h1 h2 h3 h4 h5 h6 ul li blockquote table thead tbody tr strong em del code pre'
    .split(' ')
    .map((tag) => shape(tag)),
  shape('ol', {}, { start: number }),
  ...['th', 'td'].map((tag) => shape(tag, {}, { style: matches(/^text-align: (?:left|center|right);$/) })),
  shape('time', { datetime: matches(/^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) }),
  shape('a', { href: isSafeAddress }, { title: any }),
  shape('a', { class: is('stream'), 'data-stream-id': number, href: matches(new RegExp(`${narrow}$`)) }),
  shape('a', {
    class: is('stream-topic'),
    'data-stream-id': number,
    href: matches(new RegExp(String.raw`${narrow}/topic/[\w.~-]*(?:/with/\d+)?$`)),
  }),
  shape('a', { class: is('message-link'), href: matches(new RegExp(String.raw`${narrow}/topic/[\w.~-]*/near/\d+$`)) }),
  shape('a', { class: is('message_embed_image'), href: isSafeAddress, style: isBackground }),
  shape('a', { 'data-id': (id) => /^[\w-]+$/.test(id) || isPlayer(id), href: isSafeAddress }, { title: any }),
  shape('img', { alt: matches(/^:[\w+-]+:$/), class: is('emoji'), src: isMediaAddress, title: matches(/^[\w+ -]+$/) }),
  shape('img', { src: isMediaAddress }, { ...imageData, 'data-animated': is('true'), 'data-transcoded-image': any }),
  shape('img', {
    class: is('image-loading-placeholder'),
    ...imageData,
    src: is('/static/images/loading/loader-black.svg'),
  }),
  shape('video', { preload: is('metadata'), src: isMediaAddress }),
  shape('div', { class: is('codehilite') }, { 'data-code-language': any }),
  shape('div', { class: is('spoiler-content'), 'aria-hidden': is('true') }),
  shape('div', {
    class: is(
      'spoiler-block',
      'spoiler-header',
      'message_inline_image',
      'message_inline_image message_inline_video',
      'youtube-video message_inline_image',
      'embed-video message_inline_image',
      'message_embed',
      'data-container',
      'message_embed_title',
      'message_embed_description',
    ),
  }),
  shape('span', { class: silent('user-mention'), 'data-user-id': number }),
  shape('span', { class: silent('user-mention channel-wildcard-mention'), 'data-user-id': is('*') }),
  shape('span', { class: silent('topic-mention') }),
  shape('span', { class: silent('user-group-mention'), 'data-user-group-id': number }),
  shape('span', {
    'aria-label': matches(/^[\w+ -]+$/),
    class: matches(/^emoji emoji-[\da-f-]+$/),
    role: is('img'),
    title: matches(/^[\w+ -]+$/),
  }),
  shape('span', { class: is('timestamp-error', 'tex-error') }),
]

/** Marks of differences and of found words. */
const marks: readonly Shape[] = [
  shape('span', { class: is('highlight', 'highlight_text_inserted', 'highlight_text_deleted') }),
]

const inCode: readonly Shape[] = [shape('span', {}, { class: matches(/^[a-z][a-z\d]{0,2}(?: [a-z][\w-]*)*$/i) })]

const mathAttributes = Object.fromEntries(
  'xmlns display encoding mathvariant mathcolor mathsize mathbackground stretchy separator fence lspace rspace width height depth voffset displaystyle scriptlevel columnalign columnspacing columnlines rowlines rowspacing rowalign linethickness accent accentunder notation minsize maxsize symmetric form movablelimits side class linebreak'
    .split(' ')
    .map((name): [string, Rule] => [name, matches(/^[\w\s.,:#/+-]*$/)]),
)
const inFormula: readonly Shape[] = [
  shape('span', {}, { class: matches(/^[\w -]*$/), style: isFormulaStyle, 'aria-hidden': is('true') }),
  shape(
    'svg',
    {},
    {
      ...Object.fromEntries(['xmlns', 'width', 'height', 'viewBox', 'preserveAspectRatio'].map((name) => [name, any])),
      style: isFormulaStyle,
      'aria-hidden': is('true'),
      focusable: is('false'),
      role: is('img'),
    },
  ),
  shape('path', { d: matches(/^[\w\s.,-]*$/) }),
  shape('line', {}, { x1: any, y1: any, x2: any, y2: any, 'stroke-width': any }),
  ...'math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose mlabeledtr mglyph'
    .split(' ')
    .map((tag) => shape(tag, {}, { ...mathAttributes, style: isFormulaStyle })),
]

const attributesOf = ({ attrs }: Element): Record<string, string> =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]))

const context = defaultTreeAdapter.createElement('div', markup.NS.HTML, [])

const parse = (text: string): Node[] => parseFragment(context, text, {}).childNodes

const isElement = (node: Node): node is Element => 'attrs' in node

const fits = (element: Element, { tag, required, optional }: Shape): boolean => {
  if (element.tagName !== tag) return false
  const attributes = attributesOf(element)
  return (
    Object.entries(required).every(([name, rule]) => attributes[name] !== undefined && rule(attributes[name])) &&
    Object.entries(attributes).every(([name, value]) => (required[name] ?? optional[name])?.(value) ?? false)
  )
}

const isFormula = ({ tagName, attrs }: Element): boolean =>
  tagName === 'span' && attrs.some(({ name, value }) => name === 'class' && /^katex(?:-display)?$/.test(value))

const isCode = ({ tagName, attrs }: Element): boolean =>
  tagName === 'div' && attrs.some(({ name, value }) => name === 'class' && value === 'codehilite')

const describeElement = ({ tagName, attrs }: Element): string =>
  `<${tagName}${attrs.map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`).join('')}>`

const walkNodes = (nodes: readonly Node[], allowed: readonly Shape[], faults: string[]): void => {
  for (const node of nodes) {
    if (!isElement(node)) {
      if (node.nodeName !== '#text') faults.push(`a ${node.nodeName}`)
      continue
    }
    const isMath = isFormula(node)
    const isHtml = node.namespaceURI === markup.NS.HTML
    if (!isMath && !allowed.some((one) => fits(node, one))) faults.push(`no construct writes ${describeElement(node)}`)
    if (!isHtml && allowed !== formulaShapes) faults.push(`${describeElement(node)} is not HTML`)
    walkNodes(node.childNodes, isMath ? formulaShapes : isCode(node) ? codeShapes : allowed, faults)
  }
}

const formulaShapes = [...inFormula, ...marks]
const codeShapes = [...inCode, ...marks, shape('pre'), shape('code')]

type Tags = [name: string, children: Tags][]

const hasNestedLink = (tags: Tags, isInLink = false): boolean =>
  tags.some(([name, children]) => (isInLink && name === 'a') || hasNestedLink(children, isInLink || name === 'a'))

/** The tags as they are written, nested; undefined: they are not balanced. */
const writtenTags = (text: string): Tags | undefined => {
  const root: Tags = []
  const open: { name: string; children: Tags }[] = [{ name: '', children: root }]
  for (const [, end, name = '', leaf] of text.matchAll(/<(\/?)([a-zA-Z][a-zA-Z\d]*)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end !== '') {
      if (open.pop()?.name !== name) return undefined
      continue
    }
    const children: Tags = []
    open.at(-1)?.children.push([name.toLowerCase(), children])
    if (leaf === '' && !/^(?:br|hr|img|input)$/.test(name)) open.push({ name, children })
  }
  return open.length === 1 ? root : undefined
}

const readTags = (nodes: readonly Node[]): unknown[] =>
  nodes.flatMap((node) => (isElement(node) ? [[node.tagName.toLowerCase(), readTags(node.childNodes)]] : []))

/** The tree without positions, with adjacent texts joined. */
const dump = (nodes: readonly Node[]): unknown[] =>
  nodes.map((node) =>
    isElement(node)
      ? [node.namespaceURI, node.tagName, attributesOf(node), dump(node.childNodes)]
      : 'value' in node
        ? node.value
        : node.nodeName,
  )

/**
 * Lists what is wrong with the HTML of a message.
 *
 * 1. Every element, attribute and style is one that a construct of messages writes.
 * 2. A browser nests the elements as they are written: it closes, moves and adds none. The exception is a link in the
 *    text of a link, which existing clients expect: a browser ends the outer link there.
 * 3. The document is the same when a browser writes it as HTML and reads it again.
 * @param more shapes of elements that this HTML may have besides
 */
export const findFaults = (html: string, more: 'marked' | 'plain' = 'plain'): string[] => {
  const nodes = parse(html)
  const faults: string[] = []
  walkNodes(nodes, more === 'marked' ? [...shapes, ...marks] : shapes, faults)
  const tags = writtenTags(html)
  const isNested =
    tags !== undefined && (hasNestedLink(tags) || JSON.stringify(tags) === JSON.stringify(readTags(nodes)))
  if (more === 'plain' && !isNested) faults.push('a browser nests the elements in another way than they are written')
  const written = serialize(asFragment(nodes))
  if (JSON.stringify(dump(parse(written))) !== JSON.stringify(dump(nodes)))
    faults.push(`a browser that reads what it wrote finds another document: ${written}`)
  return faults
}

const asFragment = (nodes: readonly Node[]): DefaultTreeAdapterTypes.DocumentFragment => {
  const fragment = defaultTreeAdapter.createDocumentFragment()
  for (const node of nodes) defaultTreeAdapter.appendChild(fragment, node)
  return fragment
}
