/** What errors of a connection to Postgres mean for an operator, as sentences that say what to do. */
import { isUnavailable, splitServers } from './sql.js'

/** The server and the database of a URL, without the login. */
const describeTarget = (database_url: string): { database: string; server: string } => {
  const servers = splitServers(database_url).map((url) => new URL(url))
  const [first] = servers
  const user = decodeURIComponent(first?.username ?? '')
  const names = servers.map(({ host, port }) => (port === '' && host !== '' ? `${host}:5432` : host))
  return {
    // As in libpq, a URL without a database names that of the user.
    database: decodeURIComponent(first?.pathname.slice(1) ?? '') || user,
    server: names.join() || 'the socket of this machine',
  }
}

/**
 * Says what an error of the connection or of the database's state means. Returns undefined for other errors.
 * @param variable the name of the variable or option with the URL
 */
export const describeConnectionError = (variable: string, database_url: string, error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  const { code = '', message } = error as NodeJS.ErrnoException
  const { database, server } = describeTarget(database_url)
  switch (code) {
    case '3D000':
      return (
        `${variable}: ${server} has no database named ${database}. Change the variable, or create it, and then run migrate:` +
        ` create database "${database}" template template0 encoding 'UTF8' locale 'C.UTF-8'`
      )
    case '28P01':
    case '28000':
      return `${variable}: ${server} refuses the user or the password: ${message}`
    case '42P01':
      return `${variable}: the database ${database} lacks migrations: run migrate. (${message})`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${variable}: the name of the server ${server} cannot be resolved (${code}).`
  }
  if (!isUnavailable(error)) return undefined
  return `${variable}: Postgres at ${server} cannot be used now: ${message === '' ? code : message}`
}
