/** Bots of the zulip-bots package, started with zulip-run-bot. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { startBalancer } from './balancer.js'
import { findPython, type Running, runProgram, startProgram, waitUntil } from './python.js'
import { createPythonAccounts, type PythonAccounts } from './python-accounts.js'

const python = await findPython()
const because = python.missing === undefined ? '' : ` (skipped: ${python.missing})`

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

/** Writes to the bot until it answers, because it does not report when it starts to listen. @returns its answers */
const waitForAnswers = async ({ bob, robot }: PythonAccounts, running: Running, content: string): Promise<string[]> => {
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

describe.skipIf(python.missing)(`Bots of the zulip-bots package${because}`, () => {
  test('A bot answers mentions and direct messages, and its storage survives its restart.', {
    timeout: 90_000,
  }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const accounts = await createPythonAccounts(realm, address.url)
    const { bob, robot } = accounts
    const bot = join(import.meta.dirname, 'echo_bot.py')
    let count = 0
    {
      await using running = runBot(bot, accounts)
      const [first] = await waitForAnswers(accounts, running, 'hello')
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
    await using again = runBot(bot, accounts)
    const answers = await waitForAnswers(accounts, again, 'still there?')
    expect(answers.find((answer) => answer.endsWith('still there?'))).toBe(`${count + 1}: still there?`)
  })

  test('The bots helloworld, help, incrementor, converter and virtual_fs of the package work.', {
    timeout: 90_000,
  }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const accounts = await createPythonAccounts(realm, address.url)
    {
      await using hello = runBot('helloworld', accounts)
      expect((await waitForAnswers(accounts, hello, 'hi')).at(-1)).toBe('beep boop')
    }
    {
      await using help = runBot('help', accounts)
      expect((await waitForAnswers(accounts, help, 'help')).at(-1)).toContain('Info on Zulip can be found here')
    }
    {
      await using converter = runBot('converter', accounts)
      expect((await waitForAnswers(accounts, converter, '2 m cm')).at(-1)).toBe('2 m = 200.0 cm')
    }
    {
      await using incrementor = runBot('incrementor', accounts)
      expect((await waitForAnswers(accounts, incrementor, 'count')).at(-1)).toMatch(/^\d+$/)
    }
    await using files = runBot('virtual_fs', accounts)
    await waitForAnswers(accounts, files, 'mkdir papers')
    expect((await waitForAnswers(accounts, files, 'ls')).join()).toContain('/papers')
  })

  test('zulip-send sends messages to channels and to users.', { timeout: 60_000 }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { bob, ada, env } = await createPythonAccounts(realm, address.url)
    const content = 'Something is *rotten* in the state of Denmark — 100 %'
    const send = async (...args: string[]) => {
      const sent = await runProgram(join(python.bin, 'zulip-send'), [
        '--config-file',
        env.MEMBER_RC,
        '-m',
        content,
        ...args,
      ])
      expect(sent).toMatchObject({ status: 0 })
    }
    await send('--stream', 'Denmark', '--subject', 'castle')
    await send(ada.email)
    const messages = await pageOf(ada, [{ operator: 'sender', operand: bob.email }])
    expect(messages.map((message) => [message.subject, message.content])).toEqual([
      ['castle', content],
      ['', content],
    ])
  })
})
