/**
 * systemctl on a scratch machine: starts and stops what the unit files say, without what the kernel would do for them
 * (sandboxes, limits). The services of packages are written down here. A drain has no notice: no load balancer needs
 * one here.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const UNITS = '/etc/systemd/system'
const STATE = '/run/units'
const programs = JSON.parse(readFileSync('/substitutes/programs.json', 'utf8'))

/** The statements of a unit file, of which each can be given several times. */
const readUnit = (unit) => {
  const [, template, instance = ''] = /^([^@]+@?)(.*)$/.exec(unit)
  const file = `${UNITS}/${template}.service`
  if (!existsSync(file)) throw new Error(`Unit ${unit}.service not found.`)
  const statements = {}
  for (const [, name, value] of readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm)) {
    statements[name] = [...(statements[name] ?? []), value.replaceAll('%i', instance)]
  }
  return statements
}

/** The variables of a file, as systemd reads it. */
const readVariables = (file) =>
  Object.fromEntries([...readFileSync(file, 'utf8').matchAll(/^([A-Za-z_]\w*)=(.*)$/gm)].map(([, ...pair]) => pair))

const asAccount = (name, group, command) => [
  'setpriv',
  `--reuid=${name}`,
  `--regid=${group ?? name}`,
  '--init-groups',
  '--no-new-privs',
  ...command,
]

/** What a unit starts: its command, its environment, and whether it is ready. */
const describe = (unit) => {
  if (unit === 'postgresql') {
    const { major, bin } = programs.postgres
    const data = `/var/lib/postgresql/${major}/main`
    const command = [`${bin}/postgres`, '-D', data, '-c', `config_file=/etc/postgresql/${major}/main/postgresql.conf`]
    // SIGINT: the fast shutdown, as pg_ctlcluster asks for.
    const isReady = (pid) => {
      const lines = existsSync(`${data}/postmaster.pid`)
        ? readFileSync(`${data}/postmaster.pid`, 'utf8').split('\n')
        : []
      return Number(lines[0]) === pid && ['ready', 'standby'].includes(lines[7]?.trim())
    }
    // Its module for standbys finds the library of this release, and not that of the machine.
    const env = { LD_LIBRARY_PATH: `${bin}/../lib` }
    return { command: asAccount('postgres', undefined, command), env, signal: 'SIGINT', isReady }
  }
  if (unit === 'redis-server') {
    const command = asAccount('redis', undefined, ['redis-server', '/etc/redis/redis.conf'])
    return { command, env: {}, isReady: () => isListening(6379) }
  }
  if (unit === 'nginx') return { command: ['nginx', '-g', 'daemon off;'], env: {}, isReady: () => isListening(80) }
  if (unit === 'haproxy') {
    const command = ['haproxy', '-W', '-db', '-f', '/etc/haproxy/haproxy.cfg']
    return { command, env: {}, reload: 'SIGUSR2', isReady: () => isListening(443) }
  }
  const read = readUnit(unit)
  const [account] = read.User
  for (const name of read.StateDirectory ?? []) {
    spawnSync('install', ['-d', '-o', account, '-g', read.Group[0], '-m', '0755', `/var/lib/${name}`])
  }
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', DRAIN_NOTICE_MS: '0' }
  for (const line of read.Environment ?? []) {
    for (const part of line.split(' ')) env[part.split('=')[0]] = part.split('=').slice(1).join('=')
  }
  for (const file of read.EnvironmentFile ?? []) Object.assign(env, readVariables(file))
  const command = ['sh', '-c', `umask ${read.UMask}; exec ${read.ExecStart[0]}`]
  return {
    command: asAccount(account, read.Group[0], command),
    env,
    cwd: read.WorkingDirectory[0],
    wants: read.Wants?.flatMap((line) => line.split(' ')) ?? [],
    isOneshot: read.Type?.[0] === 'oneshot',
    isReady: () => true,
  }
}

const isListening = (port) => {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return new RegExp(`^ *\\d+: [0-9A-F]+:${hex} [0-9A-F:]+ 0A`, 'm').test(readFileSync('/proc/net/tcp', 'utf8'))
}

/** Empty: the process has ended, which it can also do between a look and a read. */
const readStat = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return ''
  }
}

const pidOf = (unit) => {
  const file = `${STATE}/${unit}`
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
  const stat = pid === undefined ? '' : readStat(pid)
  return stat === '' || /\) [ZX] /.test(stat) ? undefined : pid
}

const waitUntil = async (what, isDone) => {
  for (const end = Date.now() + 60_000; !isDone(); await sleep(20)) {
    if (Date.now() > end) throw new Error(`Timeout: ${what}`)
  }
}

/** One command starts each unit once, also if several others want it. */
const starting = new Map()
const start = (unit) => {
  if (!starting.has(unit)) starting.set(unit, startOnce(unit))
  return starting.get(unit)
}

const startOnce = async (unit) => {
  if (pidOf(unit) !== undefined) return
  const { command, env, cwd = '/', wants = [], isOneshot, isReady } = describe(unit)
  for (const wanted of wants.map((name) => name.replace('.service', ''))) {
    if (existsSync(`${UNITS}/${wanted}.service`)) await start(wanted)
  }
  const log = openSync(`/var/log/${unit}.log`, 'a')
  const options = { cwd, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', log, log] }
  if (isOneshot) {
    const { status } = spawnSync(command[0], command.slice(1), options)
    if (status !== 0) throw new Error(`${unit}: ${readFileSync(`/var/log/${unit}.log`, 'utf8')}`)
    return
  }
  const child = spawn(command[0], command.slice(1), { ...options, detached: true })
  child.unref()
  writeFileSync(`${STATE}/${unit}`, String(child.pid))
  await waitUntil(`${unit} starts`, () => {
    if (pidOf(unit) === undefined) throw new Error(`${unit}: ${readFileSync(`/var/log/${unit}.log`, 'utf8')}`)
    return isReady(child.pid)
  })
}

const stop = async (unit) => {
  const pid = pidOf(unit)
  if (pid === undefined) return
  process.kill(pid, describe(unit).signal ?? 'SIGTERM')
  await waitUntil(`${unit} stops`, () => pidOf(unit) === undefined)
  rmSync(`${STATE}/${unit}`)
}

const actions = {
  start,
  stop,
  async restart(unit) {
    await stop(unit)
    await start(unit)
  },
  async reload(unit) {
    process.kill(pidOf(unit), describe(unit).reload ?? 'SIGHUP')
    // nginx and Postgres say nothing when they have read their files.
    await sleep(300)
  },
  enable: async () => {},
  disable: async () => {},
}

mkdirSync(STATE, { recursive: true })
const [action, ...given] = process.argv.slice(2)
const isNow = given.includes('--now')
const names = given
  .filter((name) => !name.startsWith('--'))
  .flatMap((name) => {
    if (!name.endsWith('*')) return [name]
    return readdirSync(STATE).filter((unit) => unit.startsWith(name.slice(0, -1)))
  })
if (action !== 'daemon-reload') {
  await Promise.all(
    names.map(async (name) => {
      await actions[action](name)
      if (isNow) await actions[action === 'enable' ? 'start' : 'stop'](name)
    }),
  )
}
