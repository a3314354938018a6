/**
 * The rendered content of a message in the form in which mails have it: few elements, and nothing that needs the
 * styles, the scripts or the address of the web client.
 *
 * 1. The inside of a spoiler is left out: a mail is shown without a click.
 * 2. Links and pictures have absolute addresses.
 * 3. Mentions are the present names of accounts, emoji are characters, formulas are their source, and points in time
 *    are in the time zone and the language of the reader.
 *
 * mail-html.ts and mail-text.ts write the two parts of a mail from it.
 */
import { chooseLanguage, sourceLanguage } from '#rules/languages.js'
import { type HtmlElement, type HtmlNode, parseHtml, textOf } from '../../html/html-tree.js'
import { textsIn } from '../../languages/texts.js'
import { isTimeZone } from '../../settings/languages.js'

/** For whom, and from where, a mail is written. */
export interface MailReader {
  /** the code of the reader's language */
  language: string
  /** without a slash at the end */
  realm_url: string
  /** of the IANA data; '' is UTC */
  timezone: string
  /** whether times have 24 hours */
  twenty_four_hour_time: boolean
  /** The name of an account; undefined: as the message has it. */
  nameOf(user_id: number): string | undefined
}

/** Elements that a mail has, each with the attributes that it keeps. */
const kept: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'p br hr strong em del code pre blockquote ul li h1 h2 h3 h4 h5 h6 table thead tbody tr th td'
      .split(' ')
      .map((tag) => [tag, []]),
  ),
  ol: ['start'],
}

/** Elements whose content is no text. */
const omitted = new Set(['script', 'style', 'iframe', 'math', 'svg'])

/** Boxes with a picture or a video, below the link that they show. */
const pictureBox = /(?:^| )(?:message_inline_image|message_inline_video|youtube-video|embed-video|vimeo-video)(?: |$)/

/** Returns the content of a message for mails to this reader. @param html as it is stored */
export const composeMailContent = (html: string, reader: MailReader): HtmlNode[] => simplifyAll(parseHtml(html), reader)

const simplifyAll = (nodes: readonly HtmlNode[], reader: MailReader): HtmlNode[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? node : simplify(node, reader)))

const simplify = (element: HtmlElement, reader: MailReader): HtmlNode[] => {
  const { tag, attributes, children } = element
  const classes = (attributes.class ?? '').split(' ')
  const has = (name: string) => classes.includes(name)
  if (omitted.has(tag) || has('spoiler-content') || has('message_embed')) return []
  if (has('spoiler-block')) return simplifySpoiler(element, reader)
  if (has('katex')) return [build('code', [findSource(element) ?? textOf(children)])]
  if (has('emoji'))
    return [tag === 'img' ? buildEmojiImage(attributes, reader) : (emojiOf(classes) ?? textOf(children))]
  if (has('user-mention')) return [mentionOf(element, reader)]
  if (pictureBox.test(attributes.class ?? '')) return simplifyPicture(element, reader)
  if (tag === 'time') return [timeOf(attributes.datetime ?? '', reader) ?? textOf(children)]
  if (tag === 'a') return simplifyLink(element, reader)
  if (tag === 'img' || tag === 'video') return simplifyMedia(element, reader)
  const own = kept[tag]
  const inside = simplifyAll(children, reader)
  if (own === undefined) return inside
  return [build(tag, inside, Object.fromEntries(own.flatMap((name) => pick(attributes, name))))]
}

const build = (tag: string, children: HtmlNode[], attributes: Record<string, string> = {}): HtmlElement => ({
  tag,
  attributes,
  children,
})

const pick = (attributes: HtmlElement['attributes'], name: string): [string, string][] => {
  const value = attributes[name]
  return value === undefined ? [] : [[name, value]]
}

const findAll = (nodes: readonly HtmlNode[], matches: (element: HtmlElement) => boolean): HtmlElement[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    return matches(node) ? [node] : findAll(node.children, matches)
  })

/** The header, and a note instead of the content (1). */
const simplifySpoiler = ({ children }: HtmlElement, reader: MailReader): HtmlNode[] => {
  // Only its own header: the content may have spoilers with headers, too.
  const headers = children.filter(
    (child): child is HtmlElement => typeof child !== 'string' && child.attributes.class === 'spoiler-header',
  )
  const note = textsIn(reader.language)('The rest is hidden as a spoiler: open the message to read it.')
  return [...headers.flatMap((header) => simplifyAll(header.children, reader)), build('p', [build('em', [note])])]
}

const findSource = ({ children }: HtmlElement): string | undefined => {
  const [source] = findAll(children, ({ tag }) => tag === 'annotation')
  return source === undefined ? undefined : textOf(source.children)
}

/** The characters of a class such as `emoji-1f44d-1f3fd`. */
const emojiOf = (classes: readonly string[]): string | undefined => {
  const code = classes.find((name) => /^emoji(?:-[0-9a-f]{4,6})+$/.test(name))
  if (code === undefined) return undefined
  const points = code.split('-').slice(1)
  return String.fromCodePoint(...points.map((point) => Number.parseInt(point, 16)))
}

const EMOJI_PIXELS = '20'
const PICTURE_PIXELS = '200'

const buildEmojiImage = ({ src = '', alt = '' }: HtmlElement['attributes'], reader: MailReader): HtmlNode => {
  const address = absoluteAddress(src, reader)
  if (address === undefined) return alt
  return build('img', [], { src: address, alt, width: EMOJI_PIXELS, height: EMOJI_PIXELS })
}

/** `@` and the present name (3); a silent mention has no `@`. */
const mentionOf = ({ attributes, children }: HtmlElement, reader: MailReader): string => {
  const text = textOf(children)
  const name = reader.nameOf(Number(attributes['data-user-id']))
  return name === undefined ? text : `${text.startsWith('@') ? '@' : ''}${name}`
}

const timeOf = (datetime: string, reader: MailReader): string | undefined => {
  const at = Date.parse(datetime)
  return Number.isNaN(at) ? undefined : formatTime(at / 1_000, reader)
}

/**
 * A time in the language and the time zone of the reader, with the zone's name. In English, it is
 * `2026-03-01 15:00 CET`, or `2026-03-01 3:00 PM CET` for a reader whose clock has 12 hours.
 * @param timestamp UNIX seconds
 */
export const formatTime = (
  timestamp: number,
  reader: Pick<MailReader, 'language' | 'timezone' | 'twenty_four_hour_time'>,
): string => {
  const { timezone, twenty_four_hour_time } = reader
  const language = chooseLanguage([reader.language])
  const isEnglish = language.startsWith(sourceLanguage)
  const format = new Intl.DateTimeFormat(isEnglish ? 'en-GB' : language, {
    timeZone: isTimeZone(timezone) ? timezone : 'UTC',
    year: 'numeric',
    month: isEnglish ? '2-digit' : 'long',
    day: isEnglish ? '2-digit' : 'numeric',
    hour: twenty_four_hour_time ? '2-digit' : 'numeric',
    minute: '2-digit',
    hourCycle: twenty_four_hour_time ? 'h23' : 'h12',
    timeZoneName: 'short',
  })
  if (!isEnglish) return format.format(timestamp * 1_000)
  // People who read English do not agree on the day that 03/01 is.
  const { year, month, day, hour, minute, dayPeriod, timeZoneName } = Object.fromEntries(
    format.formatToParts(timestamp * 1_000).map(({ type, value }) => [type, value]),
  )
  const half = dayPeriod === undefined ? '' : ` ${dayPeriod.toUpperCase()}`
  return `${year}-${month}-${day} ${hour}:${minute}${half} ${timeZoneName}`
}

/** The address with scheme and host (2); undefined: mails cannot have it. */
const absoluteAddress = (address: string, { realm_url }: MailReader): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return address
  return URL.canParse(address, `${realm_url}/`) ? new URL(address, `${realm_url}/`).href : undefined
}

const simplifyLink = ({ attributes, children }: HtmlElement, reader: MailReader): HtmlNode[] => {
  const inside = simplifyAll(children, reader)
  const href = absoluteAddress(attributes.href ?? '', reader)
  return href === undefined || inside.length === 0 ? inside : [build('a', inside, { href })]
}

/** A picture that leads to its file. */
const simplifyPicture = ({ attributes, children }: HtmlElement, reader: MailReader): HtmlNode[] => {
  const [link] = findAll(children, ({ tag }) => tag === 'a')
  const [media] = findAll(children, ({ tag }) => tag === 'img' || tag === 'video')
  const href = absoluteAddress(link?.attributes.href ?? attributes.href ?? media?.attributes.src ?? '', reader)
  if (href === undefined) return []
  const name = link?.attributes.title ?? attributes.title ?? href.split(/[/?#]/).findLast((part) => part !== '') ?? href
  const shown = media === undefined ? [] : simplifyMedia(media, reader, name)
  return [build('p', [build('a', shown.length === 0 ? [name] : shown, { href })])]
}

/** A picture; for a video, its name. */
const simplifyMedia = ({ tag, attributes }: HtmlElement, reader: MailReader, name = ''): HtmlNode[] => {
  const src = absoluteAddress(attributes.src ?? '', reader)
  const alt = attributes.alt || name
  if (tag === 'video' || src === undefined) return alt === '' ? [] : [alt]
  return [build('img', [], { src, alt, height: PICTURE_PIXELS })]
}
