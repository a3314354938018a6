/** Servers of NATS with JetStream. The server is compiled with the Go of the machine. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../src/dev/ports.js'
import { root } from '../../../src/dev/root.js'
import { makeBrokerFolder, startBrokerProcess, type TestBroker } from './broker-process.js'

const program = join(root, 'node_modules/.cache/parley-go/nats-server')

/** Compiles the server. @returns why it cannot be compiled here; undefined when it was */
export const findNatsObstacle = (): Promise<string | undefined> => {
  const env = { ...process.env, GOTOOLCHAIN: 'local' }
  const options = { cwd: join(import.meta.dirname, 'nats-server'), env, timeout: 600_000 }
  return promisify(execFile)('go', ['build', '-o', program, 'github.com/nats-io/nats-server/v2'], options).then(
    () => undefined,
    (error: Error) => error.message.trim().split('\n').at(-1),
  )
}

/** The login of the servers, as in a URL. */
const LOGIN = { user: 'parley', password: 'p@ss/word' }

/** Starts a server. @param tls files: then all connections are encrypted */
export const startNats = async (tls?: { ca: string; cert: string; key: string }): Promise<TestBroker> => {
  const folder = makeBrokerFolder('nats')
  const port = await freePort()
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    `jetstream: { store_dir: "${join(folder, 'data')}" }`,
    `authorization: { user: "${LOGIN.user}", password: "${LOGIN.password}" }`,
    ...(tls === undefined ? [] : [`tls: { cert_file: "${tls.cert}", key_file: "${tls.key}" }`]),
  ]
  const file = join(folder, 'nats.conf')
  writeFileSync(file, lines.join('\n'))
  const running = await startBrokerProcess({
    name: 'nats-server',
    command: program,
    args: ['--config', file],
    folder,
    isReady: (log) => log.includes('Server is ready'),
  })
  const login = `${LOGIN.user}:${encodeURIComponent(LOGIN.password)}`
  const [scheme, options] = tls === undefined ? ['nats', ''] : ['nats+tls', `?tls_ca=${tls.ca}`]
  return { ...running, url: `${scheme}://${login}@localhost:${port}${options}` }
}
