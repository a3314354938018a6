/** The normal accounts of an organization: a socket each, messages, and sometimes a login, a registration, a mail. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword, storePassword } from '../../src/store/users/passwords.js'
import type { BenchEnvironment } from '../fleet/environment.js'
import { type BenchRealm, buildHandshake, registerQueues } from '../fleet/realm.js'
import { startProcess } from '../harness/child-process.js'
import { now, runAtRate } from '../harness/measure.js'
import { formatRequest, sendAll } from '../load/http.js'
import { formatSendRequest } from '../load/messages.js'
import type { OpenLoopCallProcedures } from '../load/open-loop-calls.js'
import type { OpenLoopSenderProcedures } from '../load/open-loop-senders.js'

/** Messages per second, of all accounts together. */
const MESSAGE_RATE = 40
/** Logins and registrations per second, in turn. */
const CALL_RATE = 4
const PASSWORD = 'correct horse battery staple'
/** A mail that takes longer counts as not sent. */
const MAIL_TIMEOUT_MS = 5_000

/** What the normal accounts measured, in milliseconds from the due time of each. */
export interface Times {
  sends: number[]
  deliveries: number[]
  logins: number[]
  registrations: number[]
  /** from the request to invite an address to its mail */
  mails: number[]
  /** what was refused or did not arrive */
  failures: number
}

/** Adds the address of the client to a request, as a proxy does. */
const addAddress = (request: string, address: string) => request.replace('\r\n', `\r\nX-Forwarded-For: ${address}\r\n`)

/** Connects the accounts. `measure` lets them work, and `stop` ends their processes. */
export const startNormalAccounts = async (
  environment: BenchEnvironment,
  realm: BenchRealm,
  port: number,
  { user_ids, outbox }: { user_ids: readonly number[]; outbox: string },
) => {
  const addressOf = (user_id: number) => `203.0.113.${user_id}`
  const hash = await hashPassword(PASSWORD)
  for (const user_id of user_ids) await storePassword(environment.sql, realm.id, user_id, hash)

  const queues = await registerQueues(realm, port, user_ids)
  const senders = startProcess<OpenLoopSenderProcedures>(environment.group, 'load/open-loop-senders')
  await senders.call('openReceivers', { port, host: realm.host, handshakes: queues.map(buildHandshake) })
  const requests = user_ids.map((id) =>
    addAddress(formatSendRequest(realm.identify(id), realm.channel_id), addressOf(id)),
  )
  const callers = startProcess<OpenLoopCallProcedures>(environment.group, 'load/open-loop-calls')
  let turn = 0

  const formatLogin = (user_id: number) => {
    const fields = { username: `user${user_id}@bench.invalid`, password: PASSWORD }
    const text = formatRequest('POST', '/fetch_api_key', { host: realm.host, credentials: '' }, fields)
    return addAddress(text.replace(/Authorization: \r\n/, ''), addressOf(user_id))
  }
  const formatRegistration = (user_id: number) =>
    addAddress(formatRequest('POST', '/register', realm.identify(user_id), {}), addressOf(user_id))
  const next = () => user_ids[turn++ % user_ids.length] ?? 0

  /** Invites an address per second. @returns the times until their mails were written; a missing one is infinite */
  const invite = async (seconds: number): Promise<number[]> => {
    const invited = new Map<string, number>()
    const times = new Map<string, number>()
    let isInviting = true
    const inviting = runAtRate(1, seconds, (_, due) => {
      const email = `invited${turn++}@bench.invalid`
      invited.set(email, due)
      const fields = { invitee_emails: email, stream_ids: '[]' }
      const request = formatRequest('POST', '/invites', realm.identify(user_ids[0] ?? 0), fields)
      // A refused invitation shows as a missing mail.
      void sendAll(port, [request]).catch(() => {})
    }).then(() => {
      isInviting = false
    })
    const read = new Set(readOutbox(outbox))
    const until = now() + seconds * 1_000 + MAIL_TIMEOUT_MS
    while ((isInviting || times.size < invited.size) && now() < until) {
      for (const file of readOutbox(outbox)) {
        if (read.has(file)) continue
        const email = /^to: .*?([\w]+@bench\.invalid)/im.exec(readFileSync(join(outbox, file), 'utf8'))?.[1]
        // The file may not be written yet.
        if (email === undefined) continue
        read.add(file)
        const due = invited.get(email)
        if (due !== undefined) times.set(email, now() - due)
      }
      await sleep(20)
    }
    await inviting
    return [...invited.keys()].map((email) => times.get(email) ?? Number.POSITIVE_INFINITY)
  }

  return {
    /** Lets the accounts work for some seconds. */
    async measure(seconds: number): Promise<Times> {
      const count = CALL_RATE * seconds
      const calls = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? formatLogin : formatRegistration)(next()))
      const [messages, made, mails] = await Promise.all([
        senders.call('sendMessages', { port, requests, rate: MESSAGE_RATE, count: MESSAGE_RATE * seconds }),
        callers.call('makeCalls', { port, requests: calls, rate: CALL_RATE, count }),
        invite(seconds),
      ])
      const times = (kind: number) => made.filter((_, i) => i % 2 === kind).map(({ milliseconds }) => milliseconds)
      return {
        sends: messages.responseTimes,
        deliveries: messages.deliveryTimes,
        logins: times(0),
        registrations: times(1),
        mails,
        failures:
          messages.missing +
          made.filter(({ status }) => status !== 200).length +
          mails.filter((time) => !Number.isFinite(time)).length,
      }
    },
    async stop(): Promise<void> {
      await Promise.all([senders.stop(), callers.stop()])
    },
  }
}

const readOutbox = (outbox: string): string[] => {
  try {
    return readdirSync(outbox)
  } catch {
    // No mail was written yet.
    return []
  }
}
