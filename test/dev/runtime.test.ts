/** The runtime of the product (scripts/clone/runtime.mjs): which Node and C library run what a script starts. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { describeMachine, type Machine, planRuntime } from '../../scripts/clone/runtime.mjs'
import { explainUnsupportedNode } from '../../src/config/supported-nodes.js'
import { root } from '../../src/dev/root.js'
import { findOtherNode, startOnNewLibrary } from '../setup/processes/other-nodes.js'
import { startGateway } from '../setup/processes/processes.js'
import { type Cursor, readEvents, transports } from '../setup/realm/event-reader.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'

describe('The decision', () => {
  const archive = { keyring: '', suite: 'trixie', name: 'Debian 13', site: () => '' }
  const debian12: Omit<Machine, 'path'> = { platform: 'linux', arch: 'x64', node: '20.20.2', glibc: '2.36', archive }

  test.each([
    ['22.12.0', '2.38'],
    ['22.23.3', '2.41'],
    ['24.21.0', '2.39'],
  ])('Node %s with glibc %s runs the product itself.', (node, glibc) => {
    expect(planRuntime({ ...debian12, node, glibc, archive: undefined })).toEqual({ kind: 'own' })
  })

  test.each(['18.0.0', '20.20.2', '22.11.0', '23.1.0', '25.9.0', '26.10.0'])(
    'Node %s with a new C library starts a private Node.',
    (node) => {
      const plan = planRuntime({ ...debian12, node, glibc: '2.41', archive: undefined })
      expect(plan).toEqual({ kind: 'private', needsLibrary: false })
    },
  )

  test.each(['18.0.0', '20.20.2', '22.23.3', '24.21.0', '26.10.0'])(
    'Node %s on Debian 12 starts a private Node with a private C library, also on arm64.',
    (node) => {
      for (const arch of ['x64', 'arm64'])
        expect(planRuntime({ ...debian12, arch, node })).toEqual({ kind: 'private', needsLibrary: true })
    },
  )

  test.each<[string, Partial<Machine>, RegExp]>([
    ['a Node that is too old to start', { node: '16.20.2' }, /Node 18 or newer to start; this is Node 16\.20\.2/],
    ['another C library', { glibc: undefined, node: '24.21.0' }, /does not have: it has musl.*\n.*Debian 13 or Ubuntu/],
    ['an old C library without an archive', { archive: undefined }, /this machine has 2\.36, and no archive/],
    ['another processor', { arch: 'arm', node: '24.21.0' }, /needs a processor of x64 or arm64; this is arm/],
    [
      'macOS with another Node',
      { platform: 'darwin', glibc: undefined },
      /needs Node 22\.12 or 24 on darwin; this is Node 20/,
    ],
  ])('On a machine with %s, the reason says what is missing and what to do.', (_, machine, reason) => {
    expect(planRuntime({ ...debian12, ...machine })).toEqual({
      kind: 'impossible',
      reason: expect.stringMatching(reason),
    })
  })

  test('macOS and Windows run the product on their own Node 22 and 24.', () => {
    for (const platform of ['darwin', 'win32'])
      for (const node of ['22.23.3', '24.21.0'])
        expect(planRuntime({ ...debian12, platform, node, glibc: undefined, archive: undefined }).kind).toBe('own')
  })
})

describe('This run', () => {
  test('The tests and the gateways run on the supported runtime, and on the same one.', () => {
    expect(planRuntime(describeMachine())).toEqual({ kind: 'own' })
    const started = spawnSync('pgrep', ['-f', join(root, 'dist/gateway.js')], { encoding: 'utf8' })
    const gateways = started.stdout.split('\n').filter(Boolean)
    expect(gateways.length).toBeGreaterThanOrEqual(inject('gateway_urls').length)
    const programs = gateways.flatMap((pid) => {
      try {
        return [readlinkSync(`/proc/${pid}/exe`)]
      } catch {
        return []
      }
    })
    expect(new Set(programs)).toEqual(new Set([process.execPath]))
  })

  test('The entry points name the Node that they run on, where another one starts them.', () => {
    for (const version of ['22.12.0', '22.23.3', '24.0.0', '24.21.0'])
      expect(explainUnsupportedNode(version), version).toBeUndefined()
    for (const version of ['18.20.8', '20.20.2', '22.11.0', '23.1.0', '25.9.0', '26.10.0'])
      expect(explainUnsupportedNode(version)).toContain(`this is Node ${version}. See https://nodejs.org`)
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(engines.node).toBe('^22.12.0 || ^24.0.0')
  })
})

describe.each(['18.20.8', '20.20.2', '26.10.0'])('A script that Node %s starts', { timeout: 120_000 }, (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-runtime-'))
  const script = join(folder, 'script.mjs')
  let node: string | undefined

  beforeAll(() => {
    node = findOtherNode(version)
    writeFileSync(
      script,
      `import { spawnSync } from 'node:child_process'
       import { describeMachine, enterRuntime, planRuntime } from ${JSON.stringify(join(root, 'scripts/clone/runtime.mjs'))}
       import { watchStarters } from ${JSON.stringify(join(root, 'scripts/starters.mjs'))}
       await enterRuntime()
       if (process.argv.includes('wait')) {
         watchStarters(() => process.exit(1))
         process.on('SIGTERM', () => process.exit(7))
         setInterval(() => {}, 1000)
       } else process.exitCode = 5
       const onPath = spawnSync('node', ['-p', 'process.execPath'], { encoding: 'utf8' }).stdout.trim()
       const { LD_LIBRARY_PATH } = process.env
       const facts = { pid: process.pid, plan: planRuntime(describeMachine()), args: process.argv.slice(2), onPath }
       console.log(JSON.stringify({ ...facts, execPath: process.execPath, LD_LIBRARY_PATH }))`,
    )
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  /** The environment without what the set-up of this run added to it. */
  const environment = () => {
    const { PARLEY_STARTER: _, PARLEY_STARTED_AT: __, npm_lifecycle_event: ___, ...env } = process.env
    return env
  }
  const obstacle = () => (node === undefined ? `Node ${version} cannot be fetched from the npm registry` : undefined)

  const startWaiting = async (): Promise<{ child: ChildProcess; pid: number }> => {
    const child = spawn(node as string, [script, 'wait'], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    while (!output.includes('}\n')) await once(child.stdout, 'data')
    return { child, pid: JSON.parse(output.slice(output.indexOf('{'))).pid }
  }
  const isRunning = (pid: number) => spawnSync('kill', ['-0', String(pid)]).status === 0

  test('It runs on the supported runtime, with its arguments, and ends with its exit code.', (context) => {
    if (node === undefined) return context.skip(obstacle())
    const done = spawnSync(node, [script, 'one', 'two words'], { env: environment(), encoding: 'utf8' })
    const [line = '', facts = ''] = done.stdout.trim().split('\n')
    expect(line).toMatch(/^ *\[\d+\.\ds\] (Running on the private|Bringing) Node .*: this machine has Node /)
    expect(line).toContain(`this machine has Node ${version}`)
    const { pid: _, execPath, ...rest } = JSON.parse(facts)
    expect(rest).toEqual({ plan: { kind: 'own' }, args: ['one', 'two words'], onPath: execPath })
    expect(dirname(execPath)).toContain('node_modules/.cache/parley-runtime/')
    expect(done.status).toBe(5)
  })

  test('A signal to the process that was started reaches the one that runs.', async (context) => {
    if (node === undefined) return context.skip(obstacle())
    const { child, pid } = await startWaiting()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([7, null])
    expect(isRunning(pid)).toBe(false)
  })

  test('When the process that was started is killed, the one that runs ends.', async (context) => {
    if (node === undefined) return context.skip(obstacle())
    const { child, pid } = await startWaiting()
    child.kill('SIGKILL')
    for (const end = Date.now() + 20_000; isRunning(pid); await sleep(50)) expect(Date.now()).toBeLessThan(end)
  })
})

test('npm runs on a supported Node, because it leaves out native parts on another one.', {
  timeout: 120_000,
}, (context) => {
  const node = findOtherNode('18.20.8')
  if (node === undefined) return context.skip('Node 18 cannot be fetched from the npm registry')
  const script = `import { spawnSync } from 'node:child_process'
    import { provideInstaller } from ${JSON.stringify(join(root, 'scripts/clone/runtime.mjs'))}
    const node = provideInstaller()
    console.log(JSON.stringify([node, spawnSync(node, ['-v'], { encoding: 'utf8' }).stdout.trim()]))`
  const done = spawnSync(node, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const [file, version] = JSON.parse(done.stdout.trim().split('\n').at(-1) ?? '')
  expect(explainUnsupportedNode(version.slice(1))).toBeUndefined()
  // npm empties node_modules, so it is elsewhere; it is removed when the command ends.
  expect(file).not.toContain('node_modules')
  expect(existsSync(file)).toBe(false)
})

test('A gateway on Node 22 serves calls, sockets and pages.', { timeout: 60_000 }, async (context) => {
  const node = findOtherNode('22.23.3')
  if (node === undefined) return context.skip('Node 22 cannot be fetched from the npm registry')
  await using gateway = await startGateway({}, undefined, startOnNewLibrary(node))
  await using realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  const on = { url: gateway.url }
  await ok(
    ada,
    'POST',
    '/users/me/subscriptions',
    {
      subscriptions: [{ name: 'design' }],
      principals: [ada.user_id, grace.user_id],
      send_new_subscription_messages: false,
    },
    on,
  )
  const queue = await ok<Cursor>(grace, 'POST', '/register', { event_types: ['message'] }, on)
  const { id } = await ok(ada, 'POST', '/messages', { type: 'channel', to: 'design', topic: 'logo', content: 'Hi' }, on)
  for (const transport of transports) {
    const [event] = await readEvents(transport, gateway.url, grace, queue)
    expect(event).toMatchObject({ type: 'message', message: { id, content: 'Hi' } })
  }
  expect((await fetch(gateway.url)).status).toBe(200)
  expect(await gateway.stop()).toBe('exit code 0')
})

test('Where the C library is too old and apt is missing, a start says so in its first second, and downloads nothing.', (context) => {
  const node = findOtherNode('20.20.2')
  if (node === undefined) return context.skip('Node 20 cannot be fetched from the npm registry')
  const before = spawnSync(node, ['-p', 'process.report.getReport().header.glibcVersionRuntime'], { encoding: 'utf8' })
  if (Number(before.stdout.trim().split('.')[1]) >= 38)
    return context.skip('the C library of this machine is new enough')
  const began = performance.now()
  const done = spawnSync(node, [join(root, 'scripts/start.mjs')], { env: { PATH: dirname(node) }, encoding: 'utf8' })
  expect(done.status).toBe(1)
  expect(done.stderr).toMatch(/Parley needs glibc 2\.38 or newer; this machine has 2\.\d+, and no archive/)
  expect(done.stdout).toBe('')
  expect(performance.now() - began).toBeLessThan(5_000)
})
