/** The type and size of an image, read from its bytes. */
import { describe, expect, test } from 'vitest'
import { checkImage, readImageHeader } from '../../src/domain/files/image-header.js'
import { ApiError } from '../../src/domain/protocol/errors.js'
import { realmIcon, unknownAvatar } from '../../src/gateway/api/files/generated-avatars.js'
import { emptyGif, redPixel } from '../setup/requests/files.js'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 0, 20, 0, 30, 3])
const webp = (kind: string, ...rest: number[]) => {
  const image = Buffer.alloc(40)
  image.write(`RIFF    WEBP${kind}`, 'latin1')
  image.set(rest, 20)
  return image
}

const png = (width: number, height: number) => {
  const image = Buffer.from(redPixel)
  image.writeUInt32BE(width, 16)
  image.writeUInt32BE(height, 20)
  return image
}

test.each([
  ['image/png', 1, 1, redPixel],
  ['image/png', 300, 200, png(300, 200)],
  ['image/gif', 1, 1, emptyGif],
  ['image/jpeg', 30, 20, jpeg],
  ['image/webp', 30, 20, webp('VP8X', 0, 0, 0, 0, 29, 0, 0, 19, 0, 0)],
  ['image/webp', 30, 20, webp('VP8L', 0x2f, 29, 0xc0, 4, 0)],
  ['image/webp', 30, 20, webp('VP8 ', 0, 0, 0, 0, 0, 0, 30, 0, 20, 0)],
  ['image/png', 128, 128, await unknownAvatar()],
  ['image/png', 128, 128, await realmIcon()],
] as const)('The bytes of an image say that it is an %s of %i by %i pixels.', (type, width, height, data) => {
  expect(readImageHeader(data)).toMatchObject({ type, width, height })
})

describe('Refused images', () => {
  const refusal = (data: Uint8Array) => {
    try {
      checkImage(data)
    } catch (error) {
      if (error instanceof ApiError) return `${error.code}: ${error.message}`
      throw error
    }
    return undefined
  }

  test.each([
    ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['empty', Buffer.alloc(0)],
    ['cut off', redPixel.subarray(0, 12)],
    ['a JPEG without a frame', jpeg.subarray(0, 9)],
    ['a WebP of an unknown kind', webp('VP9 ')],
    ['without width', png(0, 10)],
  ])('The server refuses an image that is %s.', (_, data) => {
    expect(refusal(data)).toBe('BAD_IMAGE: This is not an image of a known format.')
  })

  test('The server refuses an image with too many pixels.', () => {
    expect(refusal(png(100_000, 100_000))).toBe('BAD_IMAGE: This image has too many pixels: send a smaller one.')
  })
})
