/** Go programs, built with the `go` command of this machine into the cache. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../src/dev/debian-package.mjs'
import { cacheFolder, Unavailable } from './peer.js'
import { runCommand } from './programs.js'

/**
 * Builds a program, if the cache does not have it.
 * @param version the folder of the build, so that another version is built anew
 * @param build   the arguments of `go`, and the folder in which it runs
 * @throws Unavailable when there is no `go`, or it cannot have the modules
 */
export const buildGoProgram = (
  program: { name: string; version: string },
  build: { args: string[]; cwd?: string },
  tell: (line: string) => void,
): void => {
  const file = goProgramFile(program)
  if (existsSync(file)) return
  const go = findProgram({ path: process.env.PATH ?? '' }, 'go')
  if (go === undefined) throw new Unavailable('this machine has no `go`')
  const folder = join(file, '..')
  mkdirSync(folder, { recursive: true })
  tell(`  Building ${program.name} ${program.version}`)
  runCommand(go, build.args, { cwd: build.cwd ?? folder, env: { GOBIN: folder } })
}

/** The file of a program that was built. */
export const goProgramFile = ({ name, version }: { name: string; version: string }): string =>
  join(cacheFolder(name), version, name)
