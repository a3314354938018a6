/**
 * zulip-js from the package registry, unmodified and configured with a zuliprc only: every call that it exports.
 *
 * If an existing client fails, the server is wrong.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import { gateways, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { type Balancer, startBalancer } from './balancer.js'
import { startChangingFleet } from './changing-fleet.js'
import { pause } from './pause.js'
import { writeZuliprc } from './zuliprc.js'

type Answer = Record<string, unknown> & { result: string }
type Call = (params?: unknown, ...more: unknown[]) => Promise<Answer>
/** The calls that zulip-js exports. The last test compares them with the calls that the tests made. */
interface ZulipJs {
  config: Record<string, string>
  callEndpoint: Call
  accounts: { retrieve: Call }
  emojis: { retrieve: Call }
  events: { retrieve: Call }
  filters: { retrieve: Call }
  messages: Record<
    'send' | 'retrieve' | 'render' | 'update' | 'getById' | 'getHistoryById' | 'deleteById' | 'deleteReactionById',
    Call
  > & { flags: { add: Call; remove: Call } }
  queues: { register: Call; deregister: Call }
  reactions: { add: Call; remove: Call }
  server: { settings: Call }
  streams: {
    retrieve: Call
    getStreamId: Call
    deleteById: Call
    subscriptions: { retrieve: Call }
    topics: { retrieve: Call }
  }
  typing: { send: Call }
  users: {
    retrieve: Call
    create: Call
    me: {
      getProfile: Call
      pointer: { retrieve: Call; update: Call }
      subscriptions: { add: Call; remove: Call }
      alertWords: { retrieve: Call }
    }
  }
}
type Init = (config: Record<string, string>) => Promise<ZulipJs>

// One of its packages puts its own FormData in the place of that of Node, for other test files too.
const { FormData } = globalThis
afterAll(() => {
  globalThis.FormData = FormData
})
const zulipInit = createRequire(import.meta.url)('zulip-js') as Init

/** The names of all calls, e.g. `messages.flags.add`. */
const listCalls = (api: object, prefix = ''): string[] =>
  Object.entries(api).flatMap(([name, value]) => {
    if (name === 'config') return []
    return typeof value === 'function' ? [prefix + name] : listCalls(value as object, `${prefix}${name}.`)
  })

const called = new Set<string>()

/** The same client, which records the names of the calls that it makes. */
const recordCalls = <T extends object>(api: T, prefix = ''): T =>
  new Proxy(api, {
    get(target, name: string) {
      const value = (target as Record<string, unknown>)[name]
      if (name === 'config' || value === undefined || name === 'then') return value
      if (typeof value !== 'function') return recordCalls(value as object, `${prefix}${name}.`)
      called.add(prefix + name)
      return value
    },
  }) as T

const success = async <T = Record<string, unknown>>(call: Promise<Answer>): Promise<T> => {
  const answer = await call
  expect(answer).toMatchObject({ result: 'success', msg: '' })
  return answer as T
}

interface Typing {
  id: number
  op: string
}

const password = 'correct horse battery staple'

interface Setup {
  ada: Person
  bob: Person
  adaRc: string
  zulip: ZulipJs
  bobs: ZulipJs
  channel: number
}

/** Creates Ada, an owner, and Bob, and subscribes both to the channel that the examples of zulip-js write to. */
const setUp = async (realm: TestRealm, address: Balancer): Promise<Setup> => {
  const [ada, bob] = (await realm.people({ full_name: 'Ada', role: 100, password }, { full_name: 'Bob' })) as [
    Person,
    Person,
  ]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  const joining = {
    subscriptions: [{ name: 'test-bot' }],
    principals: [ada.user_id, bob.user_id],
    send_new_subscription_messages: false,
  }
  await ok(ada, 'POST', '/users/me/subscriptions', joining)
  const { stream_id: channel } = await ok(ada, 'GET', '/get_stream_id', { stream: 'test-bot' })
  const adaRc = writeZuliprc(ada, address.url)
  const zulip = recordCalls(await zulipInit({ zuliprc: adaRc }))
  const bobs = recordCalls(await zulipInit({ zuliprc: writeZuliprc(bob, address.url) }))
  return { ada, bob, adaRc, zulip, bobs, channel }
}

const said = (content: string, topic = 'Testing zulip-js') => ({
  to: 'test-bot',
  type: 'stream',
  subject: topic,
  content,
})

describe('zulip-js', () => {
  test('The client logs in with a zuliprc, an API key or a password.', async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, zulip } = await setUp(realm, address)
    const [username, apiKey] = [ada.email, ada.api_key]

    const byFile = zulip
    const byKey = await zulipInit({ username, apiKey, realm: address.url })
    const byPassword = await zulipInit({ username, password, realm: address.url })
    const belowApi = await zulipInit({ username, apiKey, realm: `${address.url}/api` })
    const withSlash = await zulipInit({ username, apiKey, realm: `${address.url}/` })

    for (const client of [byFile, byKey, byPassword, belowApi, withSlash]) {
      const { subscriptions } = await success<{ subscriptions: { name: string }[] }>(
        client.streams.subscriptions.retrieve(),
      )
      expect(subscriptions.map(({ name }) => name)).toEqual(['test-bot'])
    }
    expect(byPassword.config).toMatchObject({ apiKey })
    const key = await success(recordCalls(byPassword).accounts.retrieve())
    expect(key).toMatchObject({ api_key: apiKey, email: username, user_id: ada.user_id })
  })

  test('The client sends, reads, renders, edits and deletes messages.', async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, zulip, bobs } = await setUp(realm, address)

    const { id } = await success<{ id: number }>(zulip.messages.send(said('Something is wrong....')))
    const other = await success<{ id: number }>(
      zulip.callEndpoint('/messages', 'POST', said('Something is **horribly** wrong')),
    )
    await success(zulip.messages.update({ message_id: id, content: 'New *content*' }))
    await success(zulip.messages.update({ message_id: id, topic: 'Another topic', propagate_mode: 'change_one' }))

    const around = { stream: 'test-bot', type: 'stream', anchor: id, num_before: 0, num_after: 1 }
    const { messages } = await success<{ messages: Record<string, unknown>[] }>(zulip.messages.retrieve(around))
    expect(messages).toMatchObject([
      { id, subject: 'Another topic', content: '<p>New <em>content</em></p>', display_recipient: 'test-bot' },
      { id: other.id, subject: 'Testing zulip-js', sender_email: ada.email },
    ])
    const inTopic = [
      { operator: 'stream', operand: 'test-bot' },
      { operator: 'topic', operand: 'Testing zulip-js' },
    ]
    const newest = { anchor: 1000000000, num_before: 1, num_after: 1, narrow: inTopic, apply_markdown: false }
    expect(await success(zulip.messages.retrieve(newest))).toMatchObject({
      messages: [{ id: other.id, content: 'Something is **horribly** wrong' }],
      found_newest: true,
    })

    expect(await success(zulip.messages.getById({ message_id: id }))).toMatchObject({
      message: { id, content: '<p>New <em>content</em></p>' },
      raw_content: 'New *content*',
    })
    const { message_history } = await success<{ message_history: { content: string; topic: string }[] }>(
      zulip.messages.getHistoryById({ message_id: id }),
    )
    expect(message_history.map(({ content, topic }) => [content, topic])).toEqual([
      ['Something is wrong....', 'Testing zulip-js'],
      ['New *content*', 'Testing zulip-js'],
      ['New *content*', 'Another topic'],
    ])
    for (const given of ['# hi', { content: '# hi' }]) {
      expect(await success(zulip.messages.render(given))).toMatchObject({ rendered: '<h1>hi</h1>' })
    }

    await success(zulip.messages.deleteById({ message_id: other.id }))
    expect(await bobs.messages.getById({ message_id: other.id })).toMatchObject({
      result: 'error',
      code: 'BAD_REQUEST',
    })
  })

  test('The client sends direct messages and finds them.', async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, bob, zulip, bobs } = await setUp(realm, address)

    const { id } = await success<{ id: number }>(
      zulip.messages.send({ to: bob.email, type: 'private', subject: 'ignored', content: 'psst' }),
    )
    const listed = await success<{ id: number }>(
      zulip.messages.send({ to: [bob.user_id], type: 'direct', content: 'and again' }),
    )
    const narrow = [{ operator: 'is', operand: 'private' }]
    const { messages } = await success<{ messages: { id: number; display_recipient: { id: number }[] }[] }>(
      bobs.messages.retrieve({ from: ada.email, anchor: id, narrow, num_before: 1, num_after: 1 }),
    )
    expect(messages.map((message) => message.id)).toEqual([id, listed.id])
    expect(messages[0]?.display_recipient.map((person) => person.id)).toEqual([ada.user_id, bob.user_id])
  })

  test('The client sets flags and adds reactions.', async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { bob, zulip, bobs } = await setUp(realm, address)
    const { id } = await success<{ id: number }>(zulip.messages.send(said('read me')))
    const flagsNow = async () => {
      const { message } = await success<{ message: { flags: string[] } }>(bobs.messages.getById({ message_id: id }))
      return message.flags
    }
    const reactionsNow = async () => {
      const { message } = await success<{ message: { reactions: object[] } }>(
        zulip.messages.getById({ message_id: id }),
      )
      return message.reactions
    }

    expect(await flagsNow()).toEqual([])
    expect(await success(bobs.messages.flags.add({ messages: [id], flag: 'read' }))).toMatchObject({ messages: [id] })
    await success(bobs.messages.flags.add({ messages: [id], flag: 'starred' }))
    expect((await flagsNow()).sort()).toEqual(['read', 'starred'])
    await success(bobs.messages.flags.remove({ messages: [id], flag: 'read' }))
    expect(await flagsNow()).toEqual(['starred'])

    const note = { message_id: id, emoji_name: 'musical_note', emoji_code: '1f3b5', reaction_type: 'unicode_emoji' }
    await success(bobs.reactions.add(note))
    await success(bobs.reactions.add({ message_id: id, emoji_name: 'tada' }))
    expect(await reactionsNow()).toMatchObject([
      { emoji_name: 'musical_note', emoji_code: '1f3b5', reaction_type: 'unicode_emoji', user_id: bob.user_id },
      { emoji_name: 'tada', user_id: bob.user_id },
    ])
    expect(await bobs.reactions.add(note)).toMatchObject({ result: 'error', code: 'REACTION_ALREADY_EXISTS' })
    await success(bobs.reactions.remove(note))
    expect(await bobs.messages.deleteReactionById({ message_id: id })).toMatchObject({ code: 'BAD_REQUEST' })
    await success(bobs.messages.deleteReactionById({ message_id: id, emoji_name: 'tada' }))
    expect(await reactionsNow()).toEqual([])
  })

  test('The client subscribes to, finds, lists and leaves channels.', async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, zulip, channel } = await setUp(realm, address)
    const names = async (call: Promise<Answer>, key: string) => {
      const list = (await success<Record<string, { name: string }[]>>(call))[key] ?? []
      return list.map(({ name }) => name)
    }

    const wanted = JSON.stringify([{ name: 'off topic', description: 'Anything' }])
    expect(await success(zulip.users.me.subscriptions.add({ subscriptions: wanted }))).toMatchObject({
      subscribed: { [ada.user_id]: ['off topic'] },
      already_subscribed: {},
    })
    expect(await names(zulip.streams.retrieve(), 'streams')).toEqual(['off topic', 'test-bot'])
    expect(await names(zulip.streams.subscriptions.retrieve(), 'subscriptions')).toEqual(['off topic', 'test-bot'])
    for (const given of ['test-bot', { stream: 'test-bot' }]) {
      expect(await success(zulip.streams.getStreamId(given))).toMatchObject({ stream_id: channel })
    }
    await success(zulip.messages.send(said('one', 'first topic')))
    expect(await names(zulip.streams.topics.retrieve({ stream_id: channel }), 'topics')).toContain('first topic')

    const gone = { subscriptions: JSON.stringify(['off topic']) }
    expect(await success(zulip.users.me.subscriptions.remove(gone))).toMatchObject({ removed: ['off topic'] })
    await success(zulip.streams.deleteById({ stream_id: channel }))
    expect(await names(zulip.streams.retrieve(), 'streams')).toEqual(['off topic'])
  })

  test('The client reads its own user, other users and the organization.', async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, bob, zulip } = await setUp(realm, address)

    expect(await success(zulip.users.me.getProfile())).toMatchObject({
      user_id: ada.user_id,
      email: ada.email,
      full_name: 'Ada',
      is_bot: false,
      is_admin: true,
    })
    const newbie = { email: 'newbie@zulip.com', password, full_name: 'New User', short_name: 'newbie' }
    const { user_id } = await success<{ user_id: number }>(zulip.users.create(newbie))
    const { members } = await success<{ members: { user_id: number; email: string }[] }>(zulip.users.retrieve())
    expect(members.map((member) => [member.user_id, member.email])).toEqual([
      [ada.user_id, ada.email],
      [bob.user_id, bob.email],
      [user_id, newbie.email],
    ])
    await success(zulip.callEndpoint('/users/me/alert_words', 'POST', { alert_words: ['fire'] }))
    expect(await success(zulip.users.me.alertWords.retrieve())).toMatchObject({ alert_words: ['fire'] })
    expect(await success(zulip.emojis.retrieve())).toMatchObject({ emoji: {} })
    const linkifier = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
    const { id } = await success<{ id: number }>(zulip.callEndpoint('realm/filters', 'POST', linkifier))
    expect(await success(zulip.filters.retrieve())).toMatchObject({
      filters: [['#(?P<id>[0-9]+)', 'https://example.com/%(id)s', id]],
    })
    expect(await success(zulip.server.settings())).toMatchObject({
      zulip_version: expect.any(String),
      zulip_feature_level: expect.any(Number),
    })
  })

  test('The client receives typing notifications.', async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, bob, zulip, bobs } = await setUp(realm, address)
    const queue = await success<{ queue_id: string; last_event_id: number }>(
      bobs.queues.register({ event_types: ['typing'] }),
    )
    const cursor = { queue_id: queue.queue_id, last_event_id: -1, dont_block: false }
    const typing = async (to: unknown, op: string) => success(zulip.typing.send({ to, op }))
    // Repeated, because a gateway that has just loaded the realm may not receive the bus of the other gateways yet.
    let hasArrived = false
    const waiting = success<{ events: Typing[] }>(bobs.events.retrieve(cursor)).finally(() => {
      hasArrived = true
    })
    while (!hasArrived) {
      await typing([bob.user_id], 'start')
      await pause(100)
    }
    const { events } = await waiting
    expect(events[0]).toMatchObject({
      type: 'typing',
      op: 'start',
      sender: { user_id: ada.user_id, email: ada.email },
    })
    await typing([bob.user_id, ada.user_id], 'stop')
    while (events.at(-1)?.op !== 'stop') {
      const last_event_id = events.at(-1)?.id
      events.push(...(await success<{ events: Typing[] }>(bobs.events.retrieve({ ...cursor, last_event_id }))).events)
    }

    await success(bobs.queues.deregister({ queue_id: queue.queue_id }))
    expect(await bobs.events.retrieve(cursor)).toMatchObject({ result: 'error', code: 'BAD_EVENT_QUEUE_ID' })
  })

  test('The client returns refusals as answers and throws no exception.', async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, zulip } = await setUp(realm, address)
    const refused = (code: string, more = {}) => ({ result: 'error', code, msg: expect.any(String), ...more })

    const wrongKey = await zulipInit({ username: ada.email, apiKey: 'x'.repeat(32), realm: address.url })
    expect(await wrongKey.users.me.getProfile()).toMatchObject(refused('UNAUTHORIZED'))
    const noOne = await zulipInit({ username: ada.email, password: 'wrong', realm: address.url })
    expect(await noOne.accounts.retrieve()).toMatchObject(refused('AUTHENTICATION_FAILED'))
    expect(await zulip.messages.send({ ...said('x'), to: 'nowhere' })).toMatchObject(
      refused('STREAM_DOES_NOT_EXIST', { stream: 'nowhere' }),
    )
    expect(await zulip.messages.send({ ...said(''), content: '' })).toMatchObject(refused('BAD_REQUEST'))
    expect(await zulip.messages.getById({ message_id: 4711 })).toMatchObject(refused('BAD_REQUEST'))
    expect(await zulip.callEndpoint('/no/such/thing')).toMatchObject({ result: 'error' })
    // The protocol no longer has pointers, but the examples of zulip-js still use them.
    expect(await zulip.users.me.pointer.retrieve()).toMatchObject({ result: 'error' })
    expect(await zulip.users.me.pointer.update(1)).toMatchObject({ result: 'error' })
  })

  test('The client receives every event while one gateway is killed and another is restarted.', {
    timeout: 60_000,
  }, async () => {
    await using realm = await newRealm()
    await using fleet = await startChangingFleet(realm.host)
    const { bob, adaRc, channel } = await setUp(realm, fleet.address)
    called.add('callOnEachEvent')
    const follower = spawn(process.execPath, [join(import.meta.dirname, 'follow-zulip-js.mjs'), adaRc, 'message'])
    const received: string[] = []
    let isListening = false
    createInterface({ input: follower.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return
      const { type, message } = JSON.parse(line) as { type: string; message: { content: string } }
      if (type === 'message') received.push(message.content)
      isListening = true
    })
    const say = (content: string) => ok(bob, 'POST', '/messages', { type: 'stream', to: channel, topic: 'x', content })
    try {
      for (let n = 0; !isListening; n++) {
        await say(`are you there ${n}`)
        await pause(100)
      }
      const wanted: string[] = []
      let replacements = Promise.resolve()
      for (let n = 0; n < 80; n++) {
        wanted.push(String(n))
        await say(String(n))
        if (n === 20) replacements = fleet.replace('SIGKILL')
        if (n === 50) replacements = replacements.then(() => fleet.replace('SIGTERM'))
        await pause(75)
      }
      await replacements
      await expect.poll(() => numbered(received), { timeout: 20_000 }).toEqual(wanted)
      await say('end')
      await expect.poll(() => received.at(-1), { timeout: 10_000 }).toBe('end')
      expect(numbered(received)).toEqual(wanted)
    } finally {
      follower.kill('SIGKILL')
    }
  })

  test('These tests call everything that zulip-js exports.', async () => {
    const api = await zulipInit({ username: 'a@example.com', apiKey: 'x', realm: 'http://127.0.0.1:1' })
    expect([...called].sort()).toEqual(listCalls(api).sort())
  })
})

/** The numbered messages, without those that test whether the client listens. */
const numbered = (contents: string[]): string[] => contents.filter((content) => /^\d+$/.test(content))
