import { expect, test } from 'vitest'
import { runEach, runInRounds } from '../../src/workers/run-each.js'

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

test('Items get their batches in turn, and an item whose batch fails does not stop the others.', async () => {
  const batches = new Map([
    ['many', 4],
    ['few', 1],
    ['two', 2],
  ])
  const done: string[] = []
  const batch = async (item: string) => {
    await Promise.resolve()
    if (item === 'broken') throw new Error('broken')
    done.push(item)
    const left = (batches.get(item) ?? 0) - 1
    batches.set(item, left)
    return left > 0
  }
  await expect(runInRounds(['many', 'broken', 'few', 'two'], batch)).rejects.toThrow('broken')
  expect(done).toEqual(['many', 'few', 'two', 'many', 'two', 'many', 'many'])
})
