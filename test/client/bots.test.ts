/** Bots of the client library: each event is answered once, whatever happens to the handler, the bot or its copies. */
import { expect, onTestFinished, test } from 'vitest'
import { ApiError, type Bot, type BotOptions, type Client, createBot } from '../../client/src/index.js'
import { startRelays } from '../setup/clients/library-client.js'
import { createChannel } from '../setup/realm/messages.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'

const setUp = async () => {
  const realm = await newRealm()
  onTestFinished(() => realm[Symbol.asyncDispose]())
  const [ada, robot] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Robot' })) as [Person, Person]
  // Without the notice for the bot, which a worker would send at any time.
  await createChannel(ada, 'orders', [ada, robot])
  const relays = await startRelays(realm.host)
  onTestFinished(() => relays[Symbol.asyncDispose]())
  const client = relays.client(robot)
  const order = (content: string) =>
    ok(ada, 'POST', '/messages', { type: 'channel', to: 'orders', topic: 'tea', content })
  /** What the bot has written, in its order. */
  const written = async () => {
    const narrow = [{ operator: 'sender', operand: robot.user_id }]
    const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false }
    return (await ok(ada, 'GET', '/messages', page)).messages.map(({ content }) => content)
  }
  const position = async () => (await ok(robot, 'GET', '/events/positions')).positions[0]?.event_id
  return { realm, robot, relays, client, order, written, position }
}

/** Starts a bot that answers orders. @returns the bot, and how its run ends */
const start = async (client: Client, prepare: (bot: Bot) => Bot, more: Partial<BotOptions> = {}) => {
  let register: (position: string) => void = () => {}
  const registered = new Promise<string>((resolve) => {
    register = resolve
  })
  const bot = prepare(createBot(client, { name: 'waiter', onRegistered: (position) => register(position), ...more }))
  const ended = bot.run()
  // A test that expects an error looks at it later.
  ended.catch(() => {})
  onTestFinished(() => bot.close())
  return { bot, ended, position: await Promise.race([registered, ended.then(() => 'ended')]) }
}

const serve = (bot: Bot): Bot =>
  bot.on('message', async ({ message }, tx) => {
    if (message.content.startsWith('order')) await tx.reply(`served ${message.content}`)
  })

test('Copies answer each event once, and a bot that starts later continues.', async () => {
  const { client, relays, robot, order, written } = await setUp()
  const copies = [await start(client, serve), await start(relays.client(robot), serve)]
  expect(copies.map(({ position }) => position)).toEqual(['new', 'continued'])
  for (let n = 1; n <= 5; n++) await order(`order ${n}`)
  await expect.poll(written).toEqual([1, 2, 3, 4, 5].map((n) => `served order ${n}`))
  for (const { bot, ended } of copies) {
    bot.close()
    await ended
  }
  await order('order 6')
  const { bot, ended, position } = await start(relays.client(robot), serve)
  expect(position).toBe('continued')
  await expect.poll(written).toEqual([1, 2, 3, 4, 5, 6].map((n) => `served order ${n}`))
  bot.close()
  await ended
})

test('A call before the answer happens once, although the handler runs again.', async () => {
  const { client, order, written } = await setUp()
  let runs = 0
  const { bot, ended } = await start(client, (made) =>
    made.on('message', async ({ message }, tx) => {
      if (!message.content.startsWith('order')) return
      runs += 1
      const place = { type: 'channel', to: String(message.stream_id), topic: message.subject } as const
      await tx.call('POST /messages', { ...place, content: 'cooking' })
      if (runs === 1) throw new ApiError(503, { msg: 'Busy.', 'retry-after': 0 })
      await tx.answer('POST /messages', { ...place, content: 'served' })
      await expect(tx.call('POST /messages', { ...place, content: 'late' })).rejects.toThrow('was answered')
    }),
  )
  await order('order 1')
  await expect.poll(written).toEqual(['cooking', 'served'])
  expect(runs).toBe(2)
  bot.close()
  await ended
})

test('A refused answer ends the bot and comes again, or is skipped with onError.', async () => {
  const { client, order, written, position } = await setUp()
  const clumsy = (made: Bot) =>
    made.on('message', async ({ message }, tx) => {
      const to = message.content === 'order 1' ? 'nowhere' : String(message.stream_id)
      if (message.content.startsWith('order')) {
        await tx.answer('POST /messages', { type: 'channel', to, topic: 'tea', content: `served ${message.content}` })
      }
    })
  const first = await start(client, clumsy)
  const before = await position()
  await order('order 1')
  await expect(first.ended).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' })
  expect(await position()).toBe(before)
  const errors: unknown[] = []
  const second = await start(client, clumsy, { onError: (error) => errors.push(error) })
  await order('order 2')
  await expect.poll(written).toEqual(['served order 2'])
  expect(errors).toEqual([expect.objectContaining({ code: 'STREAM_DOES_NOT_EXIST' })])
  second.bot.close()
  await second.ended
})

test('A bot whose queue is deleted registers again and answers on.', async () => {
  const { realm, client, robot, order, written } = await setUp()
  const { bot, ended } = await start(client, serve)
  await order('order 1')
  await expect.poll(written).toEqual(['served order 1'])
  const [queue] = await realm.sql<{ id: string }[]>`
    select id from event_queues where realm_id = ${realm.realm_id} and position_name = 'waiter'`
  await ok(robot, 'DELETE', '/events', { queue_id: queue?.id as string })
  await order('order 2')
  await expect.poll(written, { timeout: 20_000 }).toEqual(['served order 1', 'served order 2'])
  bot.close()
  await ended
})

test('Events without an answer are acknowledged when the bot ends.', async () => {
  const { client, order, position } = await setUp()
  const seen: string[] = []
  const { bot, ended } = await start(client, (made) => made.on('message', ({ message }) => seen.push(message.content)))
  const before = await position()
  await order('nothing to do')
  await expect.poll(() => seen).toEqual(['nothing to do'])
  bot.close()
  await ended
  expect(await position()).toBeGreaterThan(before as number)
})
