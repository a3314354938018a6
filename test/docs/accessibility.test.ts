/** The conformance report (docs/accessibility.md): it has every criterion, and every test that it names exists. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'

const report = readFileSync(join(root, 'docs/accessibility.md'), 'utf8')

/** The criteria of WCAG 2.2 of level A and AA, without 4.1.1, which is obsolete. */
const criteria = {
  A: `1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4
    2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2`,
  AA: `1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 2.5.8 3.1.2
    3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3`,
}

const expected = Object.entries(criteria)
  .flatMap(([level, numbers]) => numbers.split(/\s+/).map((number) => `${number} ${level}`))
  .sort()

/** The rows of the tables: number and name, level, result, reason, evidence. */
const rows = report
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
  .map((line) => {
    const [criterion = '', level = '', result = '', why = '', evidence = ''] = line
      .split(' | ')
      .map((cell) => cell.trim())
    return { number: criterion.replace(/^\| /, '').split(' ')[0] ?? '', level, result, why, evidence }
  })

/** The tests that a text names, as file and name. */
const findTests = (text: string): { file: string; name: string }[] =>
  [...text.matchAll(/`(test\/[\w/.-]+\.test\.ts)` “([^”]+)”/g)].map(([, file = '', name = '']) => ({ file, name }))

const isThere = ({ file, name }: { file: string; name: string }): boolean =>
  readFileSync(join(root, file), 'utf8').includes(`'${name}'`)

test('Every criterion of level A and AA has a row, with a result and a reason.', () => {
  expect(expected).toHaveLength(55)
  expect(rows.map(({ number, level }) => `${number} ${level}`).sort()).toEqual(expected)
  for (const { number, result, why } of rows) {
    expect(['conforms', 'partly', 'does not', 'not applicable'], number).toContain(result)
    expect(why.length, number).toBeGreaterThan(20)
  }
})

test('Every row names tests, or says what was looked at.', () => {
  const without = rows.filter(({ evidence }) => !/`test\/[^`]+\.test\.ts`|walk: ./.test(evidence))
  expect(without.map(({ number }) => number)).toEqual([])
})

test('Every test that the report names exists.', () => {
  const named = findTests(report)
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((each) => !isThere(each))).toEqual([])
  expect(isThere({ file: 'test/docs/accessibility.test.ts', name: ['A test that is', 'not there.'].join(' ') })).toBe(
    false,
  )
})

test('The report counts its results right.', () => {
  const partly = rows.filter(({ result }) => result === 'partly').length
  const met = rows.filter(({ result }) => result === 'conforms' || result === 'not applicable').length
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six']
  expect(report).toContain(`${met} criteria are met or do not apply; ${words[partly]} are met in part`)
})
