/** The fair queue: how much work runs at a time, of one owner and of all, in which order, and what is refused. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFairQueue, type FairQueueLimits, oneOwner } from '../../src/store/fairness/fair-queue.js'

interface Work {
  owner: string
  number: number
  isLarge: boolean
  end(error?: Error): void
}

/** A queue whose work ends when the test ends it. @param onBegin is called for each work that begins */
const setUp = (limits: FairQueueLimits, onBegin?: (work: Work) => void) => {
  const queue = createFairQueue(limits, () => new Error('refused'))
  const running: Work[] = []
  const begun: Work[] = []
  const results: Promise<unknown>[] = []
  return {
    queue,
    running,
    begun,
    results,
    /** Runs a further work. The results are the numbers of the works. */
    call(owner: string, isLarge = false): Promise<number> {
      const number = results.length
      const run = () =>
        new Promise<number>((resolve, reject) => {
          const end = (error?: Error) => {
            running.splice(running.indexOf(work), 1)
            if (error === undefined) resolve(number)
            else reject(error)
          }
          const work = { owner, number, isLarge, end }
          running.push(work)
          begun.push(work)
          onBegin?.(work)
        })
      const result = queue.run(owner, run, isLarge)
      results.push(result.catch((error: Error) => error.message))
      return result
    },
    runningOf: (owner: string) => running.filter((work) => work.owner === owner).length,
    numbersBegun: (owner: string) => begun.filter((work) => work.owner === owner).map(({ number }) => number),
  }
}

/** Lets everything run that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

const owner = fc.constantFrom('ada', 'bob', 'eve', 'grace')
const call = fc.record({ do: fc.constant('call' as const), owner, isLarge: fc.boolean() })
const end = fc.record({ do: fc.constant('end' as const), n: fc.nat(10), isFailed: fc.boolean() })
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: call }, { weight: 2, arbitrary: end }), { maxLength: 50 })

test('The limits hold, an owner is served in order, and no work is lost, also when work fails.', async () => {
  const limits = { slots: 4, perOwner: 2, largeSlots: 1 }
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const s = setUp(limits)
      const owners = new Map<string, { number: number; isLarge: boolean }[]>()
      const failed = new Set<number>()
      const check = () => {
        const large = s.running.filter(({ isLarge }) => isLarge).length
        expect(s.running.length).toBeLessThanOrEqual(limits.slots)
        expect(large).toBeLessThanOrEqual(limits.largeSlots)
        expect(s.queue.counts()).toEqual({ running: s.running.length, waiting: s.results.length - s.begun.length })
        for (const [name, calls] of owners) {
          expect(s.runningOf(name)).toBeLessThanOrEqual(limits.perOwner)
          const begun = s.numbersBegun(name)
          expect(begun).toEqual(calls.slice(0, begun.length).map(({ number }) => number))
          // No work waits that could run.
          const next = calls[begun.length]
          if (next === undefined) continue
          const isFree = s.queue.countFree(name) > 0 && !(next.isLarge && large === limits.largeSlots)
          expect(isFree).toBe(false)
        }
      }
      for (const step of script) {
        if (step.do === 'call') {
          const number = s.results.length
          owners.set(step.owner, [...(owners.get(step.owner) ?? []), { number, isLarge: step.isLarge }])
          void s.call(step.owner, step.isLarge).catch(() => {})
        } else {
          const work = s.running[step.n]
          if (work !== undefined && step.isFailed) failed.add(work.number)
          work?.end(step.isFailed ? new Error('failed') : undefined)
        }
        await settle()
        check()
      }
      while (s.running.length > 0) {
        s.running[0]?.end()
        await settle()
        check()
      }
      expect(await Promise.all(s.results)).toEqual(s.results.map((_, i) => (failed.has(i) ? 'failed' : i)))
      expect(s.queue.counts()).toEqual({ running: 0, waiting: 0 })
    }),
  )
})

test('While the work of an owner waits, no other owner begins work twice.', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      /** The owners with waiting work, and who has begun work since it was their turn. */
      const passed = new Map<string, Set<string>>()
      const waiting = new Map<string, number>()
      const s = setUp({ slots: 2 }, (work) => {
        for (const [other, by] of passed) {
          if (other === work.owner) continue
          expect(by.has(work.owner)).toBe(false)
          by.add(work.owner)
        }
        const rest = (waiting.get(work.owner) ?? 0) - 1
        waiting.set(work.owner, rest)
        if (rest > 0) passed.set(work.owner, new Set())
        else passed.delete(work.owner)
      })
      for (const step of script) {
        if (step.do === 'call') {
          waiting.set(step.owner, (waiting.get(step.owner) ?? 0) + 1)
          if (!passed.has(step.owner)) passed.set(step.owner, new Set())
          void s.call(step.owner)
        } else {
          s.running[step.n]?.end()
        }
        await settle()
      }
      while (s.running.length > 0) {
        s.running[0]?.end()
        await settle()
      }
      expect(await Promise.all(s.results)).toEqual(s.results.map((_, i) => i))
    }),
  )
})

test('Owners take turns, however much work one of them has.', async () => {
  const s = setUp({ slots: 1 })
  for (const name of ['ada', 'ada', 'ada', 'ada', 'bob', 'bob', 'eve']) void s.call(name)
  for (let i = 0; i < 7; i++) {
    s.running[0]?.end()
    await settle()
  }
  expect(s.begun.map((work) => work.owner)).toEqual(['ada', 'ada', 'bob', 'eve', 'ada', 'bob', 'ada'])
})

test('Work that finds a free slot begins in the tick of its call, also when it throws at once.', async () => {
  const s = setUp({ slots: 2 })
  void s.call('ada')
  expect(s.begun).toHaveLength(1)
  const thrown = s.queue.run('ada', () => {
    throw new Error('thrown')
  })
  await expect(thrown).rejects.toThrow('thrown')
  expect(s.queue.counts()).toEqual({ running: 1, waiting: 0 })
  expect(await s.queue.run('ada', () => 'a value')).toBe('a value')
})

test('Large work waits for large work, and small work of another owner does not.', async () => {
  const s = setUp({ slots: 2, perOwner: 1, largeSlots: 1 })
  void s.call('ada', true)
  void s.call('bob', true)
  void s.call('eve')
  expect(s.running.map((work) => work.owner)).toEqual(['ada', 'eve'])
  s.running[0]?.end()
  await settle()
  expect(s.running.map((work) => work.owner)).toEqual(['eve', 'bob'])
})

test('A call of an owner is refused when enough of its calls wait, and those of others are not.', async () => {
  const s = setUp({ perOwner: 1, waiting: 2 })
  for (let i = 0; i < 4; i++) void s.call('ada').catch(() => {})
  void s.call('bob')
  expect(s.queue.counts()).toEqual({ running: 2, waiting: 2 })
  expect(await s.results[3]).toBe('refused')
  s.running[0]?.end()
  await settle()
  void s.call('ada')
  await settle()
  expect(s.queue.counts()).toEqual({ running: 2, waiting: 2 })
})

test('While the first call of an owner has waited too long, further ones are refused, and those that wait run.', async () => {
  const s = setUp({ perOwner: 1, longestWaitMs: 500 })
  const accepted = [s.call('ada'), s.call('ada')]
  let refused: unknown
  const isRefused = async () => {
    const next = s.call('ada')
    const first = await Promise.race([next.then(undefined, (error: Error) => error), settle()])
    if (first === undefined) accepted.push(next)
    else refused = first
    return refused !== undefined
  }
  await expect.poll(isRefused, { timeout: 10_000 }).toBe(true)
  expect(refused).toEqual(new Error('refused'))
  void s.call('bob')
  expect(s.runningOf('bob')).toBe(1)
  while (s.runningOf('ada') > 0) {
    s.running.find((work) => work.owner === 'ada')?.end()
    await settle()
  }
  expect(await Promise.all(accepted)).toHaveLength(accepted.length)
  const last = s.call('ada')
  s.running.find((work) => work.owner === 'ada')?.end()
  await last
})

test('A call is refused that would wait too long by the time that each of the last ones took.', async () => {
  const queue = createFairQueue({ slots: 1, expectedWaitMs: 20 })
  await queue.run(oneOwner, () => sleep(50))
  const first = queue.run(oneOwner, () => sleep(1))
  const second = queue.run(oneOwner, () => sleep(1))
  await expect(queue.run(oneOwner, () => sleep(1))).rejects.toMatchObject({ code: 'SERVER_BUSY' })
  await Promise.all([first, second])
})

test('An owner rests after its work, as long as the work took times a factor, and other owners do not wait.', async () => {
  const queue = createFairQueue({ perOwner: 1, rest: { factor: 3, maxMs: 1_000 } })
  const endFirst = await queue.begin('ada')
  await sleep(50)
  const began = performance.now()
  endFirst()
  endFirst()
  expect(queue.counts()).toEqual({ running: 1, waiting: 0 })
  let hasBegunAgain = false
  const second = queue.begin('ada').finally(() => {
    hasBegunAgain = true
  })
  const endOther = await queue.begin('bob')
  expect(hasBegunAgain).toBe(false)
  endOther()
  const endSecond = await second
  // A timer may fire a millisecond early.
  expect(performance.now() - began).toBeGreaterThanOrEqual(140)
  endSecond()
  await expect.poll(queue.counts).toEqual({ running: 0, waiting: 0 })
})

test('A rest has a longest duration.', async () => {
  const queue = createFairQueue({ perOwner: 1, rest: { factor: 1_000_000, maxMs: 10 } })
  await queue.run('ada', () => sleep(5))
  expect(await queue.run('ada', () => 'after a rest')).toBe('after a rest')
})

test('Calls that are forgotten never begin, and the slots of running work become free.', async () => {
  const s = setUp({ slots: 1 })
  void s.call('ada')
  void s.call('ada')
  void s.call('bob')
  s.queue.clear()
  expect(s.queue.counts()).toEqual({ running: 1, waiting: 0 })
  s.running[0]?.end()
  await settle()
  expect(s.begun).toHaveLength(1)
  void s.call('bob')
  expect(s.runningOf('bob')).toBe(1)
})
