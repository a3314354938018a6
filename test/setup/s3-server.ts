/**
 * A server that speaks S3, for one test: the one that TEST_S3_ENDPOINT names, else `versitygw` or `minio` if it is on
 * PATH. npm has none that is kept.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

export interface S3Server extends AsyncDisposable {
  /** the environment of processes that keep their files there, in a bucket of the test's own */
  env: Record<'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string>
}

const onPath = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

const { TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID = 'parley', TEST_S3_SECRET_ACCESS_KEY = 'parley-secret' } = process.env
const versitygw = onPath('versitygw')
const minio = onPath('minio')

/** Whether there is one to be had. */
export const hasS3 = TEST_S3_ENDPOINT !== undefined || versitygw !== undefined || minio !== undefined

export const startS3 = async (): Promise<S3Server> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-s3-'))
  const port = await freePort()
  const child = TEST_S3_ENDPOINT === undefined ? launch(folder, port) : undefined
  const env = {
    S3_BUCKET: `parley-${randomBytes(6).toString('hex')}`,
    S3_ENDPOINT: TEST_S3_ENDPOINT ?? `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: TEST_S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: TEST_S3_SECRET_ACCESS_KEY,
  }
  const client = new S3Client({
    endpoint: env.S3_ENDPOINT,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY },
  })
  await eventually(() => client.send(new CreateBucketCommand({ Bucket: env.S3_BUCKET })))
  client.destroy()
  return {
    env,
    async [Symbol.asyncDispose]() {
      child?.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const launch = (folder: string, port: number): ChildProcess => {
  const [id, secret] = [TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY]
  if (versitygw !== undefined) {
    const args = ['--access', id, '--secret', secret, '--port', `127.0.0.1:${port}`, 'posix', folder]
    return spawn(versitygw, args, { stdio: 'ignore' })
  }
  const env = { ...process.env, MINIO_ROOT_USER: id, MINIO_ROOT_PASSWORD: secret }
  return spawn(minio ?? 'minio', ['server', folder, '--address', `127.0.0.1:${port}`], { stdio: 'ignore', env })
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
