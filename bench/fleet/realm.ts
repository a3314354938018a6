/** Realms for the benchmarks, written directly to the tables before a gateway loads them; their queues and senders. */

import { composeSubscription } from '../../src/domain/channels/channels.js'
import { deriveApiKey } from '../../src/domain/deployment/api-key.js'
import { composeInsert, type RowChange } from '../../src/domain/log/row-changes.js'
import type { UserRow } from '../../src/domain/log/rows.js'
import { writeRows } from '../../src/store/log/row-tables.js'
import { createRealm } from '../../src/store/realm/create-realm.js'
import { channelRow, userRow } from '../../test/setup/realm/rows.js'
import { startProcess } from '../harness/child-process.js'
import { formatRequest, type Identity, parseSuccess, sendAll } from '../load/http.js'
import { formatSendRequest } from '../load/messages.js'
import type { OpenLoopSenderProcedures } from '../load/open-loop-senders.js'
import type { Handshake } from '../load/websocket.js'
import { BASE_DOMAIN, type BenchEnvironment } from './environment.js'

/** A realm whose members are all subscribed to one channel. */
export interface BenchRealm {
  id: number
  host: string
  channel_id: number
  user_ids: number[]
  /** Returns the host and the credentials of a user's requests. */
  identify(user_id: number): Identity
}

let realms = 0

/** Creates a realm in the tables. No gateway has loaded it yet. */
export const createBenchRealm = async ({ sql, secret }: BenchEnvironment, members: number): Promise<BenchRealm> => {
  realms += 1
  const string_id = `bench-${process.pid}-${realms}`
  const id = await createRealm(sql, { string_id, name: 'Bench' })
  const host = `${string_id}.${BASE_DOMAIN}`
  const channel_id = 1
  const user_ids = Array.from({ length: members }, (_, i) => FIRST_USER + i)
  const rows: RowChange[] = [
    ...user_ids.map((user_id) => composeInsert('users', memberRow(user_id))),
    composeInsert('channels', channelRow(channel_id, { name: 'bench', date_created: DATE_JOINED })),
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
    identify(user_id) {
      const pair = `${emailAddress(user_id)}:${deriveApiKey(secret, id, user_id, 1)}`
      return { host, credentials: `Basic ${Buffer.from(pair).toString('base64')}` }
    },
  }
}

/** The first account of a realm is its notification bot. */
const FIRST_USER = 2
const DATE_JOINED = 1_700_000_000
const emailAddress = (user_id: number) => `user${user_id}@bench.invalid`

const memberRow = (id: number): UserRow =>
  userRow(id, { email: emailAddress(id), full_name: `Member ${id} of the Bench`, date_joined: DATE_JOINED })

/** An event queue, and the credentials of its user. */
export interface BenchQueue {
  queue_id: string
  last_event_id: number
  credentials: string
}

/** Registers a queue per user that receives events and fetches no data. */
export const registerQueues = async (
  realm: BenchRealm,
  port: number,
  user_ids: readonly number[],
  fields: Record<string, string> = {},
): Promise<BenchQueue[]> => {
  const registration = { fetch_event_types: '[]', apply_markdown: 'true', client_gravatar: 'true', ...fields }
  const identities = user_ids.map(realm.identify)
  const responses = await sendAll(
    port,
    identities.map((identity) => formatRequest('POST', '/register', identity, registration)),
  )
  return responses.map((response, i) => {
    const { queue_id, last_event_id } = parseSuccess<{ queue_id: string; last_event_id: number }>(response)
    return { queue_id, last_event_id, credentials: identities[i]?.credentials ?? '' }
  })
}

/** Builds the handshake of a socket that reads a queue. */
export const buildHandshake = ({ queue_id, last_event_id, credentials }: BenchQueue): Handshake => ({
  path: `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`,
  headers: [`Authorization: ${credentials}`],
})

/** Messages at a constant rate. */
export interface Load {
  /** messages per second */
  rate: number
  count: number
}

/** Starts a process in which users send to the channel in an open loop. */
export const startSenders = (
  { group }: BenchEnvironment,
  realm: BenchRealm,
  port: number,
  user_ids: readonly number[],
) => {
  const senders = startProcess<OpenLoopSenderProcedures>(group, 'load/open-loop-senders')
  const requests = user_ids.map((user_id) => formatSendRequest(realm.identify(user_id), realm.channel_id))
  const sendMessages = (load: Load) => senders.call('sendMessages', { port, requests, ...load })
  return {
    /** @returns the due time of each message */
    send: async (load: Load): Promise<number[]> => (await sendMessages(load)).dueTimes,
    /** @returns the milliseconds from the due time of each message to its response */
    measureResponseTimes: async (load: Load): Promise<number[]> => (await sendMessages(load)).responseTimes,
    stop: senders.stop,
  }
}
