/**
 * A window of messages while requests, answers and events overtake each other. The server of these tests answers, and
 * its events arrive, when a test says so.
 */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Client } from '../../client/src/client.js'
import type { Event, Message, Params } from '../../client/src/kernel/api.js'
import { createStore } from '../../client/src/kernel/store.js'
import { type OpenWindow, openMessageWindow } from '../../client/src/realm/message-window.js'
import type { NarrowContext } from '../../client/src/realm/narrow.js'

/** The topic that the windows show, and another one. */
const [SHOWN, OTHER] = ['plans', 'greetings']
const narrow = [
  { operator: 'channel', operand: 1 },
  { operator: 'topic', operand: SHOWN },
]
/** As many messages as a jump fetches on each side. */
const PAGE = 100
/** After this time, a window has fetched again what an event changed. */
const RELOADED_MS = 100

const context = {
  users: createStore(new Map()),
  channels: createStore(new Map([[1, { name: 'general' }]])),
  subscriptions: createStore(new Map()),
  topicPolicies: createStore(new Map()),
  self: createStore({ user_id: 7 }),
} as unknown as NarrowContext

const buildMessage = (id: number, subject: string): Message => {
  const channel = { type: 'stream', stream_id: 1, display_recipient: 'general' }
  return { id, ...channel, subject, content: '', flags: [], reactions: [], submessages: [] } as unknown as Message
}

type MessageParams = Params<'GET /messages'>

/** A request that has no answer yet. */
interface Pending {
  readonly params: MessageParams
  /** what the server found; undefined: it has not looked yet */
  answer: object | undefined
  settle: { resolve(answer: object): void; reject(error: Error): void }
}

/** Starts a server that has so many messages in the topic, with the ids from 1 on. */
const startServer = (count: number) => {
  const topics = new Map(Array.from({ length: count }, (_, i) => [i + 1, SHOWN]))
  let newestId = count
  const pending: Pending[] = []
  const events: Event[] = []

  const listShown = () => [...topics.keys()].filter((id) => topics.get(id) === SHOWN).sort((a, b) => a - b)

  const find = ({ message_ids, anchor, num_before = 0, num_after = 0, include_anchor = true }: MessageParams) => {
    const ids = listShown()
    const build = (found: readonly number[]) => found.map((id) => buildMessage(id, SHOWN))
    if (message_ids !== undefined) return { messages: build(ids.filter((id) => message_ids.includes(id))) }
    const isAtEnd = anchor === 'newest' || anchor === 'first_unread'
    const at = isAtEnd ? newestId + 1 : anchor === 'oldest' ? 0 : Number(anchor)
    const older = ids.filter((id) => id < at)
    const newer = ids.filter((id) => id > at)
    const middle = include_anchor && ids.includes(at) ? [at] : []
    return {
      anchor: at,
      messages: build([
        ...older.slice(Math.max(0, older.length - num_before)),
        ...middle,
        ...newer.slice(0, num_after),
      ]),
      found_oldest: anchor === 'oldest' || older.length < num_before,
      found_newest: isAtEnd || newer.length < num_after,
    }
  }

  const client = {
    call: (_: string, params: MessageParams) =>
      new Promise<object>((resolve, reject) => {
        pending.push({ params, answer: undefined, settle: { resolve, reject } })
      }),
  } as unknown as Client

  return {
    client,
    pending,
    events,
    listShown,
    post(topic: string) {
      newestId += 1
      topics.set(newestId, topic)
      events.push({ type: 'message', message: buildMessage(newestId, topic), flags: [] } as unknown as Event)
      return newestId
    },
    remove(id: number) {
      if (!topics.delete(id)) return
      events.push({ type: 'delete_message', message_type: 'stream', message_ids: [id] } as unknown as Event)
    },
    restore(id: number) {
      if (id > newestId || topics.has(id)) return
      topics.set(id, SHOWN)
      const where = { message_type: 'stream', stream_id: 1, topic: SHOWN }
      events.push({ type: 'restore_message', ...where, message_ids: [id] } as unknown as Event)
    },
    move(id: number) {
      const orig_subject = topics.get(id)
      if (orig_subject === undefined) return
      const subject = orig_subject === SHOWN ? OTHER : SHOWN
      topics.set(id, subject)
      const ids = { message_id: id, message_ids: [id], stream_id: 1 }
      const move = { orig_subject, subject, propagate_mode: 'change_one', edit_timestamp: 1 }
      events.push({ type: 'update_message', ...ids, ...move, flags: [] } as unknown as Event)
    },
    /** The server looks up the answer of a request, which arrives later. */
    look(request: Pending | undefined) {
      if (request !== undefined) request.answer ??= find(request.params)
    },
    /** The answer of a request arrives. */
    async answer(request: Pending | undefined) {
      if (request === undefined) return
      request.answer ??= find(request.params)
      pending.splice(pending.indexOf(request), 1)
      request.settle.resolve(request.answer)
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}
type Server = ReturnType<typeof startServer>

const openWindow = (server: Server): OpenWindow => openMessageWindow(server.client, context, narrow, {}, () => {})

/** Opens a window, and answers its first request. */
const openLoaded = async (server: Server): Promise<OpenWindow> => {
  const window = openWindow(server)
  await vi.advanceTimersByTimeAsync(0)
  await server.answer(server.pending[0])
  return window
}

/** All events that are on their way arrive. */
const receiveEvents = (server: Server, window: OpenWindow) => {
  for (const event of server.events.splice(0)) window.receive(event)
}

/** Everything that is on its way arrives, until nothing is. */
const settle = async (server: Server, window: OpenWindow) => {
  receiveEvents(server, window)
  do {
    while (server.pending.length > 0) await server.answer(server.pending[0])
    await vi.advanceTimersByTimeAsync(RELOADED_MS)
  } while (server.pending.length > 0)
}

const shown = (window: OpenWindow) => window.get().messages.map(({ id }) => id)

const expectComplete = (server: Server, window: OpenWindow) => {
  const { hasOldest, hasNewest, status } = window.get()
  const ids = shown(window)
  const first = hasOldest ? 0 : (ids[0] ?? 0)
  const last = hasNewest ? Number.POSITIVE_INFINITY : (ids.at(-1) ?? Number.POSITIVE_INFINITY)
  expect(ids).toEqual(server.listShown().filter((id) => id >= first && id <= last))
  expect(status).toBe('ready')
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('A window shows the newest messages, grows at both ends, and gets what arrives.', async () => {
  const server = startServer(4 * PAGE)
  const window = await openLoaded(server)
  expect(shown(window)).toEqual(range(3 * PAGE + 1, 4 * PAGE))
  window.loadOlder(5)
  await server.answer(server.pending[0])
  server.post(SHOWN)
  receiveEvents(server, window)
  expect(shown(window)).toEqual(range(3 * PAGE - 4, 4 * PAGE + 1))
  expect(server.pending).toEqual([])
})

test('A message that arrives or is deleted during a request is in the window, or not, after the older answer.', async () => {
  const server = startServer(3)
  const window = openWindow(server)
  await vi.advanceTimersByTimeAsync(0)
  server.look(server.pending[0])
  server.post(SHOWN)
  server.remove(2)
  receiveEvents(server, window)
  await server.answer(server.pending[0])
  expect(shown(window)).toEqual([1, 3, 4])
})

test('A jump makes the answer to an earlier request void, also one that fails.', async () => {
  const server = startServer(6 * PAGE)
  const window = await openLoaded(server)
  const older = window.loadOlder()
  const [asked] = server.pending
  window.jumpTo(150)
  await server.answer(server.pending[1])
  const page = shown(window)
  expect(page).toEqual(range(50, 250))
  asked?.settle.reject(new Error('There is no answer.'))
  await older
  expect(window.get()).toMatchObject({ status: 'ready' })
  expect(shown(window)).toEqual(page)
})

test('An end of a window is extended by one request at a time.', async () => {
  const server = startServer(3 * PAGE)
  const window = await openLoaded(server)
  expect(window.loadOlder()).toBe(window.loadOlder())
  expect(server.pending).toHaveLength(1)
})

test('A window keeps at most 1,500 messages: those next to the one that is read.', async () => {
  const server = startServer(2_000)
  const window = await openLoaded(server)
  window.setReading(1_000)
  for (const count of [700, 701]) {
    window.loadOlder(count)
    await server.answer(server.pending[0])
  }
  expect(shown(window)).toEqual(range(500, 1_699))
  expect(window.get()).toMatchObject({ hasOldest: false, hasNewest: false })
})

test('Messages that a window asked for during a jump leave no gap in the page of the jump.', async () => {
  const server = startServer(6 * PAGE)
  const window = await openLoaded(server)
  window.jumpTo(150)
  window.loadOlder()
  await server.answer(server.pending[0])
  expect(shown(window)).toEqual(range(50, 250))
  await server.answer(server.pending[0])
  expect(shown(window)).toEqual(range(50, 250))
})

test('A message that is moved into the narrow during a request is in the window after the older answer.', async () => {
  const server = startServer(3)
  const moved = server.post(OTHER)
  const window = openWindow(server)
  receiveEvents(server, window)
  await vi.advanceTimersByTimeAsync(0)
  server.look(server.pending[0])
  server.move(moved)
  await settle(server, window)
  expect(shown(window)).toEqual([1, 2, 3, moved])
})

test('A restored message is in the window again, in its place.', async () => {
  const server = startServer(3)
  const window = await openLoaded(server)
  for (const id of [1, 2]) server.remove(id)
  await settle(server, window)
  server.restore(2)
  await settle(server, window)
  expect(shown(window)).toEqual([2, 3])
})

test('A window whose messages are all deleted shows those before them.', async () => {
  const server = startServer(3 * PAGE)
  const window = await openLoaded(server)
  for (const id of shown(window)) server.remove(id)
  await settle(server, window)
  expect(shown(window)).toEqual(range(PAGE + 1, 2 * PAGE))
})

/** What happens next. `at` picks one of the things of which there are several. */
const step = fc.record({
  do: fc.constantFrom(
    ...([
      'post',
      'post elsewhere',
      'remove',
      'restore',
      'move',
      'move',
      'event',
      'event',
      'event',
      'look',
      'answer',
    ] as const),
    ...(['answer', 'answer', 'older', 'newer', 'jump', 'newest', 'oldest'] as const),
  ),
  at: fc.nat(),
})

test('A window has no gap, whatever overtakes what.', { timeout: 60_000 }, async () => {
  const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]
  const run = async (count: number, steps: readonly { do: string; at: number }[]) => {
    const server = startServer(count)
    const window = openWindow(server)
    const load = (promise: Promise<void>) => void promise.catch(() => {})
    await vi.advanceTimersByTimeAsync(0)
    for (const { do: what, at } of steps) {
      const id = (at % (count + 10)) + 1
      if (what === 'post') server.post(SHOWN)
      else if (what === 'post elsewhere') server.post(OTHER)
      else if (what === 'remove') server.remove(id)
      else if (what === 'restore') server.restore(id)
      else if (what === 'move') server.move(id)
      else if (what === 'event') for (const event of server.events.splice(0, 1)) window.receive(event)
      else if (what === 'look') server.look(pick(server.pending, at))
      else if (what === 'answer') await server.answer(pick(server.pending, at))
      else if (what === 'older') load(window.loadOlder((at % 50) + 1))
      else if (what === 'newer') load(window.loadNewer((at % 50) + 1))
      else load(window.jumpTo(what === 'jump' ? id : (what as 'newest' | 'oldest')))
      await vi.advanceTimersByTimeAsync(0)
    }
    await settle(server, window)
    expectComplete(server, window)
    window.close()
  }
  const count = fc.constantFrom(0, 2, 5, 450)
  const steps = fc.array(step, { maxLength: 40 })
  const numRuns = 250 * Number(process.env.PROPERTY_RUNS ?? 12)
  await fc.assert(fc.asyncProperty(count, steps, run), { numRuns, interruptAfterTimeLimit: 30_000 })
})
