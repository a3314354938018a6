/**
 * The file storage in a bucket of Amazon S3, or of a server with the same protocol: MinIO, Ceph, Garage, Cloudflare R2.
 * Only this file imports the S3 library.
 *
 * The account needs the permissions GetObject, PutObject, DeleteObject and ListBucket on the bucket.
 * Without ListBucket, S3 answers "forbidden" for a missing object.
 */

import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { checkKey, checkSize, type FileStorage, isKey } from './file-storage.js'

export interface S3Options {
  bucket: string
  /** undefined: the endpoint of Amazon for the region */
  endpoint: string | undefined
  region: string
  /** both undefined: the library finds the credentials of the machine (a role, a profile) */
  access_key_id: string | undefined
  secret_access_key: string | undefined
  /** after so many milliseconds without a byte in either direction, a request fails; then it is tried twice more */
  silence_ms?: number
}

const CONNECT_MS = 5_000
const SILENCE_MS = 20_000
/** More than a process sends downloads at a time (gateway/fairness/download-slots.ts): each holds a connection. */
const MAX_CONNECTIONS = 1_100

/** Opens the file storage in an S3 bucket. */
export const openS3Storage = ({
  bucket,
  endpoint,
  region,
  access_key_id,
  secret_access_key,
  silence_ms = SILENCE_MS,
}: S3Options): FileStorage => {
  const client = new S3Client({
    region,
    // Not `requestTimeout`: it bounds the whole upload of a large file, and by default it only logs a warning.
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: silence_ms,
      httpAgent: { maxSockets: MAX_CONNECTIONS },
      httpsAgent: { maxSockets: MAX_CONNECTIONS },
    },
    // Other servers than Amazon's support neither the newer checksums nor a host name per bucket.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(access_key_id === undefined || secret_access_key === undefined
      ? {}
      : { credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key } }),
  })
  const objectId = (key: string) => ({ Bucket: bucket, Key: checkKey(key) })

  const findObject = async (key: string, range?: string): Promise<GetObjectCommandOutput | undefined> => {
    try {
      return await client.send(new GetObjectCommand({ ...objectId(key), Range: range }))
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw error
    }
  }

  return {
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ ...objectId(key), Body: bytes }))
    },
    async putFile(key, path) {
      const { size } = await stat(path)
      await client.send(new PutObjectCommand({ ...objectId(key), Body: createReadStream(path), ContentLength: size }))
    },
    async get(key) {
      const body = (await findObject(key))?.Body
      return body === undefined ? undefined : Buffer.from(await body.transformToByteArray())
    },
    async putChunks(key, size, chunks) {
      const body = Readable.from(checkSize(chunks, size), { objectMode: false })
      // The library does not notice that its source failed, and would wait for the rest.
      const aborter = new AbortController()
      const failed = once(body, 'error').then(([error]) => {
        aborter.abort()
        throw error
      })
      const command = new PutObjectCommand({ ...objectId(key), Body: body, ContentLength: size })
      const sent = client.send(command, { abortSignal: aborter.signal })
      await Promise.race([sent, failed])
    },
    async size(key) {
      try {
        return (await client.send(new HeadObjectCommand(objectId(key)))).ContentLength
      } catch (error) {
        if (error instanceof NotFound || error instanceof NoSuchKey) return undefined
        throw error
      }
    },
    async open(key, part) {
      const object = await findObject(key, part && `bytes=${part.from}-${part.to}`)
      if (object?.Body === undefined) return undefined
      return { length: object.ContentLength ?? 0, bytes: object.Body as Readable }
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(objectId(key)))
    },
    async *list() {
      let token: string | undefined
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: token }))
        for (const { Key: key = '', Size: size = 0 } of page.Contents ?? []) if (isKey(key)) yield { key, size }
        token = page.NextContinuationToken
      } while (token !== undefined)
    },
    readSpace: async () => undefined,
    async findProblem() {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }))
        return undefined
      } catch (error) {
        // The answer to a HEAD has no body, so the library often knows the name of the error only.
        const { name, message } = error as Error
        return message === '' || message === name ? name : `${name}: ${message}`
      }
    },
  }
}
