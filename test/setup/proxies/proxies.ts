/** A real HAProxy or nginx in front of a server of this machine. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  findProgram,
  libraryEnvironment,
  unpackDebianPackage,
  unpackedFolder,
} from '../../../src/dev/debian-package.mjs'
import { freePort } from '../../../src/dev/ports.js'
import { root } from '../../../src/dev/root.js'

export interface ServerProgram {
  command: string
  env: Record<string, string>
}

/** Finds HAProxy on PATH, or unpacks it from Debian's archive. Returns undefined when neither is possible. */
export const findHaproxy = (): ServerProgram | undefined => findServer('haproxy')

/** Finds nginx on PATH, or unpacks it from Debian's archive. Returns undefined when neither is possible. */
export const findNginx = (): ServerProgram | undefined => findServer('nginx')

const findServer = (name: 'haproxy' | 'nginx'): ServerProgram | undefined => {
  const path = `${process.env.PATH}:/usr/sbin`
  const installed = findProgram({ path }, name)
  if (installed !== undefined) return { command: installed, env: {} }
  const cache = join(root, 'node_modules/.cache', `parley-${name}`)
  const folder = unpackedFolder(cache)
  if (!existsSync(folder)) unpackDebianPackage({ path, cache }, name, () => {})
  const program = { command: join(folder, 'usr/sbin', name), env: libraryEnvironment(folder) }
  return spawnSync(program.command, ['-v'], { env: program.env }).status === 0 ? program : undefined
}

/** A proxy that listens. */
export interface RunningProxy extends AsyncDisposable {
  port: number
  /** Ends the proxy at once, with all connections, and starts it again on its port. */
  restart(): Promise<void>
}

/** Changes the configuration of a proxy. */
type Edit = (configuration: string) => string

/** Starts HAProxy with one server behind it. */
export const startHaproxy = (program: ServerProgram, server_port: number): Promise<RunningProxy> =>
  startProxy(program, (port, folder) => ({
    files: { 'haproxy.cfg': configuration(port, server_port) },
    args: ['-db', '-f', join(folder, 'haproxy.cfg')],
  }))

/** Starts HAProxy with the configuration of deploy/. One server on this machine is behind it. */
export const startDeployedHaproxy = (program: ServerProgram, server_port: number, edit?: Edit): Promise<RunningProxy> =>
  startHaproxyOfFleet(program, [server_port], 400, { edit })

/**
 * Starts HAProxy with the configuration of deploy/. Servers on this machine are behind it.
 * @param max_connections each of them needs two file descriptors
 * @param more.port where it listens; a free one by default. `edit` changes the configuration
 */
export const startHaproxyOfFleet = (
  program: ServerProgram,
  server_ports: readonly number[],
  max_connections = 400,
  { port: givenPort, edit = (text) => text }: { port?: number | undefined; edit?: Edit | undefined } = {},
): Promise<RunningProxy> =>
  startProxy(
    program,
    (port, folder) => {
      const text = edit(composeDeployed(port, server_ports, max_connections))
      return { files: { 'haproxy.cfg': text }, args: ['-db', '-f', join(folder, 'haproxy.cfg')] }
    },
    givenPort,
  )

/**
 * Starts HAProxy with TLS and HTTP/2 to clients and one server behind it. It uses the configuration of deploy/, changed
 * as its comment says.
 */
export const startSecureHaproxy = (program: ServerProgram, server_port: number): Promise<RunningProxy> =>
  startProxy(program, (port, folder) => {
    makeCertificate(folder)
    const [certificate, key] = ['fullchain.pem', 'privkey.pem'].map((name) => readFileSync(join(folder, name), 'utf8'))
    const text = composeDeployed(port, [server_port], 400).replace(
      /^ {2}bind .*\n {2}# (bind .*)$/m,
      (_, secure: string) =>
        `  ${secure.replace(':443', `127.0.0.1:${port}`).replace(/crt \S+/, `crt ${folder}/site.pem`)}`,
    )
    const files = { 'haproxy.cfg': text, 'site.pem': `${certificate}${key}` }
    return { files, args: ['-db', '-f', join(folder, 'haproxy.cfg')] }
  })

/** The configuration of deploy/ for this machine. */
const composeDeployed = (port: number, server_ports: readonly number[], max_connections: number): string =>
  readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8')
    .replace(/^resolvers docker\n( {2}.*\n)+/m, '')
    // A test may open few file descriptors.
    .replace(/maxconn .*/, `maxconn ${max_connections}`)
    .replace('bind :9991', `bind 127.0.0.1:${port}`)
    .replace('/usr/local/etc/haproxy/cells.map', join(root, 'deploy/cells.map'))
    .replace(
      /server-template .*/,
      server_ports.map((p, index) => `server gateway${index + 1} 127.0.0.1:${p}`).join('\n  '),
    )

/** HAProxy in front of two cells. Every host leads to the first one until `lead` names the second. */
export interface ProxyOfCells extends RunningProxy {
  /** Leads a host name to a cell: `gateways`, the first one, or `cell2`. */
  lead(host: string, cell: 'gateways' | 'cell2'): Promise<void>
}

/** Starts HAProxy with the configuration of deploy/ for two cells. One gateway of each cell is behind it. */
export const startHaproxyOfCells = async (
  program: ServerProgram,
  [first, second]: readonly [number, number],
): Promise<ProxyOfCells> => {
  let paths = { socket: '', map: '' }
  const proxy = await startProxy(program, (port, folder) => {
    paths = { socket: join(folder, 'admin.sock'), map: join(folder, 'cells.map') }
    const text = composeDeployed(port, [first], 400)
      .replace(/^global\n/m, `global\n  stats socket ${paths.socket} level admin\n`)
      .replace(join(root, 'deploy/cells.map'), paths.map)
      .replace(/^# backend cell2\n# {3}server cell2 .*/m, `backend cell2\n  server cell2 127.0.0.1:${second}`)
    const map = readFileSync(join(root, 'deploy/cells.map'), 'utf8')
    return { files: { 'haproxy.cfg': text, 'cells.map': map }, args: ['-db', '-f', join(folder, 'haproxy.cfg')] }
  })
  return {
    ...proxy,
    async lead(host, cell) {
      const socket = net.connect(paths.socket)
      socket.resume()
      socket.end(`del map ${paths.map} ${host}; add map ${paths.map} ${host} ${cell}\n`)
      await once(socket, 'close')
    },
  }
}

/** Starts nginx with the configuration of deploy/. One server on this machine is behind it. It listens with TLS. */
export const startDeployedNginx = (
  program: ServerProgram,
  server_port: number,
  edit: Edit = (text) => text,
): Promise<RunningProxy> =>
  startProxy(program, (port, folder) => {
    const site = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
      .replace(/^server \{\n {2}listen 80;[^}]*\}\n/m, '')
      .replace(/^ {2}listen \[::\].*\n/gm, '')
      .replace(/listen 443/, `listen 127.0.0.1:${port}`)
      .replace(/^ {2}server 127\.0\.0\.1:9992 max_fails.*\n/m, '')
      .replace(/^ {2}server 127\.0\.0\.1:\d+ backup;\n/gm, '')
      .replaceAll(/127\.0\.0\.1:999[12]/g, `127.0.0.1:${server_port}`)
      .replace(/server_name .*/, 'server_name _;')
      .replaceAll('/etc/ssl/chat.example', folder)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((n) => `${n}_temp_path ${folder}/${n};`)
    const main = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; ${paths.join(' ')}\n${edit(site)} }`
    makeCertificate(folder)
    return { files: { 'nginx.conf': main }, args: ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')] }
  })

/** Throws when this machine has no openssl. */
const makeCertificate = (folder: string): void => {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=parley.test', '-keyout', key, '-out', certificate],
  ])
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`)
}

/** Writes the files of a proxy into a folder of its own, and starts it, by default on a free port. */
const startProxy = async (
  { command, env }: ServerProgram,
  prepare: (port: number, folder: string) => { files: Record<string, string>; args: string[] },
  wantedPort?: number,
): Promise<RunningProxy> => {
  const port = wantedPort ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'parley-proxy-'))
  const { files, args } = prepare(port, folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const start = async () => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
    await waitUntilListening(port, child)
    return child
  }
  let child = await start()
  // nginx ends its worker processes when it gets SIGTERM, and leaves them behind after SIGKILL.
  const stop = async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return {
    port,
    async restart() {
      await stop()
      child = await start()
    },
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

const configuration = (port: number, server_port: number) => `
defaults
  mode http
  option forwardfor
  timeout connect 3s
  timeout client 20s
  timeout server 20s
frontend site
  bind 127.0.0.1:${port}
  default_backend gateways
backend gateways
  server gateway 127.0.0.1:${server_port}
`

const waitUntilListening = async (port: number, child: { exitCode: number | null }): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The proxy ended with exit code ${child.exitCode}`)
    const socket = net.connect(port, '127.0.0.1')
    const isListening = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isListening) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
