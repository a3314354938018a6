/** The Python bot of docs/write-a-bot.md: two copies of it run, are killed, and answer each mention once. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { findBlocks } from '../docs/run-guide.js'
import { gateways, newRealm, ok } from '../setup/realm/realm.js'
import { startBalancer } from './balancer.js'
import { findPython, startProgram, waitUntil } from './python.js'
import { createPythonAccounts } from './python-accounts.js'

const python = await findPython()
const because = python.missing === undefined ? '' : ` (skipped: ${python.missing})`

test.skipIf(python.missing)(
  `The bot of the guide answers each mention once${because}.`,
  { timeout: 90_000 },
  async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { bob, robot } = await createPythonAccounts(realm, address.url)
    const folder = mkdtempSync(join(tmpdir(), 'parley-dice-'))
    const guide = findBlocks(readFileSync(join(root, 'docs/write-a-bot.md'), 'utf8'))
    const code = guide.find(({ file }) => file === 'dice-bot/dice.py')?.code ?? ''
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(60)
    const program = join(folder, 'dice.py')
    writeFileSync(program, code)
    const start = async () => {
      const settings = { URL: address.url, BOT_EMAIL: robot.email, BOT_KEY: robot.api_key }
      const copy = startProgram(join(python.bin, 'python'), [program], settings)
      await waitUntil(() => copy.lines.some((line) => line.startsWith('Ready')), [copy])
      return copy
    }
    const place = { type: 'channel', to: 'Denmark', topic: 'dice' }
    const ask = (n: number) => ok(bob, 'POST', '/messages', { ...place, content: `@**${robot.full_name}** roll ${n}` })
    const countAnswers = async () => {
      const narrow = [{ operator: 'sender', operand: robot.user_id }]
      const { messages } = await ok(bob, 'GET', '/messages', {
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        narrow,
      })
      return messages.filter(({ content }) => content.includes('You rolled')).length
    }
    try {
      let copies = [await start(), await start()]
      let asked = 0
      for (let round = 0; round < 3; round++) {
        for (let n = 0; n < 5; n++) {
          asked += 1
          await ask(asked)
        }
        const [killed, other] = copies
        await killed?.[Symbol.asyncDispose]()
        // While no copy runs, too.
        if (round === 1) await other?.[Symbol.asyncDispose]()
        asked += 1
        await ask(asked)
        copies = round === 1 ? [await start(), await start()] : [other as NonNullable<typeof other>, await start()]
      }
      await ok(bob, 'POST', '/messages', {
        type: 'direct',
        to: [robot.user_id],
        content: `@**${robot.full_name}** the last`,
      })
      await expect.poll(countAnswers, { timeout: 30_000 }).toBe(asked + 1)
      for (const copy of copies) await copy[Symbol.asyncDispose]()
      expect(await countAnswers()).toBe(asked + 1)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
