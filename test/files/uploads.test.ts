/** Uploading and downloading files. */
import { describe, expect, test } from 'vitest'
import { listen } from '../setup/event-listener.js'
import { basicAuthorization } from '../setup/event-reader.js'
import { fetchFile, redPixel, upload } from '../setup/files.js'
import { sendRequest } from '../setup/raw-request.js'
import { anyGateway, call, newRealm, ok, type Person } from '../setup/realm.js'

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
    expect([headers['x-content-type-options'], headers['content-security-policy']]).toEqual([
      'nosniff',
      expect.stringContaining('sandbox'),
    ])
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
    const refused = { status: 400, body: { msg: 'There is no such attachment of yours.' } }
    expect(await call(s.grace, 'DELETE', `/attachments/${id}`)).toMatchObject(refused)
    const ear = await listen(s.ada, { event_types: ['attachment'] })
    await ok(s.ada, 'DELETE', `/attachments/${id}`)
    expect(await ear.events()).toMatchObject([{ op: 'remove', attachment: { id }, upload_space_used: 0 }])
    expect(await call(s.ada, 'DELETE', `/attachments/${id}`)).toMatchObject(refused)
    expect((await fetchFile(s.ada.host, url, s.ada)).status).toBe(404)
  })
})

describe('Refused uploads', () => {
  test('An upload without a file, or with two files, is refused.', async () => {
    await using s = await setUp()
    expect(await call(s.ada, 'POST', '/user_uploads')).toMatchObject({
      status: 400,
      body: { msg: 'Send a file to upload.' },
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
    await using other = await setUp()
    expect((await fetchFile(other.ada.host, url)).status).toBe(403)
    expect(await call(s.grace, 'GET', path)).toMatchObject({
      status: 403,
      body: { msg: 'This organization does not allow this.' },
    })
  })
})
