import { expect, test } from 'vitest'
import { fewAtOnce } from '../../src/gateway/api/events/semaphore.js'

test('The semaphore runs at most two tasks at once, starts them in order of arrival, and gives each caller its own result.', async () => {
  const few = fewAtOnce(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  const work = (i: number) =>
    few(async () => {
      begun.push(i)
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => {
        ends[i] = resolve
      })
      running -= 1
      if (i === 1) throw new Error('one of them fails')
      return i
    })
  const all = [0, 1, 2, 3, 4].map(work)
  const outcomes = Promise.allSettled(all)
  for (let i = 0; i < 5; i++) {
    while (ends[i] === undefined) await new Promise(setImmediate)
    ends[i]?.()
  }
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(most).toBe(2)
  // Every permit has been released.
  expect(await few(async () => 'again')).toBe('again')
})
