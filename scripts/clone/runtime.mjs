/**
 * The runtime of the product: a supported Node, and a C library for which uWebSockets.js has a build.
 *
 * 1. Gateways, workers, tests, benches and drills run on a supported runtime only, whatever Node starts a script of
 *    this folder: the script starts itself again on a private Node where the machine's Node or its C library does not
 *    fit.
 * 2. A private Node is in `node_modules/.cache/parley-runtime`. npm checks its hash, apt checks the signatures of the
 *    C library. Nothing is installed on the machine.
 * 3. The run path of the C library is in the private Node itself, and not in a variable: the programs of the machine
 *    that it starts keep the C library of the machine.
 * 4. What cannot work is said before anything is downloaded.
 *
 * It is JavaScript without dependencies for Node 18 and newer, because it runs before packages are installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { findProgram, unpackDebianPackage, unpackedFolder, unpackFromArchive } from '../../src/dev/debian-package.mjs'
import { startedAt, stop, tell } from '../../src/dev/terminal.mjs'
import { runNpm } from './npm.mjs'
import { root } from './root.mjs'

/**
 * The versions of Node that run the product, as package.json states them: uWebSockets.js has a build for them, their
 * makers support them, and Vite and Rolldown load on them.
 */
const SUPPORTED_NODES = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  .engines.node.split(' || ')
  .map((range) => range.slice(1))
/** The oldest Node that can start the scripts. */
const OLDEST_STARTER = 18
/** The oldest C library for which uWebSockets.js has a build. */
const OLDEST_GLIBC = '2.38'

/**
 * The id of the process that started this process. That process runs the same command on the Node of the machine. The
 * id is undefined if no other process started this one. The id is not passed on: programs that this process starts
 * have other starters.
 */
export const starter = process.env.PARLEY_STARTER === undefined ? undefined : Number(process.env.PARLEY_STARTER)
delete process.env.PARLEY_STARTER

/** The archives with a C library that is new enough: Debian 13, and Ubuntu 24.04. */
const archives = {
  debian: {
    keyring: '/usr/share/keyrings/debian-archive-keyring.gpg',
    suite: 'trixie',
    site: () => 'http://deb.debian.org/debian',
    name: 'Debian 13',
  },
  ubuntu: {
    keyring: '/usr/share/keyrings/ubuntu-archive-keyring.gpg',
    suite: 'noble',
    site: (arch) => (arch === 'x64' ? 'http://archive.ubuntu.com/ubuntu' : 'http://ports.ubuntu.com/ubuntu-ports'),
    name: 'Ubuntu 24.04',
  },
}

/** The packages with all libraries that Node and native modules link to. */
const LIBRARY_PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1']

/** What the decision depends on, read from this process and its machine. */
export function describeMachine() {
  const { header } = process.report.getReport()
  const path = process.env.PATH ?? ''
  const release = readRelease()
  const distributions = [release.ID, ...(release.ID_LIKE ?? '').split(' ')]
  const archive = Object.entries(archives).find(
    ([id, { keyring }]) => distributions.includes(id) && existsSync(keyring),
  )?.[1]
  const hasApt = ['apt-get', 'dpkg'].every((name) => findProgram({ path }, name) !== undefined)
  return {
    platform: process.platform,
    arch: process.arch,
    node: process.versions.node,
    /** undefined: another C library, such as musl, or another system */
    glibc: header.glibcVersionRuntime,
    archive: hasApt ? archive : undefined,
    path,
  }
}

/**
 * Decides on which runtime the product runs.
 * @returns `own`: on the Node of this process; `private`: on a private Node, with a private C library if
 *   `needsLibrary`; `impossible`: on none, for a reason that says what to do
 */
export function planRuntime({ platform, arch, node, glibc, archive }) {
  const isSupported = SUPPORTED_NODES.some((oldest) => isSameMajor(node, oldest) && compareVersions(node, oldest) >= 0)
  const nodes = SUPPORTED_NODES.map((oldest) => oldest.replace(/(\.0)+$/, '')).join(' or ')
  const impossible = (reason) => ({ kind: 'impossible', reason })
  const hint = `Run it on a machine with glibc ${OLDEST_GLIBC} or newer, such as Debian 13 or Ubuntu 24.04, or in a container (Dockerfile).`
  if (platform !== 'linux') {
    if (isSupported) return { kind: 'own' }
    return impossible(
      `Parley needs Node ${nodes} on ${platform}; this is Node ${node}. See https://nodejs.org/en/download`,
    )
  }
  if (arch !== 'x64' && arch !== 'arm64') {
    return impossible(`Parley needs a processor of x64 or arm64; this is ${arch}: uWebSockets.js has no build for it.`)
  }
  if (glibc === undefined) {
    return impossible(
      `Parley needs the GNU C library (glibc), which this system does not have: it has musl or another one.\n${hint}`,
    )
  }
  const needsLibrary = compareVersions(glibc, OLDEST_GLIBC) < 0
  if (!needsLibrary && isSupported) return { kind: 'own' }
  if (compareVersions(node, `${OLDEST_STARTER}`) < 0) {
    return impossible(
      `Parley needs Node ${OLDEST_STARTER} or newer to start; this is Node ${node}. See https://nodejs.org/en/download`,
    )
  }
  if (needsLibrary && archive === undefined) {
    return impossible(
      `Parley needs glibc ${OLDEST_GLIBC} or newer; this machine has ${glibc}, and no archive of Debian or Ubuntu (apt-get, dpkg and their keyring) from which a private one could be unpacked.\n${hint}`,
    )
  }
  return { kind: 'private', needsLibrary }
}

/** Stops with the reason, if the product cannot run on this machine. */
export function requirePossibleRuntime() {
  const plan = planRuntime(describeMachine())
  if (plan.kind === 'impossible') stop(plan.reason)
}

/** Whether this process runs on the supported runtime. */
export const isRuntime = () => planRuntime(describeMachine()).kind === 'own'

/**
 * Returns if this process runs on the supported runtime. Otherwise starts the same command on the private Node, and
 * ends with its exit code.
 */
export async function enterRuntime() {
  const machine = describeMachine()
  const plan = planRuntime(machine)
  if (plan.kind === 'impossible') stop(plan.reason)
  if (plan.kind === 'private') await runAgain(providePrivateNode(machine, plan))
}

/** Runs the command of this process on another Node, passes signals on, and ends as it ends. */
async function runAgain(node) {
  const env = {
    ...process.env,
    PATH: [dirname(node), process.env.PATH].filter(Boolean).join(delimiter),
    PARLEY_STARTER: String(process.pid),
    PARLEY_STARTED_AT: String(startedAt),
  }
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends SIGINT to both processes. A second one would end the child before it has stopped everything.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (...end) => resolve(end))
  })
  process.exit(code ?? 128 + constants.signals[signal])
}

/** The folder of a private Node that has no C library of its own yet; undefined: none was fetched. */
let fetched

/**
 * Returns the Node on which npm installs the packages of the root. Returns that of this process, if its version is
 * supported. Otherwise it fetches the private Node, which does not need the private C library for this. It is outside
 * of node_modules, because npm removes all that is there.
 */
export function provideInstaller() {
  const machine = describeMachine()
  if (planRuntime({ ...machine, glibc: OLDEST_GLIBC }).kind === 'own') return process.execPath
  announce(machine)
  removeUnfinished(root, '.runtime')
  const folder = join(root, `.runtime.${process.pid}`)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  fetchNode(machine.arch, folder)
  fetched = folder
  return join(folder, 'bin/node')
}

/** Returns the file of the private Node, which it downloads if there is none that works. */
function providePrivateNode(machine, { needsLibrary }) {
  const cache = join(root, 'node_modules/.cache/parley-runtime')
  const version = privateNodeVersion(machine.arch)
  const name = needsLibrary ? `node-${version}-${machine.archive.suite}` : `node-${version}`
  const node = join(cache, name, 'bin/node')
  if (works(node, version)) {
    tell(`Running on the private ${nameRuntime(machine)}`)
    return node
  }
  const fresh = join(cache, `${name}.${process.pid}`)
  removeUnfinished(cache, name)
  mkdirSync(cache, { recursive: true })
  if (fetched === undefined) {
    announce(machine)
    fetchNode(machine.arch, fresh)
  } else {
    renameSync(fetched, fresh)
  }
  if (needsLibrary) linkToPrivateLibrary(machine, fresh, join(cache, name))
  rmSync(join(cache, name), { recursive: true, force: true })
  renameSync(fresh, join(cache, name))
  if (!works(node, version)) stop(`The private Node does not run: ${node}`)
  return node
}

const announce = (machine) =>
  tell(`Bringing ${nameRuntime(machine)} (into node_modules/.cache; nothing is installed on the machine)`)

/** Names the private runtime, and why the machine needs it. */
function nameRuntime(machine) {
  const { needsLibrary } = planRuntime(machine)
  const library = needsLibrary ? ` and the C library of ${machine.archive.name}` : ''
  const has = `this machine has Node ${machine.node}${needsLibrary ? ` and glibc ${machine.glibc}` : ''}`
  return `Node ${privateNodeVersion(machine.arch)}${library}: ${has}`
}

/** Removes what earlier commands left when they failed or were stopped. Its name ends with the process id. */
function removeUnfinished(cache, name) {
  if (!existsSync(cache)) return
  for (const folder of readdirSync(cache).filter((each) => each.startsWith(`${name}.`))) {
    if (!isAlive(Number(folder.slice(name.length + 1)))) rmSync(join(cache, folder), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The interpreter of a private Node is an absolute path, so it does not run after its folder was moved. */
const works = (node, version) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`

const packageFolder = join(root, 'scripts/runtime')

const privateNodeVersion = (arch) =>
  JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).optionalDependencies[`node-linux-${arch}`]

/** Installs the package with the Node binary into a folder of its own, and keeps the binary. */
function fetchNode(arch, folder) {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(packageFolder, file), join(folder, file))
  const isFetched = runNpm(['ci', '--include=optional'], folder)
  const binary = join(folder, `node_modules/node-linux-${arch}/bin/node`)
  if (!isFetched || !existsSync(binary)) {
    stop('Node could not be fetched from the npm registry (npm ci). It needs the network and about 200 MB. Try again.')
  }
  renameSync(binary, join(folder, 'bin/node'))
  rmSync(join(folder, 'node_modules'), { recursive: true })
}

/** Unpacks the C library into the folder of a private Node, and makes this Node load it (3). */
function linkToPrivateLibrary({ arch, archive, path }, folder, finalFolder) {
  const search = (name) => ({ path, cache: join(folder, name) })
  // The mirror of the machine can be the only one that it reaches, or lack the newer release.
  const sites = [...new Set([findMirror(path), archive.site(arch)])].filter(Boolean)
  let unpacked
  for (const site of sites) {
    const source = { keyring: archive.keyring, site, suite: archive.suite }
    unpacked ??= unpackFromArchive(search('library'), [source], LIBRARY_PACKAGES, () => {})
  }
  // patchelf 0.18, that of Debian 13, writes a program that crashes. The machine's own release has an older one.
  const tool = unpackDebianPackage(search('patchelf'), 'patchelf', () => {})
  if (unpacked === undefined || tool === undefined) {
    const log = readFileSync(join(folder, unpacked === undefined ? 'library' : 'patchelf', 'apt.log'), 'utf8')
    stop(
      `The C library of ${archive.name} could not be unpacked from ${sites.join(' or ')}. Try again, or run Parley on a machine with glibc ${OLDEST_GLIBC} or newer. What apt-get said:\n${log.trimEnd().split('\n').slice(-6).join('\n')}`,
    )
  }
  const libraries = `usr/lib/${arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`
  mkdirSync(join(folder, 'lib'))
  for (const file of readdirSync(join(unpacked, libraries), { withFileTypes: true })) {
    // `copyFileSync` follows the links among them.
    if (file.name.includes('.so')) copyFileSync(join(unpacked, libraries, file.name), join(folder, 'lib', file.name))
  }
  const loader = readdirSync(join(folder, 'lib')).find((name) => name.startsWith('ld-linux'))
  const change = [
    '--set-interpreter',
    join(finalFolder, 'lib', loader),
    '--force-rpath',
    '--set-rpath',
    '$ORIGIN/../lib',
  ]
  const changed = spawnSync(join(tool, 'usr/bin/patchelf'), [...change, join(folder, 'bin/node')], { encoding: 'utf8' })
  if (changed.status !== 0) stop(`The private Node could not be linked to its C library: ${changed.stderr}`)
  for (const name of ['library', 'patchelf']) rmSync(dirname(unpackedFolder(join(folder, name))), { recursive: true })
}

/** The mirror of the distribution that this machine uses; undefined: none is configured. */
function findMirror(path) {
  const format = ['indextargets', '--format', '$(REPO_URI) $(RELEASE)', 'Identifier: Packages']
  const { stdout } = spawnSync(findProgram({ path }, 'apt-get'), format, { encoding: 'utf8' })
  const { VERSION_CODENAME } = readRelease()
  const targets = (stdout ?? '').split('\n').map((line) => line.split(' '))
  return targets.find(([site, suite]) => site?.startsWith('http') && suite === VERSION_CODENAME)?.[0]
}

/** The fields of /etc/os-release. */
function readRelease() {
  const file = '/etc/os-release'
  if (!existsSync(file)) return {}
  const lines = readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)="?(.*?)"?$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]))
}

const isSameMajor = (one, other) => one.split('.')[0] === other.split('.')[0]

/** Compares majors, then minors. @returns below 0, 0 or above 0, as for `sort` */
function compareVersions(one, other) {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  return a[0] - b[0] || (a[1] ?? 0) - (b[1] ?? 0)
}
