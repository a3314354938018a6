/** The people of a bench: a realm made straight in the tables, before any gateway has loaded it, and their queues. */

import { composeSubscription } from '../src/domain/channels/channels.js'
import { deriveApiKey } from '../src/domain/deployment/api-key.js'
import { composeInsert, type RowChange } from '../src/domain/log/row-changes.js'
import type { UserRow } from '../src/domain/log/rows.js'
import { writeRows } from '../src/store/log/rows.js'
import { createRealm } from '../src/store/realm/create-realm.js'
import { channelRow, userRow } from '../test/setup/rows.js'
import { accepted, askAll, request, type Who } from './load/http.js'
import { httpSend } from './load/messages.js'
import type { PulseJobs } from './load/pulse.js'
import type { Door } from './load/websocket.js'
import { startPart } from './part.js'
import { BASE_DOMAIN, type Setting } from './setting.js'

/** A realm with `members` people, all of them in one channel. */
export interface BenchRealm {
  id: number
  host: string
  channel_id: number
  user_ids: number[]
  /** A user as requests name them. */
  who(user_id: number): Who
}

let realms = 0

/** Makes a realm straight in the tables: no gateway has loaded it yet. */
export const benchRealm = async ({ sql, secret }: Setting, members: number): Promise<BenchRealm> => {
  realms += 1
  const string_id = `bench-${process.pid}-${realms}`
  const id = await createRealm(sql, { string_id, name: 'Bench' })
  const host = `${string_id}.${BASE_DOMAIN}`
  const channel_id = 1
  const user_ids = Array.from({ length: members }, (_, i) => FIRST_USER + i)
  const rows: RowChange[] = [
    ...user_ids.map((user_id) => composeInsert('users', member(user_id))),
    composeInsert('channels', channelRow(channel_id, { name: 'bench', date_created: JOINED })),
    composeInsert('counters', { name: 'channels', value: channel_id }),
    ...user_ids.map((user_id) => composeInsert('subscriptions', composeSubscription(user_id, channel_id, '#40bf65'))),
  ]
  await sql.begin(async (tx) => {
    await Promise.all(writeRows(tx, id, rows))
    await tx`update counters set value = ${members + FIRST_USER - 1} where realm_id = ${id} and name = 'users'`
  })
  return {
    id,
    host,
    channel_id,
    user_ids,
    who(user_id) {
      const pair = `${addressOf(user_id)}:${deriveApiKey(secret, id, user_id, 1)}`
      return { host, credentials: `Basic ${Buffer.from(pair).toString('base64')}` }
    },
  }
}

/** The first account of a realm is its notification bot. */
const FIRST_USER = 2
const JOINED = 1_700_000_000
const addressOf = (user_id: number) => `user${user_id}@bench.invalid`

const member = (id: number): UserRow =>
  userRow(id, { email: addressOf(id), full_name: `Member ${id} of the Bench`, date_joined: JOINED })

/** An event queue, and who reads it. */
export interface BenchQueue {
  queue_id: string
  last_event_id: number
  credentials: string
}

/** Registers a queue per user, as a client does that wants events only. */
export const registered = async (
  realm: BenchRealm,
  port: number,
  user_ids: readonly number[],
  fields: Record<string, string> = {},
): Promise<BenchQueue[]> => {
  const wanted = { fetch_event_types: '[]', apply_markdown: 'true', client_gravatar: 'true', ...fields }
  const who = user_ids.map(realm.who)
  const answers = await askAll(
    port,
    who.map((each) => request('POST', '/register', each, wanted)),
  )
  return answers.map((answer, i) => {
    const { queue_id, last_event_id } = accepted<{ queue_id: string; last_event_id: number }>(answer)
    return { queue_id, last_event_id, credentials: who[i]?.credentials ?? '' }
  })
}

/** The handshake of a socket that reads a queue. */
export const doorOf = ({ queue_id, last_event_id, credentials }: BenchQueue): Door => ({
  path: `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`,
  headers: [`Authorization: ${credentials}`],
})

export interface Pace {
  /** messages a second */
  rate: number
  count: number
}

/** Users who post to the channel at a steady pace, from a process of their own. */
export const posters = ({ hold }: Setting, realm: BenchRealm, port: number, user_ids: readonly number[]) => {
  const part = startPart<PulseJobs>(hold, 'load/pulse')
  const texts = user_ids.map((user_id) => httpSend(realm.who(user_id), realm.channel_id))
  return {
    /** @returns when each message was due */
    post: async (pace: Pace): Promise<number[]> => (await part.call('send', { port, texts, ...pace })).dues,
    /** @returns the milliseconds from when each message was due to its answer */
    timed: async (pace: Pace): Promise<number[]> => (await part.call('send', { port, texts, ...pace })).acknowledged,
    stop: part.stop,
  }
}
