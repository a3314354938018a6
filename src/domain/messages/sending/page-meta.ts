/**
 * What a page says of itself in its head: OpenGraph, or else plain HTML, and where its oEmbed description is.
 *
 * A page says what it likes. Its texts are cut and escaped where they are shown; of an address only http and https
 * count; and of a player only the address is taken, if it is one of a known site: clients run it as it is.
 *
 * Source: messages.md 6.5.
 */
import { Parser } from 'htmlparser2'
import { z } from 'zod'
import type { PagePreview } from '../../markdown/render-context.js'

/** A page's own words, and where more of them are. */
export interface PageMeta extends PagePreview {
  /** address of the oEmbed description */
  oembed?: string
}

/** Characters of a title or a description; more is cut. */
const LONGEST_TEXT = 500

/** @param url where the page is: addresses in it may be relative to that */
export const metaOf = (html: string, url: string): PageMeta => {
  const said = new Map<string, string>()
  const say = (name: string, text = '') => {
    if (!said.has(name) && text.trim() !== '') said.set(name, text)
  }
  let title = ''
  let isInTitle = false
  const parser = new Parser({
    onopentag(name, { property, content, rel, type, href, ...attributes }) {
      if (name === 'title') isInTitle = true
      else if (name === 'meta') say((property ?? attributes.name ?? '').toLowerCase(), content)
      else if (name === 'link' && rel?.toLowerCase() === 'alternate') say((type ?? '').toLowerCase(), href)
      else if (name === 'body') parser.pause()
    },
    ontext(text) {
      if (isInTitle) title += text
    },
    onclosetag(name) {
      if (name !== 'title') return
      isInTitle = false
      say('title', title)
    },
  })
  parser.end(html)
  const text = (...names: string[]) => cut(names.flatMap((name) => said.get(name) ?? [])[0])
  return {
    ...given('title', text('og:title', 'title')),
    ...given('description', text('og:description', 'description')),
    ...given('image', addressIn(said.get('og:image'), url)),
    ...given('oembed', addressIn(said.get('application/json+oembed'), url)),
  }
}

const oembed = z.object({
  type: z.string(),
  title: z.string().optional(),
  thumbnail_url: z.string().optional(),
  html: z.string().optional(),
})

/** What an oEmbed description says of a video; undefined where it is none that can be shown. */
export const videoIn = (json: string, url: string): PagePreview | undefined => {
  const { data } = oembed.safeParse(parsed(json))
  const image = addressIn(data?.thumbnail_url, url)
  const player_html = data?.type === 'video' ? playerIn(data.html ?? '') : undefined
  if (image === undefined || player_html === undefined) return undefined
  return { image, player_html, ...given('title', cut(data?.title)) }
}

/** Sites whose players may be run in a client. */
const playerHosts: ReadonlySet<string> = new Set([
  'player.vimeo.com',
  'www.dailymotion.com',
  'geo.dailymotion.com',
  'embed.ted.com',
  'fast.wistia.net',
  'open.spotify.com',
  'w.soundcloud.com',
])

/** The frame in the HTML of a player, with nothing but what a frame needs. */
const playerIn = (html: string): string | undefined => {
  let player: string | undefined
  const parser = new Parser({
    onopentag(name, { src }) {
      if (name !== 'iframe' || player !== undefined || !URL.canParse(src ?? '')) return
      const address = new URL(src ?? '')
      if (address.protocol !== 'https:' || !playerHosts.has(address.hostname)) return
      player = `<iframe src="${address.href.replaceAll('&', '&amp;')}" frameborder="0" allowfullscreen></iframe>`
    },
  })
  parser.end(html)
  return player
}

const cut = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : [...text.replace(/\s+/g, ' ').trim()].slice(0, LONGEST_TEXT).join('')

const addressIn = (href: string | undefined, base: string): string | undefined => {
  if (href === undefined || !URL.canParse(href, base)) return undefined
  const { protocol, href: address } = new URL(href, base)
  return protocol === 'http:' || protocol === 'https:' ? address : undefined
}

const given = <K extends string>(name: K, value: string | undefined): { [N in K]?: string } =>
  value === undefined ? {} : ({ [name]: value } as { [N in K]?: string })

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
