/** The send combiner: which messages share a commit. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { openCell } from '../../src/store/cell/cell.js'
import { openPools } from '../../src/store/cell/pools.js'
import { WriteContext } from '../../src/store/log/write-context.js'
import { createSendCombiner } from '../../src/store/messages/sending/send-combiner.js'
import { composeSend } from '../../src/store/messages/sending/send-message.js'
import { testDeployment } from '../setup/realm/deployment.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { sharedScope } from '../setup/realm/scope.js'

test('Sends of one turn of the event loop share a commit, and so do those that arrive during that commit.', async () => {
  // A user who follows topics needs a transaction for each message.
  const quiet = await newQuietRealm('Ada')
  await using created = quiet.realm
  const [ada] = quiet.people as [Person]
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
  const cell = openCell(openPools({ DATABASE_URL: inject('database_url') }, { connections: 3 }), {
    redis_url: inject('redis_url'),
    scope: await sharedScope(),
    deployment: testDeployment(inject('secret_key')),
    anti_entropy_ms: 60_000,
  })
  const realm = await cell.realms.get(created.realm_id)
  const sender = realm?.state.users.get(ada.user_id)
  if (realm === undefined || sender === undefined) throw new Error('the realm has no such user')
  await realm.barrier()

  /** The seqs of the entries by the turn of the event loop in which they were published. */
  const turns: number[][] = []
  let turn: number[] | undefined
  const listener = {
    entry({ seq }: { seq: number }) {
      if (turn === undefined) {
        turn = []
        turns.push(turn)
        setImmediate(() => {
          turn = undefined
        })
      }
      turn.push(seq)
    },
    ephemeral: () => undefined,
    hasClients: () => true,
  }
  realm.listen(listener)
  const combine = createSendCombiner({ dependencies: cell.writing, realm })
  const compose = (content: string) =>
    composeSend(WriteContext.open(cell.writing, realm), {
      sender,
      to: { channel: 'general', topic: 't' },
      content,
      client: 'test',
    })
  const countBatches = () => realm.counts.batches.buckets.reduce((sum, count) => sum + count, 0)
  /** Sends three messages, and four more while the three are committed. @returns how many were published together */
  const sendTwice = async () => {
    turns.length = 0
    const before = countBatches()
    const messages = await Promise.all(['1', '2', '3', '4', '5', '6', '7'].map(compose))
    const first = messages.slice(0, 3).map(combine)
    while (countBatches() === before) await nextTurn()
    const ids = await Promise.all([...first, ...messages.slice(3).map(combine)])
    await realm.barrier()
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(countBatches() - before).toBe(2)
    expect(turns.flat()).toEqual(Array.from({ length: 7 }, (_, i) => realm.seq - 6 + i))
    return turns.map(({ length }) => length)
  }
  expect(await sendTwice()).toEqual([3, 4])

  await cell.close()
})
