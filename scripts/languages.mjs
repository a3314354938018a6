/**
 * Brings the catalogues up to date with the sources: adds new texts with an empty translation, and removes those that
 * no source has any more. Then translate what is empty: test/languages/catalogues.test.ts names it.
 *
 *     npm run languages
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { prepareTools, root, stop, tell } from './prepare.mjs'

await prepareTools()
// Imported afterwards: it uses a package.
const { catalogues, extract } = await import('./languages/extract.mjs')

for (const catalogue of catalogues) {
  const { folder } = catalogue
  const { found, composed } = extract(catalogue)
  const [first] = composed
  if (first !== undefined) stop(`${first.file}: a text must be a literal:\n${first.text}`)
  const messages = [...new Set(found.map(({ message }) => message))].sort()
  for (const name of readdirSync(`${root}${folder}`)) {
    const path = `${root}${folder}/${name}`
    const known = JSON.parse(readFileSync(path, 'utf8'))
    const updated = Object.fromEntries(messages.map((message) => [message, known[message] ?? '']))
    writeFileSync(path, `${JSON.stringify(updated, null, 2)}\n`)
    const empty = Object.values(updated).filter((text) => text === '').length
    tell(`${folder}/${name}: ${messages.length} texts, ${empty} without a translation`)
  }
}
