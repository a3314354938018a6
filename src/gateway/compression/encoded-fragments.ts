/**
 * Answers in fragments, as bytes, and their gzip: what the transports use of this folder.
 *
 * The bytes of a shared text are sent as they are, and copied for no answer. Its gzip is made once, and is part of the
 * gzip of every answer that has the text.
 */
import type { Fragment } from '../../domain/protocol/raw-json.js'
import { encodeParts } from './encoded-parts.js'
import { compressParts } from './gzip.js'

/** An answer as bytes. */
export interface EncodedFragments {
  readonly chunks: readonly Uint8Array[]
  /** bytes of all chunks together */
  readonly length: number
  /** The gzip of all chunks together. */
  gzip(): Promise<Uint8Array>
}

/** Encodes the fragments of an answer. */
export const encodeFragments = (fragments: readonly Fragment[]): EncodedFragments => {
  const parts = encodeParts(fragments)
  const chunks = parts.map(({ bytes }) => bytes)
  return {
    chunks,
    length: chunks.reduce((sum, { length }) => sum + length, 0),
    gzip: () => compressParts(parts),
  }
}
