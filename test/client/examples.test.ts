/** The programs that people copy: the first one in the README of the client library, and its example bot. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { startRelay } from '../setup/proxies/relay.js'
import { readEvents } from '../setup/realm/event-reader.js'
import { createChannel } from '../setup/realm/messages.js'
import { anyGateway, newRealm, ok, type Person } from '../setup/realm/realm.js'

/** A program that runs, and the lines that it prints. */
const run = (file: string, env: Record<string, string> = {}) => {
  const child: ChildProcess = spawn(process.execPath, [file], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return { readLine: async () => (await lines.next()).value as string, [Symbol.dispose]: () => void child.kill() }
}

const start = async () => {
  const realm = await newRealm()
  const [ada, echo] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Echo' })) as [Person, Person]
  // Without the notice for the bot, which a worker would send at any time.
  await createChannel(ada, 'general', [ada, echo])
  return { realm, relay: await startRelay(anyGateway(), realm.host), ada, echo }
}

test('The first program of the README prints the message that it sends.', async () => {
  const { realm, relay, ada } = await start()
  await using _ = realm
  await using __ = relay
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(root, 'client/README.md'), 'utf8')) ?? []
  const file = join(root, `client/examples/readme-${process.pid}.mjs`)
  const settings = { 'http://127.0.0.1:9991': relay.url, 'mira@parley.example': ada.email, API_KEY: ada.api_key }
  const text = Object.entries(settings).reduce((filled, [name, value]) => filled.replace(name, value), program)
  writeFileSync(file, text)
  try {
    using running = run(file)
    expect(await running.readLine()).toBe('Ada: Hello')
  } finally {
    rmSync(file)
  }
})

test('The echo bot answers direct messages, and messages that mention it.', async () => {
  const { realm, relay, ada, echo } = await start()
  await using _ = realm
  await using __ = relay
  const settings = { PARLEY_URL: relay.url, PARLEY_EMAIL: echo.email, PARLEY_API_KEY: echo.api_key }
  using running = run(join(root, 'client/examples/echo-bot.mjs'), settings)
  expect(await running.readLine()).toBe('Echo listens.')
  const narrow = [['sender', echo.email]]
  const { queue_id, last_event_id } = await ok(ada, 'POST', '/register', { event_types: ['message'], narrow })

  await ok(ada, 'POST', '/messages', { type: 'direct', to: [echo.user_id], content: 'good morning' })
  const general = { type: 'stream', to: 'general', topic: 'greetings' }
  await ok(ada, 'POST', '/messages', { ...general, content: 'not for the bot' })
  await ok(ada, 'POST', '/messages', { ...general, content: '@**Echo** good evening' })

  const contents: unknown[] = []
  for (let last = last_event_id; contents.length < 2; ) {
    for (const event of await readEvents('poll', anyGateway(), ada, { queue_id, last_event_id: last })) {
      last = event.id
      if (event.type === 'message') contents.push((event.message as { content: string }).content)
    }
  }
  expect(contents).toEqual(['good morning', 'good evening'])
})
