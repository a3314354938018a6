/** The lookup of host names that users provide. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openHostLookup } from '../../src/store/outgoing/host-lookup.js'

/** A name server on 127.0.0.1. @param answer makes the bytes of an answer; undefined: no answer */
const openNameServer = async (answer: (query: Buffer) => Buffer | undefined) => {
  const socket = createSocket('udp4')
  let count = 0
  socket.on('message', (query, { address, port }) => {
    count += 1
    const bytes = answer(query)
    if (bytes !== undefined) socket.send(bytes, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    count: () => count,
    [Symbol.dispose]: () => socket.close(),
  }
}

/** The answer to a query for an IPv4 address; to one for an IPv6 address, that there is none. */
const composeAnswer = (query: Buffer): Buffer => {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const isFour = question.readUInt16BE(question.length - 4) === 1
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(isFour ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7])
  return Buffer.concat([header, question, ...(isFour ? [record] : [])])
}

test('A name is resolved by the name server.', async () => {
  using server = await openNameServer(composeAnswer)
  const lookup = openHostLookup([server.address])
  expect(await lookup('bot.parley.test')).toEqual([{ address: '192.0.2.7', family: 4 }])
})

test('Names whose name server never answers occupy no thread of the process.', { timeout: 60_000 }, async () => {
  using server = await openNameServer(() => undefined)
  const lookup = openHostLookup([server.address])
  let failed = 0
  const lookups = Array.from({ length: 32 }, (_, i) =>
    lookup(`name-${i}.parley.test`).catch(() => {
      failed += 1
    }),
  )
  await expect.poll(server.count).toBeGreaterThan(4)
  await readFile(import.meta.filename)
  expect(failed).toBe(0)
  await Promise.all(lookups)
  expect(failed).toBe(32)
})

test('A local name is resolved by the operating system.', async () => {
  using server = await openNameServer(() => undefined)
  const found = await openHostLookup([server.address])('localhost')
  expect(found.map(({ address }) => address)).toContain('127.0.0.1')
})
