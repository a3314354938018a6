/**
 * Parameters of new connections that can change while a pool is open.
 *
 * The driver takes the parameters when the pool is opened, but a proxy refuses one of them only when a connection is
 * opened: all later attempts of the pool would fail in the same way. The driver reads `options.connection` for each
 * connection. Seen in 3.4.9 (`StartupMessage` in https://github.com/porsager/postgres/blob/v3.4.9/src/connection.js).
 *
 * 1. Each new connection is opened without the parameters that are refused by then.
 */

/** Leaves out refused parameters of all further connections of a pool (1). */
export const leaveOutRefusedParameters = <P extends { readonly options: { readonly connection: object } }>(
  pool: P,
  isRefused: (name: string) => boolean,
): P => {
  const parameters = Object.entries(pool.options.connection)
  Object.defineProperty(pool.options, 'connection', {
    get: () => Object.fromEntries(parameters.filter(([name]) => !isRefused(name))),
  })
  return pool
}
