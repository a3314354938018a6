/**
 * Brings the catalogues up to date with the sources: adds new texts with an empty translation, and removes those that
 * no source has any more. Then translate what is empty: test/languages/catalogues.test.ts names it.
 *
 *     npm run languages
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { catalogues, extract } from './languages/extract.mjs'

const root = new URL('../', import.meta.url).pathname

for (const { folder, sources } of catalogues) {
  const messages = [...new Set(extract(sources).map(({ message }) => message))].sort()
  for (const name of readdirSync(`${root}${folder}`)) {
    const path = `${root}${folder}/${name}`
    const known = JSON.parse(readFileSync(path, 'utf8'))
    const updated = Object.fromEntries(messages.map((message) => [message, known[message] ?? '']))
    writeFileSync(path, `${JSON.stringify(updated, null, 2)}\n`)
    const empty = Object.values(updated).filter((text) => text === '').length
    console.log(`${folder}/${name}: ${messages.length} texts, ${empty} without a translation`)
  }
}
