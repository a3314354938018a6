/**
 * The metadata in the head of a web page: OpenGraph, or else plain HTML, and the address of its oEmbed description.
 *
 * A page is untrusted input. Its texts are truncated here and escaped where they are shown; only http and https
 * addresses are accepted; of a player only the address is taken, and only of a known site: clients run it unchanged.
 *
 * Source: protocol/messages.md 6.5.
 */
import { Parser } from 'htmlparser2'
import { z } from 'zod'
import { element, type Html } from '../../html/html.js'
import type { PagePreview } from '../../markdown/context/render-context.js'
import { mediaUrl } from '../../markdown/links/link-urls.js'

/** The preview of a page, and the address of its oEmbed description. */
export interface PageMeta extends PagePreview {
  /** address of the oEmbed description */
  oembed?: string
}

/** The most characters of a title or a description. */
const LONGEST_TEXT = 500

/** Parses a page's metadata. @param url the page's address, the base of relative addresses in it */
export const parsePageMeta = (html: string, url: string): PageMeta => {
  const texts = new Map<string, string>()
  const addText = (name: string, text = '') => {
    if (!texts.has(name) && text.trim() !== '') texts.set(name, text)
  }
  let title = ''
  let isInTitle = false
  const parser = new Parser({
    onopentag(name, { property, content, rel, type, href, ...attributes }) {
      if (name === 'title') isInTitle = true
      else if (name === 'meta') addText((property ?? attributes.name ?? '').toLowerCase(), content)
      else if (name === 'link' && rel?.toLowerCase() === 'alternate') addText((type ?? '').toLowerCase(), href)
      else if (name === 'body') parser.pause()
    },
    ontext(text) {
      if (isInTitle) title += text
    },
    onclosetag(name) {
      if (name !== 'title') return
      isInTitle = false
      addText('title', title)
    },
  })
  parser.end(html)
  const text = (...names: string[]) => truncateText(names.flatMap((name) => texts.get(name) ?? [])[0])
  return {
    ...given('title', text('og:title', 'title')),
    ...given('description', text('og:description', 'description')),
    ...given('image', resolveAddress(texts.get('og:image'), url)),
    ...given('oembed', resolveAddress(texts.get('application/json+oembed'), url)),
  }
}

const oembed = z.object({
  type: z.string(),
  title: z.string().optional(),
  thumbnail_url: z.string().optional(),
  html: z.string().optional(),
})

/** The preview in a video's oEmbed description; undefined for anything else. */
export const parseOembedVideo = (json: string, url: string): PagePreview | undefined => {
  const { data } = oembed.safeParse(parseJson(json))
  const image = resolveAddress(data?.thumbnail_url, url)
  const player_html = data?.type === 'video' ? findPlayer(data.html ?? '') : undefined
  if (image === undefined || player_html === undefined) return undefined
  return { image, player_html, ...given('title', truncateText(data?.title)) }
}

/** Sites whose players clients may run. */
const playerHosts: ReadonlySet<string> = new Set([
  'player.vimeo.com',
  'www.dailymotion.com',
  'geo.dailymotion.com',
  'embed.ted.com',
  'fast.wistia.net',
  'open.spotify.com',
  'w.soundcloud.com',
])

/** The player's frame, rebuilt from its address alone. */
const findPlayer = (html: string): Html | undefined => {
  let player: Html | undefined
  const parser = new Parser({
    onopentag(name, { src }) {
      if (name !== 'iframe' || player !== undefined || !URL.canParse(src ?? '')) return
      const address = new URL(src ?? '')
      if (address.protocol !== 'https:' || !playerHosts.has(address.hostname)) return
      player = element('iframe', { src: mediaUrl(address.href), frameborder: '0', allowfullscreen: '' })
    },
  })
  parser.end(html)
  return player
}

const truncateText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()].slice(0, LONGEST_TEXT).join('')

const resolveAddress = (href: string | undefined, base: string): string | undefined => {
  if (href === undefined || !URL.canParse(href, base)) return undefined
  const { protocol, href: address } = new URL(href, base)
  return protocol === 'http:' || protocol === 'https:' ? address : undefined
}

const given = <K extends string>(name: K, value: string | undefined): { [N in K]?: string } =>
  value === undefined ? {} : ({ [name]: value } as { [N in K]?: string })

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
