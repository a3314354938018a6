/**
 * Compiles src/ and rules/ to dist/, copies the .sql migrations, which the compiler does not, and bundles the programs.
 * It also builds the client library to client/dist, the web client to dist/web, the API reference to dist/reference and
 * the operators' console to dist/console, and writes the bill of materials to dist/sbom.cdx.json.
 *
 *   npm run build
 *
 * It compiles to another folder and renames it at the end, so a process that starts meanwhile never loads a part of the
 * new program. It does not look for type errors, which takes ten times as long: `npm run check` does.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { buildClient, buildConsole, buildReference, buildWeb } from './build-web.mjs'
import { writeCommit } from './clone/commit.mjs'
import { compileSources, copyMigrations, prepareTools, root, stamp } from './prepare.mjs'
import { composeSbom } from './sbom.mjs'

await prepareTools()
// The bundler is a package, and does not load on the oldest Node that can start this script.
const { bundlePrograms } = await import('./bundle.mjs')

const dist = `${root}dist`
const fresh = `${root}dist.${process.pid}`
const old = `${fresh}.old`
const sources = stamp()

const isCompiled = compileSources(fresh)
if (!existsSync(fresh)) process.exit(1)
copyMigrations(fresh)
await bundlePrograms(fresh)
const isClientBuilt = buildClient()
const isWebBuilt = buildWeb(`${fresh}/web`) && buildReference(`${fresh}/reference`) && buildConsole(`${fresh}/console`)
const status = isCompiled && isClientBuilt && isWebBuilt ? 0 : 1
if (status === 0) {
  writeFileSync(`${fresh}/sbom.cdx.json`, `${JSON.stringify(composeSbom(), undefined, 2)}\n`)
  writeCommit(fresh)
  writeFileSync(`${fresh}/.stamp`, sources)
}

if (existsSync(dist)) renameSync(dist, old)
renameSync(fresh, dist)
rmSync(old, { recursive: true, force: true })
process.exit(status)
