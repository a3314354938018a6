/** The send combiner: which messages share a commit. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openCell } from '../../src/store/cell/cell.js'
import { openPools } from '../../src/store/cell/pools.js'
import { StaleStateError } from '../../src/store/log/log.js'
import { WriteContext } from '../../src/store/log/write-context.js'
import { createSendCombiner, type Send } from '../../src/store/messages/sending/send-combiner.js'
import { composeSend } from '../../src/store/messages/sending/send-message.js'
import { composeIdempotencyKey } from '../../src/store/messages/sending/send-once.js'
import { testDeployment } from '../setup/realm/deployment.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { sharedScope } from '../setup/realm/scope.js'

/** A combiner of the test's own, and what composes a message of its user. */
const setUp = async () => {
  // A user who follows topics needs a transaction for each message.
  const quiet = await newQuietRealm('Ada')
  const created = quiet.realm
  onTestFinished(() => created[Symbol.asyncDispose]())
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
  onTestFinished(() => cell.close())
  const combine = createSendCombiner({ dependencies: cell.writing, realm })
  const compose = (content: string) =>
    composeSend(WriteContext.open(cell.writing, realm), {
      sender,
      to: { channel: 'general', topic: 't' },
      content,
      client: 'test',
    })
  const countBatches = () => realm.counts.batches.buckets.reduce((sum, count) => sum + count, 0)
  return { realm, combine, compose, countBatches }
}

test('Sends of one turn of the event loop share a commit, and so do those that arrive during that commit.', async () => {
  const { realm, combine, compose, countBatches } = await setUp()
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
})

test('A send that is repeated fails no other one of its batch, whether the first was stored before or with it.', async () => {
  const { combine, compose, countBatches } = await setUp()
  const withKey = async (text: string) => ({
    ...(await compose(text)),
    key: composeIdempotencyKey(undefined, { queue_id: 'q', local_id: text }, [text]),
  })
  const [first, again, second, third, other] = await Promise.all([
    ...['1', '1', '2', '2'].map(withKey),
    compose('other'),
  ])
  await combine(first as Send)
  const before = countBatches()
  const sends = [other, again, second, third, again, other] as Send[]
  const outcomes = await Promise.allSettled(sends.map(combine))
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StaleStateError)
  }
  // One batch fails, the next one stores the others, and a third one may have what was repeated in the same turn.
  expect(countBatches() - before).toBeLessThanOrEqual(3)
})
