/** Reads the text of uploaded documents. Another process reads them (image-decoder.ts). */
import type { AccountImages } from './image-processing.js'

/** The largest document that is read, in bytes. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024

/** Documents of one account that wait in a worker. */
const MAX_DOCUMENTS = 20

/**
 * Reads the text of a document; empty: it has none that can be read. Throws ImageDecoderError.
 * @param bytes loads them when it is the turn of the document
 */
export const readText = async (
  { decoder, account }: AccountImages,
  bytes: () => Promise<Uint8Array>,
): Promise<string> =>
  (await decoder.decode({ account, bytes, pixels: 0, isDocument: true, limit: MAX_DOCUMENTS }, 'readText')) ?? ''
