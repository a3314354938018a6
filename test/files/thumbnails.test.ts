/** Images in messages: first a placeholder, then the thumbnail that a worker made. */
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Listener, listen } from '../setup/realm/event-listener.js'
import { sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { fetchFile, upload } from '../setup/requests/files.js'

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 90 } } })

const uploaded = async (by: Person, filename: string, data: Buffer, type = 'image/png'): Promise<string> =>
  (await upload(by, '/user_uploads', { filename, type, data })).json.url as string

const htmlOf = async (by: Person, id: number): Promise<string> =>
  (await ok(by, 'GET', `/messages/${id}`)).message.content

/** The HTML once no picture in it waits any more. */
const settled = async (by: Person, id: number): Promise<string> => {
  await expect.poll(() => htmlOf(by, id), { timeout: 15_000 }).not.toContain('image-loading-placeholder')
  return htmlOf(by, id)
}

const thumbnailIn = (html: string): string => /src="([^"]+)"/.exec(html)?.[1] ?? ''

const eventually = async (ear: Listener, count: number) => {
  const all: Awaited<ReturnType<Listener['events']>> = []
  await expect
    .poll(
      async () => {
        all.push(...(await ear.events()))
        return all.length
      },
      { timeout: 15_000 },
    )
    .toBeGreaterThanOrEqual(count)
  return all
}

/** Sends a message with a picture before a worker can have seen the picture. */
const sentAtOnce = async (by: Person, to: Person[], url: string, name: string) => {
  const id = await sendDirectMessage(by, to, `[${name}](${url})`)
  return { id, html: await htmlOf(by, id) }
}

describe('Thumbnails of uploaded images', () => {
  test('When the thumbnail is ready, it replaces the placeholder, and all recipients of the message receive an event.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Mary')
    await using _ = realm
    const [ada, grace, mary] = people as [Person, Person, Person]
    const ears = await Promise.all(people.map((one) => listen(one, { event_types: ['message', 'update_message'] })))
    const url = await uploaded(ada, 'a.png', await picture(1600, 1200).png().toBuffer())
    const { id } = await sentAtOnce(ada, [grace], url, 'a.png')
    const html = await settled(grace, id)
    expect(html).toBe(
      `<p><a href="${url}">a.png</a></p>\n<div class="message_inline_image"><a href="${url}" title="a.png">` +
        '<img data-original-content-type="image/png" data-original-dimensions="1600x1200" ' +
        `src="${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp"></a></div>`,
    )
    const src = thumbnailIn(html)
    const { headers, bytes } = await fetchFile(grace.host, src, grace)
    const { format, width, height } = await sharp(bytes).metadata()
    expect([headers['content-type'], format, width, height]).toEqual(['image/webp', 'webp', 747, 560])
    const refused = [
      await fetchFile(mary.host, src, mary),
      await fetchFile(mary.host, src),
      await fetchFile(ada.host, `${src}x`, ada),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 401, 404])
    const [, told] = await eventually(ears[1] as Listener, 1)
    // A quick worker may have been done before the message was sent.
    if (told !== undefined) {
      expect(told).toEqual({
        type: 'update_message',
        id: expect.any(Number),
        user_id: null,
        rendering_only: true,
        message_id: id,
        message_ids: [id],
        flags: [],
        edit_timestamp: expect.any(Number),
        content: `[a.png](${url})`,
        rendered_content: html,
      })
    }
    expect(await (ears[2] as Listener).events()).toEqual([])
    const { message } = await ok(ada, 'GET', `/messages/${id}`)
    expect(message).not.toHaveProperty('last_edit_timestamp')
    expect(message).not.toHaveProperty('edit_history')
  })

  test('A placeholder is always replaced, even if the message is sent while the thumbnail is made.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace')
    await using _ = realm
    const [ada, grace] = people as [Person, Person]
    const data = await picture(400, 300).png().toBuffer()
    const ids: number[] = []
    for (let wait = 0; wait < 160; wait += 10) {
      const url = await uploaded(ada, 'a.png', data)
      await new Promise((resolve) => setTimeout(resolve, wait))
      ids.push(await sendDirectMessage(ada, [grace], `[a.png](${url})`))
    }
    const shown = await Promise.all(ids.map((id) => settled(grace, id)))
    for (const html of shown) expect(html).toContain('/840x560.webp"')
  })

  test('An animated image has an animated thumbnail and a still one.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    const frames = await Promise.all(
      ['red', 'blue'].map((background) => picture(90, 60).tint(background).png().toBuffer()),
    )
    const data = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const url = await uploaded(ada, 'a.gif', data, 'image/gif')
    const html = await settled(ada, await sendDirectMessage(ada, [ada], `[a](${url})`))
    expect(html).toContain(
      'data-animated="true" data-original-content-type="image/gif" data-original-dimensions="90x60"',
    )
    const src = thumbnailIn(html)
    expect(src).toMatch(/\/840x560-anim\.webp$/)
    const pagesOf = async (path: string) =>
      (await sharp((await fetchFile(ada.host, path, ada)).bytes).metadata()).pages ?? 1
    expect([await pagesOf(src), await pagesOf(src.replace('-anim', ''))]).toEqual([2, 1])
  })

  test('A photograph that is sideways in the file is shown upright.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    const data = await picture(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const url = await uploaded(ada, 'a.jpg', data, 'image/jpeg')
    const html = await settled(ada, await sendDirectMessage(ada, [ada], `[a](${url})`))
    expect(html).toContain('data-original-dimensions="200x400"')
    const { width, height, orientation } = await sharp(
      (await fetchFile(ada.host, thumbnailIn(html), ada)).bytes,
    ).metadata()
    expect([width, height, orientation ?? 1]).toEqual([200, 400, 1])
  })

  test('An image that browsers cannot show has a transcoded version.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    const url = await uploaded(ada, 'a.tiff', await picture(50, 40).tiff().toBuffer(), 'image/tiff')
    const html = await settled(ada, await sendDirectMessage(ada, [ada], `[a](${url})`))
    expect(html).toContain('data-original-content-type="image/tiff" data-original-dimensions="50x40"')
    expect(html).toContain('data-transcoded-image="50x40.webp"')
    const full = await fetchFile(ada.host, thumbnailIn(html).replace('840x560', '50x40'), ada)
    expect((await sharp(full.bytes).metadata()).width).toBe(50)
  })

  test('An image that the sender cannot read is only a link.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Mary')
    await using _ = realm
    const [ada, mary] = people as [Person, Person]
    const url = await uploaded(ada, 'a.png', await picture(9, 9).png().toBuffer())
    const { html } = await sentAtOnce(mary, [ada], url, 'a')
    expect(html).toBe(`<p><a href="${url}">a</a></p>`)
  })
})

describe('Files that are not valid images', () => {
  test('The placeholder of an image that cannot be decoded is removed from the message.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    const whole = await picture(800, 600).png({ compressionLevel: 0 }).toBuffer()
    const url = await uploaded(ada, 'half.png', whole.subarray(0, 5000))
    const { id } = await sentAtOnce(ada, [ada], url, 'half.png')
    expect(await settled(ada, id)).toBe(`<p><a href="${url}">half.png</a></p>`)
  })

  test('A file whose header claims too many pixels is an ordinary file.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    const bomb = await picture(10, 10).png().toBuffer()
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    const url = await uploaded(ada, 'bomb.png', bomb)
    expect((await sentAtOnce(ada, [ada], url, 'bomb.png')).html).toBe(`<p><a href="${url}">bomb.png</a></p>`)
    expect((await fetchFile(ada.host, url, ada)).bytes.equals(bomb)).toBe(true)
  })

  test('An SVG has no thumbnail, because no loader runs for it.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const url = await uploaded(ada, 'a.png', svg, 'image/png')
    expect((await sentAtOnce(ada, [ada], url, 'a.png')).html).toBe(`<p><a href="${url}">a.png</a></p>`)
  })
})

test('Registration lists the thumbnail formats, and the server serves the placeholder.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const { body } = await call(ada, 'POST', '/register', { fetch_event_types: ['realm'], event_types: [] })
  expect(body.server_thumbnail_formats).toEqual([
    { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
    { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
  ])
  const { headers } = await fetchFile(ada.host, '/static/images/loading/loader-black.svg')
  expect(headers['content-type']).toBe('image/svg+xml')
})
