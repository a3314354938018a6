/** The part of the loaded messages that the web client keeps in the page. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  growDown,
  growUp,
  maxRows,
  newestSlice,
  type Slice,
  sliceAround,
  slicePositions,
} from '../../web/src/messages/slice.js'

const rows = maxRows(800)

const messagesOf = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index * 2 + 1 }))

const idsOf = (messages: { id: number }[], slice: Slice) =>
  messages.slice(...slicePositions(messages, slice, rows)).map(({ id }) => id)

test('A slice never has more rows than its limit, wherever the user scrolls.', () => {
  const steps = fc.array(fc.constantFrom('up', 'down', 'append', 'prepend') as fc.Arbitrary<string>, { maxLength: 60 })
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 2_000 }), (moves, count) => {
      let messages = messagesOf(count).map(({ id }) => ({ id: id + 100_000 }))
      let slice: Slice = newestSlice
      for (const move of moves) {
        if (move === 'append') messages = [...messages, { id: (messages.at(-1)?.id ?? 100_000) + 1 }]
        if (move === 'prepend') messages = [{ id: (messages[0]?.id ?? 100_000) - 1 }, ...messages]
        if (move === 'up') slice = growUp(messages, slice, rows)
        if (move === 'down') slice = growDown(messages, slice, rows)
        const [start, end] = slicePositions(messages, slice, rows)
        expect(end - start).toBeLessThanOrEqual(rows)
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeLessThanOrEqual(messages.length)
        if (messages.length > 0) expect(end).toBeGreaterThan(start)
      }
    }),
  )
})

test('Older messages that are loaded do not move a slice.', () => {
  const messages = messagesOf(1_000).map(({ id }) => ({ id: id + 10_000 }))
  const slice = sliceAround(messages, 11_001, rows)
  expect(idsOf([...messagesOf(500), ...messages], slice)).toEqual(idsOf(messages, slice))
})

test('Scrolling up and down again leads through every message.', () => {
  const messages = messagesOf(3_000)
  const seen = new Set<number>()
  let slice: Slice = newestSlice
  for (let i = 0; i < 200; i++) {
    for (const id of idsOf(messages, slice)) seen.add(id)
    slice = growUp(messages, slice, rows)
  }
  expect(seen.size).toBe(3_000)
  for (let i = 0; i < 200; i++) slice = growDown(messages, slice, rows)
  expect(slice.last).toBe(Number.POSITIVE_INFINITY)
  expect(idsOf(messages, slice).at(-1)).toBe(5_999)
})

test('The slice at the end follows new messages.', () => {
  const messages = messagesOf(100)
  expect(idsOf([...messages, { id: 999 }], newestSlice).at(-1)).toBe(999)
})
