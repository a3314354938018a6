/** The queue that lets one caller continue per pass of the event loop. */
import { expect, test } from 'vitest'
import { openYieldQueue } from '../../src/gateway/fairness/yield-queue.js'

test('One caller continues per pass of the event loop, in the order of the calls.', async () => {
  const nextPass = openYieldQueue()
  let pass = 0
  const passes: [caller: number, pass: number][] = []
  const calls = [1, 2, 3].map(async (caller) => {
    await nextPass()
    passes.push([caller, pass])
    await nextPass()
    passes.push([caller, pass])
  })
  while (passes.length < 6) {
    await new Promise((resolve) => setImmediate(resolve))
    pass += 1
  }
  await Promise.all(calls)
  expect(passes.map(([caller]) => caller)).toEqual([1, 2, 3, 1, 2, 3])
  expect(new Set(passes.map(([, at]) => at)).size).toBe(6)
})
