/**
 * Compares what Redis and the files say of their deployment with the database of a process: whether they belong to
 * another deployment or cell, and whether another database was adopted in the place of this one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/config.js'
import type { FileStorage } from '../files/file-storage.js'
import type { Sql } from '../sql.js'
import { claimFiles, isCellElsewhere, MARKER, readFilesOwner } from './files-claim.js'
import { type Identity, isCopied, loadIdentity } from './identity.js'
import {
  composeLive,
  describeRedis,
  describeUnclaim,
  openRedisClaims,
  type RedisClaim,
  type RedisClaims,
} from './redis-claim.js'

export type MembershipConfig = Pick<Config, 'REDIS_URL' | 'SECRET_KEY' | 'UPLOADS_DIR' | 'S3_BUCKET'>

/** The Redis or the files belong to another deployment. */
export class ForeignDeploymentError extends Error {}

/** Why a database is a copy: so Redis or the files say. */
export const ELSEWHERE = 'another database was adopted in its place'

/** How to name the files to an operator: the variable with its value. */
export const describeFiles = ({
  UPLOADS_DIR,
  S3_BUCKET,
}: Pick<MembershipConfig, 'UPLOADS_DIR' | 'S3_BUCKET'>): string =>
  S3_BUCKET === undefined ? `UPLOADS_DIR (${UPLOADS_DIR})` : `S3_BUCKET (${S3_BUCKET})`

/** Says why the files must not be used. Returns undefined if they belong to this deployment, or to none. */
export const findForeignFiles = async (
  config: MembershipConfig,
  files: Pick<FileStorage, 'get' | 'put'>,
  { id }: Pick<Identity, 'id'>,
): Promise<string | undefined> => {
  const owner = await readFilesOwner(files, config.SECRET_KEY)
  if (owner === undefined || owner.id === id) return undefined
  return (
    `${describeFiles(config)}: this ${config.S3_BUCKET === undefined ? 'folder' : 'bucket'} belongs to another deployment (${owner.id}; that of DATABASE_URL is ${id}). Give each deployment` +
    ` one of its own. If the other one is gone, or this is a copy of its files, delete ${MARKER} and the folder` +
    ' deployment-cells there.'
  )
}

/** Says why Redis must not be used; undefined: it belongs to this cell. */
export const findForeignRedis = (
  redis_url: string,
  { id, cell }: Pick<Identity, 'id' | 'cell'>,
  claim: RedisClaim,
): string | undefined => {
  if (claim.id === id && claim.cell === cell) return undefined
  const owner = claim.id === id ? 'another cell of this deployment' : 'another deployment'
  const ids =
    claim.id === id ? `${claim.cell}; that of DATABASE_URL is ${cell}` : `${claim.id}; that of DATABASE_URL is ${id}`
  return (
    `REDIS_URL: ${describeRedis(redis_url)} belongs to ${owner} (${ids}). Give each one a Redis, or another database` +
    ` number of a Redis. If the other one is gone: ${describeUnclaim(redis_url)}`
  )
}

/** Why a command must not use Redis; undefined: it can, or nobody can say so now. */
export const findForeignClaim = async (sql: Sql, redis_url: string): Promise<string | undefined> => {
  const claims = openRedisClaims(redis_url)
  try {
    const [identity, claim] = await Promise.all([loadIdentity(sql), claims.read()])
    return identity === undefined || claim === undefined ? undefined : findForeignRedis(redis_url, identity, claim)
  } catch {
    return undefined
  } finally {
    claims.close()
  }
}

/** @returns why the database is a copy. Throws ForeignDeploymentError, or because the files are away */
export const examineFiles = async (
  config: MembershipConfig,
  files: Pick<FileStorage, 'get' | 'put'>,
  identity: Identity,
): Promise<string | undefined> => {
  const problem = await findForeignFiles(config, files, identity)
  if (problem !== undefined) throw new ForeignDeploymentError(problem)
  if (!isCopied(identity) && (await readFilesOwner(files, config.SECRET_KEY)) === undefined) {
    await claimFiles(files, identity, config.SECRET_KEY[0] ?? '')
  }
  return (await isCellElsewhere(files, identity)) ? ELSEWHERE : undefined
}

/** @returns why the database is a copy. Throws ForeignDeploymentError, or because Redis is away */
export const examineRedis = async (
  { REDIS_URL }: MembershipConfig,
  claims: RedisClaims,
  identity: Identity,
): Promise<string | undefined> => {
  const claim = isCopied(identity) ? await claims.read() : await claims.claim(identity)
  if (claim === undefined) return undefined
  const problem = findForeignRedis(REDIS_URL, identity, claim)
  if (problem !== undefined) throw new ForeignDeploymentError(problem)
  return claim.database === identity.actual ? undefined : ELSEWHERE
}

/**
 * Whether processes with another run of the same database server use this Redis. It is true if they say that they run
 * for all of `patience_ms`.
 */
export const isLiveElsewhere = async (
  claims: RedisClaims,
  identity: Identity,
  patience_ms: number,
): Promise<boolean> => {
  const own = composeLive(identity)
  const pause = Math.min(1_000, patience_ms / 4)
  for (let waited = 0; waited <= patience_ms; waited += pause) {
    const live = await claims.readLive().catch(() => undefined)
    if (live === undefined || live === own) return false
    await sleep(pause, undefined, { ref: false })
  }
  return true
}
