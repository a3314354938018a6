/**
 * Decodes images and makes smaller ones. Only this file imports sharp.
 *
 * Any user can upload an image, and the decoders were not written for hostile input. So:
 * 1. Only the loaders in LOADERS run. The bytes decide which one, not the name or the content type; no loader opens
 *    other files.
 * 2. The size in the header is checked before an image is decoded, and limited by MAX_PIXELS: a file of a few kilobytes
 *    can decode to gigabytes. Of an animated image, only as many frames are decoded as have MAX_PIXELS together.
 * 3. Decoding that takes longer than MAX_DECODE_SECONDS is aborted.
 */
import sharp, { type Metadata, type Sharp } from 'sharp'
import { checkImage, type ImageHeader, MAX_PIXELS } from '../../domain/files/image-header.js'
import { thumbnailFormats, transcodedName } from '../../domain/files/thumbnails.js'
import type { UploadedImage } from '../../domain/markdown/render-context.js'
import { errors } from '../../domain/protocol/errors.js'
import type { AvatarImages } from './stored-avatars.js'

const LOADERS = ['PngBuffer', 'JpegBuffer', 'WebpBuffer', 'NsgifBuffer', 'HeifBuffer', 'TiffBuffer']
/** Seconds. */
const MAX_DECODE_SECONDS = 20
const MAX_FRAMES = 200

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) })
// Each image is decoded once, so a cache is useless. The processes have other work, so sharp gets one thread.
sharp.cache(false)
sharp.concurrency(1)

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  heif: 'image/avif',
}

/** Returns the image in an uploaded file, with a pending thumbnail; undefined: the file has no preview. */
export const inspectUpload = async (bytes: Uint8Array): Promise<UploadedImage | undefined> => {
  const header = await readHeader(bytes)
  if (header === undefined) return undefined
  const { type, width, height, frames } = header
  const transcoded = transcodedName(type, width, height)
  return {
    thumbnail: 'pending',
    content_type: type,
    width,
    height,
    ...(frames > 1 ? { is_animated: true } : {}),
    ...(transcoded === undefined ? {} : { transcoded }),
  }
}

/** Makes the thumbnails of an uploaded image; undefined: it cannot be decoded. */
export const makeThumbnails = async (
  bytes: Uint8Array,
  image: UploadedImage,
): Promise<{ name: string; bytes: Buffer }[] | undefined> => {
  const header = await readHeader(bytes)
  if (header === undefined) return undefined
  const formats = thumbnailFormats.filter(({ animated }) => !animated || image.is_animated === true)
  return tryDecode(async () => {
    const thumbnails = []
    for (const { name, max_width, max_height, animated } of formats) {
      const within = { width: max_width, height: max_height, fit: 'inside', withoutEnlargement: true } as const
      thumbnails.push({
        name,
        bytes: await openImage(bytes, animated ? header.frames : 1)
          .resize(within)
          .webp()
          .toBuffer(),
      })
    }
    if (image.transcoded !== undefined) {
      thumbnails.push({ name: image.transcoded, bytes: await openImage(bytes, 1).webp().toBuffer() })
    }
    return thumbnails
  })
}

/** Makes an avatar in its two sizes. Throws BAD_IMAGE. */
export const makeAvatar = async (bytes: Uint8Array): Promise<AvatarImages> => {
  const [small, medium] = await makeSquares(bytes, 100, 500)
  if (small === undefined || medium === undefined) throw errors.badImage()
  return { small, medium }
}

/** Crops an image to squares, as PNG. Throws BAD_IMAGE. @param sides of the squares, in pixels */
export const makeSquares = async (bytes: Uint8Array, ...sides: number[]): Promise<Buffer[]> => {
  checkImage(bytes)
  return decodeOrThrow(bytes, async () => {
    const squares = []
    for (const side of sides)
      squares.push(await openImage(bytes, 1).resize(side, side, { fit: 'cover' }).png().toBuffer())
    return squares
  })
}

/** The side of the still image of an animated emoji, in pixels. Clients do not show an emoji larger than this. */
const EMOJI_SIDE = 64

/**
 * Returns the header of a custom emoji, which is served unchanged. For an animated emoji, also its first frame as PNG, for
 * users who do not want animations. Throws BAD_IMAGE.
 */
export const inspectEmoji = async (bytes: Uint8Array): Promise<ImageHeader & { still?: Buffer }> => {
  const image = checkImage(bytes)
  const within = { width: EMOJI_SIDE, height: EMOJI_SIDE, fit: 'inside', withoutEnlargement: true } as const
  const still = await decodeOrThrow(bytes, () => openImage(bytes, 1).resize(within).png().toBuffer())
  const moves = ((await readHeader(bytes))?.frames ?? 1) > 1
  return moves ? { ...image, still } : image
}

/** Scales an image down to fit into a rectangle, as PNG. Keeps the aspect ratio. Throws BAD_IMAGE. */
export const makeFitted = async (bytes: Uint8Array, width: number, height: number): Promise<Buffer> => {
  checkImage(bytes)
  const within = { width, height, fit: 'inside', withoutEnlargement: true } as const
  return decodeOrThrow(bytes, () => openImage(bytes, 1).resize(within).png().toBuffer())
}

const decodeOrThrow = async <T>(bytes: Uint8Array, work: () => Promise<T>): Promise<T> => {
  if ((await readHeader(bytes)) === undefined) throw errors.badImage()
  const decoded = await tryDecode(work)
  if (decoded === undefined) throw errors.badImage()
  return decoded
}

/** Encodes pixels as PNG. @param pixels red, green and blue of each pixel, row by row from the top left */
export const encodePng = (pixels: Uint8Array, width: number, height: number): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()

interface DecodedHeader {
  type: string
  /** after rotation: a file can contain a photograph sideways */
  width: number
  height: number
  /** the number of frames that can be decoded; 1 for an image without animation */
  frames: number
}

/** Reads the header of an image; undefined: it is not an image of a known type, or it is too large (2). */
const readHeader = async (bytes: Uint8Array): Promise<DecodedHeader | undefined> => {
  let found: Metadata
  try {
    found = await sharp(bytes, { limitInputPixels: false }).metadata()
  } catch {
    return undefined
  }
  const type = types[found.format ?? '']
  const { width, height } = found.autoOrient
  if (type === undefined || width * height === 0 || width * height > MAX_PIXELS) return undefined
  if (found.format === 'heif' && found.compression !== 'av1') return undefined
  const moves = found.format === 'gif' || found.format === 'webp'
  const most = Math.min(MAX_FRAMES, Math.floor(MAX_PIXELS / (width * height)))
  return { type, width, height, frames: moves ? Math.min(found.pages ?? 1, most) : 1 }
}

/** Opens an image for processing: rotated upright, without the metadata of the camera. */
const openImage = (bytes: Uint8Array, frames: number): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: frames, failOn: 'error' })
    .timeout({ seconds: MAX_DECODE_SECONDS })
    .autoOrient()

/** Runs a function that decodes an image; undefined: the image cannot be decoded. */
const tryDecode = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work()
  } catch (error) {
    // sharp throws a plain Error for an invalid image. Other classes of errors are bugs in this program.
    if (error instanceof TypeError || error instanceof RangeError) throw error
    return undefined
  }
}
