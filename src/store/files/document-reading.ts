/** Reads the words of uploaded documents. Another process reads them (image-decoder.ts). */
import type { AccountImages } from './image-processing.js'
import type { DocumentWords } from './text/text-operations.js'

/** The largest document that is read, in bytes. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024

/** Documents of one account that wait in a worker. */
const MAX_DOCUMENTS = 20

/**
 * Reads the words of a document; undefined: it takes too much time or memory. Throws ImageDecoderError.
 * @param name of the file, which is a part of its words
 * @param bytes loads them when it is the turn of the document
 */
export const readDocumentWords = (
  { decoder, account }: AccountImages,
  realm_id: number,
  name: string,
  bytes: () => Promise<Uint8Array>,
): Promise<DocumentWords | undefined> =>
  decoder.decode({ account, bytes, pixels: 0, isDocument: true, limit: MAX_DOCUMENTS }, 'readWords', realm_id, name)
