/**
 * Previews of images, videos and pages below a message, and the facts that rendering collects: protocol/messages.md
 * 6.5.
 */
import { describe, expect, test } from 'vitest'
import { trustHtml } from '../../src/domain/html/html.js'
import type { RenderContext } from '../../src/domain/markdown/context/render-context.js'
import { render } from '../../src/domain/markdown/render.js'
import { findFaults } from './browser-check.js'
import { renderContext } from './render-context.js'

const html = (content: string, more: Partial<RenderContext> = {}) => render(content, { ...renderContext, ...more }).html

const link = (url: string, text = url) => `<a href="${url}">${text}</a>`

const image = (url: string, { title = '', src = url } = {}) =>
  `<div class="message_inline_image"><a href="${url}"${title && ` title="${title}"`}><img src="${src}"></a></div>`

describe('Images of other sites', () => {
  test.each(['bmp', 'gif', 'jpe', 'jpeg', 'jpg', 'png', 'webp', 'PNG'])(
    'A link to a file that ends in .%s has an image preview.',
    (ending) => {
      const url = `https://e.org/a.${ending}`
      expect(html(`see ${url}`)).toBe(`<p>see ${link(url)}</p>\n${image(url)}`)
    },
  )

  test.each(['https://e.org/a.svg', 'https://e.org/png', 'https://e.org/?x=a.png', 'ftp://e.org/a.png'])(
    'A link to %s has no image preview.',
    (url) => {
      expect(html(`[x](${url})`)).toBe(`<p>${link(url, 'x')}</p>`)
    },
  )

  test('A link with a label stays, and the label becomes the title of the preview.', () => {
    const url = 'https://e.org/a.png?x=1'
    expect(html(`[La"bel](${url})`)).toBe(`<p>${link(url, 'La"bel')}</p>\n${image(url, { title: 'La&quot;bel' })}`)
  })

  test('The image preview replaces a paragraph that is only the address.', () => {
    const url = 'https://e.org/a.png'
    expect(html(url)).toBe(image(url))
    expect(html(`* ${url}`)).toBe(`<ul>\n<li>${image(url)}</li>\n</ul>`)
    expect(html(`a\n\n${url}\n\nb`)).toBe(`<p>a</p>\n${image(url)}<p>b</p>`)
  })

  test('Image previews are side by side after their paragraph, or at the end of their list item.', () => {
    const [a, b] = ['https://e.org/a.png', 'https://e.org/b.png']
    expect(html(`${a} ${b}\n\nmore`)).toBe(`<p>${link(a)} ${link(b)}</p>\n${image(a)}${image(b)}<p>more</p>`)
    expect(html(`* x ${a}\n* y`)).toBe(`<ul>\n<li>x ${link(a)}${image(a)}</li>\n<li>y</li>\n</ul>`)
    expect(html(`* x ${a}\n  * y`)).toBe(`<ul>\n<li>x ${link(a)}<ul>\n<li>y</li>\n</ul>\n${image(a)}</li>\n</ul>`)
  })

  test('The preview of an address in a heading or a table comes after that block, and the address stays.', () => {
    const [a, b] = ['https://e.org/a.png', 'https://e.org/b.png']
    expect(html(`# ${a}\nx`)).toBe(`<h1>${link(a)}</h1>\n${image(a)}<p>x</p>`)
    expect(html(`x|y\n-|-\n${a}|${b}\n\nz`)).toBe(
      `<table>\n<thead>\n<tr>\n<th>x</th>\n<th>y</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>${link(a)}</td>\n<td>${link(b)}</td>\n</tr>\n</tbody>\n</table>\n${image(a)}${image(b)}<p>z</p>`,
    )
  })

  test('An image after an exclamation mark is a linked address with a preview that has no title.', () => {
    const url = 'https://e.org/a.png'
    expect(html(`![a](${url})`)).toBe(`<p>![a](${link(url)})</p>\n${image(url)}`)
  })

  test('An image of the organization itself has a preview, which is not loaded through the proxy.', () => {
    const url = 'https://chat.example.org/a.png'
    expect(html(url, { proxyUrl: () => '/external_content/0/0' })).toBe(image(url))
    expect(html(`see [x](${url})`)).toBe(`<p>see ${link(url, 'x')}</p>\n${image(url, { title: 'x' })}`)
    expect(html('https://chat.example.org/story', { pagePreview: () => ({ image: url }) })).not.toContain('<img')
  })

  test("A link to Wikipedia's page about an image has the image itself as preview.", () => {
    const file = 'https://en.wikipedia.org/wiki/Special:FilePath/File:A_(b).jpg'
    expect(html('https://en.wikipedia.org/wiki/File:A_(b).jpg')).toBe(image(file))
    expect(html('https://en.wikipedia.org/wiki/File:A.ogg')).not.toContain('<img')
    expect(html('https://e.org/wiki/File:A.jpg')).toBe(image('https://e.org/wiki/File:A.jpg'))
  })

  test("A link to an image of Dropbox has the file as preview, with the link's other parameters.", () => {
    const page = 'https://www.dropbox.com/scl/fi/ab12/Photo%20one.JPG'
    const file = `${page}?rlkey=x&amp;dl=0&amp;raw=1`
    expect(html(`${page}?rlkey=x&dl=0`)).toBe(image(file))
    expect(html(`see ${page}`)).toBe(`<p>see ${link(page)}</p>\n${image(`${page}?raw=1`)}`)
    expect(html('https://www.dropbox.com/scl/fi/ab12/notes.pdf?rlkey=x')).not.toContain('<img')
    expect(html('https://e.org/scl/fi/a.png')).toBe(image('https://e.org/scl/fi/a.png'))
    expect(html('https://notdropbox.com/scl/fi/a.png')).toBe(image('https://notdropbox.com/scl/fi/a.png'))
  })

  test('Each address has one preview only.', () => {
    const url = 'https://e.org/a.png'
    expect(html(`x ${url} ${url}\n\ny ${url}`)).toBe(
      `<p>x ${link(url)} ${link(url)}</p>\n${image(url)}<p>y ${link(url)}</p>`,
    )
  })

  test.each([
    ['paragraph', (text: string) => text],
    ['list item with a nested list', (text: string) => `* ${text}\n  * nested`],
    ['cell of a table', (text: string) => `| a |\n| - |\n| ${text} |`],
  ])('The previews of a %s have the order of its links.', (_, write) => {
    const [first, second, third] = ['https://e.org/1.png', 'https://e.org/2.png', 'https://e.org/3.png']
    const shown = html(write(`${first} then [b](${second}) and ${third}`))
    expect([...shown.matchAll(/<img [^>]*src="[^"]*(\d)\.png/g)].map(([, n]) => n)).toEqual(['1', '2', '3'])
  })

  test('A message with more than 24 different links has no previews.', () => {
    const urls = (n: number) => Array.from({ length: n }, (_, i) => `https://e.org/${i}.png`).join(' ')
    expect(html(urls(24)).match(/<img/g)).toHaveLength(24)
    expect(html(urls(25))).not.toContain('<img')
    expect(html(`${urls(24)} ${urls(24)}`).match(/<img/g)).toHaveLength(24)
    expect(html(`${urls(24)}\n\n> ${urls(25)}`).match(/<img/g)).toHaveLength(24)
  })

  test('Links in quotes and relative links have no previews.', () => {
    expect(html('> https://e.org/a.png')).not.toContain('<img')
    expect(html('```quote\nhttps://e.org/a.png\n```')).not.toContain('<img')
    expect(html('[x](/a.png)')).not.toContain('<img')
  })

  test('Images, videos and the images of pages are loaded through the proxy.', () => {
    const proxyUrl = (url: string) => `/external_content/0/${Buffer.from(url).toString('hex')}`
    const url = 'https://e.org/a.png'
    expect(html(url, { proxyUrl })).toBe(image(url, { src: proxyUrl(url) }))
    expect(html('https://e.org/a.mp4', { proxyUrl })).toContain(` src="${proxyUrl('https://e.org/a.mp4')}"`)
    expect(html('https://youtu.be/aqz-KE-bpKQ', { proxyUrl })).toContain(
      `<img src="${proxyUrl('https://i.ytimg.com/vi/aqz-KE-bpKQ/mqdefault.jpg')}">`,
    )
    const pagePreview = () => ({ title: 'T', image: url })
    expect(html('https://e.org/story', { proxyUrl, pagePreview })).toContain(`url(&quot;${proxyUrl(url)}&quot;)`)
  })

  test("A link to GitHub's page about an image has the image itself as preview.", () => {
    const url = 'https://github.com/o/r/blob/main/docs/a.png'
    expect(html(url)).toBe(image(url, { src: 'https://raw.githubusercontent.com/o/r/main/docs/a.png' }))
    for (const other of ['https://e.org/o/r/blob/main/a.png', 'https://github.com/o/r/raw/a.png']) {
      expect(html(other)).toBe(image(other))
    }
  })

  test('An organization can turn off image previews.', () => {
    for (const url of ['https://e.org/a.png', 'https://e.org/a.mp4', 'https://youtu.be/aqz-KE-bpKQ']) {
      expect(html(url, { inline_image_preview: false })).toBe(`<p>${link(url)}</p>`)
    }
    const uploadedImage = () => ({ content_type: 'image/png', width: 8, height: 6, thumbnail: 'ready' }) as const
    expect(html('[a](/user_uploads/1/a.png)', { inline_image_preview: false, uploadedImage })).not.toContain('<img')
  })
})

describe('Videos', () => {
  const video = (url: string) =>
    `<div class="message_inline_image message_inline_video"><a href="${url}"><video preload="metadata" src="${url}"></video></a></div>`

  test('Videos have previews like images.', () => {
    expect(html('https://e.org/a.mp4')).toBe(video('https://e.org/a.mp4'))
    expect(html('x https://e.org/a.webm')).toBe(
      `<p>x ${link('https://e.org/a.webm')}</p>\n${video('https://e.org/a.webm')}`,
    )
    expect(html('[a](https://e.org/a.mp4)')).toBe(
      `<p>${link('https://e.org/a.mp4', 'a')}</p>\n${video('https://e.org/a.mp4')}`,
    )
    expect(html('[a](https://youtu.be/aqz-KE-bpKQ)')).not.toContain('title=')
  })

  test.each([
    'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
    'https://m.youtube.com/watch?t=1&amp;v=aqz-KE-bpKQ'.replace('&amp;', '&'),
    'https://youtu.be/aqz-KE-bpKQ',
    'https://youtu.be/aqz-KE-bpKQ?t=3',
    'https://www.youtube.com/shorts/aqz-KE-bpKQ',
    'https://www.youtube.com/embed/aqz-KE-bpKQ',
    'https://www.youtube.com/watch_popup?v=aqz-KE-bpKQ',
    'https://www.youtube.com/watch_videos?video_ids=aqz-KE-bpKQ,dQw4w9WgXcQ',
  ])('A YouTube video has its image as preview, and the link stays: %s', (typed) => {
    const url = typed.replace('&', '&amp;')
    expect(html(typed)).toBe(
      `<p>${link(url)}</p>\n<div class="youtube-video message_inline_image"><a data-id="aqz-KE-bpKQ" href="${url}"><img src="https://i.ytimg.com/vi/aqz-KE-bpKQ/mqdefault.jpg"></a></div>`,
    )
  })

  test('Other pages of YouTube have page previews.', () => {
    expect(html('https://www.youtube.com/@someone')).not.toContain('<img')
  })
})

describe('Uploaded images', () => {
  const typed = '[a.png](/user_uploads/1/ab/a.png)'
  const facts = { content_type: 'image/png', width: 800, height: 600 } as const
  const preview = (img: string) =>
    `<div class="message_inline_image"><a href="/user_uploads/1/ab/a.png" title="a.png"><img ${img}></a></div>`
  const paragraph = '<p><a href="/user_uploads/1/ab/a.png">a.png</a></p>'
  const original = 'data-original-content-type="image/png" data-original-dimensions="800x600"'

  test('An uploaded image has a placeholder while its thumbnail is pending.', () => {
    const uploadedImage = () => ({ ...facts, thumbnail: 'pending' as const })
    expect(html(typed, { uploadedImage })).toBe(
      `${paragraph}\n${preview(`class="image-loading-placeholder" ${original} src="/static/images/loading/loader-black.svg"`)}`,
    )
  })

  test('An uploaded image is shown by its thumbnail when that is ready.', () => {
    const ready = { ...facts, thumbnail: 'ready' as const }
    const src = 'src="/user_uploads/thumbnail/1/ab/a.png/840x560.webp"'
    expect(html(typed, { uploadedImage: () => ready })).toBe(`${paragraph}\n${preview(`${original} ${src}`)}`)
    expect(html(typed, { uploadedImage: () => ({ ...ready, is_animated: true }) })).toContain(
      `<img data-animated="true" ${original} src="/user_uploads/thumbnail/1/ab/a.png/840x560-anim.webp">`,
    )
    expect(html(typed, { uploadedImage: () => ({ ...ready, transcoded: '4032x3024.webp' }) })).toContain(
      `<img ${original} data-transcoded-image="4032x3024.webp" ${src}>`,
    )
  })

  test('A message with a ready thumbnail is reserialized as a whole.', () => {
    const uploadedImage = () => ({ ...facts, thumbnail: 'ready' as const })
    const written = html(`${typed}\n\`\`\`spoiler x\ny\n\`\`\`\n\`\`\`\n"a" 'b' &lt;\n\`\`\``, { uploadedImage })
    expect(written).toContain('<div aria-hidden="true" class="spoiler-content">')
    expect(written).toContain('<code>"a" \'b\' &amp;lt;\n</code>')
  })

  test('An uploaded file without a possible thumbnail has no preview.', () => {
    expect(html(typed, { uploadedImage: () => ({ ...facts, thumbnail: 'impossible' as const }) })).toBe(paragraph)
    expect(html(typed, { uploadedImage: () => undefined })).toBe(paragraph)
    expect(html(typed)).toBe(paragraph)
  })

  test('An uploaded image is found by its path, in every form of its address.', () => {
    const asked: string[] = []
    const uploadedImage = (path_id: string) => {
      asked.push(path_id)
      return undefined
    }
    html('[x](/user_uploads/1/a) https://chat.example.org/user_uploads/1/b?x [y](https://e.org/user_uploads/1/c)', {
      uploadedImage,
    })
    expect(asked).toEqual(['1/a', '1/b'])
  })

  test('Uploaded videos are played from the server.', () => {
    expect(html('[v](/user_uploads/1/ab/v.mp4)')).toContain(
      '<a href="/user_uploads/1/ab/v.mp4"><video preload="metadata" src="/user_uploads/1/ab/v.mp4"></video></a>',
    )
  })
})

describe('Pages', () => {
  const url = 'https://e.org/story'

  test('A page has a preview after its data was fetched.', () => {
    const pagePreview = () => ({ title: 'A "T" &lt;', description: '<D> &copy;', image: 'https://e.org/i?a=1&b=2' })
    expect(html(url, { pagePreview })).toBe(
      `<p>${link(url)}</p>\n<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url(&quot;https://e.org/i?a=1&amp;b=2&quot;)"></a><div class="data-container"><div class="message_embed_title"><a href="${url}" title="A &quot;T&quot; &amp;lt;">A "T" &amp;lt;</a></div><div class="message_embed_description">&lt;D&gt; &amp;copy;</div></div></div>`,
    )
  })

  test('A page with an image only has a preview, whatever characters the address of the image has.', () => {
    const pagePreview = () => ({ image: 'https://e.org/i"x y\\z' })
    expect(html(url, { pagePreview })).toBe(
      `<p>${link(url)}</p>\n<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url(&quot;https://e.org/i%22x%20y%5Cz&quot;)"></a><div class="data-container"></div></div>`,
    )
  })

  test.each([
    'https://e.org/&#34;&#41;;position:fixed;inset:0;z-index:9999;x:url&#40;&#34;',
    'https://e.org/&quot;);position:fixed;inset:0;',
    "https://e.org/');position:fixed;inset:0;",
    'https://e.org/\\22 );position:fixed;inset:0;',
    'https://e.org/\n);position:fixed;inset:0;',
  ])('The address of an image cannot add to the style of its preview: %j', (image) => {
    expect(findFaults(html(url, { pagePreview: () => ({ image }) }))).toEqual([])
  })

  test('A page whose image has an address that clients may not load has no preview.', () => {
    for (const image of ['javascript:alert(1)', 'data:image/svg+xml,<svg>', '//e.org/x', 'image.png'])
      expect(html(url, { pagePreview: () => ({ image }) })).toBe(`<p>${link(url)}</p>`)
  })

  test('The HTML of a video player is carried as an escaped attribute.', () => {
    const pagePreview = () => ({
      title: 'T',
      image: 'https://e.org/i',
      player_html: trustHtml('<iframe src="https://p.org/?a&amp;b"></iframe>'),
    })
    expect(html(url, { pagePreview })).toBe(
      `<p>${link(url)}</p>\n<div class="embed-video message_inline_image"><a data-id="&lt;iframe src=&quot;https://p.org/?a&amp;amp;b&quot;&gt;&lt;/iframe&gt;" href="${url}" title="T"><img src="https://e.org/i"></a></div>`,
    )
  })

  test('A page without an image has no preview.', () => {
    expect(html(url, { pagePreview: () => ({ title: 'T' }) })).toBe(`<p>${link(url)}</p>`)
  })

  test('The result names the pages to fetch.', () => {
    const content = `${url} https://e.org/a.png https://youtu.be/aqz-KE-bpKQ https://chat.example.org/x #42 a@e.org ${url}\n\n> https://e.org/quoted`
    expect(render(content, renderContext).page_urls).toEqual([url, 'https://t/42'])
  })
})

describe('Facts about a message', () => {
  const found = (content: string) => {
    const { has_link, has_image, has_attachment, attachments } = render(content, renderContext)
    return { has_link, has_image, has_attachment, attachments }
  }
  const nothing = { has_link: false, has_image: false, has_attachment: false, attachments: [] }

  test.each([
    ['plain', nothing],
    ['`https://e.org` @**Ada Low** #**design**', nothing],
    ['https://e.org', { ...nothing, has_link: true }],
    ['> [x](e.org)', { ...nothing, has_link: true }],
    ['#42', { ...nothing, has_link: true }],
    ['https://e.org/a.png', { ...nothing, has_link: true, has_image: true }],
    [
      '[a](/user_uploads/1/ab/a.txt) https://chat.example.org/user_uploads/1/b%20c.pdf',
      { has_link: true, has_image: false, has_attachment: true, attachments: ['1/ab/a.txt', '1/b c.pdf'] },
    ],
  ])('Rendering collects the links, images and attachments of %j.', (content, expected) =>
    expect(found(content)).toEqual(expected),
  )
})
