/**
 * Outgoing webhook bots: their server is called when the bot is mentioned or gets a direct message, and its answer is
 * posted.
 *
 * The servers belong to the tests and listen on 127.0.0.1, which the fleet is configured to allow.
 */
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { callableAddressCheck } from '../../src/domain/net/callable-addresses.js'
import { listen } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { type Called, openServer } from '../setup/web/web-server.js'

const answerWith = (answer: object) => (_: Called, response: ServerResponse) => {
  response.end(JSON.stringify(answer))
}

const setUp = async (payload_url: string, params: Record<string, unknown> = {}) => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  const [ada, grace] = people as [Person, Person]
  const { user_id } = await ok(ada, 'POST', '/bots', {
    full_name: 'Echo',
    short_name: 'echo',
    bot_type: 3,
    payload_url,
    ...params,
  })
  const bot = realm.realm
  await bot.barrier()
  const email = bot.state.users.get(user_id)?.email as string
  return { realm, ada, grace, bot: { user_id, email } }
}

interface Message {
  id: number
  sender_id: number
  type: string
  subject: string
  content: string
  display_recipient: string | { id: number }[]
  submessages: { content: string }[]
}

const fetchLast = async (by: Person, narrow: object[]): Promise<Message | undefined> =>
  (
    await ok(by, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      narrow,
      apply_markdown: false,
    })
  ).messages.at(-1)

const eventually = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 20_000, interval: 50 })

describe('Calls to an outgoing webhook', () => {
  test('The webhook is called with the message that mentions the bot, and its answer is posted in the same topic.', async () => {
    await using server = await openServer(answerWith({ content: 'heard **you**, @**Ada**' }))
    const { realm, ada, grace, bot } = await setUp(server.url)
    await using _ = realm
    await createChannel(ada, 'design', [ada, grace])
    await ok(ada, 'PATCH', '/settings', { automatically_follow_topics_where_mentioned: true })
    const adaListener = await listen(ada, { event_types: ['user_topic', 'message'] })
    const id = await postMessage(grace, 'design', 'logo', '@**Echo** what *now*?')
    const sent = () => fetchLast(grace, [{ operator: 'sender', operand: bot.user_id }])
    await eventually(async () => (await sent())?.content).toBe('heard **you**, @**Ada**')
    expect(await adaListener.eventNames()).toEqual(['message', 'user_topic', 'message'])
    expect(await sent()).toMatchObject({ type: 'stream', subject: 'logo', display_recipient: 'design' })
    expect(server.calls).toHaveLength(1)
    expect(server.calls[0]?.headers['content-type']).toBe('application/json')
    const { realm_bots } = await ok(ada, 'POST', '/register', {
      fetch_event_types: ['realm_bot'],
    })
    expect(JSON.parse(server.calls[0]?.text ?? '')).toMatchObject({
      bot_email: bot.email,
      bot_full_name: 'Echo',
      data: '@**Echo** what *now*?',
      token: realm_bots[0]?.services[0]?.token,
      trigger: 'mention',
      message: {
        id,
        sender_id: grace.user_id,
        content: '@**Echo** what *now*?',
        rendered_content: expect.stringContaining('<em>now</em>'),
        subject: 'logo',
      },
    })
  })

  test('The webhook is called for a direct message to the bot, and its answer goes to all participants.', async () => {
    await using server = await openServer(
      answerWith({
        content: 'a form',
        widget_content: JSON.stringify({ widget_type: 'poll', extra_data: { question: 'Q', options: [] } }),
      }),
    )
    const { realm, ada, grace, bot } = await setUp(server.url)
    await using _ = realm
    const them = { user_id: bot.user_id } as Person
    await sendDirectMessage(grace, [ada, them], 'hello')
    const sent = () => fetchLast(ada, [{ operator: 'sender', operand: bot.user_id }])
    await eventually(async () => (await sent())?.content).toBe('a form')
    const answer = await sent()
    const participants = [ada, grace, bot].map(({ user_id: id }) => ({ id }))
    expect(answer).toMatchObject({ display_recipient: participants })
    expect(JSON.parse(answer?.submessages[0]?.content ?? '').widget_type).toBe('poll')
    expect(JSON.parse(server.calls[0]?.text ?? '').trigger).toBe('direct_message')
  })

  test('The webhook may answer nothing, and it is not called for messages of its own bot or for silent mentions.', async () => {
    await using server = await openServer(answerWith({ response_not_required: true, content: 'no' }))
    const { realm, ada, grace, bot } = await setUp(server.url)
    await using _ = realm
    await createChannel(ada, 'design', [ada, grace])
    const { api_key } = await ok(ada, 'POST', `/bots/${bot.user_id}/api_key/regenerate`)
    const echo = { ...ada, user_id: bot.user_id, email: bot.email, api_key }
    await ok(echo, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'hello' })
    await postMessage(ada, 'design', 'logo', 'nothing @_**Echo**')
    await postMessage(ada, 'design', 'logo', '@**Echo** the last')
    await eventually(async () => server.calls.length).toBe(1)
    expect(JSON.parse(server.calls[0]?.text ?? '').data).toBe('@**Echo** the last')
    expect(await fetchLast(ada, [{ operator: 'channel', operand: 'design' }])).toMatchObject({ sender_id: ada.user_id })
  })

  test('A webhook with the Slack interface gets the fields of Slack and may answer in text.', async () => {
    await using server = await openServer(answerWith({ text: 'as there' }))
    const { realm, ada, bot } = await setUp(server.url, { interface_type: 2 })
    await using _ = realm
    const stream_id = await createChannel(ada, 'design', [ada])
    await postMessage(ada, 'design', 'logo', '@**Echo** hey')
    const sent = () => fetchLast(ada, [{ operator: 'sender', operand: bot.user_id }])
    await eventually(async () => (await sent())?.content).toBe('as there')
    const fields = Object.fromEntries(new URLSearchParams(server.calls[0]?.text))
    expect(fields).toMatchObject({
      channel_id: `C${stream_id}`,
      channel_name: 'design',
      user_name: 'Ada',
      user_id: `U${ada.user_id}`,
      text: '@**Echo** hey',
      trigger_word: 'mention',
    })
  })

  test('The webhook is called again after a server error.', async () => {
    await using server = await openServer((_, response, n) => {
      if (n === 1) response.statusCode = 503
      response.end(n === 1 ? '' : JSON.stringify({ content: 'now' }))
    })
    const { realm, ada, bot } = await setUp(server.url)
    await using _ = realm
    await sendDirectMessage(ada, [{ user_id: bot.user_id } as Person], 'hello')
    const sent = () => fetchLast(ada, [{ operator: 'sender', operand: bot.user_id }])
    await eventually(async () => (await sent())?.content).toBe('now')
    expect(server.calls).toHaveLength(2)
  })
})

describe('Errors of an outgoing webhook', () => {
  const fetchLastReport = async (ada: Person, bot: { user_id: number }) =>
    (await fetchLast(ada, [{ operator: 'sender', operand: bot.user_id }]))?.content

  test.each([
    ['the server answers 404', (response: ServerResponse) => response.writeHead(404).end(), /with status 404/],
    [
      'the server redirects',
      (r: ServerResponse) => r.writeHead(302, { Location: 'http://10.0.0.1/' }).end(),
      /status 302/,
    ],
    ['the answer is not JSON', (response: ServerResponse) => response.end('<html>'), /not of the form/],
    ['the answer is too long', (r: ServerResponse) => r.end('x'.repeat(300_000)), /too long/],
  ])('The bot sends its owner a message if %s.', async (_name, answer, fault) => {
    await using server = await openServer((_, response) => answer(response))
    const { realm, ada, grace, bot } = await setUp(server.url)
    await using _ = realm
    await createChannel(ada, 'design', [ada, grace])
    await postMessage(grace, 'design', 'logo', '@**Echo** hey')
    await eventually(() => fetchLastReport(ada, bot)).toMatch(fault)
    expect(server.calls).toHaveLength(1)
    expect(await fetchLast(grace, [{ operator: 'sender', operand: bot.user_id }])).toBeUndefined()
  })

  test.each(['http://169.254.169.254/latest', 'http://[::1]:80/', 'http://[::ffff:10.0.0.1]/'])(
    'The bot sends its owner a message if the address is private: %s',
    async (url) => {
      const { realm, ada, bot } = await setUp(url)
      await using _ = realm
      await sendDirectMessage(ada, [{ user_id: bot.user_id } as Person], 'hello')
      await eventually(() => fetchLastReport(ada, bot)).toMatch(/is private/)
    },
  )
})

test('A webhook may have a public address or one of the allowed networks, and no other private address.', () => {
  const isCallable = callableAddressCheck(['10.1.0.0/16', 'fd00::/8'])
  const open = ['8.8.8.8', '10.1.2.3', '2606:4700::1111', 'fd12::1']
  const closed = ['10.2.0.1', '127.0.0.1', '0.0.0.0', '172.20.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1']
  const closedSix = [
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'ff02::1',
  ]
  expect(open.filter((address) => !isCallable(address))).toEqual([])
  expect([...closed, ...closedSix, 'example.com', ''].filter(isCallable)).toEqual([])
})

describe('A webhook whose server fails several times in a row', () => {
  const failing = (_: Called, response: ServerResponse) => {
    response.statusCode = 503
    response.end()
  }

  /** The messages that the bot sent to its owner about failures, newest last. */
  const fetchReports = async (ada: Person, bot: { user_id: number }) => {
    const asked = { anchor: 'newest', num_before: 100, apply_markdown: false }
    const narrow = [{ operator: 'sender', operand: bot.user_id }]
    const { messages } = await ok(ada, 'GET', '/messages', { ...asked, narrow })
    return messages.map(({ content }) => content as string).filter((content) => content.includes('in a row'))
  }

  const sendMany = (by: Person, bot: { user_id: number }, count: number) =>
    Promise.all(Array.from({ length: count }, () => sendDirectMessage(by, [{ user_id: bot.user_id } as Person])))

  /** The time until which calls are refused passes. */
  const endRefusal = ({ sql, realm_id }: TestRealm) =>
    sql`update webhook_breakers set refused_until = now() where realm_id = ${realm_id}`

  test('The webhook is not called for a while, its owner is told once, and one success ends this.', async () => {
    let fails = true
    await using server = await openServer((called, response) => {
      if (fails) failing(called, response)
      else response.end(JSON.stringify({ content: 'I am back' }))
    })
    const { realm, ada, grace, bot } = await setUp(server.url)
    await using _ = realm
    await sendMany(grace, bot, 20)
    await waitForJobs(realm, 30_000)
    // In each worker, four calls run at a time. Those that run when the fifth fails are not interrupted, and another
    // test may have a second worker.
    expect(server.calls.length).toBeGreaterThanOrEqual(5)
    expect(server.calls.length).toBeLessThanOrEqual(12)
    expect(await fetchReports(ada, bot)).toHaveLength(1)

    // One call is tried after that time. It fails, and nothing more is reported.
    await endRefusal(realm)
    const before = server.calls.length
    await sendMany(grace, bot, 6)
    await waitForJobs(realm, 30_000)
    expect(server.calls.length).toBe(before + 1)
    expect(await fetchReports(ada, bot)).toHaveLength(1)

    fails = false
    await endRefusal(realm)
    await sendMany(grace, bot, 1)
    await waitForJobs(realm, 30_000)
    const sent = () => fetchLast(grace, [{ operator: 'sender', operand: bot.user_id }])
    expect((await sent())?.content).toBe('I am back')
    expect(await realm.sql`select from webhook_breakers where realm_id = ${realm.realm_id}`).toHaveLength(0)

    // It may fail again, and its owner gets a message again.
    fails = true
    await sendMany(grace, bot, 12)
    await waitForJobs(realm, 30_000)
    expect(await fetchReports(ada, bot)).toHaveLength(2)
  })

  test('The time of each refusal is longer than the one before.', async () => {
    await using server = await openServer(failing)
    const { realm, grace, bot } = await setUp(server.url)
    await using _ = realm
    const secs = async () => {
      const [row] = await realm.sql<{ secs: number }[]>`
        select extract(epoch from refused_until - now())::int as secs from webhook_breakers
        where realm_id = ${realm.realm_id}`
      return row?.secs ?? 0
    }
    await sendMany(grace, bot, 8)
    await waitForJobs(realm, 30_000)
    const times = [await secs()]
    for (let i = 0; i < 2; i++) {
      await endRefusal(realm)
      await sendMany(grace, bot, 1)
      await waitForJobs(realm, 30_000)
      times.push(await secs())
    }
    expect(times[1]).toBeGreaterThan(times[0] ?? 0)
    expect(times[2]).toBeGreaterThan(times[1] ?? 0)
  })

  test('A new address of the bot is called at once.', async () => {
    await using server = await openServer(failing)
    await using better = await openServer(answerWith({ content: 'from here' }))
    const { realm, ada, grace, bot } = await setUp(server.url)
    await using _ = realm
    await sendMany(grace, bot, 8)
    await waitForJobs(realm, 30_000)
    await ok(ada, 'PATCH', `/bots/${bot.user_id}`, { service_payload_url: better.url, service_interface: 1 })
    await sendMany(grace, bot, 1)
    await eventually(
      async () => (await fetchLast(grace, [{ operator: 'sender', operand: bot.user_id }]))?.content,
    ).toBe('from here')
  })
})

describe('An account that is deactivated during the call', () => {
  /** A server that answers when the test lets it. */
  const openWaitingServer = async (answer: (response: ServerResponse) => void) => {
    const waiting: ServerResponse[] = []
    const server = await openServer((_, response) => void waiting.push(response))
    return {
      url: server.url,
      called: () => eventually(async () => waiting.length).toBe(1),
      answer: () => waiting.forEach(answer),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  }

  /** Mentions the bot in a channel. Resolves when its server was called. */
  const callBot = async (server: Awaited<ReturnType<typeof openWaitingServer>>) => {
    const prepared = await setUp(server.url)
    await createChannel(prepared.ada, 'design', [prepared.ada, prepared.grace])
    await postMessage(prepared.grace, 'design', 'logo', '@**Echo** hey')
    await server.called()
    return prepared
  }

  test('The answer for a bot that was deactivated is not posted.', async () => {
    await using server = await openWaitingServer((response) => response.end('{"content": "too late"}'))
    const { realm, ada, grace, bot } = await callBot(server)
    await using _ = realm
    await ok(ada, 'DELETE', `/bots/${bot.user_id}`)
    server.answer()
    await waitForJobs(realm)
    expect(await fetchLast(grace, [{ operator: 'sender', operand: bot.user_id }])).toBeUndefined()
  })

  test('The owner of a bot that was deactivated gets no message about a failure.', async () => {
    await using server = await openWaitingServer((response) => response.writeHead(404).end())
    const { realm, ada, bot } = await callBot(server)
    await using _ = realm
    await ok(ada, 'DELETE', `/bots/${bot.user_id}`)
    server.answer()
    await waitForJobs(realm)
    expect(await fetchLast(ada, [{ operator: 'sender', operand: bot.user_id }])).toBeUndefined()
  })

  test('A bot whose owner was deactivated says nothing, neither to the owner nor in the topic.', async () => {
    await using server = await openWaitingServer((response) => response.writeHead(404).end())
    const { realm, ada, bot } = await callBot(server)
    await using _ = realm
    const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    await ok(owner, 'DELETE', `/users/${ada.user_id}`)
    server.answer()
    await waitForJobs(realm)
    const sent = await realm.sql`
      select from messages where realm_id = ${realm.realm_id} and sender_id = ${bot.user_id}`
    expect(sent).toHaveLength(0)
  })
})
