import { expect, test } from 'vitest'
import { loopTurns } from '../../src/gateway/api/events/yield-to-event-loop.js'

test('long pieces of work take a turn of the loop each, in the order in which they came', async () => {
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const ownTurn = loopTurns()
  const pieces: { name: string; turn: number }[] = []
  const long = async (name: string) => {
    await ownTurn()
    pieces.push({ name, turn })
  }
  await Promise.all(['a', 'b', 'c'].map(long))
  // Nobody waits any more: the next one begins anew.
  await long('d')
  isOver = true
  expect(pieces.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  expect(new Set(pieces.map((piece) => piece.turn)).size).toBe(4)
})
