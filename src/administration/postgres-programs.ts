/** Runs the programs of Postgres that dump and restore a database. */
import { spawn } from 'node:child_process'
import { splitDatabaseUrl } from '../domain/net/database-urls.js'
import { OperatorError } from './operator-error.js'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Runs a program with a database. The password is in its environment, because other users of the machine see arguments.
 * Throws OperatorError.
 */
export const runPostgresProgram = async (
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  database_url: string,
  env: Environment,
): Promise<void> => {
  const { url, password } = separatePassword(database_url)
  const child = spawn(program, [...args, `--dbname=${url}`], {
    env: { ...env, ...(password === '' ? {} : { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const cure = `install the programs of Postgres (Debian: postgresql-client), not older than the server.`
      reject(new OperatorError(code === 'ENOENT' ? `There is no ${program}: ${cure}` : message))
    })
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new OperatorError(`${program} failed: ${told.trim()}`))
    })
  })
}

/** The URL without the password, in the form that libpq reads. */
const separatePassword = (database_url: string): { url: string; password: string } => {
  const urls = splitDatabaseUrl(database_url)
  const first = new URL(typeof urls === 'string' ? database_url : (urls[0] ?? ''))
  const password = decodeURIComponent(first.password)
  // Several servers are one URL to libpq, so only the text of the password goes.
  const url = database_url.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@')
  const isOfSeveral = typeof urls !== 'string' && urls.length > 1 && !url.includes('target_session_attrs')
  return { url: isOfSeveral ? `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=read-write` : url, password }
}
