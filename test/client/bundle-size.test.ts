/** How much of the library a page loads. */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'

/** Bundles a program that uses the library, and returns its compressed size in bytes. */
const measureBundle = async (source: string): Promise<number> => {
  const output = (await build({
    configFile: false,
    logLevel: 'warn',
    root,
    resolve: {
      alias: [
        { find: /^@parley\/client$/, replacement: join(root, 'client/src/index.ts') },
        { find: /^@parley\/client\/realm$/, replacement: join(root, 'client/src/realm/index.ts') },
        { find: /^#rules\/(.*)\.js$/, replacement: join(root, 'rules/src/$1.ts') },
      ],
    },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? join(root, 'client/src/program.js') : undefined),
        load: (id) => (id === join(root, 'client/src/program.js') ? source : undefined),
      },
    ],
    build: { write: false, minify: true, target: 'es2022', rollupOptions: { input: 'program' }, modulePreload: false },
  })) as Rolldown.RolldownOutput
  return gzipSync(output.output[0].code).length
}

test('Calls and events are less than 15 kB, compressed.', { timeout: 60_000 }, async () => {
  const size = await measureBundle(
    `import { createClient } from '@parley/client'\nglobalThis.createClient = createClient`,
  )
  expect(size).toBeGreaterThan(1_000)
  expect(size).toBeLessThan(15_000)
})

test('A program that uses a part of the library does not contain the rest.', { timeout: 60_000 }, async () => {
  const size = await measureBundle(`import { createStore } from '@parley/client'\nglobalThis.createStore = createStore`)
  expect(size).toBeLessThan(1_000)
})
