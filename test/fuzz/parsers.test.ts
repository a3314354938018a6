/**
 * The parsers on the inputs that their fuzzer has kept, because each reached other code (`npm run fuzz -- NAME`).
 * An input that was a fault once stays among them.
 */
import { expect, test } from 'vitest'
import { processorTime } from '../setup/processes/processor-time.js'
import { corpora, readCorpus } from './parsers/corpus.js'
import { targets } from './parsers/targets.js'

/** Of processor time. An input is at most some hundred bytes long. */
const MAX_MS = 2_000

test.each(Object.keys(targets))('The parser %s accepts or refuses every kept input, without another error.', (name) => {
  const inputs = readCorpus(name)
  expect(inputs.length).toBeGreaterThan(10)
  for (const input of [Buffer.alloc(0), ...inputs]) {
    const parse = () => expect(() => targets[name]?.(input), input.toString('base64')).not.toThrow()
    expect(processorTime(parse), input.toString('base64')).toBeLessThan(MAX_MS)
  }
})

test('Every file of kept inputs belongs to a parser.', () => {
  expect(corpora().sort()).toEqual(Object.keys(targets).sort())
})
