/**
 * The system account under which Postgres runs: that of this process, except for root, which Postgres refuses.
 *
 * Containers give a root shell, so root must work: Postgres then runs as the owner of its data folder, which at first
 * is `nobody`, an account that every system has. If the clone is in a folder that only root can enter (/root), the
 * server gets one capability of root, CAP_DAC_OVERRIDE, to pass that folder. This needs the program `setpriv`.
 */
import { type SpawnOptions, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from './failure.js'

export interface ServerAccount {
  /** The account's ids, if it is not that of this process. */
  owner?: { uid: number; gid: number }
  /** Builds the command that runs a program as this account. */
  run(
    program: string,
    args: string[],
  ): { command: string; args: string[]; options: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'> }
}

const NOBODY = { uid: 65534, gid: 65534 }

/**
 * Chooses the account for a server. The data of the server is `data` in `folder`, and its programs are in `bin`. Throws
 * a Failure when no account may enter both.
 */
export function chooseServerAccount(folder: string, data: string, bin: string): ServerAccount {
  // The account may have no access to the working folder of this process.
  const cwd = folder
  if (process.getuid?.() !== 0) return { run: (command, args) => ({ command, args, options: { cwd } }) }

  const owner = readOwner(data) ?? NOBODY
  if (canEnter(folder) && canEnter(bin)) {
    return { owner, run: (command, args) => ({ command, args, options: { ...owner, cwd } }) }
  }
  const privileges = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // Without this, access(2), with which initdb finds its programs, ignores the capability.
    '--securebits=+no_setuid_fixup',
  ]
  if (spawnSync('setpriv', [...privileges, 'true']).status !== 0) {
    throw new Failure(
      `Postgres does not run as root, and other accounts may not enter ${folder} or ${bin}.\nMove the clone out of this folder (for example to /srv), or start as an ordinary user.`,
    )
  }
  return {
    owner,
    run: (program, args) => ({ command: 'setpriv', args: [...privileges, program, ...args], options: { cwd } }),
  }
}

function readOwner(path: string): ServerAccount['owner'] | undefined {
  if (!existsSync(path)) return undefined
  const { uid, gid } = statSync(path)
  return uid === 0 ? undefined : { uid, gid }
}

/** Whether every account can enter the folder: each folder of its path has the execute permission for others. */
function canEnter(path: string): boolean {
  const isOpen = (statSync(path).mode & 0o001) !== 0
  return isOpen && (dirname(path) === path || canEnter(dirname(path)))
}
