/** COPY, whose end is a small message. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openCopySql } from '../../../src/store/sql.js'

test('The operating system holds back no message of a COPY.', async () => {
  const sql = openCopySql(inject('database_url'), 1)
  onTestFinished(() => sql.end())
  await sql`create temporary table copied (n int)`
  const times: number[] = []
  for (let n = 0; n < 25; n++) {
    const begin = performance.now()
    await pipeline(Readable.from([`${n}\n`]), await sql`copy copied from stdin`.writable())
    times.push(performance.now() - begin)
  }
  expect(await sql`select count(*)::int as n from copied`).toEqual([{ n: 25 }])
  // A message that is held back waits for 40 ms. The first ones may not be held back.
  expect(Math.min(...times.slice(5))).toBeLessThan(35)
})
