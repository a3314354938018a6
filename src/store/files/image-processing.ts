/**
 * Makes smaller images of those that users upload. Another process decodes them (image-decoder.ts).
 *
 * The header is read here first: a file that is no image, or that has too many pixels, is never sent to that process.
 */
import {
  checkImage,
  type ImageHeader,
  MAX_PIXELS,
  mayBeImage,
  readImageHeader,
} from '../../domain/files/image-header.js'
import { transcodedName } from '../../domain/files/thumbnails.js'
import type { UploadedImage } from '../../domain/markdown/context/render-context.js'
import { errors } from '../../domain/protocol/errors.js'
import { type ImageDecoder, ImageDecoderError, type Input, type OperationName } from './image-decoder.js'
import type { AvatarImages } from './stored-avatars.js'

/** Decodes the images of one account. */
export interface AccountImages {
  decoder: ImageDecoder
  account: string
}

/** The images of an account, decoded in turn with those of other accounts. */
export const imagesOf = (decoder: ImageDecoder, realm_id: number, user_id: number): AccountImages => ({
  decoder,
  account: `${realm_id}:${user_id}`,
})

/** Seconds after which a client may send an image again for which there was no space. */
const RETRY_SECONDS = 2

/**
 * Returns the image in an uploaded file, with a pending thumbnail. Returns undefined if the file has no preview. Throws
 * RATE_LIMIT_HIT when too many images of this account wait.
 * @param bytes of the file, or a function that loads them, if they begin like an image
 */
export const inspectUpload = async (
  { decoder, account }: AccountImages,
  bytes: Uint8Array | (() => Promise<Uint8Array>),
): Promise<UploadedImage | undefined> => {
  if (typeof bytes !== 'function' && !mayBeImage(bytes)) return undefined
  const header = await decoder
    .decode({ account, bytes, pixels: 0 }, 'readHeader')
    .catch((error: unknown) => (isFailed(error) ? undefined : Promise.reject(toRefusal(error))))
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

/** Thumbnails of one account that wait in a worker. A realm has slots for more jobs (store/jobs/job-classes.ts). */
const MAX_THUMBNAILS = 40

/** Makes the thumbnails of an uploaded image; undefined: it cannot be decoded. Throws ImageDecoderError. */
export const makeThumbnails = (
  { decoder, account }: AccountImages,
  bytes: () => Promise<Uint8Array>,
  image: UploadedImage,
): Promise<{ name: string; bytes: Uint8Array }[] | undefined> => {
  const pixels = image.is_animated === true ? MAX_PIXELS : image.width * image.height
  return decoder.decode({ account, bytes, pixels, limit: MAX_THUMBNAILS }, 'makeThumbnails', image)
}

/** Makes an avatar in its two sizes. Throws BAD_IMAGE, and RATE_LIMIT_HIT. */
export const makeAvatar = async (images: AccountImages, bytes: Uint8Array): Promise<AvatarImages> => {
  const [small, medium] = await decodeOrThrow(images, bytes, 'cropSquares', [100, 500])
  if (small === undefined || medium === undefined) throw errors.badImage().asFinal()
  return { small, medium }
}

/** Crops an image to a square, as PNG. Throws BAD_IMAGE, and RATE_LIMIT_HIT. @param side of the square, in pixels */
export const makeSquare = async (images: AccountImages, bytes: Uint8Array, side: number): Promise<Uint8Array> => {
  const [square] = await decodeOrThrow(images, bytes, 'cropSquares', [side])
  if (square === undefined) throw errors.badImage().asFinal()
  return square
}

/** The side of the still image of an animated emoji, in pixels. Clients do not show an emoji larger than this. */
const EMOJI_SIDE = 64

/**
 * Returns the header of a custom emoji, which is served unchanged. For an animated emoji, also its first frame as PNG,
 * for users who do not want animations. Throws BAD_IMAGE, and RATE_LIMIT_HIT.
 */
export const inspectEmoji = async (
  images: AccountImages,
  bytes: Uint8Array,
): Promise<ImageHeader & { still?: Uint8Array }> => {
  const image = checkImage(bytes)
  const { still, frames } = await decodeOrThrow(images, bytes, 'fitInside', EMOJI_SIDE, EMOJI_SIDE)
  return frames > 1 ? { ...image, still } : image
}

/**
 * Scales an image down to fit into a rectangle, as PNG. Keeps the aspect ratio. Throws BAD_IMAGE, and RATE_LIMIT_HIT.
 */
export const makeFitted = async (
  images: AccountImages,
  bytes: Uint8Array,
  width: number,
  height: number,
): Promise<Uint8Array> => (await decodeOrThrow(images, bytes, 'fitInside', width, height)).still

/** A picture as it is stored. */
export interface MadePicture {
  content_type: string
  bytes: Uint8Array
}

/** Pictures of other sites that wait for one organization in a worker. */
const MAX_EXTERNAL = 16

/**
 * Writes a picture of another site anew. Returns undefined if it is none that browsers can show. Throws
 * ImageDecoderError.
 */
export const decodeExternalPicture = async (
  { decoder, account }: AccountImages,
  bytes: Uint8Array,
): Promise<MadePicture | undefined> => {
  if (!mayBeImage(bytes)) return undefined
  // The size of some formats is only known to the process that decodes, which checks it.
  const { width, height } = readImageHeader(bytes) ?? { width: MAX_PIXELS, height: 1 }
  return decoder.decode({ account, bytes, pixels: width * height, limit: MAX_EXTERNAL }, 'rewrite')
}

const decodeOrThrow = async <N extends OperationName>(
  { decoder, account }: AccountImages,
  bytes: Uint8Array,
  operation: N,
  ...more: Input<N>
) => {
  const { width, height } = checkImage(bytes)
  const order = { account, bytes, pixels: width * height }
  const made = await decoder.decode<N>(order, operation, ...more).catch((error: unknown) => {
    throw toRefusal(error)
  })
  if (made === undefined) throw errors.badImage().asFinal()
  return made
}

const isFailed = (error: unknown): boolean => error instanceof ImageDecoderError && error.reason === 'failed'

/**
 * The error for a client whose image was not decoded. It is final: no newer state changes it, and a call that ran again
 * would decode the image again, at last while it holds the structure lock.
 */
const toRefusal = (error: unknown): unknown => {
  if (!(error instanceof ImageDecoderError)) return error
  const refusal = isFailed(error) ? errors.imageNotDecoded() : errors.rateLimitHit({ 'retry-after': RETRY_SECONDS })
  return refusal.asFinal()
}
