/** Uploading and downloading files. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { listen } from '../setup/realm/event-listener.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { sendDirectMessage } from '../setup/realm/messages.js'
import { anyGateway, call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { fetchFile, redPixel, upload } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const setUp = async () => {
  const realm = await newRealm()
  const [ada, grace, mary] = (await realm.people(
    { full_name: 'Ada' },
    { full_name: 'Grace' },
    { full_name: 'Mary' },
  )) as [Person, Person, Person]
  return { realm, ada, grace, mary, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const notes = { filename: 'my notes.txt', type: 'text/plain', data: 'hello' }
const pathOf = async (person: Person, file: Parameters<typeof upload>[2] = notes) =>
  (await upload(person, '/user_uploads', file)).json.url as string

describe('Uploaded files', () => {
  test('A file can be uploaded under any field name, and its address cannot be guessed.', async () => {
    await using s = await setUp()
    const ear = await listen(s.ada, { event_types: ['attachment'] })
    const { json } = await upload(s.ada, '/user_uploads', { ...notes, field: '/home/ada/my notes.txt' })
    const { url } = json
    expect(json).toEqual({ result: 'success', msg: '', url, uri: url, filename: 'my notes.txt' })
    expect(url).toMatch(/^\/user_uploads\/\d+\/[\w-]{24}\/my-notes\.txt$/)
    const { attachments, upload_space_used } = await ok(s.ada, 'GET', '/attachments')
    expect([attachments, upload_space_used]).toEqual([
      [
        {
          id: expect.any(Number),
          name: 'my notes.txt',
          path_id: (url as string).slice('/user_uploads/'.length),
          size: 5,
          create_time: expect.any(Number),
          messages: [],
        },
      ],
      5,
    ])
    expect(await ear.events()).toMatchObject([{ op: 'add', attachment: attachments[0], upload_space_used: 5 }])
    expect((await ok(s.grace, 'GET', '/attachments')).attachments).toEqual([])
  })

  test('A compressed form with a file is refused, and stores no file.', async () => {
    await using s = await setUp()
    const form = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n'
    const { status, json } = await sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: '/api/v1/user_uploads',
      host: s.ada.host,
      authorization: basicAuthorization(s.ada),
      headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Encoding': 'gzip' },
      body: gzipSync(form),
    })
    expect([status, json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect((await ok(s.ada, 'GET', '/attachments')).attachments).toEqual([])
  })

  test('A file of any size is returned unchanged.', async () => {
    await using s = await setUp()
    const data = Buffer.alloc(3 * 1024 * 1024, 'Parley')
    const url = await pathOf(s.ada, { filename: 'large.bin', data })
    expect((await fetchFile(s.ada.host, url, s.ada)).bytes.equals(data)).toBe(true)
    const empty = await pathOf(s.ada, { filename: 'empty.txt', data: '' })
    expect((await fetchFile(s.ada.host, empty, s.ada)).bytes).toHaveLength(0)
  })

  test.each([
    [notes, 'text/plain; charset=utf-8', 'inline'],
    [{ filename: 'a.png', type: 'image/png', data: redPixel }, 'image/png', 'inline'],
    [{ filename: 'a.html', type: 'text/html', data: '<script>' }, 'application/octet-stream', 'attachment'],
    [{ filename: 'a.svg', type: 'image/svg+xml', data: '<svg/>' }, 'application/octet-stream', 'attachment'],
  ])('A browser executes nothing in a file: %o', async (file, type, disposition) => {
    await using s = await setUp()
    const url = await pathOf(s.ada, file)
    const { headers } = await fetchFile(s.ada.host, url, s.ada)
    expect(headers['content-type']).toBe(type)
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition};`))
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const download = await fetchFile(s.ada.host, url.replace('/user_uploads/', '/user_uploads/download/'), s.ada)
    expect(download.headers['content-disposition']).toMatch(/^attachment;/)
  })

  test('A video player can request a part of a file.', async () => {
    await using s = await setUp()
    const url = await pathOf(s.ada, { filename: 'a.mp4', type: 'video/mp4', data: '0123456789' })
    const asked = async (Range: string, method = 'GET') => {
      const to = { path: url, host: s.ada.host, authorization: basicAuthorization(s.ada), method, headers: { Range } }
      const { status, headers, text } = await sendRequest(Number(new URL(anyGateway()).port), to)
      if (status !== 416) expect([headers['accept-ranges'], headers['content-type']]).toEqual(['bytes', 'video/mp4'])
      return [status, headers['content-range'], headers['content-length'], text]
    }
    expect(await asked('bytes=0-3')).toEqual([206, 'bytes 0-3/10', '4', '0123'])
    expect(await asked('bytes=7-')).toEqual([206, 'bytes 7-9/10', '3', '789'])
    expect(await asked('bytes=-2')).toEqual([206, 'bytes 8-9/10', '2', '89'])
    expect(await asked('bytes=-20')).toEqual([206, 'bytes 0-9/10', '10', '0123456789'])
    expect(await asked('bytes=5-500')).toEqual([206, 'bytes 5-9/10', '5', '56789'])
    expect(await asked('bytes=5-500', 'HEAD')).toEqual([206, 'bytes 5-9/10', '5', ''])
    for (const beyond of ['bytes=10-', 'bytes=-0']) expect(await asked(beyond)).toEqual([416, 'bytes */10', '0', ''])
    for (const other of ['bytes=4-2', 'bytes=0-1,4-5', 'bytes=-', 'lines=0-3', '']) {
      expect(await asked(other)).toEqual([200, undefined, '10', '0123456789'])
    }
  })

  test('A file is deleted when its owner deletes it.', async () => {
    await using s = await setUp()
    const url = await pathOf(s.ada)
    const [{ id } = { id: 0 }] = (await ok(s.ada, 'GET', '/attachments')).attachments
    const refused = { status: 400, body: { msg: 'You have no attachment with this ID.' } }
    expect(await call(s.grace, 'DELETE', `/attachments/${id}`)).toMatchObject(refused)
    const ear = await listen(s.ada, { event_types: ['attachment'] })
    await ok(s.ada, 'DELETE', `/attachments/${id}`)
    expect(await ear.events()).toMatchObject([{ op: 'remove', attachment: { id }, upload_space_used: 0 }])
    expect(await call(s.ada, 'DELETE', `/attachments/${id}`)).toMatchObject(refused)
    expect((await fetchFile(s.ada.host, url, s.ada)).status).toBe(404)
  })
})

describe('The name of a file', () => {
  const headerOf = async (filename: string, path: (url: string) => string = (url) => url) => {
    await using s = await setUp()
    const url = await pathOf(s.ada, { filename, type: 'text/plain', data: 'hello' })
    return (await fetchFile(s.ada.host, path(url), s.ada)).headers['content-disposition']
  }

  test('The header of a download has the name as it was uploaded, and a simple form of it for old clients.', async () => {
    expect(await headerOf('plan.txt')).toBe('inline; filename=plan.txt')
    expect(await headerOf("Ada's (new) plan*.txt")).toBe(
      "inline; filename=Ada-s-new-plan-.txt; filename*=UTF-8''Ada%27s%20%28new%29%20plan%2A.txt",
    )
    expect(await headerOf('Übersicht 日本.txt')).toBe(
      "inline; filename=Ubersicht-.txt; filename*=UTF-8''%C3%9Cbersicht%20%E6%97%A5%E6%9C%AC.txt",
    )
  })

  test('A name cannot add a header, and is not longer than a proxy accepts.', async () => {
    expect(await headerOf('a\u0001\u0085b.txt')).toBe('inline; filename=ab.txt')
    expect((await headerOf(`${'é'.repeat(5_000)}.txt`))?.length).toBeLessThan(2_000)
  })
})

test('A PDF is shown outside of a sandbox, in which no browser shows one, and runs no scripts of the site.', async () => {
  await using s = await setUp()
  const url = await pathOf(s.ada, { filename: 'a.pdf', type: 'application/pdf', data: '%PDF-1.4' })
  const { headers } = await fetchFile(s.ada.host, url, s.ada)
  expect(headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' })
  expect(headers['content-security-policy']).toBe("default-src 'none'; object-src 'self'; style-src 'unsafe-inline'")
})

describe('Refused uploads', () => {
  test('An upload without a file, or with two files, is refused.', async () => {
    await using s = await setUp()
    expect(await call(s.ada, 'POST', '/user_uploads')).toMatchObject({
      status: 400,
      body: { msg: 'You must specify a file to upload' },
    })
    expect((await upload(s.ada, '/user_uploads', notes, notes)).json).toMatchObject({
      msg: 'Upload one file at a time.',
    })
  })

  test('An upload that is larger than the server allows is refused.', async () => {
    await using s = await setUp()
    const msg = 'This file is larger than the server takes (4 MiB).'
    const data = Buffer.alloc(4 * 1024 * 1024 + 1)
    expect((await upload(s.ada, '/user_uploads', { filename: 'a', data })).json).toMatchObject({ msg })
  })
})

describe('Access to a file without a message', () => {
  test('Only the owner can read a file that no message links to, with a header or with the api_key parameter.', async () => {
    await using s = await setUp()
    const url = await pathOf(s.ada)
    expect((await fetchFile(s.ada.host, `${url}?api_key=${s.ada.api_key}`)).text).toBe('hello')
    expect((await fetchFile(s.ada.host, `${url}?api_key=${s.grace.api_key}`)).status).toBe(403)
    expect((await fetchFile(s.ada.host, `${url}?api_key=${'x'.repeat(32)}`)).status).toBe(401)
    expect((await fetchFile(s.ada.host, url, s.grace)).status).toBe(403)
    expect((await fetchFile(s.ada.host, url)).status).toBe(401)
    expect((await fetchFile(s.ada.host, url.replace(/[^/]+$/, 'other'), s.ada)).status).toBe(404)
  })

  test('A temporary address works without credentials for a minute.', async () => {
    await using s = await setUp()
    const path = await pathOf(s.ada)
    const { url } = await ok<{ url: string }>(s.ada, 'GET', path)
    expect(url).toMatch(/^\/user_uploads\/temporary\/.*\/my-notes\.txt$/)
    expect((await fetchFile(s.ada.host, url)).text).toBe('hello')
    expect((await fetchFile(s.ada.host, url.replace(/temporary\/\d+/, 'temporary/999999'))).status).toBe(403)
    expect((await fetchFile(s.ada.host, url.replace(/(temporary\/\d+)\.\d+/, '$1.0'))).status).toBe(403)
    await using other = await setUp()
    expect((await fetchFile(other.ada.host, url)).status).toBe(403)
    expect(await call(s.grace, 'GET', path)).toMatchObject({
      status: 403,
      body: { msg: 'This organization does not allow this.' },
    })
  })
})

describe('A temporary address', () => {
  const setUpShared = async () => {
    const s = await setUp()
    const [owner] = (await s.realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    const path = await pathOf(s.ada)
    const id = await sendDirectMessage(s.ada, [s.grace], `[a](${path})`)
    const { url } = await ok<{ url: string }>(s.grace, 'GET', path)
    expect((await fetchFile(s.ada.host, url)).status).toBe(200)
    return { ...s, owner, path, url, id }
  }
  const refusal = async (host: string, url: string) => {
    const { status, json } = await fetchFile(host, url)
    return [status, json.msg]
  }

  test('It does not work after its user lost access to the file.', async () => {
    await using s = await setUpShared()
    await ok(s.ada, 'PATCH', `/messages/${s.id}`, { content: 'nothing to see' })
    expect(await refusal(s.ada.host, s.url)).toEqual([403, 'This organization does not allow this.'])
  })

  test('It does not work after the account of its user was deactivated.', async () => {
    await using s = await setUpShared()
    await ok(s.owner, 'DELETE', `/users/${s.grace.user_id}`)
    expect((await refusal(s.ada.host, s.url))[0]).toBe(401)
  })

  test('It does not work after the file was deleted.', async () => {
    await using s = await setUpShared()
    const [{ id } = { id: 0 }] = (await ok(s.ada, 'GET', '/attachments')).attachments
    await ok(s.ada, 'DELETE', `/attachments/${id}`)
    expect((await refusal(s.ada.host, s.url))[0]).toBe(404)
  })

  test('It does not work after the organization was deactivated.', async () => {
    await using s = await setUpShared()
    await ok(s.owner, 'POST', '/realm/deactivate')
    expect(await refusal(s.ada.host, s.url)).toEqual([401, 'This organization is deactivated.'])
    expect((await fetchFile(s.ada.host, s.path, s.ada)).status).toBe(401)
  })
})
