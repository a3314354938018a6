/**
 * Joins the modules of each program, and those of its packages, into a few files: loading the thousand modules of a
 * gateway one by one takes twice the CPU time.
 */
import { relative, sep } from 'node:path'
import MagicString from 'magic-string'
import { build } from 'rolldown'
import { root } from './prepare.mjs'

const sources = `${root}src${sep}`

/** Packages with native parts, which they look for beside their own files. */
const external = ['uWebSockets.js', '@node-rs/argon2']

/**
 * Modules find files by their own path: migrations, pages, other programs. The bundles lie in the folder of the
 * compiled sources, so each module is given the path that it has there. Throws for the other forms of a module's path,
 * which would be that of the bundle.
 */
const keepModulePaths = {
  name: 'keep-module-paths',
  transform(code, id) {
    if (!id.startsWith(sources)) return null
    if (/import\.meta\.(?:dirname|filename)/.test(code)) throw new Error(`${id}: use import.meta.url`)
    if (!code.includes('import.meta.url')) return null
    const path = relative(sources, id).replaceAll(sep, '/').replace(/\.ts$/, '.js')
    const changed = new MagicString(code).replaceAll('import.meta.url', `new URL('./${path}', import.meta.url).href`)
    return { code: changed.toString(), map: changed.generateMap({ hires: true }) }
  },
}

/** Replaces the entry points in a folder of compiled sources by bundles. */
export async function bundlePrograms(folder) {
  await build({
    cwd: root,
    input: Object.fromEntries(['gateway', 'worker', 'cli'].map((name) => [name, `${sources}${name}.ts`])),
    platform: 'node',
    transform: { target: 'node20' },
    external,
    plugins: [keepModulePaths],
    logLevel: 'warn',
    output: {
      dir: folder,
      format: 'esm',
      sourcemap: true,
      // The maps name the sources. Their text would be two thirds of what each process parses when it starts.
      sourcemapExcludeSources: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'part-[name]-[hash].js',
    },
  })
}
