/**
 * What do large requests cost the other users of a realm? Baseline: the other users' requests alone.
 *
 * An organization of 5,000 users. One of its owners, another one in each round, sends one large request. Meanwhile
 * other users subscribe to a channel and unsubscribe again, 20 times per second, each request at its due time. These
 * are structural changes too, so they wait for the structure lock and for the head of the realm.
 *
 * Not bounded: the duration of the large request, which is printed. Not measured: delivery of the events.
 */

import type { BenchEnvironment } from './fleet/environment.js'
import { type BenchRealm, createBenchRealm } from './fleet/realm.js'
import { median, now, percentile, runAtRate } from './harness/measure.js'
import { connectHttp, formatRequest, type HttpConnection, parseSuccess, sendAll } from './load/http.js'
import { type Bench, type BenchResult, formatNumber, runRounds } from './results/bench.js'

const RATE = 20
const ROUNDS = 3
/** who take turns in sending the large requests */
const OWNERS = 50
const SUBSCRIPTIONS = '/users/me/subscriptions'

interface LargeRequest {
  label: string
  /** Formats the request of a round. */
  format(round: number): string
}

export const bulkBench: Bench = {
  question: 'What do large requests cost the other users of a realm? Baseline: the other users alone',
  async run(environment) {
    const { sql, print, size } = environment
    const users = size(5_000, { short: 1_000, smoke: 120 })
    const many = size(1_000, { short: 200, smoke: 50 })
    /** other users' requests in the baseline */
    const baselineRequests = size(100, { smoke: 2 })
    const realm = await createBenchRealm(environment, users)
    const [owner = 0, ...others] = realm.user_ids
    // A user can create at most 5,000 channels.
    const owners = realm.user_ids.slice(0, OWNERS)
    await sql`update users set role = 100 where realm_id = ${realm.id} and id in ${sql(owners)}`
    const gateway = await environment.startGateway()
    const group_id = await createGroup(realm, gateway.port, owner)
    const requests = composeRequests(realm, owners, others, many, group_id)
    const load = await openLoad(environment, realm, gateway.port, others.slice(0, 50))
    await load.run(() => false, baselineRequests)

    const results: BenchResult[] = []
    for (const { label, format } of requests) {
      const rounds = await runRounds(environment, ROUNDS, async () => {
        const baseline = await load.run(() => false, baselineRequests)
        const start = now()
        let duration: number | undefined
        const request = format(results.length * ROUNDS + roundNumber())
        const response = sendAll(gateway.port, [request]).then(([one]) => {
          duration = now() - start
          return one
        })
        const during = await load.run(() => duration === undefined, 2)
        const answer = await response
        if (answer !== undefined) parseSuccess(answer)
        return { baseline, during, duration: duration ?? 0 }
      })
      const p99 = (times: readonly number[]) => percentile(times, 0.99)
      const durations = rounds.map(({ duration }) => duration)
      print(`${label}: ${durations.map(formatNumber).join(', ')} ms`)
      results.push({
        label: `one subscription while ${label} (${formatNumber(median(durations))} ms): p99`,
        measured: `${formatNumber(median(rounds.map(({ during }) => p99(during))))} ms`,
        baseline: `${formatNumber(median(rounds.map(({ baseline }) => p99(baseline))))} ms`,
        ratios: rounds.map(({ during, baseline }) => p99(during) / p99(baseline)),
      })
    }
    load.close()
    await gateway.stop()
    return results
  },
}

let rounds = 0
const roundNumber = () => {
  rounds += 1
  return rounds
}

const createGroup = async (realm: BenchRealm, port: number, owner: number): Promise<number> => {
  const identity = realm.identify(owner)
  const fields = { name: 'large', description: '', members: JSON.stringify([owner]) }
  const [created] = await sendAll(port, [formatRequest('POST', '/user_groups/create', identity, fields)])
  if (created === undefined) throw new Error('no answer')
  return parseSuccess<{ group_id: number }>(created).group_id
}

const composeRequests = (
  realm: BenchRealm,
  owners: readonly number[],
  others: readonly number[],
  many: number,
  group_id: number,
): LargeRequest[] => {
  const identity = (round: number) => realm.identify(owners[round % owners.length] ?? 0)
  const names = (round: number) => Array.from({ length: many }, (_, i) => ({ name: `channel ${round}-${i}` }))
  const text = (value: unknown) => JSON.stringify(value)
  let isMember = false
  return [
    {
      label: `${many} channels are created`,
      format: (round) => formatRequest('POST', SUBSCRIPTIONS, identity(round), { subscriptions: text(names(round)) }),
    },
    {
      label: `${many} private channels are created`,
      format: (round) =>
        formatRequest('POST', SUBSCRIPTIONS, identity(round), {
          subscriptions: text(names(round)),
          invite_only: 'true',
        }),
    },
    {
      label: `${others.length} users are subscribed`,
      format: (round) =>
        formatRequest('POST', SUBSCRIPTIONS, identity(round), {
          subscriptions: text([{ name: `large ${round}` }]),
          principals: text(others),
        }),
    },
    {
      label: `${Math.floor(others.length / 100) * 100} users are subscribed to 40 channels`,
      format: (round) =>
        formatRequest('POST', SUBSCRIPTIONS, identity(round), {
          subscriptions: text(names(round).slice(0, 40)),
          principals: text(others),
        }),
    },
    {
      label: `${many} addresses are invited`,
      format: (round) =>
        formatRequest('POST', '/invites', identity(round), {
          invitee_emails: Array.from({ length: many }, (_, i) => `invited-${round}-${i}@bench.invalid`).join(),
          stream_ids: '[]',
        }),
    },
    {
      label: `a group's ${others.length} members change`,
      format: (round) => {
        isMember = !isMember
        return formatRequest('POST', `/user_groups/${group_id}/members`, identity(round), {
          [isMember ? 'add' : 'delete']: text(others),
        })
      },
    },
  ]
}

/** Users who subscribe to a channel and unsubscribe again. */
const openLoad = async ({ print }: BenchEnvironment, realm: BenchRealm, port: number, user_ids: readonly number[]) => {
  const name = 'bench'
  const free: { connection: HttpConnection; user_id: number; isSubscribed: boolean }[] = []
  for (const user_id of user_ids) free.push({ connection: await connectHttp(port), user_id, isSubscribed: true })
  const sendOne = async (due: number): Promise<number> => {
    const user = free.shift()
    if (user === undefined) return Number.NaN
    const identity = realm.identify(user.user_id)
    const names = user.isSubscribed ? [name] : [{ name }]
    const fields: Record<string, string> = { [user.isSubscribed ? 'delete' : 'add']: JSON.stringify(names) }
    const request = formatRequest('PATCH', SUBSCRIPTIONS, identity, fields)
    parseSuccess(await user.connection.send(request))
    user.isSubscribed = !user.isSubscribed
    free.push(user)
    return now() - due
  }
  return {
    /** Sends at least `least` requests, and more while `isGoing`. @returns the times from due time to response */
    async run(isGoing: () => boolean, least: number): Promise<number[]> {
      const times: Promise<number>[] = []
      while (times.length < least || isGoing()) {
        await runAtRate(RATE, 2, (_, due) => void times.push(sendOne(due)))
      }
      const found = await Promise.all(times)
      const missed = found.filter(Number.isNaN).length
      if (missed > 0) print(`${missed} requests were not sent: all users were waiting`)
      return found.filter((time) => !Number.isNaN(time))
    },
    close() {
      for (const { connection } of free) connection.close()
    },
  }
}
