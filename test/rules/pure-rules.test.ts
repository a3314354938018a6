/** The rules are functions of their arguments: they import no other part of the repository and no package. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../rules/src', import.meta.url))
const files = readdirSync(folder, { encoding: 'utf8' })
const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8')

/** Packages without I/O: they format the texts of the server and of the page (rules/src/texts.ts). */
const pure = ['@formatjs/icu-messageformat-parser', 'intl-messageformat']

test('A file of rules/ imports files of rules/ only, and packages without I/O.', () => {
  const imported = files.flatMap((file) => [...read(file).matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)])
  expect(imported.length).toBeGreaterThan(0)
  const isOther = (name: string) => !/^\.\/[a-z-]+\.js$/.test(name) && !pure.includes(name)
  expect(imported.map(([, specifier = '']) => specifier).filter(isOther)).toEqual([])
})

test('Only time.ts reads the clock, and no rule depends on chance.', () => {
  expect(files.filter((file) => /\bDate\b|\bperformance\b|Math\.random/.test(read(file)))).toEqual(['time.ts'])
})
