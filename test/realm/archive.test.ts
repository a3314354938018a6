import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeArchive } from '../../src/workers/realm/tar-archive.js'

describe('An archive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-archive-'))
  const path = join(folder, 'archive.tar.gz')
  afterAll(() => rmSync(folder, { recursive: true }))

  async function* filesOf(...names: string[]) {
    for (const name of names) yield { name, bytes: Buffer.from(`content of ${name}`) }
  }

  test('An archive holds files in order, also those whose names are longer than a tar header can hold.', async () => {
    const names = ['a.json', `uploads/${'x'.repeat(120)}/${'y'.repeat(120)}.txt`, 'z.json']
    await writeArchive(path, filesOf(...names), 1_700_000_000)
    const run = (...args: string[]) => execFileSync('tar', [...args], { encoding: 'utf8' })
    expect(run('-tzf', path).trim().split('\n')).toEqual(names)
    expect(run('-xzOf', path)).toBe(names.map((name) => `content of ${name}`).join(''))
  })

  test('A source that fails makes the archive fail with the same error.', async () => {
    async function* failing() {
      yield* filesOf('a.json')
      throw new Error('the database is gone')
    }
    await expect(writeArchive(path, failing(), 0)).rejects.toThrow('the database is gone')
  })

  test('A file that cannot be written makes the archive fail and closes the source.', async () => {
    let isClosed = false
    async function* endless() {
      try {
        for (;;) yield* filesOf('a.json')
      } finally {
        isClosed = true
      }
    }
    await expect(writeArchive(join(folder, 'missing', 'archive.tar.gz'), endless(), 0)).rejects.toThrow('ENOENT')
    await expect.poll(() => isClosed).toBe(true)
  })
})
