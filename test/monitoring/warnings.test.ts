/** What a process says at its start, and to operators, when its configuration does not fit its surroundings. */
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { basicAuthorization } from '../setup/event-reader.js'
import { portOf, startOwnGateway } from '../setup/gateway-of-one-test.js'
import { startGateway, startWorker } from '../setup/processes.js'
import { sendRequest } from '../setup/raw-request.js'

const newFolder = () => mkdtempSync(join(tmpdir(), 'parley-uploads-'))

/** A folder in which this account cannot create files. Root can in every folder but those of the kernel. */
const makeReadOnlyFolder = (): string => {
  if (process.getuid?.() === 0) return '/sys'
  const folder = newFolder()
  chmodSync(folder, 0o555)
  return folder
}

const readHealth = async ({ operations_url }: { operations_url: string }) =>
  (await sendRequest(portOf(operations_url), { path: '/health/ready' })).json

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
