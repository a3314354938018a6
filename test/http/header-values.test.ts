/** The grammars of header values. */
import { expect, test } from 'vitest'
import { parseByteRange } from '../../src/gateway/contract/byte-range.js'
import { acceptsValue, hasTag, parseParameters } from '../../src/gateway/contract/header-values.js'

test.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['application/json, text/event-stream;q=0.5', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream; Q=0.000, */*', false],
  ['text/event-streams', false],
  ['*/*', false],
  ['', false],
])('The Accept header %j asks for a stream: %j.', (header, expected) => {
  expect(acceptsValue(header, 'text/event-stream')).toBe(expected)
})

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"b,a", "a"', true],
  ['*', true],
  ['"aa"', false],
  ['a', false],
  ['', false],
])('The If-None-Match header %j matches the tag a: %j.', (header, expected) => {
  expect(hasTag(header, 'a')).toBe(expected)
})

test.each([
  ['bytes=0-4', { from: 0, to: 4 }],
  ['Bytes= 5-', { from: 5, to: 9 }],
  ['bytes=-3', { from: 7, to: 9 }],
  ['bytes=20-', 'unsatisfiable'],
  ['items=0-4', undefined],
  ['bytes=0-1,4-5', undefined],
])('The Range header %j selects %j of ten bytes.', (header, expected) => {
  expect(parseByteRange(header, 10)).toEqual(expected)
})

test('A header that nests quotes and semicolons is parsed in linear time.', () => {
  const header = `a;${'x="\\"'.repeat(50_000)};${';'.repeat(100_000)}b=1`
  expect(parseParameters(header).value).toBe('a')
})
