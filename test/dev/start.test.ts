import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../src/dev/ports.js'
import { openProcessGroup } from '../../src/dev/process-group.js'
import { isRunning, type ManagedProcess, stages } from '../../src/dev/processes.js'
import { root } from '../../src/dev/root.js'
import type { DevJson } from '../../src/dev/welcome.js'

/** Variables of the configuration that `npm start` passes on. */
const VARIABLES = { MAX_FILE_UPLOAD_SIZE_MIB: '7', BASE_DOMAIN: 'chat.example', AUDIT_LOG_DAYS: '3' }

/** Runs of `npm start` with their own Postgres and Redis, which share one data folder. */
describe('npm start', { timeout: 60_000 }, () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-start-'))
  let port: number
  let started: Started

  beforeAll(async () => {
    group.removeFolderAtEnd(data)
    port = await freePort()
    started = await start(data, port)
  }, 60_000)
  afterAll(async () => {
    await started.end('SIGTERM')
    await group.stop()
  })

  const about = (): DevJson => JSON.parse(readFileSync(join(data, 'dev.json'), 'utf8'))
  const running = (): ManagedProcess[] => JSON.parse(readFileSync(join(data, 'processes.json'), 'utf8')).running
  const whoAmI = async ({ email, api_key } = account(), site = about().url) => {
    const authorization = `Basic ${btoa(`${email}:${api_key}`)}`
    const answer = await fetch(`${site}/api/v1/users/me`, { headers: { authorization } })
    return ((await answer.json()) as { full_name: string }).full_name
  }
  const account = () => about().users[0] as DevJson['users'][number]

  test('The output contains the URL, an account with its API key, and commands to try.', () => {
    expect(started.output()).toContain(`Parley runs at http://127.0.0.1:${port}`)
    expect(started.output()).toContain(`Open http://127.0.0.1:${port} in a browser`)
    expect(started.output()).toContain(account().email)
    expect(started.output()).toContain(account().api_key)
    for (const command of ['curl -s', 'register', 'node scripts/listen.mjs'])
      expect(started.output()).toContain(command)
  })

  test('The variables of the configuration reach gateways and workers.', async () => {
    const { email, api_key } = account()
    const body = new URLSearchParams({ fetch_event_types: '["realm"]' })
    const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` }
    const answer = await fetch(`${about().url}/api/v1/register`, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ max_file_upload_size_mib: 7 })
    const application = running().filter(({ name }) => /^(gateway|worker)-/.test(name))
    expect(application.map(({ name }) => name.split('-')[0]).sort()).toEqual(['gateway', 'worker'])
    for (const { pid } of application) {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      for (const [name, value] of Object.entries(VARIABLES)) expect(variables).toContain(`${name}=${value}`)
    }
  })

  test('The file dev.json contains the addresses and accounts for programs.', async () => {
    const url = `http://127.0.0.1:${port}`
    expect(about()).toEqual({
      url,
      realm: 'demo',
      users: expect.any(Array),
      gateways: [url],
      console: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      database_url: expect.stringMatching(/^postgres:/),
      redis_url: expect.stringMatching(/^redis:/),
    })
    expect(about().users.map(({ role }) => role)).toEqual([100, 200, 300, 400, 400, 400, 600, 400])
    for (const user of about().users) expect(await whoAmI(user)).toBe(user.full_name)
  })

  test('The console is at the printed address.', async () => {
    expect(started.output()).toContain(`Operators watch all processes at ${about().console}`)
    const answer = await fetch(about().console)
    expect(await answer.text()).toContain('Parley console')
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
  })

  test('The supervisor restarts a gateway that was killed.', async () => {
    const gateway = running().find(({ name }) => name.startsWith('gateway')) as ManagedProcess
    process.kill(gateway.pid, 'SIGKILL')
    await started.says(`The ${gateway.name} is back`)
    expect(await whoAmI()).toBe(account().full_name)
  })

  test('The supervisor restarts Redis and Postgres, and gateways reconnect to them.', async () => {
    for (const name of ['Redis', 'Postgres']) {
      process.kill((running().find((one) => one.name === name) as ManagedProcess).pid, 'SIGKILL')
      await started.says(`The ${name} is back`)
    }
    await until(async () => (await whoAmI().catch(() => '')) === account().full_name)
  })

  test('A second start on the same folder fails.', async () => {
    const second = await start(data, await freePort(), 'already runs')
    expect(await second.ended).toBe(1)
  })

  test('A start on a taken port fails and names the port.', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port: taken } = other.address() as { port: number }
    const folder = mkdtempSync(join(tmpdir(), 'parley-start-'))
    const refused = await start(folder, taken, `Port ${taken} is taken`)
    expect(await refused.ended).toBe(1)
    other.close()
    rmSync(folder, { recursive: true })
  })

  test('After SIGKILL no process remains, and the next start finds its data.', async () => {
    const [before, key] = [running(), account().api_key]
    expect(before.length).toBeGreaterThanOrEqual(4)
    await started.end('SIGKILL')
    await until(() => !before.some(isRunning))

    started = await start(data, port)
    expect(account().api_key).toBe(key)
    expect(await whoAmI()).toBe(account().full_name)
    expect(started.output()).not.toContain('Creating the demo organization')
  })

  test('Ctrl-C stops all processes in order.', async () => {
    const before = running()
    expect(await started.end('SIGINT')).toBe(0)
    expect(before.filter(isRunning)).toEqual([])
    expect(running()).toEqual([])
    await expect.poll(started.output).toMatch(/Stopping .*gateway[\s\S]*Stopping .*Postgres[\s\S]*Stopped/)
  })
})

interface Started {
  output(): string
  says(text: string): Promise<void>
  ended: Promise<number | null>
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** The group ends its processes when the test run is killed. */
const group = openProcessGroup(() => {})

/** Starts `npm start`, and waits until its output contains `ready`. */
async function start(data: string, port: number, ready = 'Press Ctrl-C to stop'): Promise<Started> {
  const { DATABASE_URL: _, REDIS_URL: __, npm_lifecycle_event: ___, NODE_ENV: ____, ...inherited } = process.env
  const env = { ...inherited, ...VARIABLES }
  const args = [join(root, 'scripts/start.mjs'), '--data', data, '--port', String(port)]
  const how = { name: 'supervisor', signal: 'SIGTERM', stage: stages.application } as const
  const child = group.start(how, process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const started: Started = {
    output: () => output,
    says: (text) => until(() => output.includes(text)),
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
  let isClosed = false
  // Its exit can be known before all that it wrote was read.
  child.once('close', () => {
    isClosed = true
  })
  await until(() => output.includes(ready) || isClosed)
  if (!output.includes(ready)) throw new Error(`it ended with ${child.exitCode}:\n${output}`)
  return started
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 45_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('it took too long')
    await sleep(20)
  }
}
