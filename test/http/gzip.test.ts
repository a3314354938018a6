/** Compressed answers in fragments: any decoder gets the bytes of the fragments. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { crc32, createGunzip, gunzipSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Fragment, joinFragments, SecretText, SharedText } from '../../src/domain/protocol/raw-json.js'
import { appendCrc, findShift } from '../../src/gateway/compression/crc32.js'
import { encodeFragments } from '../../src/gateway/compression/encoded-fragments.js'

const text = fc
  .tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom(0, 1, 3, 200, 9_000))
  .map(([part, times]) => part.repeat(times))
const fragment: fc.Arbitrary<Fragment> = fc.oneof(
  text,
  text.map((shared) => new SharedText(shared)),
  text.map((secret) => new SecretText(secret)),
)

/** Fragments of every kind and of many lengths, with text beyond ASCII. */
const longFragments: readonly Fragment[] = [
  '{"users":[',
  new SharedText('{"name":"Ada ☃ Lovelace"},'.repeat(40_000)),
  new SharedText('{}'),
  '],"bots":',
  new SecretText(randomBytes(100_000).toString('base64')),
  `,"ids":[${Array.from({ length: 50_000 }, (_, i) => i * 7).join()}]`,
  '}\n',
]

describe('An answer in fragments', () => {
  test('The gzip of any fragments decodes to their text, also when shared fragments were compressed for another answer.', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 8 }), async (fragments) => {
        for (const some of [fragments, [...fragments].reverse()]) {
          const encoded = encodeFragments(some)
          const expected = joinFragments(some)
          expect(Buffer.concat(encoded.chunks).toString()).toBe(expected)
          expect(encoded.length).toBe(Buffer.byteLength(expected))
          expect(gunzipSync(await encoded.gzip()).toString()).toBe(expected)
        }
      }),
      { numRuns: 60 },
    ))

  test('The gzip is one member of one deflate stream.', async () => {
    const compressed = Buffer.from(await encodeFragments(longFragments).gzip())
    // Node reports the bytes that the first member needed.
    const gunzip = createGunzip()
    gunzip.end(compressed)
    for await (const _ of gunzip);
    expect(gunzip.bytesWritten).toBe(compressed.length)
    const stream = inflateRawSync(compressed.subarray(10, -8))
    expect(stream.toString()).toBe(joinFragments(longFragments))
    expect(compressed.readUInt32LE(compressed.length - 8)).toBe(crc32(stream))
  })

  test('Own texts of many answers at once do not mix, and none refers to a text before.', async () => {
    const texts = Array.from({ length: 40 }, (_, i) => randomBytes(100 + i * 500).toString('base64'))
    for (let round = 0; round < 2; round++) {
      const all = await Promise.all(texts.map((own) => encodeFragments([own]).gzip()))
      expect(all.map((compressed) => gunzipSync(compressed).toString())).toEqual(texts)
      // A text that was compressed before would need a few bytes only.
      for (const [i, { length }] of all.entries()) expect(length).toBeGreaterThan((texts[i]?.length ?? 0) * 0.7)
    }
  })

  test('Compression makes an answer smaller, but not a secret.', async () => {
    const secret = 'secret '.repeat(2_000)
    const open = await encodeFragments([new SharedText(secret)]).gzip()
    expect(open.length).toBeLessThan(500)
    const closed = Buffer.from(await encodeFragments([new SecretText(secret), secret]).gzip())
    expect(closed.length).toBeGreaterThan(secret.length)
    expect(closed.includes(secret)).toBe(true)
  })

  test.runIf(hasProgram('python3'))('The decoder of Python reads the gzip as one complete member.', async () => {
    const program =
      'import sys,zlib; d=zlib.decompressobj(31); t=d.decompress(sys.stdin.buffer.read()); ' +
      'assert d.eof and d.unused_data==b""; sys.stdout.buffer.write(t)'
    const input = await encodeFragments(longFragments).gzip()
    const output = execFileSync('python3', ['-c', program], { input, maxBuffer: 64 << 20 })
    expect(output.toString()).toBe(joinFragments(longFragments))
  })

  test.runIf(hasProgram('gzip'))('The program gzip reads it.', async () => {
    const input = await encodeFragments(longFragments).gzip()
    const output = execFileSync('gzip', ['-dc'], { input, maxBuffer: 64 << 20 })
    expect(output.toString()).toBe(joinFragments(longFragments))
  })
})

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('The CRC of two texts together', () => {
  const summarize = (bytes: Uint8Array) => ({ crc: crc32(bytes), shift: findShift(bytes.length) })

  test('It follows from the CRCs of both and the length of the second.', () => {
    const bytes = fc.uint8Array({ maxLength: 3_000 })
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(appendCrc(crc32(a), summarize(b))).toBe(crc32(Buffer.concat([a, b])))
      }),
    )
    const zeros = Buffer.alloc(5_000_001)
    expect(appendCrc(crc32('start'), summarize(zeros))).toBe(crc32(zeros, crc32('start')))
  })
})
