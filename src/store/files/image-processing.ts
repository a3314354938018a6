/**
 * Pictures, decoded and made smaller: the only file that knows sharp.
 *
 * A picture comes from anybody, and is decoded by code that was not made for enemies. So:
 * 1. Only the loaders of LOADERS run. A picture is what its bytes are, whatever it is called; none refers to others.
 * 2. What it will be when decoded is asked of its header first, and bounded by MOST_PIXELS: a few kilobytes can claim
 *    to be gigabytes. Of what moves, only as many frames are decoded as fit into the same bound.
 * 3. A picture that takes longer than PATIENCE is given up.
 */
import sharp, { type Metadata, type Sharp } from 'sharp'
import { checkImage, type ImageHeader, MAX_PIXELS } from '../../domain/files/image-header.js'
import { thumbnailFormats, transcodedName } from '../../domain/files/thumbnails.js'
import type { UploadedImage } from '../../domain/markdown/render-context.js'
import { errors } from '../../domain/protocol/errors.js'
import type { AvatarImages } from './storage-keys.js'

const LOADERS = ['PngBuffer', 'JpegBuffer', 'WebpBuffer', 'NsgifBuffer', 'HeifBuffer', 'TiffBuffer']
/** Seconds. */
const MAX_DECODE_SECONDS = 20
const MAX_FRAMES = 200

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) })
// Each picture is seen once, and the processes have more to do.
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

/** What kind of picture an uploaded file is, as it is to be shown; undefined for what has no preview. */
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

/** The smaller versions of an uploaded picture by name; undefined when it cannot be decoded. */
export const makeThumbnails = async (
  bytes: Uint8Array,
  image: UploadedImage,
): Promise<{ name: string; bytes: Buffer }[] | undefined> => {
  const header = await readHeader(bytes)
  if (header === undefined) return undefined
  const wanted = thumbnailFormats.filter(({ animated }) => !animated || image.is_animated === true)
  return tryDecode(async () => {
    const made = []
    for (const { name, max_width, max_height, animated } of wanted) {
      const within = { width: max_width, height: max_height, fit: 'inside', withoutEnlargement: true } as const
      made.push({
        name,
        bytes: await openImage(bytes, animated ? header.frames : 1)
          .resize(within)
          .webp()
          .toBuffer(),
      })
    }
    if (image.transcoded !== undefined) {
      made.push({ name: image.transcoded, bytes: await openImage(bytes, 1).webp().toBuffer() })
    }
    return made
  })
}

/** A picture of an account, in its two sizes. Throws BAD_IMAGE. */
export const makeAvatar = async (bytes: Uint8Array): Promise<AvatarImages> => {
  const [small, medium] = await makeSquares(bytes, 100, 500)
  if (small === undefined || medium === undefined) throw errors.badImage()
  return { small, medium }
}

/** A picture that stands for something, cut to squares as PNG. Throws BAD_IMAGE. @param sides in pixels */
export const makeSquares = async (bytes: Uint8Array, ...sides: number[]): Promise<Buffer[]> => {
  checkImage(bytes)
  return decodeOrThrow(bytes, async () => {
    const made = []
    for (const side of sides) made.push(await openImage(bytes, 1).resize(side, side, { fit: 'cover' }).png().toBuffer())
    return made
  })
}

/** The side of an emoji that is held still, in pixels: as large as clients ever show one. */
const EMOJI_SIDE = 64

/**
 * What kind of picture a custom emoji is, which is served as it is; and of one that moves its first frame as PNG, for
 * whoever wants nothing to move. Throws BAD_IMAGE.
 */
export const inspectEmoji = async (bytes: Uint8Array): Promise<ImageHeader & { still?: Buffer }> => {
  const image = checkImage(bytes)
  const within = { width: EMOJI_SIDE, height: EMOJI_SIDE, fit: 'inside', withoutEnlargement: true } as const
  const still = await decodeOrThrow(bytes, () => openImage(bytes, 1).resize(within).png().toBuffer())
  const moves = ((await readHeader(bytes))?.frames ?? 1) > 1
  return moves ? { ...image, still } : image
}

/** A picture at most so large, as PNG, in the shape it has. Throws BAD_IMAGE. */
export const makeFitted = async (bytes: Uint8Array, width: number, height: number): Promise<Buffer> => {
  checkImage(bytes)
  const within = { width, height, fit: 'inside', withoutEnlargement: true } as const
  return decodeOrThrow(bytes, () => openImage(bytes, 1).resize(within).png().toBuffer())
}

const decodeOrThrow = async <T>(bytes: Uint8Array, work: () => Promise<T>): Promise<T> => {
  if ((await readHeader(bytes)) === undefined) throw errors.badImage()
  const made = await tryDecode(work)
  if (made === undefined) throw errors.badImage()
  return made
}

interface DecodedHeader {
  type: string
  /** as it is shown: a photograph may lie on its side in the file */
  width: number
  height: number
  /** of those that move, as many as may be decoded */
  frames: number
}

/** What the header of a picture says of it, if that is within the bounds (2). */
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

/** The picture, upright, without what the camera noted of it. */
const openImage = (bytes: Uint8Array, frames: number): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: frames, failOn: 'error' })
    .timeout({ seconds: MAX_DECODE_SECONDS })
    .autoOrient()

/** undefined: it is no picture after all. */
const tryDecode = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work()
  } catch (error) {
    // Whatever sharp finds wrong is thrown as a plain Error; what is wrong with our program is not.
    if (error instanceof TypeError || error instanceof RangeError) throw error
    return undefined
  }
}
