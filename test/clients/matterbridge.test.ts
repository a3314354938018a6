/** The library of matterbridge, unmodified, in a program of ours that uses it as matterbridge's Zulip bridge does. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anyGateway, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { startBalancer } from './balancer.js'
import { newFolder } from './zuliprc.js'

const folder = newFolder()

/** Builds the program. @returns why it cannot be built here; undefined when it was */
const findObstacle = (): string | undefined => {
  const source = join(import.meta.dirname, 'matterbridge', 'main.go')
  copyFileSync(source, join(folder, 'main.go'))
  const steps = [
    ['mod', 'init', 'bridge'],
    ['get', 'github.com/matterbridge/gozulipbot@latest'],
    ['build', '-o', 'bridge', '.'],
  ]
  for (const step of steps) {
    const { status, error, stderr } = spawnSync('go', step, { cwd: folder, encoding: 'utf8', timeout: 60_000 })
    if (error !== undefined) return error.message
    if (status !== 0) return `go ${step.join(' ')}: ${stderr.trim().split('\n').at(-1)}`
  }
  return undefined
}

const missing = findObstacle()

test.skipIf(missing !== undefined)(
  `The library of matterbridge sends a message and receives others.${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  { timeout: 60_000 },
  async () => {
    await using realm = await newRealm()
    const [ada, bridge] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Bridge' })) as [Person, Person]
    const subscriptions = [{ name: 'bridge' }]
    await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions, principals: [ada.user_id, bridge.user_id] })
    await using address = await startBalancer(realm.host, [anyGateway()])
    const env = { ...process.env, SITE: address.url, EMAIL: bridge.email, KEY: bridge.api_key }
    const child = spawn(join(folder, 'bridge'), { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    const ended = once(child, 'exit')
    const newest = async () => {
      const page = { anchor: 'newest', num_before: 1, apply_markdown: false }
      return (await ok(ada, 'GET', '/messages', page)).messages[0]
    }
    await expect
      .poll(newest, { timeout: 20_000 })
      .toMatchObject({ content: 'Hello from elsewhere', subject: 'both ways', sender_id: bridge.user_id })
    const message = { type: 'channel', to: 'bridge', topic: 'both ways' }
    await ok(ada, 'POST', '/messages', { ...message, content: 'Hello from here' })
    await ok(ada, 'POST', '/messages', { ...message, content: 'bye' })
    expect((await ended)[0]).toBe(0)
    expect(output).toContain('Hello from here')
  },
)
