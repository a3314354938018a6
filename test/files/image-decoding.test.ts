/** Images are decoded in processes of their own, which tests find, stop and kill here. */
import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { portOf, startOwnGateway, waitForGauge } from '../setup/processes/gateway-of-one-test.js'
import type { TestProcess } from '../setup/processes/processes.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { type GivenFile, multipart, redPixel } from '../setup/requests/files.js'
import { type RawResponse, sendRequest } from '../setup/requests/raw-request.js'

const setAvatar = (gateway: TestProcess, person: Person, data: Uint8Array): Promise<RawResponse> => {
  const file: GivenFile = { filename: 'me.png', data }
  return sendRequest(portOf(gateway.url), {
    method: 'POST',
    path: '/api/v1/users/me/avatar',
    host: person.host,
    authorization: basicAuthorization(person),
    ...multipart([file]),
  })
}

const picture = (background: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png()
    .toBuffer()

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        const stat = readFileSync(`/proc/${child}/stat`, 'latin1')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
      } catch {
        return false
      }
    })

const hasLibvips = (pid: number) => readFileSync(`/proc/${pid}/maps`, 'latin1').includes('libvips')

/** Resolves when the gateway decodes `decoding` images, and `waiting` others wait. */
const reached = (gateway: TestProcess, decoding: number, waiting: number) =>
  waitForGauge(gateway, 'parley_images', { decoding, waiting })

const notDecoded = {
  status: 400,
  json: {
    code: 'BAD_IMAGE',
    msg: 'This image could not be decoded: it takes too much time or memory. Try again with a smaller one.',
  },
}

test('An image that was not decoded is not decoded again, also when the organization changed meanwhile.', async () => {
  await using s = await startOwnGateway()
  expect(await setAvatar(s.gateway, s.ada, await picture('red'))).toMatchObject({ status: 200 })
  const [decoder = 0] = childrenOf(s.gateway.pid)
  process.kill(decoder, 'SIGSTOP')
  const answered = setAvatar(s.gateway, s.ada, await picture('blue'))
  await reached(s.gateway, 1, 0)
  await ok(s.ada, 'POST', '/users/me/alert_words', { alert_words: ['tea'] }, { url: s.gateway.url })
  process.kill(decoder, 'SIGKILL')
  expect(await answered).toMatchObject(notDecoded)
})

test('A gateway starts another process to decode an image, which has no environment variables.', async () => {
  await using s = await startOwnGateway()
  expect(childrenOf(s.gateway.pid)).toEqual([])
  expect(await setAvatar(s.gateway, s.ada, await picture('red'))).toMatchObject({ status: 200 })
  const children = childrenOf(s.gateway.pid)
  expect([children.map(hasLibvips), hasLibvips(s.gateway.pid)]).toEqual([[true], false])
  expect(readFileSync(`/proc/${children[0]}/environ`, 'latin1')).not.toContain('SECRET_KEY')
})

test('A file that is no image, or has too many pixels, is refused without another process.', async () => {
  await using s = await startOwnGateway()
  const bomb = Buffer.from(redPixel)
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  expect((await setAvatar(s.gateway, s.ada, bomb)).json.msg).toBe('This image has too many pixels: send a smaller one.')
  expect((await setAvatar(s.gateway, s.ada, Buffer.from('text'))).json.code).toBe('BAD_IMAGE')
  expect(childrenOf(s.gateway.pid)).toEqual([])
})

test('When the process that decodes an image is killed, that image is refused and the next one is decoded.', async () => {
  await using s = await startOwnGateway()
  await setAvatar(s.gateway, s.ada, await picture('red'))
  const [child] = childrenOf(s.gateway.pid) as [number]
  process.kill(child, 'SIGSTOP')
  const refused = setAvatar(s.gateway, s.ada, await picture('blue'))
  await reached(s.gateway, 1, 0)
  process.kill(child, 'SIGKILL')
  expect(await refused).toMatchObject(notDecoded)
  expect(await setAvatar(s.gateway, s.ada, await picture('green'))).toMatchObject({ status: 200 })
})

test('The images of one account wait for each other, and not those of another account for them.', async () => {
  await using s = await startOwnGateway()
  await setAvatar(s.gateway, s.ada, await picture('red'))
  const [child] = childrenOf(s.gateway.pid) as [number]
  process.kill(child, 'SIGSTOP')
  const mine = ['blue', 'green', 'grey'].map(async (colour) => setAvatar(s.gateway, s.ada, await picture(colour)))
  await reached(s.gateway, 1, 2)
  for (const colour of ['blue', 'green']) {
    expect((await setAvatar(s.gateway, s.grace, await picture(colour))).status).toBe(200)
  }
  await reached(s.gateway, 1, 2)
  process.kill(child, 'SIGCONT')
  expect((await Promise.all(mine)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('An account with too many pixels waiting is refused until they are decoded.', async () => {
  await using s = await startOwnGateway()
  await setAvatar(s.gateway, s.ada, await picture('red'))
  const [child] = childrenOf(s.gateway.pid) as [number]
  process.kill(child, 'SIGSTOP')
  const large = await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const first = setAvatar(s.gateway, s.ada, await picture('blue'))
  await reached(s.gateway, 1, 0)
  const waiting = [1, 2, 3, 4].map(() => setAvatar(s.gateway, s.ada, large))
  await reached(s.gateway, 1, 4)
  expect(await setAvatar(s.gateway, s.ada, large)).toMatchObject({ status: 429, json: { code: 'RATE_LIMIT_HIT' } })
  process.kill(child, 'SIGKILL')
  expect(await first).toMatchObject(notDecoded)
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('A process that takes too long to decode an image is killed.', { timeout: 60_000 }, async () => {
  await using s = await startOwnGateway()
  await setAvatar(s.gateway, s.ada, await picture('red'))
  const [child] = childrenOf(s.gateway.pid) as [number]
  process.kill(child, 'SIGSTOP')
  expect(await setAvatar(s.gateway, s.ada, await picture('blue'))).toMatchObject(notDecoded)
  expect(childrenOf(s.gateway.pid)).not.toContain(child)
})

test('The process that decodes images ends with its gateway, however the gateway ends.', async () => {
  await using s = await startOwnGateway()
  await setAvatar(s.gateway, s.ada, await picture('red'))
  const [child] = childrenOf(s.gateway.pid) as [number]
  s.gateway.signal('SIGKILL')
  await s.gateway.ended
  await expect.poll(() => isRunning(child)).toBe(false)
})

const isRunning = (pid: number) => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
