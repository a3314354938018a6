import { expect, test } from 'vitest'
import { runEach } from '../../src/workers/run-each.js'

test('A failing item does not stop the following items, and its error is thrown at the end.', async () => {
  const done: number[] = []
  const work = async (n: number) => {
    await Promise.resolve()
    if (n % 2 === 0) throw new Error(`not ${n}`)
    done.push(n)
  }
  await expect(runEach([1, 2, 3, 4, 5], work)).rejects.toThrow('not 2')
  expect(done).toEqual([1, 3, 5])
  await runEach([7], work)
  expect(done).toEqual([1, 3, 5, 7])
})
