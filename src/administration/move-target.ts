/** Whether an organization can be moved to a database and a Redis: what is found before anything is locked. */
import { parseRedisUrl } from '../domain/deployment/redis-url.js'
import { splitDatabaseUrl } from '../domain/net/database-urls.js'
import { findConnectionProblem } from '../store/connection-check.js'
import { describeConnectionError } from '../store/connection-errors.js'
import { findForeignClaim } from '../store/deployment/examine-services.js'
import { loadIdentity } from '../store/deployment/identity.js'
import { findDatabaseProblem } from '../store/migrations.js'
import { openSql, type Sql } from '../store/sql.js'

/** The addresses of another cell. */
export interface MoveAddresses {
  DATABASE_URL: string
  REDIS_URL: string
}

/** The options that name the addresses, for the operator. */
const DATABASE = '--to-database'
const REDIS = '--to-redis'

/**
 * Finds why these are not the addresses of another cell of the deployment. The deployment is that of `source`. Returns
 * a sentence, or undefined if they are such addresses.
 */
export const findTargetProblem = async (
  source: Sql,
  { DATABASE_URL, REDIS_URL }: MoveAddresses,
): Promise<string | undefined> => {
  const urls = splitDatabaseUrl(DATABASE_URL)
  if (typeof urls === 'string') return `${DATABASE} ${urls}.`
  try {
    parseRedisUrl(REDIS_URL)
  } catch (error) {
    return `${REDIS} ${(error as Error).message}.`
  }
  const target = openSql(DATABASE_URL, 1)
  try {
    return (
      (await findConnectionProblem(DATABASE, DATABASE_URL)) ??
      (await findOtherDeployment(source, target)) ??
      (await findForeignClaim(target, REDIS_URL))?.replace('REDIS_URL', REDIS).replaceAll('DATABASE_URL', DATABASE)
    )
  } catch (error) {
    const sentence = describeConnectionError(DATABASE, DATABASE_URL, error)
    if (sentence === undefined) throw error
    return sentence
  } finally {
    await target.end({ timeout: 5 })
  }
}

const findOtherDeployment = async (source: Sql, target: Sql): Promise<string | undefined> => {
  const here = await loadIdentity(source)
  const there = await loadIdentity(target)
  // The same database under another name, or a standby of it: a copy into it would wait for itself.
  if (here !== undefined && there?.actual === here.actual)
    return `${DATABASE} is the database of this cell: name the database of another one.`
  const problem = await findDatabaseProblem(target)
  if (problem !== undefined) return `${DATABASE}: ${problem}`
  // A database that no process has used yet belongs to no deployment.
  if (there === undefined || there.database === null || there.id === here?.id) return undefined
  return (
    `${DATABASE}: the database belongs to another deployment (${there.id}; that of DATABASE_URL is ${here?.id}).` +
    ' Organizations move between the cells of one deployment.'
  )
}
