/** Bots of the bots framework, run as their authors run them. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gateways, newRealm, ok, type Person } from '../setup/realm.js'
import { startBalancer } from './balancer.js'
import { findPython, type Running, startProgram, waitUntil } from './python.js'
import { createPythonAccounts, type PythonAccounts } from './python-accounts.js'

const python = await findPython()
const because = python.missing === undefined ? '' : ` (passed over: ${python.missing})`

interface Message {
  id: number
  sender_id: number
  content: string
  subject: string
  reactions: { emoji_name: string; user_id: number }[]
}

interface Term {
  operator: string
  operand: unknown
}

const pageOf = async (by: Person, narrow: Term[]): Promise<Message[]> => {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false, narrow }
  return (await ok(by, 'GET', '/messages', page)).messages
}

const runBot = (bot: string, { env }: PythonAccounts): Running =>
  startProgram(join(python.bin, 'zulip-run-bot'), [bot, '--config-file', env.BOT_RC])

/** Writes to the bot until it answers: it does not say when it has begun to listen. @returns its answers */
const answered = async ({ bob, robot }: PythonAccounts, running: Running, content: string): Promise<string[]> => {
  const answers = async () => {
    const messages = await pageOf(bob, [{ operator: 'dm', operand: [robot.user_id] }])
    return messages.filter(({ sender_id }) => sender_id === robot.user_id).map((message) => message.content)
  }
  const before = (await answers()).length
  await waitUntil(() => running.lines.some((line) => line.includes('starting message handling')), [running])
  await waitUntil(async () => {
    if ((await answers()).length > before) return true
    await ok(bob, 'POST', '/messages', { type: 'direct', to: [robot.user_id], content })
    return false
  }, [running])
  return answers()
}

describe.skipIf(python.missing)(`a bot of the bots framework${because}`, () => {
  test('answers a mention and a direct message, and keeps count over its restart', { timeout: 90_000 }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const there = await createPythonAccounts(realm, address.url)
    const { bob, robot } = there
    const bot = join(import.meta.dirname, 'echo_bot.py')
    let count = 0
    {
      await using running = runBot(bot, there)
      const [first] = await answered(there, running, 'hello')
      expect(first).toBe('1: hello')
      const say = (content: string) =>
        ok(bob, 'POST', '/messages', { type: 'stream', to: 'Denmark', topic: 'castle', content })
      await say('not for the bot')
      const { id } = await say(`@**${robot.full_name}** to be or not to be`)
      const inTopic = () =>
        pageOf(bob, [
          { operator: 'channel', operand: 'Denmark' },
          { operator: 'topic', operand: 'castle' },
        ])
      await expect.poll(async () => (await inTopic()).length, { timeout: 10_000 }).toBe(3)
      const [, asked, answer] = await inTopic()
      expect(answer?.sender_id).toBe(robot.user_id)
      expect(answer?.content).toMatch(/^\d+: to be or not to be$/)
      count = Number.parseInt(answer?.content ?? '', 10)
      await expect
        .poll(async () => (await inTopic())[1]?.reactions, { timeout: 10_000 })
        .toMatchObject([{ emoji_name: 'wave', user_id: robot.user_id }])
      expect(asked?.id).toBe(id)
    }
    await using again = runBot(bot, there)
    const answers = await answered(there, again, 'still there?')
    expect(answers.find((answer) => answer.endsWith('still there?'))).toBe(`${count + 1}: still there?`)
  })

  test('may be one that comes with it: one answers, one edits what it said, one keeps files', {
    timeout: 90_000,
  }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const there = await createPythonAccounts(realm, address.url)
    {
      await using hello = runBot('helloworld', there)
      expect((await answered(there, hello, 'hi')).at(-1)).toBe('beep boop')
    }
    {
      await using incrementor = runBot('incrementor', there)
      expect((await answered(there, incrementor, 'count')).at(-1)).toMatch(/^\d+$/)
    }
    await using files = runBot('virtual_fs', there)
    await answered(there, files, 'mkdir papers')
    expect((await answered(there, files, 'ls')).join()).toContain('/papers')
  })
})
