/**
 * The release before this one: the newest tag `v*` of an earlier commit, or the commit that the file `previous-release`
 * names, for clones without tags. PREVIOUS_RELEASE names another one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/dev/root.js'

/** The commit of the release and what it is called here, or why there is none. */
export type PreviousRelease = { commit: string; name: string } | { missing: string }

const runGit = (args: readonly string[]) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

/** Runs git in this clone. Throws when it fails. @returns what it prints */
export const git = (args: readonly string[]): string => {
  const { status, stdout, stderr } = runGit(args)
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Finds the previous release. */
export const findPreviousRelease = (): PreviousRelease => {
  const named = process.env.PREVIOUS_RELEASE
  if (named !== undefined && named !== '')
    return { commit: git(['rev-parse', `${named}^{commit}`]).trim(), name: named }
  const tag = runGit(['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^'])
  if (tag.status === 0) {
    const name = tag.stdout.trim()
    return { commit: git(['rev-parse', `${name}^{commit}`]).trim(), name }
  }
  const [commit = '', name = ''] = readFileSync(join(import.meta.dirname, 'previous-release'), 'utf8')
    .trim()
    .split(' ')
  if (runGit(['cat-file', '-e', `${commit}^{commit}`]).status === 0) return { commit, name }
  return { missing: `this clone has no tag v* and not the commit of ${name}: git fetch --unshallow --tags` }
}

/**
 * Compiles a release into a folder of its own, once. It uses the packages and the web pages of this clone.
 * @returns the folder, for `startGateway`
 */
export const buildRelease = (commit: string): string => {
  const folder = join(root, 'node_modules/.cache/parley-releases', commit)
  if (existsSync(folder)) return folder
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  try {
    // Only the newer releases have rules/.
    const hasRules = runGit(['cat-file', '-e', `${commit}:rules`]).status === 0
    const paths = ['src', ...(hasRules ? ['rules'] : []), 'scripts', 'tsconfig.json', 'package.json']
    const archive = spawnSync('git', ['archive', commit, ...paths], {
      cwd: root,
      maxBuffer: 256 * 1024 * 1024,
    })
    const unpacked = spawnSync('tar', ['-x', '-C', fresh], { input: archive.stdout })
    if (archive.status !== 0 || unpacked.status !== 0)
      throw new Error(`git archive of ${commit} failed: ${archive.stderr}`)
    symlinkSync(join(root, 'node_modules'), join(fresh, 'node_modules'))
    const script = `
      import { spawnSync } from 'node:child_process'
      import { copyMigrations } from './scripts/prepare.mjs'
      const compile = (...args) =>
        spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noCheck', '--noResolve', ...args], {
          stdio: 'inherit',
        })
      compile('-p', 'tsconfig.json', '--rootDir', 'src', '--outDir', 'dist')
      ${hasRules ? "compile('-p', 'rules', '--outDir', 'dist/rules')" : ''}
      copyMigrations('dist')`
    const built = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: fresh, encoding: 'utf8' })
    if (!existsSync(join(fresh, 'dist/gateway.js')))
      throw new Error(`${commit} was not compiled: ${built.stdout}${built.stderr}`)
    for (const pages of ['web', 'reference', 'console'])
      symlinkSync(join(root, 'dist', pages), join(fresh, 'dist', pages))
    renameSync(fresh, folder)
    return folder
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
}
