/**
 * The forms of steps that a migration has, on a large table of messages while messages are sent: a column, a backfill,
 * an index, and a column that becomes not null. No call waits long for a lock of the migration.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/migrations.js'
import { openSql } from '../../src/store/sql.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { startSender } from './readers.js'
import { isFull, reportFigures, seconds } from './report.js'

const MESSAGES = isFull ? 10_000_000 : 50_000
/** A transaction of another program, such as a dump, holds its locks on the table for so many milliseconds. */
const READER_MS = 400
/** Of another organization than the one that sends: locks on the table are the same. */
const OTHER_REALM = 1_000_000

const migration = `-- What the drill needs.
-- step: transaction
alter table messages add column language text;
alter table messages alter column language set default 'en';
-- step: backfill messages
update messages set language = 'en' where language is null and :batch;
-- step: concurrently
create index concurrently if not exists messages_language on messages (realm_id, language, id);
-- step: transaction
alter table messages add constraint messages_have_language check (language is not null) not valid;
-- step: transaction
alter table messages validate constraint messages_have_language;
-- step: transaction
alter table messages alter column language set not null;
alter table messages drop constraint messages_have_language;
`

test('While a large table is migrated, no call fails, and none waits long for a lock of the migration.', {
  timeout: isFull ? 7_200_000 : 120_000,
}, async () => {
  await using fleet = await startOwnFleet()
  const sql = openSql(fleet.database_url, 3)
  const watcher = openSql(fleet.database_url, 1)
  const migrating = openSql(fleet.database_url, 1)
  const folder = mkdtempSync(join(tmpdir(), 'parley-large-'))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true })
    await Promise.all([sql, watcher, migrating].map((pool) => pool.end({ timeout: 1 })))
  })
  // The table is filled without its indexes, in a fraction of the time.
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = 'messages'::regclass and not indisprimary`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  const PART = 500_000
  for (let first = 1; first <= MESSAGES; first += PART) {
    await sql`
      insert into messages (realm_id, id, sender_id, channel_id, topic, content, rendered_content, timestamp, client,
        is_me_message, sender_read, has_link, has_image, has_attachment)
      select ${OTHER_REALM}, i, i % 50, i % 100, 'topic ' || i % 1000, 'content', '<p>content</p>', i, 'drill',
        false, true, false, false, false
      from generate_series(${first}::int, ${Math.min(first + PART - 1, MESSAGES)}::int) i`
  }
  for (const { definition } of indexes) await sql.unsafe(definition)
  // The plans depend on statistics.
  await sql`analyze messages`

  const [ada] = (await fleet.realm.people({ full_name: 'Ada' })) as [Person]
  const url = () => fleet.gateway.url
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] }, { url: url() })
  const fields = { type: 'stream', to: 'general', topic: 't' }
  const senders = [1, 2].map(() => startSender(url, ada, fields, 10))

  let isRunning = true
  const readOn = async () => {
    while (isRunning) {
      await sql.begin(async (tx) => {
        await tx`select from messages limit 1`
        await sleep(READER_MS)
      })
      await sleep(READER_MS)
    }
  }
  let [longestBlock, blockedBy] = [0, '']
  const watch = async () => {
    while (isRunning) {
      const blocked = await watcher<{ ms: number; query: string }[]>`
        select 1000 * extract(epoch from clock_timestamp() - l.waitstart)::float8 as ms, m.query
        from pg_locks a
        join pg_stat_activity m on m.pid = a.pid
        join pg_locks l on not l.granted and l.pid <> a.pid and pg_blocking_pids(l.pid) @> array[a.pid]
        where a.locktype = 'advisory' and a.objid = 727159 and m.datname = current_database()`
      for (const { ms, query } of blocked) if (ms > longestBlock) [longestBlock, blockedBy] = [ms, query.trim()]
      await sleep(3)
    }
  }
  const others = [readOn(), watch()]

  writeFileSync(join(folder, 'large.sql'), migration)
  /** How many entries of an index other than that of the primary key were read. */
  const readEntries = async () => {
    await sql`select pg_stat_clear_snapshot()`
    const [row] = await sql<{ most: number }[]>`
      select max(idx_tup_read)::int as most from pg_stat_user_indexes
      where relname = 'messages' and indexrelname <> 'messages_pkey'`
    return row?.most ?? 0
  }
  const entriesBefore = await readEntries()
  const began = performance.now()
  expect(await migrate(migrating, folder)).toEqual(['large.sql'])
  const took = performance.now() - began
  isRunning = false
  await Promise.all([...others, ...senders.map((sender) => sender.stop())])
  const acknowledged = senders.flatMap((sender) => sender.acknowledged)
  reportFigures('Migration of a large table', {
    messages: MESSAGES,
    migration: seconds(took),
    sends: acknowledged.length,
    failed: senders.flatMap((sender) => sender.failures).length,
    'longest lock that blocked a call': `${longestBlock.toFixed(0)} ms ${blockedBy.slice(0, 60)}`,
    'longest send': seconds(Math.max(...senders.map(({ longest }) => longest))),
  })
  expect(senders.flatMap((sender) => sender.failures)).toEqual([])
  // Each batch of the backfill finds its rows by the primary key.
  await migrating`select pg_stat_force_next_flush()`
  await migrating`select`
  expect((await readEntries()) - entriesBefore).toBeLessThan(MESSAGES)
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from messages where language = 'en'`
  expect(row?.count).toBeGreaterThanOrEqual(MESSAGES + acknowledged.length)
  // Other tests share the processor: the small form only reports the time.
  if (isFull) expect(longestBlock).toBeLessThan(100)
})
