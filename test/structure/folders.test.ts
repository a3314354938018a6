/**
 * Which files and folders import which, in all packages, type imports included. A folder here is one directory; its
 * subfolders are folders of their own. The linter finds files that import each other, but not their types.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { findImports, type Import, imports } from './sources.js'

const src = join(root, 'src')

/** Chains of files, or of their folders, that lead back to where they begin: one for each group with such a chain. */
const findCycles = (all: readonly Import[], nodeOf: (file: string) => string): string[] => {
  const edges = new Map<string, Map<string, Import>>()
  for (const one of all) {
    const [from, to] = [nodeOf(one.file), nodeOf(one.imported)]
    if (from === to) continue
    const targets = edges.get(from) ?? new Map<string, Import>()
    edges.set(from, targets.set(to, targets.get(to) ?? one))
  }
  const cycles: string[] = []
  const finished = new Set<string>()
  const path: string[] = []
  const visit = (node: string): void => {
    if (finished.has(node)) return
    const start = path.indexOf(node)
    if (start !== -1) {
      const steps = [...path.slice(start), node]
      const example = steps.slice(1).map((to, i) => edges.get(steps[i] ?? '')?.get(to))
      cycles.push(example.map((one) => `${one?.file} imports ${one?.imported}`).join(', '))
      return
    }
    path.push(node)
    for (const to of edges.get(node)?.keys() ?? []) visit(to)
    path.pop()
    finished.add(node)
  }
  for (const node of edges.keys()) visit(node)
  return cycles
}

const findFileCycles = (all: readonly Import[]): string[] => findCycles(all, (file) => file)
const findFolderCycles = (all: readonly Import[]): string[] => findCycles(all, dirname)

/** Imports between folders of src/ that begin with these names. */
const importsBetween = (from: string, to: string): string[] =>
  imports
    .filter(({ file, imported }) => file.startsWith(`src/${from}`) && imported.startsWith(`src/${to}`))
    .map(({ file, imported }) => `${file.slice('src/'.length)} imports ${imported.slice('src/'.length)}`)

test('No file imports a file that imports it, directly or through others.', () => {
  expect(findFileCycles(imports)).toEqual([])
})

test('No folder imports a folder that imports it, directly or through others.', () => {
  expect(findFolderCycles(imports)).toEqual([])
})

test.each([
  ['src/domain/log/entry-kind.ts', "import type { entryKinds } from '../entry-kinds.js'"],
  ['web/src/ui/icon.tsx', "const { App } = await import('../app/app.js')"],
  ['web/src/realm/chat.ts', "import '../app/layout.css'"],
  ['client/src/client.ts', "import { openRealm } from '@parley/client/realm'"],
])('The search for cycles finds that %s and its folder are imported by what it imports with %s.', (file, text) => {
  const planted = findImports(file, text)
  expect(findFolderCycles([...imports, ...planted])).not.toEqual([])
  if (!text.includes('.css')) expect(findFileCycles([...imports, ...planted])).not.toEqual([])
})

test.each([
  ['domain/', 'store/'],
  ['domain/', 'gateway/'],
  ['domain/', 'workers/'],
  ['store/', 'gateway/'],
  ['store/', 'workers/'],
  ['gateway/', 'workers/'],
  // Which rows change is a decision of the domain.
  ['gateway/', 'domain/log/row-changes'],
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
      'store/histogram.ts',
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
