/** Hashes of texts that are stored as a UUID, which takes 16 bytes. */
import { hash } from 'node:crypto'

/** The first half of the SHA-256 hash of a text, in the hexadecimal form that Postgres reads as a UUID. */
export const hashToUuid = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)
