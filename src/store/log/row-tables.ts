/**
 * Writes structural row changes to their tables, and reads all of a realm's rows back.
 *
 * The same row changes go to the tables here and, through the log, to every replica's memory, so that the two cannot
 * differ. One statement writes all neighbouring changes of one table and shape.
 */
import type { Deployment } from '../../domain/deployment/deployment.js'
import type { RowChange } from '../../domain/log/row-changes.js'
import { RealmState } from '../../domain/log/state.js'
import { type Rows, type TableName, tableNames, tables } from '../../domain/log/tables.js'
import { type Db, json, type Transaction } from '../sql.js'

/** The statements that carry out the changes, sent without waiting for one another. */
export const writeRows = (tx: Transaction, realm_id: number, changes: readonly RowChange[]): Promise<unknown>[] =>
  batches(changes).map(({ table, operation, columns, rows }) => {
    const owner = table === 'realms' ? {} : { realm_id }
    const data = json(
      tx,
      rows.map((row) => Object.assign({}, row, owner)),
    )
    // The limit is all rows. From it the planner learns that they are few, and finds them with the primary key; without
    // it, it expects 100 and reads a whole table of up to some 50,000 rows.
    const given = tx`(select * from jsonb_populate_recordset(null::${tx(table)}, ${data}) limit ${rows.length}) r`
    const keys = table === 'realms' ? ['id'] : ['realm_id', ...tables[table].key]
    const sameKey = keys.map((key) => tx`and t.${tx(key)} = r.${tx(key)}`)
    if (operation === 'insert') {
      const names = [...Object.keys(owner), ...columns]
      return tx`
        insert into ${tx(table)} (${tx(names)})
        select ${tx(names)} from jsonb_populate_recordset(null::${tx(table)}, ${data})`
    }
    if (operation === 'delete') {
      return tx`
        delete from ${tx(table)} t using ${given}
        where true ${sameKey}`
    }
    const assignments = columns.map((column, i) => tx`${i === 0 ? tx`` : tx`,`} ${tx(column)} = r.${tx(column)}`)
    return tx`
      update ${tx(table)} t set ${assignments}
      from ${given}
      where true ${sameKey}`
  })

interface Batch {
  table: TableName
  operation: 'insert' | 'update' | 'delete'
  columns: string[]
  rows: object[]
}

/**
 * Groups neighbouring changes of one table, operation and set of columns; the order between groups stays. Of several
 * updates of one row, a group has the last: Postgres would carry out only one of them, and not say which.
 */
const batches = (changes: readonly RowChange[]): Batch[] => {
  const found: Batch[] = []
  let last: { shape: string; batch: Batch; places: Map<string, number> } | undefined
  for (const { table, key, before, after } of changes) {
    const operation = before === null ? 'insert' : after === null ? 'delete' : 'update'
    const columns = operation === 'delete' ? [] : Object.keys(after ?? {})
    const shape = `${table} ${operation} ${columns.join()}`
    if (last?.shape !== shape) {
      last = { shape, batch: { table, operation, columns, rows: [] }, places: new Map() }
      found.push(last.batch)
    }
    const { rows } = last.batch
    if (operation !== 'update') {
      // An inserted row contains its key.
      rows.push(operation === 'insert' ? (after as object) : key)
      continue
    }
    const name = JSON.stringify(key)
    const index = last.places.get(name) ?? rows.length
    last.places.set(name, index)
    rows[index] = { ...key, ...after }
  }
  return found
}

/**
 * Loads the realm's state as the database holds it, at one moment. The caller brings a repeatable-read transaction.
 * @returns undefined when there is no such realm
 */
export const loadState = async (tx: Db, deployment: Deployment, realm_id: number): Promise<RealmState | undefined> => {
  const [realm] = await tx<(Rows['realms'] & { log_seq: number })[]>`
    select r.*, h.log_seq
    from realms r join log_heads h on h.realm_id = r.id
    where r.id = ${realm_id}`
  if (realm === undefined) return undefined
  const { log_seq, ...row } = realm
  const state = new RealmState(deployment, row, log_seq)
  for (const table of tableNames) {
    if (table === 'realms') continue
    const order = tables[table].isOrderedById === true ? tx`order by id` : tx``
    const rows = await tx`select * from ${tx(table)} where realm_id = ${realm_id} ${order}`
    for (const { realm_id: _, ...values } of rows) {
      state.apply({ table, key: values, before: null, after: values } as RowChange)
    }
  }
  const oldest = await tx<{ channel_id: number; id: number }[]>`
    select c.id as channel_id, m.id
    from channels c, lateral (
      select id from messages where realm_id = ${realm_id} and channel_id = c.id order by id limit 1
    ) m
    where c.realm_id = ${realm_id}`
  for (const { channel_id, id } of oldest) state.firstMessage.set(channel_id, id)
  return state
}
