import { expect, test } from 'vitest'
import { createYield } from '../../src/gateway/api/events/yield-to-event-loop.js'

test('Each long task starts in its own iteration of the event loop, in order of arrival.', async () => {
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const ownTurn = createYield()
  const pieces: { name: string; turn: number }[] = []
  const long = async (name: string) => {
    await ownTurn()
    pieces.push({ name, turn })
  }
  await Promise.all(['a', 'b', 'c'].map(long))
  // No task is waiting any more, so the next one starts a new sequence.
  await long('d')
  isOver = true
  expect(pieces.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  expect(new Set(pieces.map((piece) => piece.turn)).size).toBe(4)
})
