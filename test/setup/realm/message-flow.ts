/** A flow of messages, and a reader of a queue who must receive each of them exactly once and in order. */
import { expect } from 'vitest'
import { type Cursor, Refused, readEvents, type Transport, transports, type WireEvent } from './event-reader.js'
import { gateways, newRealm, ok, type Person, type TestRealm } from './realm.js'

const randomItem = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** Returns the number in a message that the test sent. It is undefined for a message of the Notification Bot. */
export const messageNumber = (event: WireEvent): number | undefined => {
  const number = /^m(\d+)$/.exec((event.message as { content?: string } | undefined)?.content ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}

/**
 * Reads the queue until `count` messages of the test have arrived. A connection that breaks is opened again.
 * @param of the transports; each connection takes one at random
 */
export const readMessages = async (
  reader: Person,
  cursor: Cursor,
  count: number,
  urls: () => readonly string[],
  of: readonly Transport[] = transports,
): Promise<WireEvent[]> => {
  const events: WireEvent[] = []
  let last_event_id = cursor.last_event_id
  let messages = 0
  const deadline = Date.now() + 150_000
  while (messages < count && Date.now() < deadline) {
    const at = { queue_id: cursor.queue_id, last_event_id }
    const some = await readEvents(randomItem(of), randomItem(urls()), reader, at).catch((error: unknown) => {
      if (error instanceof Refused) throw error
      return []
    })
    for (const event of some) {
      events.push(event)
      last_event_id = event.id
      if (messageNumber(event) !== undefined) messages += 1
    }
  }
  return events
}

/** Expects every message once, in log order. The ids of events and messages increase, and no message is missing. */
export const expectExactlyOnce = (events: readonly WireEvent[], sent: readonly number[]): void => {
  const ids = events.map((event) => event.id)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  const ours = events.filter((event) => messageNumber(event) !== undefined)
  expect(ours.map((event) => (event.message as { id: number }).id)).toEqual([...sent].sort((a, b) => a - b))
}

export interface MessageFlow {
  realm: TestRealm
  ada: Person
  grace: Person
  /** Grace's queue. */
  cursor: Cursor
  /** Registers one more queue of Grace. */
  register(): Promise<Cursor>
  /** Sends one message; its id is added to `sent`. */
  send(): Promise<void>
  sent: number[]
}

/**
 * Creates a channel in which Ada sends and Grace receives.
 * @param urls returns the gateways that serve the realm now
 * @param open creates the realm
 */
export const startMessageFlow = async (
  urls: () => readonly string[] = gateways,
  open: () => Promise<TestRealm> = newRealm,
): Promise<MessageFlow> => {
  const realm = await open()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  const url = () => ({ url: randomItem(urls()) })
  const both = { subscriptions: [{ name: 'general' }], principals: [ada.user_id, grace.user_id] }
  await ok(ada, 'POST', '/users/me/subscriptions', both, url())
  const register = async (): Promise<Cursor> => {
    const { queue_id, last_event_id } = await ok(grace, 'POST', '/register', { event_types: ['message'] }, url())
    return { queue_id, last_event_id }
  }
  const cursor = await register()
  const sent: number[] = []
  let attempts = 0
  const send = async () => {
    const content = `m${++attempts}`
    const { id } = await ok(ada, 'POST', '/messages', { type: 'stream', to: 'general', topic: 't', content }, url())
    sent.push(id)
  }
  return { realm, ada, grace, cursor, register, send, sent }
}
