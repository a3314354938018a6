/**
 * Pictures of other sites: this server loads them, so no reader of a message shows those sites an address.
 *
 * The sites are served by the test.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKeys } from '../../src/domain/deployment/keys.js'
import { openCamo, openOwnProxy, readPictureAddress } from '../../src/domain/deployment/media-proxy.js'
import { proxyStoredMedia } from '../../src/domain/rendering/proxied-media.js'
import { openDiskStorage } from '../../src/store/files/disk-storage.js'
import {
  findExternalPicture,
  removeExcessPictures,
  removeOldPictures,
} from '../../src/store/files/external-pictures.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startGateway } from '../setup/processes/processes.js'
import { proxiedAddresses, withoutProxy } from '../setup/proxies/proxied-addresses.js'
import { testDeployment } from '../setup/realm/deployment.js'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { anyGateway, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { fetchFile, redPixel } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { openServer } from '../setup/web/web-server.js'

/** The header of a PNG of 40,000 by 40,000 pixels. */
const hugePng = Buffer.concat([
  redPixel.subarray(0, 16),
  Buffer.from([0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40]),
  redPixel.subarray(24),
])

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

let site: Awaited<ReturnType<typeof openServer>>
let realm: TestRealm
let ada: Person
let grace: Person

beforeAll(async () => {
  site = await openServer(({ path }, response) => {
    const send = (type: string, body: string | Buffer, status = 200, more = {}) =>
      response.writeHead(status, { 'Content-Type': type, ...more }).end(body)
    if (path.startsWith('/red')) send('image/png', redPixel)
    else if (path === '/untyped.png') send('application/octet-stream', redPixel)
    else if (path === '/moved.png') send('text/plain', '', 302, { Location: '/red-moved.png' })
    else if (path === '/private.png') send('text/plain', '', 302, { Location: `http://127.0.0.2:${port()}/red.png` })
    else if (path === '/file.png') send('text/plain', '', 302, { Location: 'file:///etc/passwd' })
    else if (path === '/round.png') send('text/plain', '', 302, { Location: '/round.png' })
    else if (path === '/drawing.png') send('image/svg+xml', svg)
    else if (path === '/disguised.png') send('image/png', svg)
    else if (path === '/page.png') send('text/html', redPixel)
    else if (path === '/cut.png') send('image/png', redPixel.subarray(0, 40))
    else if (path === '/huge.png') send('image/png', hugePng)
    else if (path === '/long.png') send('image/png', Buffer.concat([redPixel, Buffer.alloc(11 * 1024 * 1024)]))
    else send('text/plain', 'nothing', 404)
  })
  const created = await newQuietRealm('Ada', 'Grace')
  realm = created.realm
  ;[ada, grace] = created.people as [Person, Person]
  await createChannel(ada, 'design', created.people)
})
afterAll(async () => {
  await realm[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

const port = () => new URL(site.url).port

/** The address that a message has for a picture. */
const addressOf = async (url: string): Promise<string> => {
  const { rendered } = await ok(ada, 'POST', '/messages/render', { content: url })
  const [address] = proxiedAddresses(rendered)
  expect([address === undefined, withoutProxy(rendered)]).toEqual([
    false,
    expect.stringContaining(`<img src="${url}">`),
  ])
  return address as string
}

const callsOf = (path: string) => site.calls.filter((call) => call.path === path)

describe('A picture of another site', () => {
  test('It is loaded once by the server, for any number of readers, who need no credentials.', async () => {
    const id = await postMessage(ada, 'design', 'pictures', `${site.url}/red-1.png`)
    const { message } = await ok(grace, 'GET', `/messages/${id}`)
    const [address = ''] = proxiedAddresses(message.content)
    const answers = await Promise.all(Array.from({ length: 12 }, () => fetchFile(ada.host, address)))
    answers.push(await fetchFile(ada.host, address, grace))
    for (const { status, headers, bytes } of answers) {
      expect([status, headers['content-type']]).toEqual([200, 'image/png'])
      expect(bytes.subarray(0, 8)).toEqual(redPixel.subarray(0, 8))
      expect(headers).toMatchObject({
        'cache-control': 'private, max-age=86400',
        'content-security-policy': expect.stringContaining('sandbox'),
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      })
    }
    const calls = callsOf('/red-1.png')
    expect(calls.map(({ headers }) => headers['user-agent'])).toEqual(['ParleyPictures/1.0'])
    for (const name of ['cookie', 'authorization', 'referer', 'x-forwarded-for'])
      expect(calls[0]?.headers).not.toHaveProperty(name)
    const { etag = '' } = answers[0]?.headers ?? {}
    const again = await sendRequest(portOf(anyGateway()), {
      path: address,
      host: ada.host,
      headers: { 'If-None-Match': etag },
    })
    expect(again.status).toBe(304)
  })

  test('Redirects are followed, and the bytes say what the picture is.', async () => {
    for (const path of ['/moved.png', '/untyped.png'])
      expect((await fetchFile(ada.host, await addressOf(`${site.url}${path}`))).status, path).toBe(200)
  })

  test('A picture whose file is gone is loaded again for the next reader.', async () => {
    const address = await addressOf(`${site.url}/red-gone.png`)
    expect((await fetchFile(ada.host, address)).status).toBe(200)
    await realm.sql`
      update external_pictures set key = 'external/gone' where realm_id = ${realm.realm_id} and key is not null`
    expect([(await fetchFile(ada.host, address)).status, (await fetchFile(ada.host, address)).status]).toEqual([
      404, 200,
    ])
    expect(callsOf('/red-gone.png')).toHaveLength(2)
  })

  test('Nothing else is shown, and it is not asked for again at once.', async () => {
    const paths = ['/nothing.png', '/drawing.png', '/disguised.png', '/page.png', '/cut.png', '/huge.png', '/long.png']
    const leading = ['/private.png', '/file.png']
    const answers = await Promise.all(
      [...paths, ...leading, '/round.png'].map(async (path) => {
        const address = await addressOf(`${site.url}${path}`)
        const first = await fetchFile(ada.host, address)
        return [path, first.status, (await fetchFile(ada.host, address)).status]
      }),
    )
    expect(answers).toEqual([...paths, ...leading, '/round.png'].map((path) => [path, 404, 404]))
    for (const path of [...paths, ...leading]) expect([path, callsOf(path).length]).toEqual([path, 1])
    const privateAddress = await addressOf(`http://127.0.0.2:${port()}/red-private.png`)
    expect((await fetchFile(ada.host, privateAddress)).status).toBe(404)
    expect(callsOf('/red-private.png')).toEqual([])
  })

  test('Only addresses that the server has signed are loaded.', async () => {
    const address = await addressOf(`${site.url}/red-signed.png`)
    const [, , signature = '', hex = ''] = address.split('/')
    const other = Buffer.from(`${site.url}/red-other.png`).toString('hex')
    const forged = [
      `/external_content/${signature}/${other}`,
      `/external_content/${'0'.repeat(40)}/${hex}`,
      `/external_content/${signature.toUpperCase()}/${hex}`,
      `/external_content/${signature}/${hex}0`,
      `/external_content/${signature}/${hex.toUpperCase()}`,
      `/external_content/${signature}/%00`,
      `/external_content/x/${hex}`,
    ]
    for (const path of forged) expect([path, (await fetchFile(ada.host, path)).status]).toEqual([path, 404])
    expect(callsOf('/red-other.png')).toEqual([])
    expect((await fetchFile(ada.host, address)).status).toBe(200)
  })

  test('A caller who makes the server load too many pictures is refused, and gets those that it has.', async () => {
    await using gateway = await startGateway({
      RATE_LIMITS: 'on',
      RATES: 'external_pictures_by_ip=1/60 external_pictures_by_user=1/60',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const network = `100.65.${process.pid % 256}.${Date.now() % 256}`
    const get = (path: string, from = network) =>
      sendRequest(Number(new URL(gateway.url).port), { path, host: ada.host, headers: { 'X-Forwarded-For': from } })
    const [a, b] = [await addressOf(`${site.url}/red-a.png`), await addressOf(`${site.url}/red-b.png`)]
    expect((await get(a)).status).toBe(200)
    const refused = await get(b)
    expect([refused.status, refused.json.code, callsOf('/red-b.png').length]).toEqual([429, 'RATE_LIMIT_HIT', 0])
    expect((await get(a)).status).toBe(200)
  })
})

describe('HTML that was stored with the addresses of other sites', () => {
  const direct = (html: string) => /(?:src="|url\(&quot;)https?:/.test(html)

  test('It is sent with the addresses of the server: in messages, their history, searches and events.', async () => {
    const id = await postMessage(ada, 'design', 'old', 'an old picture')
    const old =
      '<p>an old picture</p>\n<div class="message_inline_image"><a href="https://e.org/a.png?b=1&amp;c=2">' +
      '<img src="https://e.org/a.png?b=1&amp;c=2"></a></div>'
    await realm.sql`update messages set rendered_content = ${old} where realm_id = ${realm.realm_id} and id = ${id}`
    const { message } = await ok(grace, 'GET', `/messages/${id}`)
    expect(withoutProxy(message.content)).toBe(old)
    const { messages } = await ok(grace, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'search', operand: 'picture' }],
    })
    const found = messages.find((one: { id: number }) => one.id === id)
    for (const html of [message.content, found?.content, found?.match_content])
      expect([direct(html ?? ''), proxiedAddresses(html ?? '').length]).toEqual([false, 1])

    const listener = await listen(grace, { event_types: ['update_message'], apply_markdown: true })
    await ok(ada, 'PATCH', `/messages/${id}`, { content: 'a new text' })
    const [event] = await listener.events()
    expect(withoutProxy(String(event?.orig_rendered_content))).toBe(old)
    const { message_history } = await ok(grace, 'GET', `/messages/${id}/history`)
    for (const html of [String(event?.orig_rendered_content), ...message_history.flatMap(Object.values).map(String)])
      expect([html, direct(html)]).toEqual([html, false])
  })

  const deployment = { ...testDeployment(), isOwnAddress: (url: string) => url.startsWith('https://own.example/') }
  const mediaProxy = openOwnProxy(deployment.keys)

  test('Every form of a picture is changed, and nothing else.', () => {
    const proxy = (html: string) => proxyStoredMedia(html, { ...deployment, mediaProxy })
    const changed = [
      '<img src="https://e.org/a.png">',
      '<img alt=":x:" class="emoji" src="http://e.org/x.gif" title="x">',
      '<img data-original-dimensions="8x8" src="HTTPS://E.org/a.png">',
      '<div class="youtube-video message_inline_image"><a data-id="x" href="https://youtu.be/x"><img src="https://i.ytimg.com/vi/x/mqdefault.jpg"></a></div>',
      '<a class="message_embed_image" href="https://e.org/>" style="background-image: url(&quot;https://e.org/a.png?b&amp;c&quot;)"></a>',
      `<a class="message_embed_image" href="https://e.org" style="background-image: url('https://e.org/a.png')"></a>`,
    ]
    for (const html of changed) {
      const now = proxy(html)
      expect([html, direct(now), proxiedAddresses(now).length]).toEqual([html, false, 1])
      expect(proxy(now)).toBe(now)
      expect(withoutProxy(now)).toBe(html)
    }
    const kept = [
      '<p>&lt;img src="https://e.org/a.png"&gt; url(&quot;https://e.org&quot;) <a href="https://e.org/a.png">x</a></p>',
      '<img src="/user_uploads/thumbnail/1/a/b.png/840x560.webp">',
      '<img src="https://own.example/user_avatars/1/realm/icon.png">',
      '<video preload="metadata" src="https://e.org/a.mp4"></video>',
      '<img src="data:image/png,x">',
    ]
    for (const html of kept) expect(proxy(html)).toBe(html)
  })

  test('An address that a former secret signed gets a new signature.', () => {
    const old = openOwnProxy(openKeys(['a former secret of this test, long enough'])).picture('https://e.org/a.png')
    const html = `<img src="${old}">`
    expect(proxyStoredMedia(html, { ...deployment, mediaProxy })).toBe(
      `<img src="${mediaProxy.picture('https://e.org/a.png')}">`,
    )
    const [, , signature = '', hex = ''] = old.split('/')
    const both = openKeys(['a newer secret of this test, long enough', 'a former secret of this test, long enough'])
    expect(readPictureAddress(both, signature, hex)).toBe('https://e.org/a.png')
    expect(readPictureAddress(deployment.keys, signature, hex)).toBeUndefined()
  })

  test('An address that no client can open is not loaded.', () => {
    const url = 'http://[x]/a.png'
    const [signature = '', hex = ''] = openOwnProxy(deployment.keys).picture(url).split('/').slice(2)
    expect(readPictureAddress(deployment.keys, signature, hex)).toBeUndefined()
  })

  test('With the proxy of the operator, it has the addresses of that one.', () => {
    const camo = openCamo('https://camo.example', 'a key')
    const proxy = (html: string) => proxyStoredMedia(html, { ...deployment, mediaProxy: camo })
    for (const html of [
      '<img src="https://e.org/a.png">',
      '<video preload="metadata" src="https://e.org/a.mp4"></video>',
    ]) {
      expect(proxy(html)).toContain('src="https://camo.example/')
      expect(proxy(proxy(html))).toBe(proxy(html))
    }
  })
})

test('An organization keeps a bounded number and size of pictures, and none for ever.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pictures-'))
  const files = openDiskStorage(folder)
  const { sql, realm_id } = realm
  const now = Math.floor(Date.now() / 1000)
  const add = async (id: string, size: number, used_at: number, asked_at = now) => {
    const key = `external/${realm_id}/${id}`
    await files.put(key, Buffer.alloc(size))
    await sql`
      insert into external_pictures (realm_id, id, key, content_type, size, asked_at, is_loading, used_at)
      values (${realm_id}, ${id}, ${key}, 'image/png', ${size}, ${asked_at}, false, ${used_at})`
  }
  try {
    await sql`delete from external_pictures where realm_id = ${realm_id}`
    for (const [i, id] of ['d', 'c', 'b', 'a'].entries()) await add(id, 100, now - 100 + i)
    const left = async () =>
      (await sql<{ id: string }[]>`select id from external_pictures where realm_id = ${realm_id} order by id`).map(
        ({ id }) => id,
      )
    await removeExcessPictures(sql, files, realm_id, { bytes: 350, pictures: 10 })
    expect(await left()).toEqual(['a', 'b', 'c'])
    await removeExcessPictures(sql, files, realm_id, { bytes: 1_000, pictures: 2 })
    expect(await left()).toEqual(['a', 'b'])
    expect([await files.size(`external/${realm_id}/a`), await files.size(`external/${realm_id}/c`)]).toEqual([
      100,
      undefined,
    ])
    await add('old', 1, now, now - 8 * 86_400)
    expect(await findExternalPicture(sql, realm_id, 'old')).toBe('unknown')
    expect(await removeOldPictures(sql, files, 100_000)).toBeGreaterThan(0)
    expect(await left()).toEqual(['a', 'b'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
