/** Builds the client library and the pages for browsers, which scripts/build.mjs calls after the server. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root } from './prepare.mjs'

const tsc = `${root}node_modules/typescript/bin/tsc`
const vite = `${root}node_modules/vite/bin/vite.js`

/**
 * Compiles client/src to client/dist, and once more to client/dist/commonjs, for programs that load it with `require`.
 * @returns whether it has no type errors
 */
export function buildClient() {
  if (!runNode([tsc, '-p', `${root}client`])) return false
  if (!runNode([tsc, '-p', `${root}client/tsconfig.commonjs.json`])) return false
  writeFileSync(`${root}client/dist/commonjs/package.json`, '{"type":"commonjs"}\n')
  return true
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
