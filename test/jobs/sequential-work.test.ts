import { expect, test } from 'vitest'
import { oneByOne } from '../../src/workers/one-by-one.js'

test('A failing item does not stop the following items, and its error is thrown at the end.', async () => {
  const done: number[] = []
  const work = async (n: number) => {
    await Promise.resolve()
    if (n % 2 === 0) throw new Error(`not ${n}`)
    done.push(n)
  }
  await expect(oneByOne([1, 2, 3, 4, 5], work)).rejects.toThrow('not 2')
  expect(done).toEqual([1, 3, 5])
  await oneByOne([7], work)
  expect(done).toEqual([1, 3, 5, 7])
})
