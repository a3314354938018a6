/**
 * The arrays of Postgres that statements take and return, declared to the driver.
 *
 * Left to itself, the driver reads the types of arrays from the catalog on each new connection, with a statement whose
 * failure nothing catches: a connection that ends meanwhile, as all do when Postgres restarts, would end the process.
 * Seen in 3.4.9 (`fetchArrayTypes` in https://github.com/porsager/postgres/blob/v3.4.9/src/connection.js).
 *
 * 1. The driver runs no statement by itself.
 */
import { parse } from 'postgres-array'

/** What the driver needs of a type. */
interface ArrayType {
  to: number
  from: number[]
  serialize(values: unknown): unknown
  parse(text: string): unknown[]
}

/**
 * The text of an array. A value that is no array is passed on: Postgres reads it, or refuses it.
 * Throws an Error when an element is undefined.
 * Source: PostgreSQL documentation, "Array Input and Output Syntax".
 */
const serializeArray = (values: unknown): unknown =>
  Array.isArray(values) ? `{${values.map(serializeElement).join()}}` : values

const serializeElement = (value: unknown): unknown => {
  // Most arrays are lists of ids.
  if (typeof value === 'number' || value === null) return String(value)
  if (Array.isArray(value)) return serializeArray(value)
  if (value === undefined) throw new Error('An element of an array for Postgres is undefined')
  return `"${String(value).replace(/["\\]/g, String.raw`\$&`)}"`
}

const declareArray = (oid: number, parseElement: (text: string) => unknown): ArrayType => ({
  to: oid,
  from: [oid],
  serialize: serializeArray,
  parse: (text) => parse(text, parseElement),
})

/** By name. The ids are those of every Postgres server (pg_type.dat in its sources). */
export const arrayTypes: Readonly<Record<string, ArrayType>> = {
  'bool[]': declareArray(1000, (text) => text === 't'),
  'name[]': declareArray(1003, String),
  'int2[]': declareArray(1005, Number),
  'int4[]': declareArray(1007, Number),
  'text[]': declareArray(1009, String),
  'varchar[]': declareArray(1015, String),
  'int8[]': declareArray(1016, Number),
  'float8[]': declareArray(1022, Number),
  'uuid[]': declareArray(2951, String),
}
