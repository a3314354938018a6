/** What a process says at its start, and to operators, when its configuration does not fit its surroundings. */
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { findSpaceWarning, readDiskSpace } from '../../src/store/disk-space.js'
import { isStorageFault, isStorageFull } from '../../src/store/files/file-storage.js'
import { portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { startGateway, startWorker } from '../setup/processes/processes.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { multipart } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const newFolder = () => mkdtempSync(join(tmpdir(), 'parley-uploads-'))

/** A folder in which this account cannot create files. Root can in every folder but those of the kernel. */
const makeReadOnlyFolder = (): string => {
  if (process.getuid?.() === 0) return '/sys'
  const folder = newFolder()
  chmodSync(folder, 0o555)
  return folder
}

/** What a process says of its health, without the disk of the machine that runs the tests. */
const readHealth = async ({ operations_url }: { operations_url: string }) => {
  const { json } = await sendRequest(portOf(operations_url), { path: '/health/ready' })
  return { ...json, warnings: (json.warnings as string[]).filter((warning) => !warning.includes('MiB are free')) }
}

test('A process with a read-only folder of files warns its operators, and answers uploads with a clear error.', {
  timeout: 60_000,
}, async () => {
  const folder = makeReadOnlyFolder()
  await using own = await startOwnGateway({ UPLOADS_DIR: folder })
  const { gateway, ada } = own
  const warning = expect.stringContaining(`UPLOADS_DIR (${folder}): files cannot be stored`)
  expect(await readHealth(gateway)).toMatchObject({ isReady: true, warnings: [warning] })
  await expect
    .poll(() => readFileSync(gateway.logFile, 'utf8'), { timeout: 15_000 })
    .toContain('files cannot be stored')

  const form = new FormData()
  form.set('file', new Blob(['hello']), 'a.txt')
  const { headers, body } = new Request('http://x', { method: 'POST', body: form })
  const uploaded = await sendRequest(portOf(gateway.url), {
    method: 'POST',
    path: '/api/v1/user_uploads',
    host: ada.host,
    authorization: basicAuthorization(ada),
    headers: { 'Content-Type': headers.get('content-type') ?? '' },
    body: new Uint8Array(await new Response(body).arrayBuffer()),
  })
  expect([uploaded.status, uploaded.json.code]).toEqual([503, 'FILE_STORAGE_UNAVAILABLE'])
})

test('A full disk is an error of uploads with a code of its own, and little space is a warning before.', {
  timeout: 60_000,
}, async () => {
  const [folder, control] = [newFolder(), join(newFolder(), 'control.json')]
  const NODE_OPTIONS = `--import ${join(root, 'test/chaos/preload.mjs')}`
  await using own = await startOwnGateway({ UPLOADS_DIR: folder, NODE_OPTIONS, CHAOS_CONTROL: control })
  const { gateway, ada } = own
  const upload = async () => {
    const { body, headers } = multipart([{ filename: 'a.txt', type: 'text/plain', data: 'hello' }])
    const at = { method: 'POST', path: '/api/v1/user_uploads', host: ada.host, headers, body }
    return sendRequest(portOf(gateway.url), { ...at, authorization: basicAuthorization(ada) })
  }
  expect((await upload()).status).toBe(200)
  writeFileSync(control, JSON.stringify({ clock_ms: 0, is_disk_full: true }))
  gateway.signal('SIGUSR2')
  await expect.poll(async () => (await upload()).json.code, { timeout: 10_000 }).toBe('FILE_STORAGE_FULL')
  expect((await upload()).status).toBe(503)

  // The error of writing into an open file has no path.
  const full = await writeFile('/dev/full', 'x').catch((error: unknown) => error)
  expect([isStorageFull(full), isStorageFault(full)]).toEqual([true, true])
  expect(isStorageFull(new Error('other'))).toBe(false)
  const gibibyte = 1024 ** 3
  expect(findSpaceWarning('UPLOADS_DIR (/a)', { free: gibibyte, size: 100 * gibibyte })).toBe(
    'UPLOADS_DIR (/a): 1,024 MiB are free, 1 % of the disk. Make room or enlarge it before it is full.',
  )
  expect(findSpaceWarning('a', { free: gibibyte, size: 4 * gibibyte })).toBeUndefined()
  expect(findSpaceWarning('a', { free: 20 * gibibyte, size: 1_000 * gibibyte })).toBeUndefined()
  const space = await readDiskSpace(folder)
  expect(space?.size).toBeGreaterThan(space?.free ?? 0)
  const { text } = await sendRequest(portOf(gateway.operations_url), { path: '/metrics' })
  for (const name of ['free', 'size'])
    expect(text).toMatch(new RegExp(`^parley_disk_${name}_bytes{disk="uploads"} \\d`, 'm'))
})

test.each([
  ['gateway', startGateway],
  ['worker', startWorker],
] as const)('A %s whose UPLOADS_DIR is a file names the variable, and does not start.', async (_, start) => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  for (const path of [file, join(file, 'uploads')]) {
    await expect(start({ UPLOADS_DIR: path }), path).rejects.toThrow(`UPLOADS_DIR (${path}) is not a folder`)
  }
})

test('A process whose ROOT_REALM names no organization warns its operators.', async () => {
  await using gateway = await startGateway({ ROOT_REALM: 'nowhere' })
  const warning = 'ROOT_REALM: there is no organization named nowhere: create it, or change the variable.'
  expect(await readHealth(gateway)).toMatchObject({ isReady: true, warnings: [warning] })
  await using right = await startGateway()
  expect(await readHealth(right)).toMatchObject({ isReady: true, warnings: [] })
})

test('A process that may not use its database says why, and does not show the password.', async () => {
  const url = new URL(inject('database_url'))
  url.password = 'wrong-password'
  await using gateway = await startGateway({ DATABASE_URL: url.href })
  await expect
    .poll(() => readFileSync(gateway.logFile, 'utf8'), { timeout: 15_000 })
    .toContain('password authentication failed')
  const log = readFileSync(gateway.logFile, 'utf8')
  expect(log).toContain('DATABASE_URL')
  expect(log).not.toContain('wrong-password')
  expect(await readHealth(gateway)).toMatchObject({ isReady: false })
})
