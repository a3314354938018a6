/**
 * Whether a process works for the deployment to which its Redis and its files belong, and whether its database is a
 * copy of the deployment's.
 *
 * 1. A process does not start with a Redis or with files of another deployment. While they do not answer, it starts,
 *    and ends when they turn out to be foreign.
 * 2. A process whose database is a copy sends nothing that reaches the original or other servers: it uses names of its
 *    own in Redis, runs no jobs and no schedule, and changes no files. An operator ends this (`adopt`).
 * 3. A copy is a database in another place than the one recorded; one whose deployment was adopted by another database;
 *    and one that another server has in the same place, as long as processes of the original run at the same Redis.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileStorage } from '../files/file-storage.js'
import { openScope, type Scope } from '../redis-scope.js'
import type { Sql } from '../sql.js'
import { withTimeout } from '../timeout.js'
import {
  ELSEWHERE,
  examineFiles,
  examineRedis,
  ForeignDeploymentError,
  isLiveElsewhere,
  type MembershipConfig,
} from './examine-services.js'
import { readFilesOwner } from './files-claim.js'
import { composeScope, foundDeployment, type Identity, isCopied, markAsCopy, waitForIdentity } from './identity.js'
import { openRedisClaims } from './redis-claim.js'

export interface Membership {
  /** The names of the process in Redis. */
  readonly scope: Scope
  /** Calls back when it is known whether the database is a copy (2). */
  onKnown(listener: (isCopy: boolean) => void): void
  /** Whether it is known that the database is a copy. */
  isCopy(): boolean
  findWarning(): string | undefined
  close(): void
}

/** Milliseconds that the start of a process waits for Postgres, Redis and the files. */
const START_MS = 2_000
/** Milliseconds after which files count as away. */
const FILES_MS = 3_000
const FILES_RETRY_MS = 10_000
/** How often a process says that it runs, and looks whether its database was adopted. */
const LIVE_INTERVAL_MS = 5_000
/** Longer than the live key of a process that has ended lasts. */
const LIVE_PATIENCE_MS = 18_000

const ADOPT = 'node dist/cli.js adopt'

/**
 * Finds out what the process works for. Throws ForeignDeploymentError (1).
 * @param onLateProblem is called with what was found out after the return, and must end the process
 * @param patience_ms how long the key of a process that has ended may last
 */
export const joinDeployment = async (
  config: MembershipConfig,
  sql: Sql,
  files: Pick<FileStorage, 'get' | 'put'>,
  onLateProblem: (problem: string) => void,
  patience_ms = LIVE_PATIENCE_MS,
): Promise<Membership> => {
  const claims = openRedisClaims(config.REDIS_URL)
  const closing = new AbortController()
  const scope = openScope()
  const listeners: ((isCopy: boolean) => void)[] = []
  let identity: Identity | undefined
  let copy: string | undefined
  let isKnown = false
  let isAdopted = false
  let foreignRedis: string | undefined
  let hasAskedRedis = false

  const settle = (found: Identity, reason: string | undefined) => {
    identity = found
    copy = reason
    isKnown = true
    scope.set(composeScope(found))
    for (const listener of listeners.splice(0)) listener(reason !== undefined)
  }

  const check = async () => {
    const found = await waitForFounding(config, sql, files, closing.signal)
    const atFiles = withTimeout(examineFiles(config, files, found), FILES_MS, 'the files do not answer')
    const atRedis = examineRedis(config, claims, found)
    const reasons = await Promise.all([atFiles.catch(rethrowForeign), atRedis.catch(rethrowForeign)])
    let reason = isCopied(found) ? RESTORED : reasons.find((one) => one !== undefined && one !== AWAY)
    let settled = found
    if (reason === undefined && reasons[1] !== AWAY && (await isLiveElsewhere(claims, found, patience_ms))) {
      await markAsCopy(sql, found)
      settled = await waitForIdentity(sql, closing.signal)
      reason = PHYSICAL
    }
    settle(settled, reason)
    if (reasons[0] === AWAY) void checkFilesLater(settled)
    hasAskedRedis = reasons[1] !== AWAY
    claims.onReady(() => void checkRedisAgain(settled))
    if (!hasAskedRedis) void checkRedisAgain(settled)
  }

  const checkFilesLater = async (found: Identity) => {
    while (!closing.signal.aborted) {
      await sleep(FILES_RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        const reason = await examineFiles(config, files, found)
        if (reason !== undefined && copy === undefined) onLateProblem(reason)
        return
      } catch (error) {
        if (error instanceof ForeignDeploymentError) return onLateProblem(error.message)
      }
    }
  }

  /** A Redis that was away, or has lost its memory. A process that works already goes on: its names are its own. */
  const checkRedisAgain = async (found: Identity) => {
    const isFirst = !hasAskedRedis
    try {
      const reason = await examineRedis(config, claims, found)
      hasAskedRedis = true
      foreignRedis = undefined
      if (reason !== undefined && copy === undefined && isFirst) onLateProblem(reason)
    } catch (error) {
      if (!(error instanceof ForeignDeploymentError)) return
      hasAskedRedis = true
      foreignRedis = error.message
      if (isFirst) onLateProblem(error.message)
    }
  }

  const tellLife = async () => {
    if (!isKnown) return
    const now = await waitForIdentity(sql, AbortSignal.any([closing.signal, AbortSignal.timeout(LIVE_INTERVAL_MS)]))
    identity = now
    if (copy !== undefined) isAdopted = copy !== ELSEWHERE && !isCopied(now)
    else {
      // Redis may have been emptied without an end of the connection.
      await checkRedisAgain(now)
      await claims.renewLive(now)
    }
  }
  const timer = setInterval(() => void tellLife().catch(() => {}), LIVE_INTERVAL_MS)
  timer.unref()

  let hasReturned = false
  const checked = check().then(
    () => void tellLife().catch(() => {}),
    (error: Error) => {
      if (closing.signal.aborted) return
      if (!hasReturned) throw error
      onLateProblem(error.message)
    },
  )
  try {
    await Promise.race([checked, sleep(START_MS, undefined, { ref: false })])
  } finally {
    hasReturned = true
  }

  return {
    scope,
    onKnown(listener) {
      if (isKnown) listener(copy !== undefined)
      else listeners.push(listener)
    },
    isCopy: () => copy !== undefined,
    findWarning() {
      if (copy === undefined) return foreignRedis
      if (isAdopted) return 'DATABASE_URL: the database was adopted after this process started: restart it.'
      return describeCopy(copy, identity)
    },
    close() {
      closing.abort()
      clearInterval(timer)
      claims.close()
    },
  }
}

const RESTORED = 'it is a restored copy: a process has used it in another place'
const PHYSICAL = 'it is a copy of another server, whose processes use the same Redis'
/** A service that does not answer, of which nothing is known. */
const AWAY = 'away'

const describeCopy = (reason: string, identity: Identity | undefined): string =>
  `DATABASE_URL: ${reason}. So this process sends nothing: no mails, webhooks, notices or scheduled messages, and it changes` +
  ` no files. If this database takes the place of the other one (deployment ${identity?.id}), whose processes must not run` +
  ` any more, run: ${ADOPT}. Then restart all processes.`

const rethrowForeign = (error: unknown): typeof AWAY => {
  if (error instanceof ForeignDeploymentError) throw error
  return AWAY
}

/** The identity of a database that a process has used: of a new one, its first process says to whom it belongs. */
const waitForFounding = async (
  config: MembershipConfig,
  sql: Sql,
  files: Pick<FileStorage, 'get' | 'put'>,
  signal: AbortSignal,
): Promise<Identity> => {
  for (;;) {
    const found = await waitForIdentity(sql, signal)
    if (found.database !== null) return found
    // A new database whose files cannot be read may be the next cell of their deployment: it waits for them.
    const owner = await readFilesOwner(files, config.SECRET_KEY).catch(() => AWAY)
    if (owner === AWAY) await sleep(1_000, undefined, { ref: false, signal })
    else await foundDeployment(sql, found, typeof owner === 'object' && owner.hasOurSecret ? owner.id : undefined)
  }
}
