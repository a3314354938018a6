/** Metadata from the head of a linked page and from its oEmbed description (protocol/messages.md 6.5). */
import { describe, expect, test } from 'vitest'
import { parseOembedVideo, parsePageMeta } from '../../src/domain/messages/sending/page-meta.js'

const at = 'https://example.org/news/today'
const head = (inner: string) => parsePageMeta(`<!doctype html><html><head>${inner}</head><body></body></html>`, at)

describe('Page metadata', () => {
  test('Title, description and image come from OpenGraph, and otherwise from plain HTML.', () => {
    const plain = '<title>Plain &amp; simple</title><meta name="Description" content="As ever">'
    expect(head(plain)).toEqual({ title: 'Plain & simple', description: 'As ever' })
    const graph =
      '<meta property="og:title" content="Title"><meta property="og:description" content="Words">' +
      '<meta property="og:image" content="/logo.png">'
    expect(head(plain + graph)).toEqual({
      title: 'Title',
      description: 'Words',
      image: 'https://example.org/logo.png',
    })
  })

  test('The first non-empty value counts, and metadata outside of the head is ignored.', () => {
    expect(head('<meta property="og:title" content=""><meta property="og:title" content="a"><title>b</title>')).toEqual(
      {
        title: 'a',
      },
    )
    expect(
      parsePageMeta('<title>a</title><body><svg><title>b</title></svg><meta property="og:image" content="/x">', at),
    ).toEqual({ title: 'a' })
  })

  test('An image URL that is not http or https is ignored.', () => {
    for (const address of ['javascript:alert(1)', 'data:image/png;base64,AA', 'http://', 'ftp://example.org/a.png']) {
      expect(head(`<meta property="og:image" content="${address}">`)).toEqual({})
    }
  })

  test('A title is cut to 500 characters, and its whitespace is collapsed.', () => {
    const { title } = head(`<title>${'😀 '.repeat(400)}</title>`)
    expect([...(title ?? '')]).toHaveLength(500)
    expect(head('<title> several\n\n lines </title>')).toEqual({ title: 'several lines' })
  })

  test('Broken and empty pages give the metadata that can be parsed.', () => {
    expect(parsePageMeta('<meta name=description content=Words><title>open', at)).toEqual({
      description: 'Words',
      title: 'open',
    })
    expect(parsePageMeta('<<<"\0>', at)).toEqual({})
    expect(parsePageMeta('', at)).toEqual({})
  })

  test('The link to the oEmbed description is found.', () => {
    const link = '<link rel="alternate" type="application/json+oembed" href="../oembed?a=1&amp;b=2">'
    expect(head(link)).toEqual({ oembed: 'https://example.org/oembed?a=1&b=2' })
  })
})

describe('oEmbed descriptions', () => {
  const parseDescription = (more: object) =>
    parseOembedVideo(
      JSON.stringify({
        type: 'video',
        title: 'A film',
        thumbnail_url: 'https://i.vimeocdn.com/1.jpg',
        html: '<iframe src="https://player.vimeo.com/video/1?a=1&amp;b=2" width="640" onload="alert(1)"></iframe>',
        ...more,
      }),
      at,
    )

  test('A video description gives a player that contains only the address of the original one.', () => {
    expect(parseDescription({})).toEqual({
      title: 'A film',
      image: 'https://i.vimeocdn.com/1.jpg',
      player_html:
        '<iframe src="https://player.vimeo.com/video/1?a=1&amp;b=2" frameborder="0" allowfullscreen=""></iframe>',
    })
  })

  test('A description of an unknown site, without a thumbnail or of another type gives no player.', () => {
    for (const html of [
      '<iframe src="https://evil.example/player"></iframe>',
      '<iframe src="http://player.vimeo.com/video/1"></iframe>',
      '<script src="https://player.vimeo.com/a.js"></script>',
      '<iframe src="javascript:alert(1)"></iframe>',
      'nothing',
    ])
      expect(parseDescription({ html })).toBeUndefined()
    expect(parseDescription({ thumbnail_url: undefined })).toBeUndefined()
    expect(parseDescription({ type: 'rich' })).toBeUndefined()
    expect(parseOembedVideo('{', at)).toBeUndefined()
    expect(parseOembedVideo('[1]', at)).toBeUndefined()
  })
})
