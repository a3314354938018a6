/** Uploads that can be continued after an interruption (tus). */
import { randomBytes } from 'node:crypto'
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, inject, test } from 'vitest'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { openDiskStorage } from '../../src/store/files/disk-storage.js'
import { removeAbandonedUploads, UPLOAD_LIFETIME_MS } from '../../src/store/files/resumable-uploads.js'
import { listen } from '../setup/realm/event-listener.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { anyGateway, gateways, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'
import { fetchFile, upload } from '../setup/requests/files.js'
import { type RawResponse, sendRequest } from '../setup/requests/raw-request.js'

const version = { 'Tus-Resumable': '1.0.0' }
const octets = { 'Content-Type': 'application/offset+octet-stream' }
const portOf = (url: string) => Number(new URL(url).port)
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** One call of the protocol, on any gateway unless one is named. */
const tus = (
  by: Person | undefined,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Uint8Array,
  url = anyGateway(),
  host = by?.host ?? '',
) =>
  sendRequest(portOf(url), {
    method,
    path,
    host,
    ...(by === undefined ? {} : { authorization: basicAuthorization(by) }),
    headers: { ...version, ...headers },
    ...(body === undefined ? {} : { body }),
  })

const begin = async (by: Person, size: number, name = 'large.bin', type = 'text/plain') => {
  const metadata = `filename ${base64(name)},filetype ${base64(type)}`
  const headers = { 'Upload-Length': String(size), 'Upload-Metadata': metadata }
  return tus(by, 'POST', '/api/v1/tus/', headers)
}

const patch = (by: Person, location: string, from: number, part: Uint8Array, url?: string) =>
  tus(by, 'PATCH', location, { ...octets, 'Upload-Offset': String(from) }, part, url)

const offsetOf = async (by: Person, location: string, url?: string) =>
  Number((await tus(by, 'HEAD', location, {}, undefined, url)).headers['upload-offset'])

/** Sends the beginning of a part, and cuts the connection. */
const cutOff = (by: Person, location: string, from: number, whole: Buffer, sent: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = net.connect(portOf(anyGateway()), '127.0.0.1', () => {
      socket.write(
        `PATCH ${location} HTTP/1.1\r\nHost: ${by.host}\r\nAuthorization: ${basicAuthorization(by)}\r\nTus-Resumable: 1.0.0\r\n` +
          `Content-Type: application/offset+octet-stream\r\nUpload-Offset: ${from}\r\n` +
          `Content-Length: ${whole.length - from}\r\n\r\n`,
      )
      socket.write(whole.subarray(from, from + sent), () => setTimeout(() => socket.destroy(), 100))
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })

test('An interrupted upload continues on another replica, and becomes an ordinary file.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const ear = await listen(ada, { event_types: ['attachment'] })
  const whole = randomBytes(700_000)
  const begun = await begin(ada, whole.length, 'my film.bin')
  const location = begun.headers.location as string
  expect([begun.status, begun.headers['tus-resumable']]).toEqual([201, '1.0.0'])
  expect(location).toMatch(/^\/api\/v1\/tus\/[\w-]{24}$/)
  const [first, second] = gateways() as [string, string]
  const part = await patch(ada, location, 0, whole.subarray(0, 100_000), first)
  expect([part.status, part.headers['upload-offset'], part.bytes.length]).toEqual([204, '100000', 0])
  expect(part.headers['content-length']).toBe(undefined)
  await cutOff(ada, location, 100_000, whole, 300_000)
  await expect.poll(() => offsetOf(ada, location, second)).toBeGreaterThan(100_000)
  const at = await offsetOf(ada, location, second)
  expect(at).toBeLessThanOrEqual(400_000)
  const last = await patch(ada, location, at, whole.subarray(at), second)
  expect([last.status, last.headers['upload-offset'], last.json.filename]).toEqual([200, '700000', 'my film.bin'])
  const url = last.json.url as string
  expect(url).toMatch(/^\/user_uploads\/\d+\/[\w-]{24}\/my-film\.bin$/)
  const { bytes, headers } = await fetchFile(ada.host, url, ada)
  expect([bytes.equals(whole), headers['content-type']]).toEqual([true, 'text/plain; charset=utf-8'])
  expect((await fetchFile(grace.host, url, grace)).status).toBe(403)
  expect(await ear.events()).toMatchObject([{ op: 'add', attachment: { name: 'my film.bin', size: 700_000 } }])
  expect((await tus(ada, 'HEAD', location)).status).toBe(404)
})

test('A part is added once, and only at its offset.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const location = (await begin(ada, 10)).headers.location as string
  const part = Buffer.from('01234')
  const answers = await Promise.all(gateways().map((url) => patch(ada, location, 0, part, url)))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409])
  expect((await patch(ada, location, 7, Buffer.from('78'))).status).toBe(409)
  expect((await patch(ada, location, 5, Buffer.from('too much'))).status).toBe(400)
  expect(await offsetOf(ada, location)).toBe(5)
  const ends = await Promise.all(gateways().map((url) => patch(ada, location, 5, Buffer.from('56789'), url)))
  const done = ends.filter(({ status }) => status === 200)
  expect(done).toHaveLength(1)
  expect((await fetchFile(ada.host, done[0]?.json.url as string, ada)).text).toBe('0123456789')
  expect((await ok(ada, 'GET', '/attachments')).attachments).toHaveLength(1)
})

test('A compressed part is refused, and the upload continues with the part as it is.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const location = String((await begin(ada, 5)).headers.location)
  const headers = { ...octets, 'Upload-Offset': '0', 'Content-Encoding': 'gzip' }
  expect((await tus(ada, 'PATCH', location, headers, gzipSync('hello'))).status).toBe(415)
  expect(await offsetOf(ada, location)).toBe(0)
  expect((await patch(ada, location, 0, Buffer.from('hello'))).status).toBe(200)
})

test('Only the user who began an upload can continue or cancel it.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const location = (await begin(ada, 10)).headers.location as string
  for (const method of ['HEAD', 'PATCH', 'DELETE']) {
    const headers = method === 'PATCH' ? { ...octets, 'Upload-Offset': '0' } : {}
    expect((await tus(grace, method, location, headers)).status, method).toBe(404)
    expect((await tus(undefined, method, location, headers, undefined, undefined, ada.host)).status, method).toBe(401)
  }
  expect((await tus(undefined, 'POST', '/api/v1/tus/', {}, undefined, undefined, ada.host)).status).toBe(401)
  expect((await tus(ada, 'DELETE', location)).status).toBe(204)
  expect((await tus(ada, 'HEAD', location)).status).toBe(404)
})

test('An upload that is too large, of unknown size or of another tus version gets the error of the protocol.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const large = await begin(ada, 4 * 1024 * 1024 + 1)
  expect([large.status, large.json]).toEqual([413, { message: 'This file is larger than the server takes (4 MiB).' }])
  const deferred = await tus(ada, 'POST', '/api/v1/tus/', { 'Upload-Defer-Length': '1' })
  expect(deferred.status).toBe(411)
  const old = await tus(ada, 'POST', '/api/v1/tus/', { 'Upload-Length': '1', 'Tus-Resumable': '0.2.2' })
  expect([old.status, old.headers['tus-version']]).toEqual([412, '1.0.0'])
  const { realm: row } = realm.realm.state
  await commitRowChanges(realm, [composeUpdate('realms', row, { upload_quota_mib: 0 })])
  const full = [413, 'The upload quota of the organization has no space for this file.']
  // The gateway learns of the new quota a moment later.
  const refusal = async () => {
    const { status, json } = await begin(ada, 1)
    return [status, json.message]
  }
  await expect.poll(refusal).toEqual(full)
})

test('The server announces its tus version and extensions, also to browsers on other sites.', async () => {
  const { realm } = await newQuietRealm()
  await using _ = realm
  const told = await sendRequest(portOf(anyGateway()), { method: 'OPTIONS', path: '/api/v1/tus/', host: realm.host })
  expect([told.status, told.headers['tus-version'], told.headers['tus-extension']]).toEqual([
    204,
    '1.0.0',
    'creation,termination,expiration',
  ])
  expect(told.headers['tus-max-size']).toBe(String(4 * 1024 * 1024))
  expect(told.headers['access-control-allow-headers']).toContain('Upload-Offset')
})

test('An upload that no client continues is deleted with its parts.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const [left, kept] = [await begin(ada, 10), await begin(ada, 10)].map(({ headers }) => headers.location as string)
  await patch(ada, left as string, 0, Buffer.from('01234'))
  const id = left?.split('/').at(-1) as string
  const [part] = await realm.sql<{ key: string }[]>`select key from resumable_parts where upload_id = ${id}`
  await realm.sql`update resumable_uploads set touched = touched - ${UPLOAD_LIFETIME_MS + 1000} where id = ${id}`
  const files = openDiskStorage(inject('process_env').UPLOADS_DIR ?? '')
  expect(await files.get(part?.key as string)).toHaveLength(5)
  await removeAbandonedUploads(realm.sql, files, 100)
  expect(await files.get(part?.key as string)).toBe(undefined)
  expect((await tus(ada, 'HEAD', left as string)).status).toBe(404)
  expect(await offsetOf(ada, kept as string)).toBe(0)
})

const setQuota = (realm: TestRealm, upload_quota_mib: number | null) =>
  commitRowChanges(realm, [composeUpdate('realms', realm.realm.state.realm, { upload_quota_mib })])

/** The bytes that are reserved for unfinished uploads. */
const reserved = async (realm: TestRealm) => {
  const [row] = await realm.sql<{ reserved: number }[]>`
    select reserved from upload_usage where realm_id = ${realm.realm_id}`
  return row?.reserved
}

describe('The quota and unfinished uploads', () => {
  test('Unfinished uploads count against the quota, also when many begin at once.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace')
    await using _ = realm
    const [ada, grace] = people as [Person, Person]
    await setQuota(realm, 1)
    const size = 300 * 1024
    const begun = await Promise.all([ada, grace, ada, grace, ada, grace].map((by) => begin(by, size)))
    expect(begun.map(({ status }) => status).sort()).toEqual([201, 201, 201, 413, 413, 413])
    const file = { filename: 'a.bin', data: Buffer.alloc(size) }
    expect((await upload(ada, '/user_uploads', file)).json.code).toBe('REALM_UPLOAD_QUOTA')
    expect((await ok(ada, 'GET', '/attachments')).upload_space_used).toBe(0)
    expect(await reserved(realm)).toBe(3 * size)
  })

  test('The space of an upload is free again when its user cancels it or no client continues it.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    await setQuota(realm, 1)
    const [first, second] = [await begin(ada, 500_000), await begin(ada, 500_000)]
    expect((await begin(ada, 500_000)).status).toBe(413)
    await tus(ada, 'DELETE', first.headers.location as string)
    expect(await reserved(realm)).toBe(500_000)
    const id = (second.headers.location as string).split('/').at(-1) as string
    await realm.sql`update resumable_uploads set touched = touched - ${UPLOAD_LIFETIME_MS + 1000} where id = ${id}`
    await removeAbandonedUploads(realm.sql, openDiskStorage(inject('process_env').UPLOADS_DIR ?? ''), 100)
    expect([await reserved(realm), (await begin(ada, 1_000_000)).status]).toEqual([0, 201])
  })

  test('A finished upload uses the space that was reserved for it.', async () => {
    const { realm, people } = await newQuietRealm('Ada')
    await using _ = realm
    const [ada] = people as [Person]
    await setQuota(realm, 1)
    const location = (await begin(ada, 1024 * 1024)).headers.location as string
    expect((await patch(ada, location, 0, Buffer.alloc(1024 * 1024))).status).toBe(200)
    expect((await ok(ada, 'GET', '/attachments')).upload_space_used).toBe(1024 * 1024)
    expect([await reserved(realm), (await begin(ada, 1)).status]).toEqual([0, 413])
  })

  test('An account has at most 20 unfinished uploads.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace')
    await using _ = realm
    const [ada, grace] = people as [Person, Person]
    const begun = await Promise.all(Array.from({ length: 25 }, () => begin(ada, 1)))
    const refused = begun.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.json).toEqual({ message: 'You have 20 unfinished uploads: finish or cancel one of them first.' })
    expect((await begin(grace, 1)).status).toBe(201)
    const location = begun.find(({ status }) => status === 201)?.headers.location as string
    expect((await patch(ada, location, 0, Buffer.from('x'))).status).toBe(200)
    expect((await begin(ada, 1)).status).toBe(201)
  })
})

test('When several requests finish an upload at once, one gets the file and the others learn that it is finished.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  for (let round = 0; round < 5; round++) {
    const whole = randomBytes(200_000)
    const location = (await begin(ada, whole.length)).headers.location as string
    for (let at = 0; at < whole.length - 20_000; at += 20_000) {
      await patch(ada, location, at, whole.subarray(at, at + 20_000))
    }
    // Without space for the file, its bytes are received and the upload is not finished.
    await setQuota(realm, 0)
    const last = await patch(ada, location, 180_000, whole.subarray(180_000))
    expect(last.status).toBe(413)
    await setQuota(realm, null)
    const urls = gateways()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => patch(ada, location, 200_000, Buffer.alloc(0), urls[i % urls.length])),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(404)])
    const { url } = (answers.find(({ status }) => status === 200) as RawResponse).json as { url: string }
    expect((await fetchFile(ada.host, url, ada)).bytes.equals(whole)).toBe(true)
  }
  expect((await ok(ada, 'GET', '/attachments')).attachments).toHaveLength(5)
})
