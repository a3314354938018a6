/** Connections to Postgres that do not answer any more, although they are open. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { openSql } from '../../src/store/sql.js'
import { openLink } from '../drills/link.js'
import { openSilentServer } from '../setup/proxies/silent-servers.js'

const openPool = async (silence_ms: number, max = 2) => {
  const url = new URL(inject('database_url'))
  const link = await openLink(Number(url.port))
  url.port = String(link.port)
  const sql = openSql(url.href, max, { silence_ms })
  onTestFinished(async () => {
    await sql.end({ timeout: 0 })
    await link[Symbol.asyncDispose]()
  })
  return { link, sql }
}

test('A statement fails when Postgres sends nothing for the limit, and later ones use another connection.', async () => {
  const { link, sql } = await openPool(1_000)
  await sql`select ${1}::int as n`
  link.cut()
  const lost = await Promise.allSettled([sql`select ${2}::int as n`, sql.begin((tx) => tx`select ${3}::int as n`)])
  expect(lost).toMatchObject([{ reason: { code: 'ETIMEDOUT' } }, { reason: { code: 'ETIMEDOUT' } }])
  link.restore()
  expect(await sql`select ${4}::int as n`).toEqual([{ n: 4 }])
})

test('A connection that waits for no statement, or gets its answer in time, stays open.', async () => {
  // Each pause is shorter than the limit by so much that a machine may stall in it.
  const { sql } = await openPool(3_000, 1)
  const askPid = async () => (await sql`select pg_backend_pid() as pid`)[0]?.pid as number
  const pid = await askPid()
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  for (let i = 0; i < 4; i++) await sql`select pg_sleep(${0.9}::float8)`
  expect(await askPid()).toBe(pid)
})

test('An attempt to connect to a server that never answers fails.', async () => {
  await using server = await openSilentServer()
  const sql = openSql(`postgres://nobody@127.0.0.1:${server.port}/none`, 1, { silence_ms: 1_000 })
  onTestFinished(() => sql.end({ timeout: 0 }))
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})
