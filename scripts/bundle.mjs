/**
 * Joins the modules of each program, and those of its packages, into a few files: loading the thousand modules of a
 * gateway one by one takes twice the CPU time.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import MagicString from 'magic-string'
import { build } from 'rolldown'
import { parseSync, Visitor } from 'rolldown/utils'
import { root } from './prepare.mjs'

const sources = `${root}src${sep}`

/** Finds the rules. They have a name of their own in imports because src/ does not contain them. */
export const findRules = {
  name: 'find-rules',
  resolveId: (id) => (id.startsWith('#rules/') ? `${root}rules/src/${id.slice(7).replace(/\.js$/, '.ts')}` : null),
}

/** Packages with native parts, which they look for beside their own files. */
const external = ['uWebSockets.js', '@node-rs/argon2', '@platformatic/kafka']

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

/**
 * Writes a form differently that V8 treats badly: `this.resolve = (x) => …`.
 *
 * A function that is written as the value of a property is allocated with the old objects, which only a full garbage
 * collection frees. Until then it keeps everything alive that it refers to. The driver of Postgres has such functions
 * in each statement and ioredis in each command, so all their parameters and rows were copied twice, and full
 * collections were frequent. In `this.resolve = (0, (x) => …)` the value is an expression to V8, and the function is
 * allocated with the young objects.
 */
const writeForV8 = {
  name: 'write-for-v8',
  renderChunk(code, chunk) {
    const changed = new MagicString(code)
    new Visitor({
      AssignmentExpression({ operator, left, right }) {
        const isFunction = right.type === 'ArrowFunctionExpression' || right.type === 'FunctionExpression'
        if (operator !== '=' || left.type !== 'MemberExpression' || !isFunction) return
        changed.appendRight(right.start, '(0, ').appendLeft(right.end, ')')
      },
    }).visit(parseSync(chunk.fileName, code, { preserveParens: false }).program)
    return { code: changed.toString(), map: changed.generateMap({ hires: true }) }
  },
}

/** Replaces the entry points in a folder of compiled sources by bundles. */
export async function bundlePrograms(folder) {
  const { output } = await build({
    cwd: root,
    input: Object.fromEntries(['gateway', 'worker', 'cli'].map((name) => [name, `${sources}${name}.ts`])),
    platform: 'node',
    transform: { target: 'node22' },
    external,
    plugins: [findRules, keepModulePaths, writeForV8],
    logLevel: 'warn',
    output: {
      dir: folder,
      format: 'esm',
      // The minifier runs after all plugins, and would remove what writeForV8 inserts.
      minify: false,
      sourcemap: true,
      // The maps name the sources. Their text would be two thirds of what each process parses when it starts.
      sourcemapExcludeSources: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'part-[name]-[hash].js',
    },
  })
  // A part that only imports another one has no map.
  for (const { fileName, map } of output) if (map) reduceMap(join(folder, `${fileName}.map`))
}

/**
 * Leaves in a source map where the lines of a source begin, which is what a stack trace names. Node 24 keeps the maps
 * of all its modules in memory from the first stack trace on: those with each word and name took 320 MB of a gateway.
 */
function reduceMap(file) {
  const map = JSON.parse(readFileSync(file, 'utf8'))
  const lines = decode(map.mappings).map((segments) => {
    const places = segments.filter((segment) => segment.length > 1).map((segment) => segment.slice(0, 4))
    return places.filter(([, source, line], i) => i === 0 || places[i - 1][1] !== source || places[i - 1][2] !== line)
  })
  writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: encode(lines) }))
}
