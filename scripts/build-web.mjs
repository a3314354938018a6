/** Builds the client library and the pages for browsers, which scripts/build.mjs calls after the server. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root } from './prepare.mjs'

const tsc = `${root}node_modules/typescript/bin/tsc`
const vite = `${root}node_modules/vite/bin/vite.js`

/**
 * Compiles client/src to client/dist and to client/dist/commonjs. The second is for programs that load it with
 * `require`.
 * @returns whether it has no type errors
 */
export function buildClient() {
  const dist = `${root}client/dist`
  const fresh = `${dist}.${process.pid}`
  const isCompiled =
    compileClient('tsconfig.json', fresh) && compileClient('tsconfig.commonjs.json', `${fresh}/commonjs`)
  if (isCompiled) {
    writeFileSync(`${fresh}/commonjs/package.json`, '{"type":"commonjs"}\n')
    rmSync(dist, { recursive: true, force: true })
    renameSync(fresh, dist)
  }
  rmSync(fresh, { recursive: true, force: true })
  return isCompiled
}

/**
 * Compiles client/src to a folder, and the files of rules/src that it imports to its subfolder rules/.
 *
 * The sources import the rules by a name that only this repository has. What is published imports them by their path,
 * which also browsers find.
 */
function compileClient(configuration, folder) {
  const compiled = `${folder}.compiled`
  const isCompiled = runNode([tsc, '-p', `${root}client/${configuration}`, '--outDir', compiled])
  if (isCompiled) {
    renameSync(`${compiled}/client/src`, folder)
    renameSync(`${compiled}/rules/src`, `${folder}/rules`)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) nameByPath(join(entry.parentPath, entry.name), folder)
    }
  }
  rmSync(compiled, { recursive: true, force: true })
  return isCompiled
}

/** Writes the imports of the rules in a compiled file as paths, and the name of its source in a source map. */
function nameByPath(file, folder) {
  const text = readFileSync(file, 'utf8')
  if (!file.endsWith('.map')) {
    const rules = relative(dirname(file), `${folder}/rules`)
    const prefix = rules === '' ? './' : `${rules.startsWith('.') ? '' : './'}${rules}/`
    return writeFileSync(file, text.replace(/(["'])#rules\//g, `$1${prefix}`))
  }
  const path = relative(folder, file).replace(/\.js\.map$/, '.ts')
  const source = path.startsWith('rules/') ? `${root}rules/src/${path.slice(6)}` : `${root}client/src/${path}`
  writeFileSync(file, JSON.stringify({ ...JSON.parse(text), sources: [relative(dirname(file), source)] }))
}

/** Bundles web/src into a folder, with a compressed form of each text beside it. @returns whether that succeeded */
export const buildWeb = (folder) => buildPage('web', folder)

/** Bundles the page of the API reference into a folder in the same way. */
export const buildReference = (folder) => buildPage('reference', folder)

function buildPage(name, folder) {
  if (!runNode([vite, 'build', `${root}${name}`, '--outDir', folder, '--logLevel', 'warn'])) return false
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) compress(join(entry.parentPath, entry.name))
  }
  return true
}

/** Bundles the page of the operators' console into a folder. @returns whether that succeeded */
export const buildConsole = (folder) =>
  runNode([vite, 'build', `${root}console`, '--outDir', folder, '--logLevel', 'warn'])

function runNode(args) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

const textTypes = new Set(['.css', '.html', '.js', '.json', '.map', '.svg', '.webmanifest'])

/** Writes `<file>.br` and `<file>.gz`, which gateways send as they are. */
function compress(file) {
  if (!textTypes.has(extname(file))) return
  const plain = readFileSync(file)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(`${file}.br`, brotliCompressSync(plain, { params: quality }))
  writeFileSync(`${file}.gz`, gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }))
}
