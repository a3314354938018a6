/**
 * Who a Postgres server runs as. It refuses to run as root; as anybody else it runs as ourselves.
 *
 * A root shell is what a container gives, so this must work: the server then runs as the owner of its folder, which
 * at first is `nobody`, an account that every system has. Where a clone lies in a folder that only root may enter
 * (/root), the account gets one capability of root's, passing such folders; without `setpriv` that cannot be given.
 */
import { type SpawnOptions, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from './failure.js'

export interface ServerAccount {
  /** The account's ids, when they are not our own. */
  owner?: { uid: number; gid: number }
  /** How to spawn a program as this account. */
  run(
    program: string,
    args: string[],
  ): { command: string; args: string[]; options: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'> }
}

const NOBODY = { uid: 65534, gid: 65534 }

/** The account for a server that keeps `data` in `folder` and whose programs are in `bin`. */
export function accountFor(folder: string, data: string, bin: string): ServerAccount {
  // Our own working folder may be one that the account cannot enter.
  const cwd = folder
  if (process.getuid?.() !== 0) return { run: (command, args) => ({ command, args, options: { cwd } }) }

  const owner = ownerOf(data) ?? NOBODY
  if (mayEnter(folder) && mayEnter(bin)) {
    return { owner, run: (command, args) => ({ command, args, options: { ...owner, cwd } }) }
  }
  const pass = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // Else access(2), by which initdb looks for its programs, would leave the capability out.
    '--securebits=+no_setuid_fixup',
  ]
  if (spawnSync('setpriv', [...pass, 'true']).status !== 0) {
    throw new Failure(
      `Postgres does not run as root, and other accounts may not enter ${folder} or ${bin}.\nMove the clone out of this folder (for example to /srv), or start as an ordinary user.`,
    )
  }
  return {
    owner,
    run: (program, args) => ({ command: 'setpriv', args: [...pass, program, ...args], options: { cwd } }),
  }
}

function ownerOf(path: string): ServerAccount['owner'] | undefined {
  if (!existsSync(path)) return undefined
  const { uid, gid } = statSync(path)
  return uid === 0 ? undefined : { uid, gid }
}

/** Whether every folder on the way lets anybody pass. */
function mayEnter(path: string): boolean {
  const passes = (statSync(path).mode & 0o001) !== 0
  return passes && (dirname(path) === path || mayEnter(dirname(path)))
}
