/**
 * The storage of uploaded bytes, under keys that the server makes: `avatars/1/7-2`. It is a folder or an S3 bucket.
 *
 * A key is written once: a new version of a file has another key, and a row in Postgres says which key is current. So a
 * reader never sees half a file. If a change fails after its file was written, no row refers to that file.
 *
 * Clients have no access to the storage: they read files through a gateway, which checks permission first.
 */
export interface FileStorage {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Stores a file from the local disk. The file can be larger than memory. */
  putFile(key: string, path: string): Promise<void>
  /** Returns the whole file; undefined: there is none. */
  get(key: string): Promise<Buffer | undefined>
  /** Returns `length` bytes from the offset `from`, or fewer at the end of the file; undefined: there is no file. */
  getPart(key: string, from: number, length: number): Promise<Buffer | undefined>
  /** Returns the file as a stream of chunks, for files that can be larger than memory; undefined: there is none. */
  open(key: string): Promise<{ size: number; pieces: AsyncIterable<Uint8Array> } | undefined>
  remove(key: string): Promise<void>
}

/** Returns a valid key, and throws for any other. Clients cannot choose keys; this is a second protection. */
export const checkKey = (key: string): string => {
  if (/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) return key
  throw new Error(`bad key of a file: ${key}`)
}
