/**
 * A Postgres primary with a standby, as real servers. If the standby is synchronous, the primary confirms a commit when
 * the standby has it on disk. Clients and the standby reach each server over a link that can be cut.
 */
import { chownSync, copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { preparePostgres } from '../../src/dev/postgres.js'
import { openProcessGroup } from '../../src/dev/process-group.js'
import type { RunningServer } from '../../src/dev/server.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { copyAsStandby } from '../setup/processes/postgres-standby.js'
import { type Link, openLink } from './link.js'

export interface PairServer {
  /** The address of the server itself, past the link. */
  url: string
  link: Link
  /** A pool of connections past the link. */
  sql: Sql
  kill(): Promise<void>
  /** Starts it again as it was. */
  start(): Promise<void>
}

export interface PostgresPair extends AsyncDisposable {
  /** The URL with both servers. */
  url: string
  servers: [PairServer, PairServer]
  /** Makes a standby of this server the primary. Resolves when it accepts writes. */
  promote(server: PairServer): Promise<void>
  /** Makes `server`, which was stopped, a standby of `primary`, from a new base backup. */
  rejoin(server: PairServer, primary: PairServer): Promise<void>
}

interface FullServer extends PairServer {
  folder: string
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

/**
 * Starts the primary, which is the first server, and its standby.
 * @param isSynchronous whether the primary waits for the standby at each commit
 */
export const startPostgresPair = async (isSynchronous = true): Promise<PostgresPair> => {
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
    const { sql, url, link, folder } = primary
    await copyAsStandby({ sql, url, data: join(folder, 'data'), port: link.port }, join(standby.folder, 'data'))
    await standby.start()
    const names = isSynchronous ? 'standby' : ''
    await primary.sql`alter system set synchronous_standby_names = ${primary.sql.unsafe(`'${names}'`)}`
    await primary.sql`select pg_reload_conf()`
    const readState = async () => {
      const [row] = await primary.sql<{ state: string }[]>`
        select state || ' ' || sync_state as state from pg_stat_replication where application_name = 'standby'`
      return row?.state
    }
    await waitUntil(async () => (await readState()) === (isSynchronous ? 'streaming sync' : 'streaming async'))
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
