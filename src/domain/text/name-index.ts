/**
 * Finds the row whose name looks like a new name. The forms of all names are computed once per version of their tables.
 */
import { derivedValue } from '../log/derived-values.js'
import type { RealmState } from '../log/state.js'
import type { TableName } from '../log/tables.js'
import { lookForms } from './names.js'

export interface NamedRows<Row extends { readonly id: number }> {
  tables: readonly TableName[]
  /** the rows whose names are taken */
  rows(state: RealmState): Iterable<Row>
  nameOf(row: Row): string
  ignoresCase: boolean
}

/** Finds a row, other than `own_id`, whose name looks like this one. */
export type FindLookalike<Row> = (state: RealmState, name: string, own_id?: number) => Row | undefined

/** Opens the index of the names of some rows. */
export const openNameIndex = <Row extends { readonly id: number }>(named: NamedRows<Row>): FindLookalike<Row> => {
  const findIndex = derivedValue<ReadonlyMap<string, readonly Row[]>>({
    name: 'name_indexes',
    tables: named.tables,
    compute: (state) => buildIndex(state, named),
  })
  return (state, name, own_id) => {
    const index = findIndex(state)
    for (const form of lookForms(name, named.ignoresCase)) {
      const other = index.get(form)?.find(({ id }) => id !== own_id)
      if (other !== undefined) return other
    }
    return undefined
  }
}

const buildIndex = <Row extends { readonly id: number }>(
  state: RealmState,
  { rows, nameOf, ignoresCase }: NamedRows<Row>,
): ReadonlyMap<string, readonly Row[]> => {
  const index = new Map<string, Row[]>()
  for (const row of rows(state)) {
    for (const form of lookForms(nameOf(row), ignoresCase)) {
      const others = index.get(form)
      if (others === undefined) index.set(form, [row])
      else others.push(row)
    }
  }
  return index
}
