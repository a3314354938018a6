/**
 * Decodes images and makes smaller ones. Only this file imports sharp, and only the process of decoder-process.ts loads
 * it: no gateway or worker decodes an image in its own process.
 *
 * Any user can upload an image, and the decoders were not written for hostile input. So:
 * 1. Only the loaders in LOADERS run. The bytes decide which one, not the name or the content type; no loader opens
 *    other files.
 * 2. The size in the header is checked before an image is decoded, and limited by MAX_PIXELS: a file of a few kilobytes
 *    can decode to gigabytes. Of an animated image, only as many frames are decoded as have MAX_PIXELS together.
 * 3. The parent limits the time, and the process itself its memory (image-decoder.ts).
 */
import sharp, { type Metadata, type Sharp } from 'sharp'
import { MAX_PIXELS } from '../../domain/files/image-header.js'
import { thumbnailFormats } from '../../domain/files/thumbnails.js'
import type { UploadedImage } from '../../domain/markdown/context/render-context.js'

const LOADERS = ['PngBuffer', 'JpegBuffer', 'WebpBuffer', 'NsgifBuffer', 'HeifBuffer', 'TiffBuffer']
const MAX_FRAMES = 200

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) })
// Each image is decoded once, so a cache is useless. The machine has other work, so sharp gets one thread.
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

export interface DecodedHeader {
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

/** Makes the thumbnails of an uploaded image, and its transcoded version if it has one. */
const makeThumbnails = (
  bytes: Uint8Array,
  image: UploadedImage,
): Promise<{ name: string; bytes: Uint8Array }[] | undefined> =>
  decode(bytes, async ({ frames }) => {
    const made = []
    for (const { name, max_width, max_height, animated } of thumbnailFormats) {
      if (animated && image.is_animated !== true) continue
      const within = { width: max_width, height: max_height, fit: 'inside', withoutEnlargement: true } as const
      made.push({
        name,
        bytes: await openImage(bytes, animated ? frames : 1)
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

/** Crops an image to squares, as PNG. @param sides of the squares, in pixels */
const cropSquares = (bytes: Uint8Array, sides: readonly number[]): Promise<Uint8Array[] | undefined> =>
  decode(bytes, async () => {
    const made = []
    for (const side of sides) made.push(await openImage(bytes, 1).resize(side, side, { fit: 'cover' }).png().toBuffer())
    return made
  })

/** Scales the first frame of an image down to fit into a rectangle, as PNG. Also returns the number of frames. */
const fitInside = (
  bytes: Uint8Array,
  width: number,
  height: number,
): Promise<{ still: Uint8Array; frames: number } | undefined> =>
  decode(bytes, async ({ frames }) => {
    const within = { width, height, fit: 'inside', withoutEnlargement: true } as const
    return { still: await openImage(bytes, 1).resize(within).png().toBuffer(), frames }
  })

/** The rectangle into which pictures of other sites fit: clients show them in messages, and as large as a window. */
const EXTERNAL = { width: 1_920, height: 1_920, fit: 'inside', withoutEnlargement: true } as const
/** Animated pictures cost as much per frame, so they are smaller. */
const EXTERNAL_ANIMATED = { ...EXTERNAL, width: 840, height: 560 } as const

/** Writes a picture of another site anew, without its metadata. */
const rewrite = (bytes: Uint8Array): Promise<{ content_type: string; bytes: Uint8Array } | undefined> =>
  decode(bytes, async ({ type, frames }) => {
    const image = openImage(bytes, frames).resize(frames > 1 ? EXTERNAL_ANIMATED : EXTERNAL)
    if (frames === 1 && type === 'image/png')
      return { content_type: type, bytes: await image.png({ compressionLevel: 6 }).toBuffer() }
    if (frames === 1 && type === 'image/jpeg')
      return { content_type: type, bytes: await image.jpeg({ quality: 88 }).toBuffer() }
    return { content_type: 'image/webp', bytes: await image.webp({ quality: 88 }).toBuffer() }
  })

/** What the process can be asked to do. Each operation returns undefined for an image that cannot be decoded. */
export const imageOperations = { readHeader, makeThumbnails, cropSquares, fitInside, rewrite }

/** Opens an image for processing: rotated upright, without the metadata of the camera. */
const openImage = (bytes: Uint8Array, frames: number): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: frames, failOn: 'error' }).autoOrient()

/** Runs a function that decodes an image after its header was checked (2); undefined: it cannot be decoded. */
const decode = async <T>(bytes: Uint8Array, work: (header: DecodedHeader) => Promise<T>): Promise<T | undefined> => {
  const header = await readHeader(bytes)
  if (header === undefined) return undefined
  try {
    return await work(header)
  } catch (error) {
    // sharp throws a plain Error for an invalid image. Other classes of errors are bugs in this program.
    if (error instanceof TypeError || error instanceof RangeError) throw error
    return undefined
  }
}
