/**
 * Moving an organization to another cell: another Postgres and Redis with gateways and workers of their own.
 *
 * 1. The organization keeps its id, so its API keys, the keys of its files, its log and its event queues stay valid: a
 *    client goes on with the same queue and the next event id. No two cells give out the same id (docs/operations.md).
 * 2. Nothing is committed in the source after the copy: `closeLog` raises the head's `state_seq` above every guard, and
 *    each change of an organization takes its head. Calls are refused before, because gateways know `is_moving`.
 * 3. What the target has after the copy is one snapshot of the source, which was taken after the organization was
 *    closed, and becomes visible in one transaction of the target, apart from the rows of `bulkTables` (6).
 * 4. The tables and their columns come from the catalogue, so a new table is copied without a line here. Every table
 *    has `realm_id`, apart from `realms` and `globalTables`.
 * 5. Ids from sequences are unique within the organization, apart from those of jobs: they get new ones. The sequences
 *    of the target continue after the greatest id that was copied. Clients know the ids of reminders, which are those
 *    of their jobs: a reminder keeps its id in the payload, and new jobs of the target get greater ids.
 * 6. The rows of `bulkTables` are copied before, while the organization is open (`copyBulk`). The last transaction
 *    copies those again that were written since the snapshot of that copy, and deletes those that the source has no
 *    more. A row was written since if its `xmin` is at least the lowest id of a transaction that was running then: that
 *    includes each update, and what subtransactions and background jobs write.
 * 7. The log of the source is marked as moved after the target has opened the organization. Only then can its rows be
 *    deleted, and no other move can begin with them.
 */

import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockHeadRow } from '../log/log.js'
import type { Db, Sql, Transaction } from '../sql.js'

/** Greater than every guard: the organization is closed, because it is being moved. */
const CLOSED_SEQ = Number.MAX_SAFE_INTEGER - 1
/** Greater than every guard: the organization was moved (7). */
const MOVED_SEQ = Number.MAX_SAFE_INTEGER
/** Of the advisory locks of moves, whose other number is the organization's id. */
export const MOVE_LOCK = 727_160
/** The number of ids of transactions after which they begin anew. */
const XIDS = 2n ** 32n
/** Calls that began before the organization was closed have so long to end. */
const SETTLE_MS = 10_000

const LINE_FEED = 0x0a

/** The table with a row of each organization, whose id is `id`. */
const REALMS = 'realms'
const JOBS = 'jobs'
/** What organizations do not own. */
export const globalTables = ['migrations', 'migration_steps', 'releases', 'deployment']
/**
 * The large tables, which are copied while the organization is open (6). In the target no process acts on rows of them
 * whose organization is not in `realms`, apart from deleting old ones.
 */
const bulkTables = [
  'messages',
  'message_flags',
  'message_words',
  'message_terms',
  'reactions',
  'deleted_messages',
  'log',
]

/** A table with rows of organizations, as the catalogue describes it. */
export interface RealmTable {
  name: string
  columns: string[]
  /** the columns of the primary key; empty: it has none */
  key: string[]
  /** columns whose values come from a sequence */
  sequences: { column: string; sequence: string }[]
}

/** Loads the tables with rows of organizations. A table comes after those that it references (4). */
export const loadRealmTables = async (db: Db): Promise<RealmTable[]> => {
  const tables = await db<(RealmTable & { references: string[] })[]>`
    select c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_index i
       join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
       where i.indrelid = c.oid and i.indisprimary) as key,
      (select coalesce(json_agg(json_build_object('column', a.attname, 'sequence', s.oid::regclass::text)), '[]')
       from (
         select p.refobjsubid as attnum, p.objid as sequence from pg_depend p
         where p.refclassid = 'pg_class'::regclass and p.refobjid = c.oid
           and p.classid = 'pg_class'::regclass and p.deptype = 'i'
         union all
         select d.adnum, p.refobjid from pg_attrdef d
         join pg_depend p on p.classid = 'pg_attrdef'::regclass and p.objid = d.oid
           and p.refclassid = 'pg_class'::regclass
         where d.adrelid = c.oid
       ) u
       join pg_class s on s.oid = u.sequence and s.relkind = 'S'
       join pg_attribute a on a.attrelid = c.oid and a.attnum = u.attnum) as sequences,
      (select coalesce(json_agg(f.confrelid::regclass::text), '[]') from pg_constraint f
       where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as references
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all(${globalTables})
    order by c.relname`
  const sorted: RealmTable[] = []
  const visit = ({ references, ...table }: (typeof tables)[number]) => {
    if (sorted.some(({ name }) => name === table.name)) return
    for (const other of tables) if (references.includes(other.name)) visit(other)
    sorted.push(table)
  }
  for (const table of tables) visit(table)
  return sorted
}

const keyColumn = (table: string): string => (table === REALMS ? 'id' : 'realm_id')

/** What the target of a move has: nothing to serve, a copy that is still closed, or the opened organization. */
export type MoveTarget = 'empty' | 'copied' | 'opened' | { problem: string }

/** Finds what the target has, and whether the organization can be moved to it. */
export const findMoveTarget = async (
  source: Sql,
  target: Sql,
  realm: { id: number; string_id: string },
): Promise<MoveTarget> => {
  const migrations = async (sql: Sql) =>
    (await sql<{ name: string }[]>`select name from migrations order by name collate "C"`)
      .map(({ name }) => name)
      .join()
  if ((await migrations(source)) !== (await migrations(target)))
    return { problem: 'The two databases have different migrations: run the same release in both cells.' }
  // A transaction of an interrupted command can still be in its commit: it ends first.
  await target.begin((tx) => lockMove(tx, realm.id))
  const [other] = await target<{ id: number; string_id: string; is_moving: boolean }[]>`
    select id, string_id, is_moving from realms where id = ${realm.id} or string_id = ${realm.string_id}`
  const here = await loadLogState(source, realm.id)
  if (here === 'moved' && other?.id !== realm.id)
    return { problem: 'The organization was moved to another cell: run move-realm there.' }
  if (other === undefined) return 'empty'
  const there = await loadLogState(target, other.id)
  if (there !== 'open')
    return { problem: 'The organization was moved away from the target: run delete-moved-realm there.' }
  if (other.id === realm.id && other.string_id === realm.string_id) {
    if (other.is_moving) return 'copied'
    if (here !== 'open') return 'opened'
  }
  return other.id === realm.id
    ? { problem: `The target has an organization with the id ${realm.id}: each cell needs its own range of ids.` }
    : { problem: `The target has an organization named ${realm.string_id}.` }
}

/** Waits until no other transaction of a move of the organization runs here, and keeps others out until its end. */
const lockMove = (tx: Transaction, realm_id: number) => tx`select pg_advisory_xact_lock(${MOVE_LOCK}, ${realm_id})`

const loadLogState = async (db: Db, realm_id: number): Promise<'open' | 'closed' | 'moved'> => {
  const [head] = await db<{ state_seq: number }[]>`select state_seq from log_heads where realm_id = ${realm_id}`
  if (head === undefined || head.state_seq < CLOSED_SEQ) return 'open'
  return head.state_seq === MOVED_SEQ ? 'moved' : 'closed'
}

/** Ends all changes of the organization in this database (2). Its gateways refuse calls already. */
export const closeLog = async (sql: Sql, realm_id: number): Promise<void> => {
  await sql`update log_heads set state_seq = ${CLOSED_SEQ} where realm_id = ${realm_id}`
}

/** Notes that the organization is open in another cell (7). */
export const markAsMoved = async (sql: Sql, realm_id: number): Promise<void> => {
  await sql`update log_heads set state_seq = ${MOVED_SEQ} where realm_id = ${realm_id}`
}

/** Permits changes again after `closeLog`. */
export const openLog = async (db: Db, realm_id: number): Promise<void> => {
  // The entry that closed it was the last structural change. It is no longer in the log after LOG_RETENTION_DAYS.
  await db`
    update log_heads set state_seq = coalesce(
      (select max(seq) from log where realm_id = ${realm_id} and rows is not null), log_seq)
    where realm_id = ${realm_id} and state_seq = ${CLOSED_SEQ}`
}

/**
 * Resolves when all transactions that began before the call have ended. It waits for those of the whole database, for
 * at most SETTLE_MS.
 */
export const waitForTransactions = async (sql: Sql): Promise<void> => {
  const [began] = await sql<{ at: Date }[]>`select clock_timestamp() as at`
  for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline; await sleep(20)) {
    const open = await sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and xact_start < ${began?.at ?? null} limit 1`
    if (open.length === 0) return
  }
}

/** What `copyBulk` has copied. */
export interface BulkCopy {
  /** the number of rows that were copied, in all rounds */
  rows: number
  /** every row that was written after the snapshot of the last round has an `xmin` that is not lower (6) */
  mark: bigint
}

/**
 * Copies the rows of the large tables while the organization is open (6). A second round copies what was written during
 * the first one, so that little is left for `copyRealmRows`.
 * @param tables what `loadRealmTables` returned
 */
export const copyBulk = async (
  source: Sql,
  target: Sql,
  realm_id: number,
  tables: readonly RealmTable[],
): Promise<BulkCopy> => {
  const bulk = tables.filter(({ name }) => bulkTables.includes(name))
  const copyRound = (last?: BulkCopy) =>
    copyInTransactions(source, target, realm_id, async (from, to) => {
      const snapshot = await loadSnapshot(from)
      let rows = last?.rows ?? 0
      for (const table of bulk) {
        if (last === undefined) {
          // An interrupted move leaves rows.
          await to`delete from ${to(table.name)} where realm_id = ${realm_id}`
          rows += await copyTable(from, to, table, realm_id)
        } else rows += await copyChanges(from, to, table, realm_id, { mark: last.mark, end: snapshot.end })
      }
      return { rows, mark: snapshot.oldest }
    })
  return copyRound(await copyRound())
}

/** Deletes what `copyBulk` wrote, after a move that failed. */
export const deleteBulk = async (target: Sql, realm_id: number): Promise<void> => {
  for (const name of bulkTables) await target`delete from ${target(name)} where realm_id = ${realm_id}`
}

/**
 * Copies all rows of a closed organization that `copyBulk` has not copied. It also continues the sequences of the
 * target (3, 5).
 * @param tables what `loadRealmTables` returned
 * @param bulk what `copyBulk` returned
 * @param onCommit called before the commit, which can take effect even if it fails; what it throws prevents the commit
 * @returns the number of rows
 */
export const copyRealmRows = async (
  source: Sql,
  target: Sql,
  realm_id: number,
  tables: readonly RealmTable[],
  { mark }: BulkCopy,
  onCommit: () => Promise<void>,
): Promise<number> =>
  copyInTransactions(source, target, realm_id, async (from, to) => {
    const { end } = await loadSnapshot(from)
    const others = tables.filter(({ name }) => !bulkTables.includes(name))
    let rows = 0
    for (const table of tables) {
      if (bulkTables.includes(table.name)) rows += await copyChanges(from, to, table, realm_id, { mark, end })
    }
    for (const table of await selectUsed(from, others, realm_id)) rows += await copyTable(from, to, table, realm_id)
    await openLog(to, realm_id)
    await onCommit()
    return rows
  })

/** Runs a copy from one snapshot of the source in one transaction of the target. */
const copyInTransactions = <T>(
  source: Sql,
  target: Sql,
  realm_id: number,
  copy: (from: Transaction, to: Transaction) => Promise<T>,
): Promise<T> =>
  source.begin('isolation level repeatable read read only', (from) =>
    target.begin(async (to) => {
      await lockMove(to, realm_id)
      return copy(from, to)
    }),
  ) as Promise<T>

/** The ids of transactions at a snapshot: the oldest one that was running, and the first one that had not begun. */
const loadSnapshot = async (from: Transaction): Promise<{ oldest: bigint; end: bigint }> => {
  const [snapshot] = await from<{ oldest: string; end: string }[]>`
    select pg_snapshot_xmin(s)::text as oldest, pg_snapshot_xmax(s)::text as "end" from pg_current_snapshot() s`
  return { oldest: BigInt(snapshot?.oldest ?? 0), end: BigInt(snapshot?.end ?? 0) }
}

/** The tables in which the organization has rows: one question is faster than a copy of each empty table. */
const selectUsed = async (
  from: Transaction,
  tables: readonly RealmTable[],
  realm_id: number,
): Promise<readonly RealmTable[]> => {
  const asked = tables.map(
    ({ name }) => `select '${name}' as name where exists
      (select from "${name}" where "${keyColumn(name)}" = ${Number(realm_id)})`,
  )
  const used = await from.unsafe<{ name: string }[]>(asked.join(' union all '))
  return tables.filter((table) => used.some(({ name }) => name === table.name))
}

/**
 * Makes the rows of a large table in the target those of the source (6).
 * @param written rows of transactions with such ids are copied: [mark, end)
 * @returns the number of rows that were copied
 */
const copyChanges = async (
  from: Transaction,
  to: Transaction,
  table: RealmTable,
  realm_id: number,
  { mark, end }: { mark: bigint; end: bigint },
): Promise<number> => {
  const { name } = table
  const list = listColumns(table.columns)
  const key = listColumns(table.key)
  const changed = `moved_${name}`
  await to.unsafe(`create temp table "${changed}" (like "${name}") on commit drop`)
  // A row has the lower 32 bits of the id. A row that is much older can have the same: it is copied in vain.
  const isWritten =
    end - mark >= XIDS ? '' : `and mod(xmin::text::bigint + ${XIDS - (mark % XIDS)}, ${XIDS}) < ${end - mark}`
  const ofRealm = `realm_id = ${Number(realm_id)}`
  const rows = await streamRows(from, to, `select ${list} from "${name}" where ${ofRealm} ${isWritten}`, changed, list)
  if (rows > 0) {
    await to.unsafe(`delete from "${name}" where (${key}) in (select ${key} from "${changed}")`)
    await to.unsafe(`insert into "${name}" (${list}) overriding system value select ${list} from "${changed}"`)
  }
  // The target has every row of the source now. If the source has deleted none, the numbers are equal.
  const count = `select count(*)::int as count from "${name}" where ${ofRealm}`
  const [here, there] = [await from.unsafe(count), await to.unsafe(count)]
  if (here[0]?.count !== there[0]?.count) {
    const kept = `kept_${name}`
    await to.unsafe(`create temp table "${kept}" on commit drop as select ${key} from "${name}" limit 0`)
    await streamRows(from, to, `select ${key} from "${name}" where ${ofRealm}`, kept, key)
    await to.unsafe(`analyze "${kept}"`)
    const isSame = table.key.map((column) => `k."${column}" = t."${column}"`).join(' and ')
    await to.unsafe(`
      delete from "${name}" t where ${ofRealm} and not exists (select from "${kept}" k where ${isSame})`)
  }
  await continueSequences(to, table, realm_id)
  return rows
}

const listColumns = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join()

/** Writes the rows of a query of the source into a table of the target. @returns the number of rows */
const streamRows = async (
  from: Transaction,
  to: Transaction,
  query: string,
  table: string,
  list: string,
): Promise<number> => {
  const copied = await from.unsafe(`copy (${query}) to stdout`).readable()
  let rows = 0
  const count = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      // A line is a row: line feeds of values are escaped.
      for (const byte of part) if (byte === LINE_FEED) rows += 1
      yield part
    }
  }
  await pipeline(copied, count, await to.unsafe(`copy "${table}" (${list}) from stdin`).writable())
  // The driver pauses its socket when a part fills the buffer, and does not resume it if the end came with that part.
  copied._read(0)
  return rows
}

const copyTable = async (from: Transaction, to: Transaction, table: RealmTable, realm_id: number): Promise<number> => {
  const { name } = table
  if (name === JOBS) return copyJobs(from, to, table, realm_id)
  const list = listColumns(table.columns)
  const query = `select ${list} from "${name}" where "${keyColumn(name)}" = ${Number(realm_id)}`
  const rows = await streamRows(from, to, query, name, list)
  // The ids of organizations are given out in ranges.
  if (rows > 0 && name !== REALMS) await continueSequences(to, table, realm_id)
  return rows
}

/** Copies the jobs that are not done: the others are of no use to the workers of the target. They get new ids (5). */
const copyJobs = async (
  from: Transaction,
  to: Transaction,
  { name, columns, sequences }: RealmTable,
  realm_id: number,
): Promise<number> => {
  const others = columns.filter((column) => column !== 'id' && column !== 'payload')
  const query = `
    select ${listColumns(others)},
      case when kind = 'reminder' then (jsonb_build_object('reminder_id', id) || payload::jsonb)::json else payload end
    from "${name}" where realm_id = ${Number(realm_id)} and done_at is null`
  const [reminders] = await from<{ id: number | null }[]>`
    select max(coalesce((payload ->> 'reminder_id')::bigint, id)) as id from jobs
    where realm_id = ${realm_id} and done_at is null and kind = 'reminder'`
  const id = reminders?.id ?? 0
  // Far ahead, because other transactions of the target take ids meanwhile.
  for (const { sequence } of sequences)
    await to.unsafe(`select setval('${sequence}', ${id + 100_000}) from ${sequence} where last_value <= ${id}`)
  return streamRows(from, to, query, name, listColumns([...others, 'payload']))
}

/** Makes the sequences of a table continue after the ids that were copied (5). */
const continueSequences = async (to: Transaction, { name, sequences }: RealmTable, realm_id: number) => {
  for (const { column, sequence } of sequences) {
    await to.unsafe(`
      select setval('${sequence}', greatest(max("${column}"), (select last_value from ${sequence})))
      from "${name}" where realm_id = ${Number(realm_id)} having count(*) > 0`)
  }
}

/** The organization is not open in another cell. */
export class NotMovedError extends Error {}

/**
 * Deletes the rows of an organization that was moved to another cell. Files stay: they belong to the organization in
 * its new cell. Throws NotMovedError when the organization was not moved.
 */
export const deleteMovedRows = async (sql: Sql, realm_id: number): Promise<void> => {
  const tables = await loadRealmTables(sql)
  await sql.begin(async (tx) => {
    await lockHeadRow(tx, realm_id)
    if ((await loadLogState(tx, realm_id)) !== 'moved')
      throw new NotMovedError('The organization was not moved to another cell.')
    for (const { name } of tables.reverse())
      await tx`delete from ${tx(name)} where ${tx(keyColumn(name))} = ${realm_id}`
  })
}
