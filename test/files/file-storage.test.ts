/** The file storage: a folder or an S3 bucket. Both behave alike. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { describe, expect, inject, test } from 'vitest'
import { parseConfig } from '../../src/config/config.js'
import type { FileStorage } from '../../src/store/files/file-storage.js'
import { openFileStorage } from '../../src/store/files/open-file-storage.js'
import { openS3Storage } from '../../src/store/files/s3-storage.js'
import { runCli } from '../setup/processes/cli.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { startS3 } from '../setup/processes/s3-server.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { multipart } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const required = {
  DATABASE_URL: 'postgres://parley@localhost/parley',
  REDIS_URL: 'redis://localhost',
  SECRET_KEY: randomBytes(32).toString('hex'),
}

interface Opened extends AsyncDisposable {
  files: FileStorage
  folder: string
}

const places: Record<string, () => Promise<Opened>> = {
  async folder() {
    const folder = await mkdtemp(join(tmpdir(), 'parley-files-'))
    const files = await openFileStorage(parseConfig({ ...required, UPLOADS_DIR: join(folder, 'uploads') }))
    return { files, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
  },
  async bucket() {
    const folder = await mkdtemp(join(tmpdir(), 'parley-files-'))
    const server = await startS3()
    return {
      files: await openFileStorage(parseConfig({ ...required, ...server.env })),
      folder,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]()
        await rm(folder, { recursive: true })
      },
    }
  },
}

describe.each(Object.keys(places))('File storage in a %s', (place) => {
  const opened = () => (places[place] as () => Promise<Opened>)()

  test('Stored bytes are returned unchanged, as a whole, in parts and as a stream, until they are removed.', async () => {
    await using s = await opened()
    const bytes = randomBytes(3_000_000)
    await s.files.put('uploads/1/a', bytes)
    expect((await s.files.get('uploads/1/a'))?.equals(bytes)).toBe(true)
    const found = await s.files.open('uploads/1/a')
    expect([found?.length, found && (await buffer(found.bytes)).equals(bytes)]).toEqual([bytes.length, true])
    expect(await s.files.size('uploads/1/a')).toBe(bytes.length)
    const part = await s.files.open('uploads/1/a', { from: 1_000_000, to: 1_000_009 })
    expect([part?.length, part && (await buffer(part.bytes))]).toEqual([10, bytes.subarray(1_000_000, 1_000_010)])
    await s.files.put('uploads/1/a', Buffer.from('other'))
    expect((await s.files.get('uploads/1/a'))?.toString()).toBe('other')
    await s.files.remove('uploads/1/a')
    expect([
      await s.files.get('uploads/1/a'),
      await s.files.size('uploads/1/a'),
      await s.files.open('uploads/1/a'),
    ]).toEqual([undefined, undefined, undefined])
    await s.files.remove('uploads/1/a')
  })

  test('A stored file can be empty, and can be copied from the local disk.', async () => {
    await using s = await opened()
    await s.files.put('empty', Buffer.alloc(0))
    expect(await s.files.get('empty')).toHaveLength(0)
    const empty = await s.files.open('empty')
    expect([empty?.length, empty && (await buffer(empty.bytes))]).toEqual([0, Buffer.alloc(0)])
    const path = join(s.folder, 'large')
    const bytes = randomBytes(1_000_000)
    await writeFile(path, bytes)
    await s.files.putFile('exports/1/large', path)
    expect((await s.files.get('exports/1/large'))?.equals(bytes)).toBe(true)
  })

  test('A file can be stored in chunks, unless they have another size.', async () => {
    await using s = await opened()
    const chunks = () => Readable.from([Buffer.from('Par'), Buffer.from('ley')])
    await s.files.putChunks('chunks', 6, chunks())
    expect((await s.files.get('chunks'))?.toString()).toBe('Parley')
    for (const size of [5, 7]) await expect(s.files.putChunks('other', size, chunks())).rejects.toThrow()
  })

  test('An invalid key is refused.', async () => {
    await using s = await opened()
    for (const key of ['../x', '/x', 'a//b', 'a/../b', '', '.x']) {
      await expect((async () => s.files.get(key))(), key).rejects.toThrow('bad key')
    }
  })
})

test('move-files copies all files into a bucket and back, each once, and then deletes the source.', async () => {
  await using folder = await places.folder?.()
  await using s3 = await startS3()
  const UPLOADS_DIR = join(folder?.folder ?? '', 'uploads')
  const env = { ...inject('process_env'), UPLOADS_DIR, ...s3.env }
  const bucket = await openFileStorage(parseConfig(env))
  const move = async (...args: string[]) => {
    const { stdout, stderr } = await runCli(['move-files', ...args], env)
    return stdout === '' ? stderr : JSON.parse(stdout)
  }
  expect(await move('--to', 'bucket')).toContain('has no files')
  for (const [key, size] of Object.entries({ 'uploads/1/a': 5, 'uploads/1/b': 0, 'avatars/1/7-2': 70_000 })) {
    await folder?.files.put(key, randomBytes(size))
  }
  expect(await move('--to', 'bucket')).toEqual({ copied: 3, bytes: 70_005, present: 0, removed: 0 })
  await folder?.files.put('uploads/2/c', Buffer.from('new'))
  expect(await move('--to', 'bucket', '--delete-source')).toEqual({ copied: 1, bytes: 3, present: 3, removed: 4 })
  expect(await list(bucket)).toEqual(['avatars/1/7-2', 'uploads/1/a', 'uploads/1/b', 'uploads/2/c'])
  expect(await list(folder?.files as FileStorage)).toEqual([])
  expect(await move('--to', 'folder')).toMatchObject({ copied: 4, bytes: 70_008 })
  expect((await folder?.files.get('uploads/2/c'))?.toString()).toBe('new')
  await folder?.files.put('deployment.json', Buffer.from('{"deployment":"other","proof":""}'))
  expect(await move('--to', 'bucket')).toMatch(/UPLOADS_DIR .* belongs to another deployment \(other;/)
  expect(await move('--to', 'tape')).toContain('--to must be bucket or folder')
})

const list = async (files: FileStorage): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of files.list()) keys.push(key)
  return keys.sort()
}

test('A file that could not be stored leaves nothing in the folder.', async () => {
  await using s = await (places.folder as () => Promise<Opened>)()
  await expect(s.files.putChunks('1/other', 7, Readable.from([Buffer.from('Parley')]))).rejects.toThrow()
  expect(await readdir(join(s.folder, 'uploads', '1'))).toEqual([])
})

test('Gateways with a bucket share their files, and check who can read them.', { timeout: 60_000 }, async () => {
  await using server = await startS3()
  await using fleet = await startOwnFleet({ ...server.env, UPLOADS_DIR: '/nonexistent' })
  await using _ = await fleet.worker()
  const [ada, grace, mary] = (await fleet.realm.people(
    { full_name: 'Ada' },
    { full_name: 'Grace' },
    { full_name: 'Mary' },
  )) as [Person, Person, Person]
  const data = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'navy' } })
    .png()
    .toBuffer()
  const portOf = ({ url }: { url: string }) => Number(new URL(url).port)
  const { body, headers } = multipart([{ filename: 'a.png', type: 'image/png', data }])
  const at = { host: ada.host, authorization: basicAuthorization(ada), headers, body }
  const { json } = await sendRequest(portOf(fleet.gateway), { ...at, method: 'POST', path: '/api/v1/user_uploads' })
  const url = json.url as string
  const on = { url: fleet.gateway.url }
  const sent = { type: 'direct', to: [grace.user_id], content: `[a](${url})` }
  const { id } = await ok(ada, 'POST', '/messages', sent, on)
  const html = async () => (await ok(grace, 'GET', `/messages/${id}`, {}, on)).message.content
  await expect.poll(html, { timeout: 30_000 }).toContain('840x560.webp')
  const src = /src="([^"]+)"/.exec(await html())?.[1] ?? ''
  const get = async (port: number, path: string, by: Person) =>
    sendRequest(port, { path, host: by.host, authorization: basicAuthorization(by) })
  expect((await get(portOf(fleet.gateway), url, grace)).bytes.equals(data)).toBe(true)
  expect((await sharp((await get(portOf(fleet.gateway), src, grace)).bytes).metadata()).width).toBe(840)
  expect((await get(portOf(fleet.gateway), url, mary)).status).toBe(403)
  expect((await get(portOf(fleet.gateway), src, mary)).status).toBe(403)
})

test('A bucket that stops answering makes requests fail, before an answer and in the middle of one.', async () => {
  const stopped = createServer((request, response) => {
    if (request.url?.includes('half') === true) {
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('half of it')
    }
  })
  stopped.listen(0, '127.0.0.1')
  await once(stopped, 'listening')
  const files = openS3Storage({
    bucket: 'parley',
    endpoint: `http://127.0.0.1:${(stopped.address() as AddressInfo).port}`,
    region: 'us-east-1',
    access_key_id: 'key',
    secret_access_key: 'secret',
    silence_ms: 200,
  })
  await expect(files.get('uploads/1/none')).rejects.toThrow('timed out')
  await expect(files.get('uploads/1/half')).rejects.toThrow('timed out')
  await expect(files.put('uploads/1/none', Buffer.from('text'))).rejects.toThrow('timed out')
  stopped.closeAllConnections()
  stopped.close()
})
