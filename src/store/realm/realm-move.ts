/**
 * Moving an organization to another cell: another Postgres and Redis with gateways and workers of their own.
 *
 * 1. The organization keeps its id, so its API keys, the keys of its files, its log and its event queues stay valid: a
 *    client goes on with the same queue and the next event id. No two cells give out the same id (docs/operations.md).
 * 2. Nothing is committed in the source after the copy: `closeLog` raises the head's `state_seq` above every guard, and
 *    each change of an organization takes its head. Calls are refused before, because gateways know `is_moving`.
 * 3. The copy is one snapshot of the source and one transaction of the target.
 * 4. The tables and their columns come from the catalogue, so a new table is copied without a line here. Every table
 *    has `realm_id`, apart from `realms` and `globalTables`.
 * 5. Ids from sequences are unique within the organization, apart from those of jobs: they get new ones. The sequences
 *    of the target continue after the greatest id that was copied.
 */
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Sql, Transaction } from '../sql.js'

/** Greater than every guard. */
const CLOSED_SEQ = Number.MAX_SAFE_INTEGER
/** Calls that began before the organization was closed have so long to end. */
const SETTLE_MS = 10_000

const LINE_FEED = 0x0a

/** The table with a row of each organization, whose id is `id`. */
const REALMS = 'realms'
/** What organizations do not own. */
export const globalTables = ['migrations', 'migration_steps', 'releases']

/** A table with rows of organizations, as the catalogue describes it. */
export interface RealmTable {
  name: string
  columns: string[]
  /** columns whose values come from a sequence */
  sequences: { column: string; sequence: string }[]
}

/** Loads the tables with rows of organizations; a table comes after those that it references (4). */
export const loadRealmTables = async (db: Db): Promise<RealmTable[]> => {
  const tables = await db<(RealmTable & { references: string[] })[]>`
    select c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
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
  const place = ({ references, ...table }: (typeof tables)[number]) => {
    if (sorted.some(({ name }) => name === table.name)) return
    for (const other of tables) if (references.includes(other.name)) place(other)
    sorted.push(table)
  }
  for (const table of tables) place(table)
  return sorted
}

const keyColumn = (table: string): string => (table === REALMS ? 'id' : 'realm_id')

/** What the target of a move has: nothing of the organization, or a copy that is still closed. */
export type MoveTarget = 'empty' | 'copied' | { problem: string }

/** Finds what the target has, and whether the organization can be moved to it. */
export const findMoveTarget = async (
  source: Sql,
  target: Sql,
  realm: { id: number; string_id: string },
): Promise<MoveTarget> => {
  const migrations = async (sql: Sql) =>
    (await sql<{ name: string }[]>`select name from migrations order by name`).map(({ name }) => name).join()
  if ((await migrations(source)) !== (await migrations(target)))
    return { problem: 'The two databases have different migrations: run the same release in both cells.' }
  const [other] = await target<{ id: number; string_id: string; is_moving: boolean }[]>`
    select id, string_id, is_moving from realms where id = ${realm.id} or string_id = ${realm.string_id}`
  if (other === undefined) return 'empty'
  const isClosedHere = await isLogClosed(target, realm.id)
  if (other.id === realm.id && other.string_id === realm.string_id && other.is_moving && !isClosedHere) return 'copied'
  if (isClosedHere) return { problem: 'The organization was moved away from the target: run delete-moved-realm there.' }
  return other.id === realm.id
    ? { problem: `The target has an organization with the id ${realm.id}: each cell needs its own range of ids.` }
    : { problem: `The target has an organization named ${realm.string_id}.` }
}

const isLogClosed = async (db: Db, realm_id: number): Promise<boolean> => {
  const found = await db`select from log_heads where realm_id = ${realm_id} and state_seq = ${CLOSED_SEQ}`
  return found.length > 0
}

/** Ends all changes of the organization in this database (2). Its gateways refuse calls already. */
export const closeLog = async (sql: Sql, realm_id: number): Promise<void> => {
  await sql`update log_heads set state_seq = ${CLOSED_SEQ} where realm_id = ${realm_id}`
}

/** Permits changes again after `closeLog`. */
export const openLog = async (db: Db, realm_id: number): Promise<void> => {
  // The entry that closed it was the last structural change.
  await db`
    update log_heads set state_seq = (select max(seq) from log where realm_id = ${realm_id} and rows is not null)
    where realm_id = ${realm_id}`
}

/** Resolves when every transaction of the database has ended that began before the call, or after SETTLE_MS. */
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

/**
 * Copies all rows of the organization, and continues the sequences of the target (3, 5).
 * @param tables what `loadRealmTables` returned
 * @returns the number of rows
 */
export const copyRealmRows = async (
  source: Sql,
  target: Sql,
  realm_id: number,
  tables: readonly RealmTable[],
): Promise<number> =>
  source.begin('isolation level repeatable read read only', (from) =>
    target.begin(async (to) => {
      let rows = 0
      for (const table of await selectUsed(from, tables, realm_id)) rows += await copyTable(from, to, table, realm_id)
      await openLog(to, realm_id)
      return rows
    }),
  )

/** The tables in which the organization has rows: each copy, also an empty one, takes 80 ms and more. */
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

const copyTable = async (from: Transaction, to: Transaction, table: RealmTable, realm_id: number): Promise<number> => {
  const { name, sequences } = table
  const isJobs = name === 'jobs'
  const columns = table.columns.filter((column) => !(isJobs && column === 'id'))
  const list = columns.map((column) => `"${column}"`).join()
  // What is done is of no use to the workers of the target.
  const condition = `"${keyColumn(name)}" = ${Number(realm_id)}${isJobs ? ' and done_at is null' : ''}`
  const copied = await from.unsafe(`copy (select ${list} from "${name}" where ${condition}) to stdout`).readable()
  let rows = 0
  const count = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      // A line is a row: line feeds of values are escaped.
      for (const byte of part) if (byte === LINE_FEED) rows += 1
      yield part
    }
  }
  await pipeline(copied, count, await to.unsafe(`copy "${name}" (${list}) from stdin`).writable())
  // The driver pauses its socket when a part fills the buffer, and does not resume it if the end came with that part.
  copied._read(0)
  // The ids of organizations are given out in ranges, one for each cell.
  if (rows > 0 && name !== REALMS && !isJobs) {
    for (const { column, sequence } of sequences) {
      await to.unsafe(`
        select setval('${sequence}', greatest(max("${column}"), (select last_value from ${sequence})))
        from "${name}" where ${condition}`)
    }
  }
  return rows
}

/** The organization is open here. */
export class NotMovedError extends Error {}

/**
 * Deletes the rows of an organization that was moved to another cell. Files stay: they belong to the organization in
 * its new cell. Throws when the organization was not moved.
 */
export const deleteMovedRows = async (sql: Sql, realm_id: number): Promise<void> => {
  const tables = await loadRealmTables(sql)
  await sql.begin(async (tx) => {
    await tx`select from log_heads where realm_id = ${realm_id} for update`
    if (!(await isLogClosed(tx, realm_id))) throw new NotMovedError('The organization was not moved to another cell.')
    for (const { name } of tables.reverse())
      await tx`delete from ${tx(name)} where ${tx(keyColumn(name))} = ${realm_id}`
  })
}
