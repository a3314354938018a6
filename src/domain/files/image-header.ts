/**
 * Reads the type and the size of an image from its bytes. The content type that a client sends is ignored.
 *
 * Only the header is read. Clients decode the rest, and show nothing if they cannot.
 */
import { errors } from '../protocol/errors.js'

export interface ImageHeader {
  type: 'image/png' | 'image/gif' | 'image/jpeg' | 'image/webp'
  extension: 'png' | 'gif' | 'jpg' | 'webp'
  width: number
  height: number
}

/** Clients take too long to decode an image with more pixels. */
export const MAX_PIXELS = 50_000_000

/** Returns the header of an image, and checks its size. Throws BAD_IMAGE. */
export const checkImage = (bytes: Uint8Array): ImageHeader => {
  const image = readImageHeader(bytes)
  if (image === undefined || image.width === 0 || image.height === 0) throw errors.badImage()
  if (image.width * image.height > MAX_PIXELS) throw errors.imageTooLarge()
  return image
}

/**
 * Whether the bytes begin like an image that can have a thumbnail. Such an image is of a type of ImageHeader, TIFF or
 * AVIF.
 * An image with too many pixels cannot; the sizes of TIFF and AVIF are not read here.
 */
export const mayBeImage = (bytes: Uint8Array): boolean => {
  const image = readImageHeader(bytes)
  if (image !== undefined) return image.width * image.height <= MAX_PIXELS
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString('latin1')
  return /^(\xff\xd8\xff|II\*\0|MM\0\*|II\+\0|MM\0\+|.{4}ftyp)/s.test(start)
}

/** Reads the header of an image. Returns undefined if the bytes are not an image of a known format. */
export const readImageHeader = (bytes: Uint8Array): ImageHeader | undefined => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return readPng(data) ?? readGif(data) ?? readJpeg(data) ?? readWebp(data)
}

const readPng = (data: Buffer): ImageHeader | undefined =>
  data.length >= 24 &&
  data.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' &&
  data.toString('latin1', 12, 16) === 'IHDR'
    ? { type: 'image/png', extension: 'png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) }
    : undefined

const readGif = (data: Buffer): ImageHeader | undefined =>
  data.length >= 10 && /^GIF8[79]a$/.test(data.toString('latin1', 0, 6))
    ? { type: 'image/gif', extension: 'gif', width: data.readUInt16LE(6), height: data.readUInt16LE(8) }
    : undefined

/** Reads the segments of a JPEG up to the first frame segment, which contains the size. */
const readJpeg = (data: Buffer): ImageHeader | undefined => {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= data.length && data[at] === 0xff; ) {
    const marker = data[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      return {
        type: 'image/jpeg',
        extension: 'jpg',
        height: data.readUInt16BE(at + 5),
        width: data.readUInt16BE(at + 7),
      }
    }
    at += 2 + data.readUInt16BE(at + 2)
  }
  return undefined
}

const readWebp = (data: Buffer): ImageHeader | undefined => {
  if (data.length < 30 || data.toString('latin1', 0, 4) !== 'RIFF' || data.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined
  }
  const size = readWebpSize(data)
  return size === undefined ? undefined : { type: 'image/webp', extension: 'webp', ...size }
}

const readWebpSize = (data: Buffer): Pick<ImageHeader, 'width' | 'height'> | undefined => {
  switch (data.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = data.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}
