/** Hashes of texts that are stored as a UUID, which takes 16 bytes. */
import { hash } from 'node:crypto'

/** Half of the SHA-256 hash of a text, in the hexadecimal form of a UUID. */
export const hashToUuid = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)
