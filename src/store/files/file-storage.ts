/**
 * Where uploaded bytes are kept, under keys that the server makes: `avatars/1/7-2`. A folder, or a bucket of S3.
 *
 * A key is written once: what replaces a file has another key, and a row of Postgres says which one counts. So a
 * reader never sees half a file, and a write whose change was refused leaves a file that nobody asks for.
 *
 * Clients never get at the place itself: everything is read through a gateway, which asks first who may read it.
 */
export interface FileStorage {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Stores a file of this machine, which may be larger than memory. */
  putFile(key: string, path: string): Promise<void>
  /** undefined: there is none */
  get(key: string): Promise<Buffer | undefined>
  /** So many bytes of it from a place on; fewer at its end. */
  getPart(key: string, from: number, length: number): Promise<Buffer | undefined>
  /** The whole in pieces, for what may be larger than memory. */
  open(key: string): Promise<{ size: number; pieces: AsyncIterable<Uint8Array> } | undefined>
  remove(key: string): Promise<void>
}

/** Keys are made here, never by a client: this is the second lock on the door. */
export const checkKey = (key: string): string => {
  if (/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) return key
  throw new Error(`bad key of a file: ${key}`)
}
