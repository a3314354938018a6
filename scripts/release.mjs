/**
 * Makes a release: one archive with the compiled program, its production packages and its documents, for the system
 * and the processor of this machine, and its checksum.
 *
 *   npm run release             packs the present commit
 *   npm run release -- 0.2.0    first makes it version 0.2.0: files, changelog, commit and tag (nothing is pushed)
 *
 * The archive and SHA256SUMS are in release/.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { prepare, prepareTools, root, stop, tell } from './prepare.mjs'
import { hashFile, nameRelease, packRelease } from './release/archive.mjs'
import { cutVersion, notePrevious } from './release/version.mjs'

// It can start this script again on another Node, so nothing is written before it.
await prepareTools()
const version = process.argv[2]
try {
  if (version !== undefined) cutVersion(root, version, new Date().toISOString().slice(0, 10))
} catch (error) {
  stop(error.message)
}
await prepare()

const folder = `${root}release`
mkdirSync(folder, { recursive: true })
const archive = `${folder}/${nameRelease(root)}-${process.platform}-${process.arch}.tar.gz`
tell(`Packing ${archive}`)
packRelease(root, archive)
writeFileSync(`${folder}/SHA256SUMS`, `${hashFile(archive)}  ${basename(archive)}\n`)
tell(`Written, with its checksum in ${folder}/SHA256SUMS`)
if (version !== undefined) {
  notePrevious(root, version)
  tell(`Publish it with: git push origin HEAD v${version}`)
}
