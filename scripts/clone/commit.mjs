/** The commit of a build, for `node dist/cli.js --version`. JavaScript without dependencies, as prepare.mjs. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { root } from './root.mjs'

/**
 * Returns the commit of a clone. It ends with `-dirty` if files of the clone were changed. Returns undefined if the
 * folder is no clone of git. The variable COMMIT wins: the Dockerfile builds without the history.
 */
export function readCommit(folder = root) {
  if (process.env.COMMIT) return process.env.COMMIT
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--show-prefix', 'HEAD')
  const [prefix, commit] = (stdout ?? '').split('\n')
  // A folder inside of another repository, such as an unpacked archive, is not of its commit.
  if (status !== 0 || prefix !== '') return undefined
  return git('status', '--porcelain', '--untracked-files=no').stdout === '' ? commit : `${commit}-dirty`
}

/** Notes the commit in a folder of compiled sources. */
export function writeCommit(compiled) {
  const commit = readCommit()
  if (commit === undefined) rmSync(`${compiled}/.commit`, { force: true })
  else writeFileSync(`${compiled}/.commit`, `${commit}\n`)
}
