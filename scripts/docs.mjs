/**
 * Writes the table of variables in README.md from the schema in src/config/config.ts.
 *
 *   npm run docs
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { prepare, root } from './prepare.mjs'

prepare()
const { writeConfigurationTable } = await import('../dist/dev/configuration-table.js')
const readme = `${root}README.md`
writeFileSync(readme, writeConfigurationTable(readFileSync(readme, 'utf8')))
