/**
 * Clients that generators make of the OpenAPI 3.0 document of a gateway, in programs of ours: they compile, register,
 * send a message and read its event.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { type Relay, startRelay } from '../setup/proxies/relay.js'
import { anyGateway, ok } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { type Ended, findPython, runProgram } from './python.js'
import { newFolder } from './zuliprc.js'

/** Runs a program whose failure is that of the test. @returns what it printed */
const run = async (command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) => {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 100_000 }
  return (await promisify(execFile)(command, args, options)).stdout
}

const programs = join(import.meta.dirname, 'generated')
const go = { GOBIN: join(root, 'node_modules/.cache/parley-go'), GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' }

/** Brings the generator for Go. @returns why it cannot be had; undefined when it is there */
const findGenerator = (): Promise<string | undefined> => {
  const wanted = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
  return run('go', ['install', wanted], programs, go).then(
    () => undefined,
    (error: Error) => error.message.trim().split('\n').at(-1),
  )
}

const python = await findPython(['openapi-python-client==0.29.1'])
const noGo = await findGenerator()
const skipped = (reason: string | undefined): string => (reason === undefined ? '' : ` (skipped: ${reason})`)

let world: Awaited<ReturnType<typeof newRealmWith<'Owner' | 'Ada'>>>
let relay: Relay
const document = join(newFolder(), 'openapi.json')

beforeAll(async () => {
  world = await newRealmWith('Owner', 'Ada')
  await ok(world.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
  relay = await startRelay(anyGateway(), world.realm.host)
  writeFileSync(document, await (await fetch(`${relay.url}/api/v1/openapi-3.0.json`)).text())
})
afterAll(async () => {
  await relay?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

/** Runs a program for Ada, which prints the name of the first user and the message that it sends. */
const runForAda = (command: string, args: string[]): Promise<Ended> =>
  runProgram(command, args, { SITE: relay.url, EMAIL: world.ada.email, KEY: world.ada.api_key })

test.skipIf(python.missing !== undefined)(
  `A client that openapi-python-client generates registers, sends and receives.${skipped(python.missing)}`,
  { timeout: 120_000 },
  async () => {
    const folder = newFolder()
    const config = join(folder, 'config.yaml')
    writeFileSync(config, 'post_hooks: []\n')
    const options = ['--path', document, '--output-path', join(folder, 'generated'), '--config', config]
    const printed = await run(
      join(python.bin, 'openapi-python-client'),
      ['generate', ...options, '--meta', 'none'],
      folder,
    )
    // It warns of the parts of a document that it leaves out.
    expect(printed).not.toMatch(/warning|error/i)
    copyFileSync(join(programs, 'program.py'), join(folder, 'program.py'))
    expect(await runForAda(join(python.bin, 'python'), [join(folder, 'program.py')])).toEqual({
      status: 0,
      out: 'Owner\nFrom Python\n',
    })
  },
)

test.skipIf(noGo !== undefined)(
  `A client that oapi-codegen generates compiles, registers, sends and receives.${skipped(noGo)}`,
  { timeout: 180_000 },
  async () => {
    const folder = join(newFolder(), 'program')
    mkdirSync(folder)
    copyFileSync(join(programs, 'program.go'), join(folder, 'program.go'))
    const generated = ['-generate', 'types,client', '-package', 'main', '-o', 'client.go', document]
    expect(await run(join(go.GOBIN, 'oapi-codegen'), generated, folder)).toBe('')
    await run('go', ['mod', 'init', 'program'], folder, go)
    await run('go', ['get', 'github.com/oapi-codegen/runtime@v1.9.0'], folder, go)
    // Without optimizations the compiler needs half of the time.
    await run('go', ['build', '-gcflags=-N -l', '-o', 'program', '.'], folder, go)
    expect(await runForAda(join(folder, 'program'), [])).toEqual({ status: 0, out: 'Owner\nFrom Go\n' })
  },
)
