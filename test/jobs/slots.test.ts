/** The slots of a class of jobs: how many jobs run at a time, of one realm and of all. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSlots, type SlotJob } from '../../src/workers/jobs/slots.js'

/** Slots over rows in memory, whose jobs end when the test ends them. */
const setUp = ({ slots = 4, slots_per_realm = 2 } = {}) => {
  const open = new Map<number, SlotJob>()
  const held = new Set<number>()
  const running = new Map<number, { realm_id: number; end: () => void }>()
  const started: number[] = []
  const worker = openSlots({
    slots,
    slots_per_realm,
    run: (id) => {
      const job = open.get(id)
      if (job === undefined || held.has(id)) return Promise.resolve()
      held.add(id)
      started.push(id)
      return new Promise((resolve) => {
        const end = () => {
          running.delete(id)
          open.delete(id)
          resolve()
        }
        running.set(id, { realm_id: job.realm_id, end })
      })
    },
    findDue: async (realm_id, limit) =>
      [...open.values()].filter((job) => job.realm_id === realm_id && !held.has(job.id)).slice(0, limit),
  })
  let count = 0
  return {
    worker,
    running,
    started,
    open,
    /** Adds the row of a job. */
    add(realm_id: number): SlotJob {
      count += 1
      const job = { id: count, realm_id }
      open.set(job.id, job)
      return job
    },
    realmsRunning: () => [...running.values()].map(({ realm_id }) => realm_id).sort(),
  }
}

/** Lets everything run that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('A realm with many jobs leaves slots to other realms, and its jobs run when its slots are free.', async () => {
  const s = setUp()
  const many = Array.from({ length: 10 }, () => s.add(1))
  for (const job of many) void s.worker.start(job)
  void s.worker.start(s.add(2))
  await settle()
  expect(s.realmsRunning()).toEqual([1, 1, 2])
  while (s.open.size > 0) {
    expect(s.realmsRunning().filter((id) => id === 1).length).toBeLessThanOrEqual(2)
    const [first] = s.running.values()
    first?.end()
    await settle()
  }
  expect(s.started.length).toBe(11)
})

test('Realms that wait get free slots in turn.', async () => {
  const s = setUp({ slots: 1, slots_per_realm: 1 })
  for (const realm_id of [1, 2, 3]) for (let i = 0; i < 3; i++) s.add(realm_id)
  for (const realm_id of [1, 2, 3]) s.worker.wake(realm_id)
  const order: number[] = []
  await settle()
  while (s.running.size > 0) {
    order.push(...s.realmsRunning())
    for (const { end } of s.running.values()) end()
    await settle()
  }
  expect(order).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3])
})

test('After it is closed, nothing more starts, and closing waits for the jobs that run.', async () => {
  const s = setUp()
  void s.worker.start(s.add(1))
  let isClosed = false
  const closing = s.worker.close().then(() => {
    isClosed = true
  })
  void s.worker.start(s.add(2))
  s.worker.wake(3)
  await settle()
  expect([isClosed, s.realmsRunning()]).toEqual([false, [1]])
  for (const { end } of s.running.values()) end()
  await closing
})

test('The limits hold, every job runs once, and no job is forgotten.', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('ticket' as const), realm_id: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constant('row' as const), realm_id: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constant('end' as const), n: fc.nat(10) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const s = setUp({ slots: 3, slots_per_realm: 2 })
      const check = () => {
        const realms = s.realmsRunning()
        expect(realms.length).toBeLessThanOrEqual(3)
        for (const id of realms) expect(realms.filter((other) => other === id).length).toBeLessThanOrEqual(2)
      }
      for (const one of steps) {
        if (one.do === 'ticket') void s.worker.start(s.add(one.realm_id))
        else if (one.do === 'row') s.worker.wake(s.add(one.realm_id).realm_id)
        else [...s.running.values()][one.n]?.end()
        await settle()
        check()
      }
      while (s.running.size > 0) {
        for (const { end } of s.running.values()) end()
        await settle()
        check()
      }
      expect(s.open.size).toBe(0)
      expect(new Set(s.started).size).toBe(s.started.length)
    }),
  )
})
