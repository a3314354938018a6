/**
 * What does it cost that 5,000 people join a channel in one request, against one?
 *
 * The time of the request over HTTP, the write-ahead log of the database, and the text of the realm's log, from which
 * every replica reads it. Per person, against a request that names one person.
 *
 * Not measured: delivery of the events, which nobody is there to receive.
 */

import { openSql, type Sql } from '../src/store/sql.js'
import { type Answer, type Bench, figure } from './bench.js'
import { countersOf, sinceCounters } from './database.js'
import { accepted, type Connection, connectHttp, request } from './load/http.js'
import { median } from './measure.js'
import { type BenchRealm, benchRealm } from './realm.js'

const ROUNDS = 3
/** Requests that name one person, in a turn. */
const LONE = 50

interface Cost {
  milliseconds: number
  wal: number
  text: number
}

export const joining: Bench = {
  question: 'What does it cost that 5,000 people join a channel in one request, against one?',
  async run(setting) {
    const people = setting.isShort ? 1_000 : 5_000
    const realm = await benchRealm(setting, people)
    const gateway = await setting.gateway()
    const sql = openSql(setting.database_url, 1)
    const connection = await connectHttp(gateway.port)
    let channels = 0
    /** A new channel, joined by people in one request each or all in one. */
    const turn = async (requests: readonly (readonly number[])[]): Promise<Cost> => {
      channels += 1
      const name = `channel ${channels}`
      await join(connection, realm, name, [realm.user_ids[0] ?? 0])
      const [before, text] = [await countersOf(sql), await logText(sql, realm.id)]
      const began = performance.now()
      for (const user_ids of requests) await join(connection, realm, name, user_ids)
      const milliseconds = performance.now() - began
      const { wal } = sinceCounters(before, await countersOf(sql))
      return { milliseconds, wal, text: (await logText(sql, realm.id)) - text }
    }
    const others = realm.user_ids.slice(1)
    const lone = others.slice(0, LONE).map((id) => [id])
    await turn(lone)
    const turns: { all: Cost; one: Cost }[] = []
    for (let round = 0; round < ROUNDS; round++) turns.push({ all: await turn([others]), one: await turn(lone) })
    connection.close()
    await Promise.all([gateway.stop(), sql.end()])

    const answer = (what: string, of: keyof Cost, unit: string): Answer => {
      const all = turns.map((one) => one.all[of])
      const one = turns.map((each) => each.one[of] / LONE)
      return {
        what: `${people.toLocaleString('en')} people join: ${what}`,
        ours: `${figure(median(all))} ${unit}, ${figure(median(all) / others.length)} each`,
        baseline: `${figure(median(one))} ${unit} (one person alone)`,
        ratios: all.map((cost, i) => cost / others.length / (one[i] ?? Number.NaN)),
      }
    }
    return [
      answer('time', 'milliseconds', 'ms'),
      answer('write-ahead log', 'wal', 'bytes'),
      answer('text in the log of the realm', 'text', 'bytes'),
    ]
  },
}

const join = async (connection: Connection, realm: BenchRealm, name: string, user_ids: readonly number[]) => {
  const fields = {
    subscriptions: JSON.stringify([{ name }]),
    principals: JSON.stringify(user_ids),
    send_new_subscription_messages: 'false',
  }
  accepted(await connection.ask(request('POST', '/users/me/subscriptions', realm.who(realm.user_ids[0] ?? 0), fields)))
}

const logText = async (sql: Sql, realm_id: number): Promise<number> => {
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(length(audience::text) + length(data::text) + coalesce(length(rows::text), 0)), 0)::bigint as bytes
    from log where realm_id = ${realm_id}`
  return row?.bytes ?? 0
}
