/** The clients of a gateway that has ended come to another one, which does not know their queues. */
import { describe, expect, inject, test } from 'vitest'
import { plainProfile } from '../../src/domain/log/profile.js'
import type { ApiError } from '../../src/domain/protocol/errors.js'
import { openBus } from '../../src/store/log/bus.js'
import { createAdmission } from '../../src/store/overload.js'
import { openQueues } from '../../src/store/register/event-queues.js'
import { recordStatements } from '../setup/processes/statements.js'
import { newRealm, type Person } from '../setup/realm/realm.js'
import { sharedScope } from '../setup/realm/scope.js'

const QUEUES = 320

test('The queues of many clients are read in few statements, one at a time, and each client gets only its own.', async () => {
  await using realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  const bus = openBus(inject('redis_url'), await sharedScope(), () => {})
  const { realm_id } = realm
  const queue = {
    realm_id,
    state_seq: 3,
    content_seq: 4,
    lifespan_secs: 600,
    position_name: null,
    profile: plainProfile,
  }
  const former = openQueues(realm.sql, bus)
  const created: Awaited<ReturnType<typeof former.create>>[] = []
  for (let i = 0; i < QUEUES; i++) {
    created.push(await former.create({ ...queue, user_id: i % 2 === 0 ? ada.user_id : grace.user_id }))
  }
  const recorded = recordStatements(realm.sql)
  const queues = openQueues(recorded.sql, bus)

  const found = await Promise.all(created.map(({ id, user_id }) => queues.find(realm_id, id, user_id)))
  expect(found.map((each) => [each?.id, each?.user_id])).toEqual(created.map(({ id, user_id }) => [id, user_id]))
  expect(found[0]).toMatchObject(queue)
  expect(recorded.statements().length).toBeLessThanOrEqual(QUEUES / 20)

  const other = openQueues(realm.sql, bus)
  const [first, second] = created as [(typeof created)[number], (typeof created)[number]]
  const asked = [
    other.find(realm_id, first.id, second.user_id),
    other.find(realm_id + 1, first.id, first.user_id),
    other.find(realm_id, crypto.randomUUID(), first.user_id),
    other.find(realm_id, second.id, second.user_id),
  ]
  expect((await Promise.all(asked)).map((each) => each?.id)).toEqual([undefined, undefined, undefined, second.id])
  await Promise.all([former.close(), queues.close(), other.close(), bus.close()])
})

describe('A queue of clients that connect', () => {
  const admit = (admission: ReturnType<typeof createAdmission>, waiting: number) => {
    try {
      admission.admit(waiting)
      return undefined
    } catch (error) {
      return error as ApiError
    }
  }

  test('accepts those that wait for less than the limit, and refuses the others.', () => {
    const admission = createAdmission(5_000)
    expect(admit(admission, 1_000_000)).toBeUndefined()
    admission.noteServed(3, 30)
    expect(admit(admission, 500)).toBeUndefined()
    expect(admit(admission, 501)).toMatchObject({ status: 503, code: 'SERVER_BUSY' })
  })

  test('tells those that it refuses to come again at the rate at which it serves them.', () => {
    const admission = createAdmission(5_000, Math.random, () => 0)
    admission.noteServed(100, 1_000)
    const seconds = Array.from({ length: 4_000 }, () => Number(admit(admission, 600)?.body['retry-after']))
    // It serves a hundred clients per second: 4,000 in 40 seconds, after five seconds for those that wait already.
    expect(Math.max(...seconds)).toBeGreaterThan(30)
    expect(Math.max(...seconds)).toBeLessThanOrEqual(45)
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(1)
    const perSecond = Array.from({ length: 46 }, () => 0)
    for (const second of seconds) perSecond[second] = (perSecond[second] ?? 0) + 1
    expect(Math.max(...perSecond)).toBeLessThan(400)
  })

  test('tells nobody to wait for more than a minute.', () => {
    const admission = createAdmission(
      5_000,
      () => 1,
      () => 0,
    )
    admission.noteServed(1, 1_000)
    for (let i = 0; i < 1_000; i++) admit(admission, 6)
    expect(admit(admission, 6)?.body['retry-after']).toBe(60)
  })
})
