/**
 * What the shipped files start, as far as a machine without Docker can run it: a cluster of Postgres with the arguments
 * of compose.yaml, the folder of the image as the steps of the Dockerfile make it, and in it the migration, a gateway
 * and a worker with the environment of compose.yaml.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
// @ts-expect-error A script, without types.
import { listProductionPackages } from '../../scripts/release/archive.mjs'
import { startApplication } from '../../src/dev/application.js'
import { preparePostgres } from '../../src/dev/postgres.js'
import { openProcessGroup } from '../../src/dev/process-group.js'
import { root } from '../../src/dev/root.js'
import { openSql } from '../../src/store/sql.js'
import { startRedis } from '../setup/processes/processes.js'

const folder = (name: string) => join(inject('log_folder'), `${name}-${process.pid}`)

/** The text of all files in deploy/. */
const readShipped = () =>
  readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))

/** Starts a new cluster with arguments of initdb. */
const startCluster = async (initdb: string) => {
  const group = openProcessGroup(() => {})
  const service = await preparePostgres(group, folder('shipped-postgres'), false, initdb.split(/\s+/))
  const running = await service.start()
  onTestFinished(async () => {
    running.child.kill('SIGINT')
    await running.ended
  })
  return service.url
}

/** Makes the folder /app of the image, with hard links in place of copies. */
const makeImage = (): string => {
  const image = folder('image')
  mkdirSync(join(image, 'scripts'), { recursive: true })
  // npm ci --omit=dev
  const packages: string[] = listProductionPackages(root)
  const run = (command: string, args: string[], cwd: string) => {
    const done = spawnSync(command, args, { cwd, encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`${command} ${args[0]}: ${done.stderr}`)
  }
  run('cp', ['-al', '--parents', 'dist', ...packages, image], root)
  rmSync(join(image, 'dist/dev'), { recursive: true })
  cpSync(join(root, 'package.json'), join(image, 'package.json'))
  const [, scripts = ''] = /^COPY (scripts\/.*) scripts\/$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  for (const script of scripts.split(' ')) cpSync(join(root, script), join(image, script))
  for (const name of ['prune-uwebsockets.mjs', 'check-uwebsockets.mjs']) {
    run(process.execPath, [`scripts/${name}`], image)
  }
  return image
}

/** The variables that the Dockerfile sets. */
const readImageVariables = (): Record<string, string> => {
  const [, line = ''] = /^ENV (.*)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  return Object.fromEntries(line.split(' ').map((part) => part.split('=') as [string, string]))
}

interface Compose {
  services: Record<string, { environment: Record<string, string>; command: string[]; entrypoint?: string[] }>
}

const compose = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true }) as Compose

/** Puts values in the place of `${NAME:-default}` and of the other forms of compose files. */
const substitute = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)(:?[-?])([^}]*)\}/g, (_, name: string, form: string, rest: string) => {
    const value = values[name]
    if (value !== undefined) return value
    return form.endsWith('-') ? rest : ''
  })

test('Postgres, the migration, a gateway and a worker start as compose.yaml and the Dockerfile say.', {
  timeout: 120_000,
}, async () => {
  const args = readShipped().flatMap((text) =>
    [...text.matchAll(/POSTGRES_INITDB_ARGS: (.*)/g)].map(([, all]) => all ?? ''),
  )
  expect(args).toHaveLength(1)
  const url = new URL(await startCluster(args[0] ?? ''))
  const sql = openSql(url.href, 1)
  onTestFinished(() => sql.end({ timeout: 1 }))
  expect(await sql`select current_setting('server_encoding') as encoding, lower('ÉI') as small`).toMatchObject([
    { encoding: 'UTF8', small: 'éi' },
  ])

  const redis = await startRedis()
  onTestFinished(() => redis.kill())
  const image = makeImage()
  onTestFinished(() => rmSync(image, { recursive: true }))
  const values = { POSTGRES_PASSWORD: url.password, REDIS_PASSWORD: 'unused', SECRET_KEY: inject('secret_key') }
  const readVariables = (service: string) => {
    const given = Object.entries(compose.services[service]?.environment ?? {})
    const filled = Object.fromEntries(given.map(([name, value]) => [name, substitute(String(value), values)]))
    const DATABASE_URL = filled.DATABASE_URL?.replace('@postgres:5432', `@${url.host}`) ?? ''
    expect(DATABASE_URL).toBe(url.href)
    return {
      ...{ PATH: process.env.PATH ?? '', ...readImageVariables(), ...filled, DATABASE_URL, REDIS_URL: redis.url },
      ...{ HOST: '127.0.0.1', PORT: '0', OPERATIONS_PORT: '0' },
      ...{ UPLOADS_DIR: join(image, 'uploads'), MAIL_OUTBOX: join(image, 'outbox') },
    }
  }
  const migrate = compose.services.migrate
  const [, program = '', ...more] = [...(migrate?.entrypoint ?? []), ...(migrate?.command ?? [])]
  const migrated = spawnSync(process.execPath, [program, ...more], {
    cwd: image,
    env: readVariables('migrate'),
    encoding: 'utf8',
  })
  expect([migrated.status, migrated.stderr]).toEqual([0, ''])

  const group = openProcessGroup(() => {})
  for (const kind of ['gateway', 'worker'] as const) {
    const { command } = compose.services[kind] ?? {}
    expect(command?.at(-1)).toBe(`dist/${kind}.js`)
    const logFile = join(inject('log_folder'), `shipped-${kind}-${process.pid}.log`)
    const spec = { kind, name: `shipped ${kind}`, env: readVariables(kind), logFile, clone: image }
    const { child, ended, operationsPort, pid } = await startApplication(group, spec)
    const options = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, -2)
    expect(options.filter((option) => !option.startsWith('/'))).toEqual(command?.slice(1, -1))
    const readHealth = async () => (await fetch(`http://127.0.0.1:${operationsPort}/health/ready`)).json()
    await expect.poll(readHealth).toMatchObject({ isReady: true })
    child.kill('SIGTERM')
    expect(await ended).toBe('exit code 0')
  }
})
