/**
 * The door to the driver of Postgres: pools with all patches, and the types of values. Only this file imports
 * `postgres`, and the rest of the program imports only this file of the folder.
 *
 * Each other file is one patch. Its head says what the driver does wrong, and in which version that was seen
 * (docs/decisions/012-driver-patches.md says why they are no patch files). `test/store/driver` has a test for each,
 * which fails without it. Most patches use the driver's options. Three change objects inside of the driver:
 * connection-queues.ts, transaction-guard.ts and prepared-statements.ts. They refuse a driver with other objects.
 *
 * int8 is parsed as a JavaScript number, because ids and seconds stay far below 2^53.
 * json and jsonb are parsed as values.
 */
import type { Duplex } from 'node:stream'
import postgres from 'postgres'
import { arrayTypes } from './array-types.js'
import { leaveOutRefusedParameters } from './connection-parameters.js'
import { compactConnectionQueues } from './connection-queues.js'
import { createFailingStream } from './failing-streams.js'
import { PADDING } from './first-messages.js'
import { repeatLostStatements } from './prepared-statements.js'
import { openBeforeReserving } from './reserved-connections.js'
import { guardTransactions } from './transaction-guard.js'
import { CONNECT_TIMEOUT_SECONDS, connect } from './undelayed-sockets.js'
import { refuseUnreplicatedCommit } from './unreplicated-commits.js'

/** A pool of connections. */
export type Sql = postgres.Sql<{ int8: number }>
/** One connection of a pool, until `release`. */
export type ReservedSql = postgres.ReservedSql<{ int8: number }>
/** A transaction. */
export type Transaction = postgres.TransactionSql<{ int8: number }>
/** A part of a statement, which other statements can contain. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>
/** What the driver takes as a value of JSON. */
export type JsonValue = postgres.JSONValue

/** An error that Postgres has sent. */
export const PostgresError = postgres.PostgresError

/** Seconds between two attempts to connect. Each attempt costs a gateway and Postgres little, so it never grows. */
const RECONNECT_SECONDS = 0.25

/** A pool of the driver. */
export interface PoolOptions {
  max: number
  /** the parameters of each connection, beside those of the URL */
  parameters: Readonly<Record<string, string>>
  /** whether the server has refused a parameter: connections are opened without it from then on */
  isRefused?(name: string): boolean
  /** opens each connection; without it, the driver connects to the server of the URL */
  open?(connectTo: typeof connect): Promise<Duplex>
  /** whether the first message of a connection is long (first-messages.ts) */
  isPadded?: boolean
}

/** Opens a pool with all patches. Nothing connects before the first query. */
export const openDriver = (
  url: string,
  { max, parameters, isRefused = () => false, open, isPadded = false }: PoolOptions,
): Sql => {
  const own = open && { socket: () => open(connect).catch(createFailingStream) }
  const driver = postgres(url, {
    max,
    // The driver's own delay grows to 20 seconds: calls would wait that long after Postgres is back.
    backoff: () => RECONNECT_SECONDS,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    onnotice: refuseUnreplicatedCommit,
    // See array-types.ts.
    fetch_types: false,
    types: {
      int8: { to: 20, from: [20], serialize: String, parse: Number },
      ...arrayTypes,
    },
    connection: { ...parameters, ...(isPadded ? { options: PADDING } : {}) },
    // The types of the driver do not have it.
    ...(own as object | undefined),
  })
  const patched = guardTransactions(compactConnectionQueues(repeatLostStatements(driver)))
  return openBeforeReserving(leaveOutRefusedParameters(patched, isRefused)) as unknown as Sql
}
