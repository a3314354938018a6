/**
 * A Postgres primary with a synchronous standby, as real servers: the primary confirms a commit when the standby has it
 * on disk. Clients and the standby reach each server over a link that can be cut.
 *
 * The standby is made with the low-level API of base backups, so that the drill needs the server's own programs only.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { preparePostgres } from '../../src/dev/postgres.js'
import { openProcessGroup } from '../../src/dev/process-group.js'
import type { RunningServer } from '../../src/dev/server.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { type Link, openLink } from './link.js'

export interface PairServer {
  /** The address of the server itself, past the link. */
  url: string
  link: Link
  /** A pool of connections past the link. */
  sql: Sql
  kill(): Promise<void>
}

export interface PostgresPair extends AsyncDisposable {
  /** The URL with both servers. */
  url: string
  servers: [PairServer, PairServer]
  /** Makes a standby of this server the primary. Resolves when it accepts writes. */
  promote(server: PairServer): Promise<void>
  /** Makes `server`, which was stopped, a synchronous standby of `primary`, from a new base backup. */
  rejoin(server: PairServer, primary: PairServer): Promise<void>
}

interface FullServer extends PairServer {
  folder: string
  start(): Promise<void>
}

let count = 0

/** `expect.poll` works inside of tests only. */
const waitUntil = async (isTrue: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 20_000
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('a Postgres server of the pair did not get ready within 20 s')
    await sleep(50)
  }
}

/** Starts the primary, which is the first server, and its standby. */
export const startPostgresPair = async (): Promise<PostgresPair> => {
  const group = openProcessGroup(() => {})
  const base = join(inject('log_folder'), `postgres-pair-${process.pid}-${++count}`)

  const prepare = async (folder: string): Promise<FullServer> => {
    const service = await preparePostgres(group, folder, true)
    let running: RunningServer | undefined
    return {
      url: service.url,
      link: await openLink(Number(new URL(service.url).port)),
      sql: openSql(service.url, 3),
      folder,
      async start() {
        await waitUntil(async () => {
          running = await service.start().catch(() => undefined)
          return running !== undefined
        })
      },
      async kill() {
        running?.child.kill('SIGKILL')
        await running?.ended
      },
    }
  }

  /** Copies the data of the primary while it runs, and starts the copy. */
  const startStandby = async (standby: FullServer, primary: FullServer) => {
    const [from, to] = [join(primary.folder, 'data'), join(standby.folder, 'data')]
    const connection = await primary.sql.reserve()
    await connection`select pg_backup_start('drill', true)`
    rmSync(to, { recursive: true, force: true })
    // It reports files that vanish while it runs, which the log restores.
    spawnSync('cp', ['-a', from, to])
    const [label] = await connection<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`
    connection.release()
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to, name), { force: true })
    const { username, password } = new URL(primary.url)
    const conninfo = `host=127.0.0.1 port=${primary.link.port} user=${username} password=${password} application_name=standby`
    const files = {
      backup_label: label?.labelfile ?? '',
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = '${conninfo}'\nwal_receiver_timeout = '3s'\nwal_retrieve_retry_interval = '200ms'\n`,
    }
    const { uid, gid } = statSync(from)
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(to, name), text)
      chownSync(join(to, name), uid, gid)
    }
    await standby.start()
    await primary.sql`alter system set synchronous_standby_names = 'standby'`
    await primary.sql`select pg_reload_conf()`
    const readState = async () => {
      const [row] = await primary.sql<{ state: string }[]>`
        select state || ' ' || sync_state as state from pg_stat_replication where application_name = 'standby'`
      return row?.state
    }
    await waitUntil(async () => (await readState()) === 'streaming sync')
  }

  const first = await prepare(join(base, 'a'))
  await first.start()
  // The second folder gets the password of the first, with whose data it starts.
  mkdirSync(join(base, 'b', 'data'), { recursive: true })
  copyFileSync(join(base, 'a', 'password'), join(base, 'b', 'password'))
  const { uid, gid } = statSync(join(base, 'a', 'data'))
  for (const path of ['b', 'b/data', 'b/password']) chownSync(join(base, path), uid, gid)
  const second = await prepare(join(base, 'b'))
  await startStandby(second, first)

  const servers: [FullServer, FullServer] = [first, second]
  const url = new URL(first.url)
  const hosts = servers.map(({ link }) => `127.0.0.1:${link.port}`).join(',')
  return {
    url: first.url.replace(url.host, hosts),
    servers,
    async promote({ sql }) {
      await sql`select pg_promote()`
    },
    async rejoin(server, primary) {
      await startStandby(server as FullServer, primary as FullServer)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map(({ sql }) => sql.end({ timeout: 1 })))
      await Promise.all(servers.map((server) => server.kill()))
      await Promise.all(servers.map(({ link }) => link[Symbol.asyncDispose]()))
      await group.stop()
    },
  }
}
