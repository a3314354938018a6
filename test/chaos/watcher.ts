/**
 * A reader that verifies its own events: their ids increase, each is received once, no message comes of a private
 * channel to which the reader is not subscribed, and a client's state can be computed from them.
 *
 * Each watcher has a second queue of the same account with the same options, which is read only at the end, from the
 * log. Both must have received the same events.
 */
import { createHash } from 'node:crypto'
import { type Reader, startReader } from '../drills/readers.js'
import { ClientState } from '../setup/clients/client-state.js'
import type { Cursor, Transport, WireEvent } from '../setup/realm/event-reader.js'
import { ok, type Person } from '../setup/realm/realm.js'

/** The text of messages that only members of the private channel may see. */
export const SECRET = 'secret of the private channel'

/** A poll may be silent for the time of a heartbeat and ten seconds. */
const SILENCE_MS = 14_000

/** Events that are not stored: a queue that is read later has none of them. */
const ephemeral = ['heartbeat', 'typing', 'presence', 'typing_edit_message']

const capabilities = {
  notification_settings_null: true,
  archived_channels: true,
  bulk_message_deletion: true,
  user_settings_object: true,
}

export const registration = {
  client_gravatar: false,
  include_subscribers: true,
  idle_queue_timeout: 3_600,
  client_capabilities: capabilities,
}

export interface Faults {
  lost: number
  doubled: number
  disordered: number
  leaked: number
  stale: number
}

export interface Watcher {
  readonly account: Person
  readonly name: string
  readonly reader: Reader
  readonly state: ClientState
  /** ids of the messages received */
  readonly messages: number[]
  /** how many events were verified */
  readonly checked: number
  readonly faults: Faults
  readonly details: string[]
  /** user settings as of the events */
  readonly settings: Record<string, unknown>
  /** Compares with the events of the second queue. */
  compareWithLog(url: string): Promise<void>
}

/** Registers two queues of an account, and follows the events of the first one. */
export const startWatcher = async (
  account: Person,
  transport: Transport,
  { url, firstUrl, isOutsider }: { url: () => string; firstUrl: string; isOutsider: boolean },
): Promise<Watcher> => {
  const register = () =>
    ok<Record<string, unknown> & Cursor>(account, 'POST', '/register', registration, { url: firstUrl })
  const snapshot = await register()
  const second = await register()
  const state = new ClientState(snapshot, true)
  const settings = { ...(snapshot.user_settings as Record<string, unknown> | undefined) }
  const faults: Faults = { lost: 0, doubled: 0, disordered: 0, leaked: 0, stale: 0 }
  const details: string[] = []
  const received = new Map<number, { type: string; hash: string; text: string | undefined }>()
  let last = snapshot.last_event_id
  let checked = 0
  let keptCharacters = 0

  const note = (fault: keyof Faults, what: string) => {
    faults[fault] += 1
    if (details.length < 20) details.push(`${name} ${fault}: ${what.slice(0, 1_500)}`)
  }
  const name = `${account.full_name} over ${transport}`

  const onEvent = (event: WireEvent) => {
    checked += 1
    const text = comparable(event)
    if (event.id <= last) {
      const isSame = received.has(event.id)
      note(isSame ? 'doubled' : 'disordered', `${event.id} after ${last}: ${text}`)
      return
    }
    last = event.id
    if (isOutsider && text.includes(SECRET)) note('leaked', text)
    if (event.type === 'message') checkMessage(event.message as Record<string, unknown>)
    if (!ephemeral.includes(event.type)) {
      keptCharacters += text.length
      received.set(event.id, { type: event.type, hash: hash(text), text: keptCharacters < 5e7 ? text : undefined })
    }
    if (event.type === 'user_settings') settings[event.property as string] = event.value
    if (!ClientState.knows(event)) return
    try {
      state.apply(event)
    } catch (error) {
      note('disordered', `${(error as Error).message}: ${text}`)
    }
  }

  const checkMessage = ({ id, type, stream_id, content }: Record<string, unknown>) => {
    const message_id = id as number
    if (message_id <= (watcher.messages.at(-1) ?? 0)) note('disordered', `message ${message_id}`)
    watcher.messages.push(message_id)
    if (type !== 'stream') return
    const isPrivate = state.streams.get(stream_id as number)?.invite_only !== false
    if (isPrivate && !state.subscriptions.has(stream_id as number)) note('leaked', `message ${message_id}: ${content}`)
  }

  const messages: number[] = []
  const reader = startReader(transport, url, account, snapshot, { onEvent, silence_ms: SILENCE_MS })
  const watcher: Watcher = {
    account,
    name,
    reader,
    state,
    messages,
    get checked() {
      return checked
    },
    faults,
    details,
    settings,
    async compareWithLog(at) {
      const from = Math.max(snapshot.last_event_id, second.last_event_id)
      const logged = new Map<number, WireEvent>()
      for (let last_event_id = second.last_event_id; ; ) {
        const asked = { queue_id: second.queue_id, last_event_id, dont_block: true }
        const { events } = await ok<{ events: WireEvent[] }>(account, 'GET', '/events', asked, { url: at })
        for (const event of events) if (!ephemeral.includes(event.type)) logged.set(event.id, event)
        const newest = events.at(-1)?.id
        if (newest === undefined || newest >= last) break
        last_event_id = newest
      }
      for (const [id, event] of logged) {
        if (id <= from || id > last) continue
        const text = comparable(event)
        const live = received.get(id)
        if (live === undefined) note('lost', `${id}: ${text}`)
        else if (live.hash !== hash(text)) note('stale', `live ${live.text ?? ''}\nlog ${text}`)
      }
      for (const [id, { type, text }] of received) {
        if (id > from && !logged.has(id)) note('leaked', `${type} ${id} is not in the log: ${text}`)
      }
    },
  }
  return watcher
}

/** An event as both queues have it: only the queue of the sender has the local id of a message. */
const comparable = ({ local_message_id: _, ...event }: WireEvent & { local_message_id?: unknown }): string =>
  JSON.stringify(event)

const hash = (text: string): string => createHash('sha1').update(text).digest('base64').slice(0, 12)
