/**
 * What does a message to a channel of 20,000 cost the database, against one to a channel of ten?
 *
 * The same message, one send after another through the store as a gateway sends it: statements, rows written, bytes of
 * write-ahead log, pages of the buffer pool touched, and time. Everything but the time is counted by Postgres, so a
 * busy machine does not change it.
 *
 * Not measured: HTTP, delivery (see fanout), mentions, which are rows of those who are mentioned.
 */

import { entryKinds } from '../src/domain/entry-kinds.js'
import { openBus } from '../src/store/log/bus.js'
import { openRealms } from '../src/store/log/realms.js'
import { WriteContext } from '../src/store/log/write-context.js'
import { sendMessage } from '../src/store/messages/sending/send-message.js'
import { openSql, type Sql } from '../src/store/sql.js'
import { composeVisibilityConsequences } from '../src/store/users/guest-visibility.js'
import { testDeployment } from '../test/setup/deployment.js'
import { watched } from '../test/setup/statements.js'
import { type Answer, type Bench, figure, required, rounds } from './bench.js'
import { countersOf, sinceCounters } from './database.js'
import { median } from './measure.js'
import { benchRealm } from './realm.js'
import type { Setting } from './setting.js'

const FEW = 10
const SENDS = 200
const ROUNDS = 5

interface Cost {
  statements: number
  rows: number
  wal: number
  buffers: number
  milliseconds: number
}

export const audience: Bench = {
  question: 'What does a message to a channel of 20,000 cost the database, against one to a channel of ten?',
  async run(setting) {
    const many = setting.isShort ? 2_000 : 20_000
    const sql = openSql(setting.database_url, 1)
    const sides = { few: await sender(setting, sql, FEW), many: await sender(setting, sql, many) }
    const turn = async () => ({ few: await sides.few.turn(), many: await sides.many.turn() })
    await turn()
    const turns = await rounds(ROUNDS, turn)
    await Promise.all([sides.few.close(), sides.many.close()])
    await sql.end()

    const answer = (what: string, of: keyof Cost, unit: string, isRequired: boolean): Answer => {
      const cell = (side: 'few' | 'many') => `${figure(median(turns.map((one) => one[side][of])))} ${unit}`
      const ratios = turns.map((one) => one.many[of] / one.few[of])
      return {
        what: `a send to ${many.toLocaleString('en')}: ${what}`,
        ours: cell('many'),
        baseline: `${cell('few')} (to ${FEW})`,
        ratios,
        ...(isRequired ? { expected: required.atMost(1.2, ratios) } : {}),
      }
    }
    return [
      answer('statements', 'statements', '', true),
      answer('rows written', 'rows', '', true),
      answer('write-ahead log', 'wal', 'bytes', true),
      answer('buffers touched', 'buffers', '', true),
      answer('time', 'milliseconds', 'ms', false),
    ]
  },
}

/** Somebody who sends to a channel of so many, with nobody connected. */
const sender = async (setting: Setting, sql: Sql, members: number) => {
  const people = await benchRealm(setting, members)
  const bus = openBus(setting.redis_url, () => {})
  const watch = watched(sql)
  const realms = openRealms(watch.sql, bus, {
    kinds: entryKinds,
    deployment: testDeployment(),
    anti_entropy_ms: 3_600_000,
    onLoad() {},
    onQueueDeleted() {},
  })
  const realm = await realms.get(people.id)
  const user = realm?.state.users.get(people.user_ids[0] ?? 0)
  if (realm === undefined || user === undefined) throw new Error('the realm of the bench is gone')
  const dependencies = { sql: watch.sql, bus, consequences: [composeVisibilityConsequences], enqueueJobs() {} }
  const content = 'The kettle is on again, and **whoever** wants tea should come before the call at three.'
  return {
    async turn(): Promise<Cost> {
      const [asked, before, began] = [watch.statements().length, await countersOf(sql), performance.now()]
      for (let i = 0; i < SENDS; i++) {
        const to = { channel: people.channel_id, topic: 'tea' }
        await sendMessage(WriteContext.open(dependencies, realm), { sender: user, to, content, client: 'bench' })
      }
      const milliseconds = (performance.now() - began) / SENDS
      const { rows, wal, buffers } = sinceCounters(before, await countersOf(sql))
      const statements = (watch.statements().length - asked) / SENDS
      return { statements, rows: rows / SENDS, wal: wal / SENDS, buffers: buffers / SENDS, milliseconds }
    },
    async close() {
      realms.close()
      await bus.close()
    },
  }
}
