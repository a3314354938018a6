/** A real HAProxy in front of a server of this machine. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, libraryEnvironment, unpackDebianPackage, unpackedFolder } from '../../src/dev/debian-package.js'
import { freePort } from '../../src/dev/ports.js'
import { root } from '../../src/dev/root.js'

export interface HaproxyProgram {
  command: string
  env: Record<string, string>
}

const CACHE = join(root, 'node_modules/.cache/parley-haproxy')

/** Finds HAProxy on PATH, or unpacks it from Debian's archive; undefined when neither is possible. */
export const findHaproxy = (): HaproxyProgram | undefined => {
  const path = `${process.env.PATH}:/usr/sbin`
  const installed = findProgram({ path }, 'haproxy')
  if (installed !== undefined) return { command: installed, env: {} }
  const folder = unpackedFolder(CACHE)
  if (!existsSync(folder)) unpackDebianPackage({ path, cache: CACHE }, 'haproxy', () => {})
  const program = { command: join(folder, 'usr/sbin/haproxy'), env: libraryEnvironment(folder) }
  return spawnSync(program.command, ['-v'], { env: program.env }).status === 0 ? program : undefined
}

/** Starts HAProxy with one server behind it. */
export const startHaproxy = async (
  { command, env }: HaproxyProgram,
  server_port: number,
): Promise<AsyncDisposable & { port: number }> => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'parley-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(port, server_port))
  const child = spawn(command, ['-db', '-f', file], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  await waitUntilListening(port, child)
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
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
    if (child.exitCode !== null) throw new Error(`HAProxy ended with exit code ${child.exitCode}`)
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
