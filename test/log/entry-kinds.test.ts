/** The record of entry kinds: it is complete and has no two kinds of the same name. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { advancedSeq } from '../../src/domain/log/advanced-seq.js'
import { type EntryMaker, indexKinds, requireKind } from '../../src/domain/log/entry-kind.js'

const isMaker = (value: unknown): value is EntryMaker<unknown> =>
  typeof value === 'function' && 'kind' in value && typeof value.kind === 'object'

test('Every entry kind that a file of src/domain declares is in the record.', async () => {
  const folder = join(import.meta.dirname, '../../src/domain')
  const declared = new Set<string>()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const exported = (await import(join(folder, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) {
      if (!isMaker(value)) continue
      expect(entryKinds.get(value.kind.kind), `${name} of ${file}`).toBe(value.kind)
      declared.add(value.kind.kind)
    }
  }
  expect([...entryKinds.keys()].sort()).toEqual([...declared].sort())
})

test('The record refuses two kinds of one name.', () => {
  expect(() => indexKinds([advancedSeq, advancedSeq])).toThrow('two entry kinds have the name tick')
})

test('A kind that nothing declares is not found.', () => {
  expect(() => requireKind(entryKinds, 'no_such_kind')).toThrow('unknown entry kind no_such_kind')
})
