/** The table of limits in SECURITY.md: it is the one made from the constants. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { readConstant, writeLimitsTable } from '../../src/dev/security-limits.js'

test('The table of limits in SECURITY.md is the one made from the constants.', () => {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  expect(page, 'SECURITY.md is out of date: run `npm run docs`').toBe(writeLimitsTable(page))
})

test('The value of a constant is read from the text of a file.', () => {
  const text = `const MEBIBYTE = 1024 * 1024
export const MANY = 4 * MEBIBYTE
const SLOTS = { account: 16, address: 2 * MEBIBYTE }
const PER_MS = (16 * 1024 * 1024) / 1_000
const NAME = 'text'
`
  const read = (name: string) => readConstant(text, 'file.ts', name)
  expect([read('MEBIBYTE'), read('MANY'), read('SLOTS.account'), read('SLOTS.address'), read('PER_MS')]).toEqual([
    1_048_576, 4_194_304, 16, 2_097_152, 16_777.216,
  ])
  for (const name of ['NONE', 'SLOTS.none', 'NAME']) expect(() => read(name), name).toThrow('file.ts has no constant')
})
