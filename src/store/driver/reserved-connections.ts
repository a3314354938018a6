/**
 * Reservations that get a connection.
 *
 * The driver never hands over a connection that it opens for a reservation, if it does not read the types of arrays on
 * it (array-types.ts): the reservation waits for ever. Seen in 3.4.9 (`initial.reserve` in `ReadyForQuery` in
 * https://github.com/porsager/postgres/blob/v3.4.9/src/connection.js).
 *
 * 1. The pool opens a connection before it reserves one.
 * 2. While all open connections are busy and others are closed, a reservation would still wait for ever: only
 *    migrations and the move of an organization reserve, in pools that are idle.
 */

/** Makes a pool open a connection before each reservation (1). */
export const openBeforeReserving = <P extends { reserve(): Promise<unknown> }>(pool: P): P => {
  const reserve = pool.reserve.bind(pool)
  const sql = pool as unknown as (text: TemplateStringsArray) => Promise<unknown>
  return Object.assign(pool, {
    async reserve() {
      await sql`select 1`
      return reserve()
    },
  })
}
