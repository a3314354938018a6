/**
 * Machines with nothing on them, on which a test carries out a document: root folders in namespaces of their own, with
 * the programs of this machine and no service, network or file of it. What runs there ends with the test.
 *
 * Nothing but seven programs and files is replaced:
 *
 * 1. `apt-get` puts programs that the tests have at the places of the packages.
 * 2. `systemctl` starts what unit files say, without systemd.
 * 3. `certbot` has a certificate signed by an authority that the machine trusts.
 * 4. `curl` gets files of nodejs.org from here: the Node that runs the tests.
 * 5. /etc/hosts has the names of machines and sites, in place of DNS. All machines have one network, and use it by
 *    different addresses.
 * 6. `scp` copies from the folder of the other machine.
 * 7. `sleep` lasts 0.2 seconds, and in place of 15 it deletes the key in Redis whose end is waited for
 *    (store/deployment/redis-claim.ts).
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { findProgram } from '../../../src/dev/debian-package.mjs'
import { findRedis } from '../../../src/dev/find-redis.js'
import { openProcessGroup } from '../../../src/dev/process-group.js'
import { stages } from '../../../src/dev/processes.js'
import { root } from '../../../src/dev/root.js'
import { REDIS_CACHE } from '../../../src/dev/services.js'
import { findHaproxy, findNginx } from '../proxies/proxies.js'
import { findPostgresPrograms } from './postgres-programs.js'
import { openShell, type Shell } from './scratch-shell.js'

/** Machines by name. */
export interface ScratchMachines extends AsyncDisposable {
  /** A folder of this machine that all machines have as /substitutes. */
  shared: string
  /** Runs commands in the shell of a machine, which keeps its variables. @returns what they printed */
  run(machine: string, commands: string): Promise<string>
}

/** What the machines are made with, or why this machine can have none. */
export type ScratchPrograms = { programs: object } | { missing: string }

/** Finds everything that the machines need. */
export const findScratchPrograms = (): ScratchPrograms => {
  const path = `${process.env.PATH}:/usr/sbin:/sbin`
  for (const name of ['unshare', 'nsenter', 'ip', 'useradd', 'runuser', 'setpriv', 'curl', 'openssl']) {
    if (findProgram({ path }, name) === undefined) return { missing: `there is no ${name}` }
  }
  const attempt = `mount -t tmpfs x /mnt && cd /mnt && mkdir u w r && mount -t overlay x -o lowerdir=/,upperdir=u,workdir=w r`
  const namespaces = ['--mount', '--net', '--pid', '--fork']
  if (spawnSync('unshare', [...namespaces, 'sh', '-c', attempt]).status !== 0) {
    return { missing: 'this account may not make namespaces with a root folder of their own' }
  }
  const postgres = findPostgresPrograms()
  if ('missing' in postgres) return postgres
  const [nginx, haproxy] = [findNginx(), findHaproxy()]
  if (nginx === undefined || haproxy === undefined) return { missing: 'there is no nginx or HAProxy' }
  const redis = findRedis({ path: process.env.PATH ?? '', cache: REDIS_CACHE, tell() {} })
  const { stdout } = spawnSync(join(postgres.bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  const [, major] = / (\d+)/.exec(stdout ?? '') ?? []
  if (major === undefined) return { missing: 'the package of pg_dump has no server' }
  return { programs: { postgres: { ...postgres, major }, redis, nginx, haproxy } }
}

/** Makes the download of nodejs.org from the Node of this process. */
const makeNodeArchive = (folder: string, version: string): string => {
  const name = `node-${version}-linux-x64`
  const unpacked = join(folder, name)
  mkdirSync(join(unpacked, 'bin'), { recursive: true })
  const node = join(unpacked, 'bin/node')
  try {
    linkSync(process.execPath, node)
  } catch {
    cpSync(process.execPath, node)
  }
  // A private Node has its C library beside it.
  const library = join(dirname(process.execPath), '../lib/libc.so.6')
  if (existsSync(library)) cpSync(dirname(library), join(unpacked, 'lib'), { recursive: true })
  // tar recognizes an archive by its content: this one is not compressed.
  spawnSync('tar', ['-cf', join(folder, `${name}.tar.xz`), '-C', folder, name])
  const hash = createHash('sha256').update(readFileSync(join(folder, `${name}.tar.xz`)))
  writeFileSync(join(folder, 'SHASUMS256.txt'), `${hash.digest('hex')}  ${name}.tar.xz\n`)
  return `/substitutes/downloads/${name}/bin/node`
}

/** Writes the programs that replace others, into a folder that all machines have as /substitutes. */
const writeSubstitutes = (folder: string, programs: object, nodeVersion: string): void => {
  const bin = join(folder, 'bin')
  cpSync(join(root, 'test/deploy/substitutes'), folder, { recursive: true })
  mkdirSync(bin)
  const node = makeNodeArchive(join(folder, 'downloads'), nodeVersion)
  writeFileSync(join(folder, 'programs.json'), JSON.stringify(programs))
  const scripts: Record<string, string> = {
    curl: `for last; do :; done
case "$last" in
  https://nodejs.org/dist/*) ln -s "/substitutes/downloads/\${last##*/}" . ;;
  *) exec /usr/bin/curl "$@" ;;
esac`,
    sleep: `[ "$1" = 15 ] || exec /usr/bin/sleep 0.2
password=$(sed -n 's/^requirepass //p' /etc/redis/redis.conf)
exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/6379; printf "AUTH %s\\r\\nDEL parley:deployment:live\\r\\n" "$0" >&3; head -n 2 <&3' "$password"`,
    scp: `exec cp "/machines/\${1%%:*}\${1#*:}" "$2"`,
  }
  for (const name of ['apt-get', 'systemctl', 'certbot']) scripts[name] = `exec ${node} /substitutes/${name}.mjs "$@"`
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
}

/** The first process of the namespaces: it makes the root folders, and ends with everything in them. */
const composeFirstProcess = (folder: string, machines: readonly string[], site: string): string => `
set -eu
ip link set lo up
cd ${folder}
mkdir machines
mount -t tmpfs machines machines
number=0
addresses=
for name in ${machines.join(' ')}; do
  here=${folder}/machines/$name
  mkdir -p $here/upper $here/work $here/root
  mount -t overlay overlay -o lowerdir=/,upperdir=$here/upper,workdir=$here/work $here/root
  cd $here/root
  # Accounts of the services can reach the programs of this clone.
  way=.; for part in $(echo ${root} | tr / ' '); do way=$way/$part; mkdir -p $way; chmod o+x $way; done
  [ -e .${root}/package.json ] || mount --rbind ${root} .${root}
  for each in opt root run usr/local var/log; do mount -t tmpfs tmpfs $each; done
  mkdir -p usr/local/bin usr/local/sbin run/lock
  rm -rf etc/postgresql etc/nginx etc/redis etc/haproxy etc/letsencrypt etc/parley
  rm -rf var/lib/postgresql var/lib/nginx var/lib/redis var/lib/parley
  mkdir -p substitutes machines
  mount --bind ${folder}/substitutes substitutes
  cp substitutes/bin/* usr/local/sbin/
  rm -f etc/hosts
  address=127.0.1.$((number += 1))
  [ $number -gt 1 ] || address=127.0.0.1
  echo "$address localhost $name" > etc/hosts
  addresses="$addresses$address $name\n"
  mount -t proc proc proc
  mount --rbind /dev dev
done
cd ${folder}
for name in ${machines.join(' ')}; do
  printf "${'$'}{addresses}127.0.0.1 ${site}\n" >> machines/$name/root/etc/hosts
  for other in ${machines.join(' ')}; do
    mkdir -p machines/$name/root/machines/$other/root
    mount --bind machines/$other/root/root machines/$name/root/machines/$other/root
  done
done
echo ready
# It collects the processes whose parents have ended.
while :; do sleep 3600 & wait $!; done
`

/** What the machines have. */
interface ScratchOptions {
  machines: readonly string[]
  /** the host name of the first machine for its users */
  site: string
  /** the version of Node that nodejs.org has */
  nodeVersion: string
}

/** Makes machines. Those whose services the others use by `localhost` are the first one. */
export const openScratchMachines = async (
  { programs }: { programs: object },
  { machines, site, nodeVersion }: ScratchOptions,
): Promise<ScratchMachines> => {
  const folder = join(inject('log_folder'), `scratch-machines-${process.pid}`)
  const shared = join(folder, 'substitutes')
  mkdirSync(folder, { recursive: true })
  writeSubstitutes(shared, programs, nodeVersion)
  const group = openProcessGroup(() => {})
  const first = group.start(
    { name: 'scratch machines', signal: 'SIGKILL', stage: stages.store },
    'unshare',
    ['--mount', '--net', '--pid', '--fork', '--kill-child', 'bash', '-c', composeFirstProcess(folder, machines, site)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await Promise.race([
    once(first.stdout as NodeJS.ReadableStream, 'data'),
    once(first, 'exit').then(() => Promise.reject(new Error('The scratch machines could not be made'))),
  ])
  const inside = readFileSync(`/proc/${first.pid}/task/${first.pid}/children`, 'utf8').trim()
  const shells = new Map<string, Shell>()
  const rootOf = (name: string) => join(folder, 'machines', name, 'root')
  const readAllLogs = () =>
    machines.map((name) => readLogs(name, `/proc/${inside}/root${rootOf(name)}/var/log`)).join('')
  for (const name of machines) {
    const enter = ['--target', inside, '--mount', '--net', '--pid', 'chroot', rootOf(name)]
    shells.set(name, openShell(enter, join(shared, name), readAllLogs))
  }
  return {
    shared,
    run: (machine, commands) => (shells.get(machine) as Shell)(commands),
    async [Symbol.asyncDispose]() {
      await group.stop()
    },
  }
}

/** The ends of the logs of services on a machine. */
const readLogs = (machine: string, folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n').slice(-5)
      return `${machine} ${name}:\n${lines.join('\n')}\n`
    })
    .join('')
