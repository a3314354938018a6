/** The table of incidents in operations.md: each line has a test, in which its code or warning is. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'

test('Each incident of the guide names a test, which has the codes that the incident shows.', () => {
  const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const table = guide.slice(guide.indexOf('| symptom | cause | what to do | test |')).split('\n\n')[0] as string
  const rows = table.split('\n').slice(2)
  expect(rows.length).toBeGreaterThan(15)
  for (const row of rows) {
    const [, symptom = '', , , name = ''] = row.split(/(?<!\\) ?\| ?/)
    const file = join(root, 'test', `${name.replaceAll('`', '')}.test.ts`)
    expect(existsSync(file), row).toBe(true)
    // A drill measures all codes that its clients get.
    if (name.includes('drills/')) continue
    const text = readFileSync(file, 'utf8')
    for (const [, code = ''] of symptom.matchAll(/`([A-Z_]{8,})`/g)) expect(text, row).toContain(code)
  }
})
