/** Makes a copy of a database work again: as the deployment that it is a copy of, or as a new one. */
import type { FileStorage } from '../files/file-storage.js'
import type { Sql } from '../sql.js'
import { describeFiles, findForeignFiles, findForeignRedis, type MembershipConfig } from './examine-services.js'
import { claimCellFiles, claimFiles, MARKER, readFilesOwner } from './files-claim.js'
import { type Identity, isCopied, loadIdentity, recordDatabase, renameDeployment } from './identity.js'
import { composeLive, describeRedis, describeUnclaim, openRedisClaims, type RedisClaims } from './redis-claim.js'

/** The database cannot be adopted, as a sentence for the operator. */
export class AdoptionError extends Error {}

export interface Adoption {
  deployment: string
  /** whether the database was a copy before */
  was_copy: boolean
}

/**
 * Adopts the database. Throws AdoptionError when migrations are missing, when the Redis or the files are not those of
 * its deployment, and while processes of the original run at this Redis.
 * @param asNew whether it becomes a deployment of its own, and its original goes on
 */
export const adoptDatabase = async (
  config: MembershipConfig,
  sql: Sql,
  files: FileStorage,
  asNew: boolean,
): Promise<Adoption> => {
  const identity = await loadIdentity(sql)
  if (identity === undefined) throw new AdoptionError('The database lacks migrations: run migrate first.')
  const claims = openRedisClaims(config.REDIS_URL)
  try {
    await (asNew ? requireUnclaimed(config, files, claims, identity) : requireOwn(config, files, claims, identity))
    await (asNew ? renameDeployment(sql, identity) : recordDatabase(sql, identity))
    const adopted = (await loadIdentity(sql)) ?? identity
    await claimFiles(files, adopted, config.SECRET_KEY[0] ?? '')
    await claimCellFiles(files, adopted)
    await claims.replace(adopted)
    return { deployment: adopted.id, was_copy: isCopied(identity) }
  } finally {
    claims.close()
  }
}

/** Throws AdoptionError if Redis or the files belong to another deployment, or while an original runs. */
const requireOwn = async (
  config: MembershipConfig,
  files: FileStorage,
  claims: RedisClaims,
  identity: Identity,
): Promise<void> => {
  const claim = await claims.read()
  const problem =
    (await findForeignFiles(config, files, identity)) ??
    (claim === undefined ? undefined : findForeignRedis(config.REDIS_URL, identity, claim))
  if (problem !== undefined) throw new AdoptionError(problem)
  const live = await claims.readLive()
  if (live === undefined || live === composeLive(identity)) return
  throw new AdoptionError(
    `REDIS_URL: processes whose database is another one use ${describeRedis(config.REDIS_URL)} now. If this database takes the` +
      ' place of that one, stop them and run this command again after 15 seconds. If both go on, give this one a Redis' +
      ' and files of its own, and run adopt --as-new.',
  )
}

/** Throws AdoptionError unless Redis and the files belong to no deployment. */
const requireUnclaimed = async (
  config: MembershipConfig,
  files: FileStorage,
  claims: RedisClaims,
  identity: Identity,
): Promise<void> => {
  const claim = await claims.read()
  if (claim !== undefined) {
    throw new AdoptionError(
      `REDIS_URL: ${describeRedis(config.REDIS_URL)} belongs to the deployment ${claim.id}. Give this database one of its own.` +
        ` If that deployment is gone: ${describeUnclaim(config.REDIS_URL)}`,
    )
  }
  const owner = await readFilesOwner(files, config.SECRET_KEY)
  if (owner === undefined) return
  throw new AdoptionError(
    `${describeFiles(config)}: these files belong to the deployment ${owner.id}${owner.id === identity.id ? ', which is the original' : ''}.` +
      ` Give this database files of its own. If they are a copy, delete ${MARKER} and the folder deployment-cells there.`,
  )
}
