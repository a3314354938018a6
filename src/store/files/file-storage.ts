/**
 * The storage of uploaded bytes, under keys that the server makes: `avatars/1/7-2`. It is a folder or an S3 bucket.
 *
 * A key is written once: a new version of a file has another key, and a row in Postgres says which key is current. So a
 * reader never sees half a file. If a change fails after its file was written, no row refers to that file.
 *
 * Clients have no access to the storage: they read files through a gateway, which checks permission first.
 */
import type { Readable } from 'node:stream'
import type { DiskSpace } from '../disk-space.js'

/** An open file, or a part of it. Read `bytes` to the end, or destroy it: it holds a file handle or a connection. */
export interface OpenFile {
  /** the length of `bytes` */
  length: number
  bytes: Readable
}

/** A file as a list of the storage names it. */
export interface StoredFile {
  key: string
  /** bytes */
  size: number
}

export interface FileStorage {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Stores a file from the local disk. The file can be larger than memory. */
  putFile(key: string, path: string): Promise<void>
  /** Stores a file of `size` bytes from chunks. Throws an Error when there are more or fewer bytes. */
  putChunks(key: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Returns the whole file; undefined: there is none. */
  get(key: string): Promise<Buffer | undefined>
  /** Returns the size of a file in bytes; undefined: there is none. */
  size(key: string): Promise<number | undefined>
  /**
   * Opens a file, which can be larger than memory; undefined: there is none.
   * @param part the first and the last byte; both must be in the file
   */
  open(key: string, part?: { from: number; to: number }): Promise<OpenFile | undefined>
  remove(key: string): Promise<void>
  /** Lists all files. One that is stored or removed meanwhile may be missing. */
  list(): AsyncIterable<StoredFile>
  /** Why files cannot be stored now, in the words of the system or the library; undefined: they can. */
  findProblem(): Promise<string | undefined>
  /** The space of the disk; undefined: a bucket has no limit that could be read. */
  readSpace(): Promise<DiskSpace | undefined>
}

/** What the system says when a folder is read-only or full, or a disk is broken. */
const FOLDER_FAULTS = new Set(['EACCES', 'EDQUOT', 'EIO', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS', 'ESTALE'])

/** What the system says when a disk or a quota of it is full, and what servers of buckets say. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'XMinioStorageFull', 'InsufficientStorage', 'QuotaExceeded', 'StorageFull'])

/**
 * Whether an error means that the storage is full. The system adds the path to errors of opening a file, and not to
 * those of writing into an open one.
 */
export const isStorageFull = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code, name, $metadata } = error as NodeJS.ErrnoException & { $metadata?: { httpStatusCode?: number } }
  return FULL.has(code ?? '') || ($metadata !== undefined && (FULL.has(name) || $metadata.httpStatusCode === 507))
}

/** Whether an error means that the folder or the bucket cannot be used now. */
export const isStorageFault = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (isStorageFull(error)) return true
  const { code, path } = error as NodeJS.ErrnoException
  // The client of the bucket adds $metadata to its errors, and the system the path to those of files.
  return '$metadata' in error || (path !== undefined && code !== undefined && FOLDER_FAULTS.has(code))
}

/** Passes chunks on. Throws an Error when they have more or fewer than `size` bytes together. */
export async function* checkSize(chunks: AsyncIterable<Uint8Array>, size: number): AsyncIterable<Uint8Array> {
  let received = 0
  for await (const chunk of chunks) {
    received += chunk.length
    if (received > size) break
    yield chunk
  }
  if (received !== size) throw new Error(`a file of ${size} bytes has ${received} bytes or more`)
}

/** Whether the server makes such keys. */
export const isKey = (text: string): boolean => /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(text)

/** Returns a valid key. Throws an Error for any other: clients cannot choose keys; this is a second protection. */
export const checkKey = (key: string): string => {
  if (isKey(key)) return key
  throw new Error(`bad key of a file: ${key}`)
}
