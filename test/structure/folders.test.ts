/**
 * The structure of src/: which folders import which. A folder here is one directory; its subfolders are folders of
 * their own. Files that import each other are a lint error already (noImportCycles).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

interface Import {
  file: string
  imported: string
}

/** Every relative import of a source, type imports included. Paths are relative to src/ and end in `.ts`. */
const importsIn = (file: string, source: string): Import[] =>
  [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier = '']) => ({
    file,
    imported: posix.normalize(posix.join(dirname(file), specifier)).replace(/\.js$/, '.ts'),
  }))

const imports = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => importsIn(file, readFileSync(join(src, file), 'utf8')))

/** Chains of folders that lead back to where they begin, one for each group of folders that import each other. */
const folderCycles = (all: readonly Import[]): string[] => {
  const edges = new Map<string, Map<string, Import>>()
  for (const one of all) {
    const [from, to] = [dirname(one.file), dirname(one.imported)]
    if (from === to) continue
    const targets = edges.get(from) ?? new Map<string, Import>()
    edges.set(from, targets.set(to, targets.get(to) ?? one))
  }
  const cycles: string[] = []
  const finished = new Set<string>()
  const path: string[] = []
  const visit = (folder: string): void => {
    if (finished.has(folder)) return
    const start = path.indexOf(folder)
    if (start !== -1) {
      const steps = [...path.slice(start), folder]
      const example = steps.slice(1).map((to, i) => edges.get(steps[i] ?? '')?.get(to))
      cycles.push(example.map((one) => `${one?.file} imports ${one?.imported}`).join(', '))
      return
    }
    path.push(folder)
    for (const to of edges.get(folder)?.keys() ?? []) visit(to)
    path.pop()
    finished.add(folder)
  }
  for (const folder of edges.keys()) visit(folder)
  return cycles
}

/** Imports between folders that begin with these names. */
const importsBetween = (from: string, to: string): string[] =>
  imports
    .filter(({ file, imported }) => file.startsWith(from) && imported.startsWith(to))
    .map(({ file, imported }) => `${file} imports ${imported}`)

test('No folder imports a folder that imports it, directly or through others.', () => {
  expect(folderCycles(imports)).toEqual([])
})

test('The search for folder cycles finds two folders that import each other.', () => {
  const planted = importsIn('domain/log/entry.ts', "import { Flag } from '../messages/flags.js'")
  expect(folderCycles([...imports, ...planted])).not.toEqual([])
})

test.each([
  ['domain/', 'store/'],
  ['domain/', 'gateway/'],
  ['domain/', 'workers/'],
  ['store/', 'gateway/'],
  ['store/', 'workers/'],
  ['gateway/', 'workers/'],
  ['workers/', 'gateway/'],
])('No file of %s imports a file of %s.', (from, to) => {
  expect(importsBetween(from, to)).toEqual([])
})

test('No file of domain/ declares a variable at module level that can be assigned again.', () => {
  const files = readdirSync(join(src, 'domain'), { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'))
  const assigned = files.filter((file) =>
    /^(export )?(let|var) /m.test(readFileSync(join(src, 'domain', file), 'utf8')),
  )
  expect(assigned).toEqual([])
})

test.each([
  ['domain/log/', ['domain/log/', 'domain/deployment/', 'domain/protocol/', 'domain/settings/']],
  [
    'store/log/',
    [
      'store/log/',
      'store/jobs/',
      'store/sql.ts',
      'store/overload.ts',
      'store/fairness/',
      'store/redis.ts',
      'store/redis-cluster.ts',
      'store/redis-scope.ts',
      'store/sharded-subscriber.ts',
      'store/distribution.ts',
      'store/tracing.ts',
      'domain/',
    ],
  ],
])('The kernel in %s imports no feature.', (kernel, allowed) => {
  const others = importsBetween(kernel, '').filter(
    (line) => !allowed.some((folder) => line.includes(` imports ${folder}`)),
  )
  expect(others).toEqual([])
})
