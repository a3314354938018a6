/**
 * Answers in pieces, as bytes, and their gzip: what the transports use of this folder.
 *
 * The bytes of a shared text are sent as they are, and copied for no answer. Its gzip is made once, and is part of the
 * gzip of every answer that has the text.
 */
import type { Piece } from '../../domain/protocol/raw-json.js'
import { encodeParts } from './encoded-parts.js'
import { compressParts } from './gzip.js'

/** An answer as bytes. */
export interface EncodedPieces {
  readonly chunks: readonly Uint8Array[]
  /** bytes of all chunks together */
  readonly length: number
  /** The gzip of all chunks together. */
  gzip(): Promise<Uint8Array>
}

/** Encodes the pieces of an answer. */
export const encodePieces = (pieces: readonly Piece[]): EncodedPieces => {
  const parts = encodeParts(pieces)
  const chunks = parts.map(({ bytes }) => bytes)
  return {
    chunks,
    length: chunks.reduce((sum, { length }) => sum + length, 0),
    gzip: () => compressParts(parts),
  }
}
