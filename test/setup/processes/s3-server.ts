/**
 * An S3 server for one test: the one at TEST_S3_ENDPOINT, else `versitygw` or `minio` from PATH, else s3rver, which is
 * made for tests and installed with the packages.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { findProgram } from '../../../src/dev/debian-package.mjs'

export interface S3Server extends AsyncDisposable {
  /** environment variables of processes that store files there, in a bucket of the test's own */
  env: Record<'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string>
}

const onPath = (name: string) => findProgram({ path: process.env.PATH ?? '' }, name)

const versitygw = onPath('versitygw')
const minio = onPath('minio')

const { TEST_S3_ENDPOINT, ...keys } = process.env
const given = [keys.TEST_S3_ACCESS_KEY_ID ?? 'parley', keys.TEST_S3_SECRET_ACCESS_KEY ?? 'parley-secret'] as const
/** The only account of s3rver. */
const [id, secret] = (TEST_S3_ENDPOINT ?? versitygw ?? minio) === undefined ? (['S3RVER', 'S3RVER'] as const) : given

/** Starts the server with an empty bucket. */
export const startS3 = async (): Promise<S3Server> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-s3-'))
  const bucket = `parley-${randomBytes(6).toString('hex')}`
  const { endpoint, stop } = await launch(folder, bucket)
  return {
    env: { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret },
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Launched {
  endpoint: string
  stop(): unknown
}

const launch = async (folder: string, bucket: string): Promise<Launched> => {
  const program = versitygw ?? minio
  if (TEST_S3_ENDPOINT !== undefined) return withBucket(bucket, { endpoint: TEST_S3_ENDPOINT, stop() {} })
  if (program === undefined) return launchHere(folder, bucket)
  const address = `127.0.0.1:${await freePort()}`
  const env = { ...process.env, MINIO_ROOT_USER: id, MINIO_ROOT_PASSWORD: secret }
  const args =
    program === versitygw
      ? ['--access', id, '--secret', secret, '--port', address, 'posix', folder]
      : ['server', folder, '--address', address]
  const child = spawn(program, args, { stdio: 'ignore', env })
  return withBucket(bucket, { endpoint: `http://${address}`, stop: () => child.kill('SIGKILL') })
}

const withBucket = async (bucket: string, launched: Launched): Promise<Launched> => {
  const client = new S3Client({
    endpoint: launched.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: id, secretAccessKey: secret },
  })
  await eventually(() => client.send(new CreateBucketCommand({ Bucket: bucket })))
  client.destroy()
  return launched
}

/** The part of s3rver that is used. It has no types. */
type S3rver = new (options: {
  address: string
  port: number
  directory: string
  configureBuckets: { name: string }[]
  silent: boolean
  allowMismatchedSignatures: boolean
}) => { run(): Promise<{ port: number }>; close(): Promise<void> }

/** s3rver computes another signature than the library for requests to a bucket itself, so it accepts all of them. */
const launchHere = async (directory: string, bucket: string): Promise<Launched> => {
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3rver
  const address = '127.0.0.1'
  const server = new S3rver({
    address,
    port: 0,
    directory,
    configureBuckets: [{ name: bucket }],
    silent: true,
    allowMismatchedSignatures: true,
  })
  const { port } = await server.run()
  return { endpoint: `http://${address}:${port}`, stop: () => server.close() }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

const eventually = async (attempt: () => Promise<unknown>): Promise<void> => {
  for (let round = 0; ; round += 1) {
    try {
      await attempt()
      return
    } catch (error) {
      if (round === 50) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
