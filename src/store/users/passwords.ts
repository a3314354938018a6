/**
 * Passwords: strength, storage and comparison.
 *
 * 1. Only an argon2id hash is stored, in a table apart from the account's row, which every replica holds in memory.
 * 2. A comparison does the same work whether or not the account or its password exists, so the response time does not
 *    reveal which accounts exist.
 * 3. Hashing runs in the thread pool of the process, a few hashes at a time: the pool has few threads, and files and
 *    compression use it too. When too many hashes wait, the next one is refused with SERVER_NOT_READY.
 */
import { hash, verify } from '@node-rs/argon2'
import { limits } from '../../domain/limits/limits.js'
import { errors } from '../../domain/protocol/errors.js'
import { oneOwner } from '../fairness/fair-queue.js'
import { openFairQueue } from '../fairness/fair-queues.js'
import type { Db, Sql } from '../sql.js'

/** The OWASP minimum for argon2id: 19 MiB and two passes, about 20 ms of a core. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const hashes = openFairQueue('password_hashes', errors.notReady)

/** Runs `work` in a slot (3). Throws SERVER_NOT_READY. */
const runLimited = <T>(work: () => Promise<T>): Promise<T> => hashes.run(oneOwner, work)

/** The argon2id hash of a password. Throws SERVER_NOT_READY. */
export const hashPassword = (password: string): Promise<string> => runLimited(() => hash(password, cost))

/** Stores the password hash of an account, replacing an older one. */
export const storePassword = (db: Db, realm_id: number, user_id: number, password_hash: string): Promise<unknown> => db`
  insert into passwords (realm_id, user_id, password_hash) values (${realm_id}, ${user_id}, ${password_hash})
  on conflict (realm_id, user_id) do update set password_hash = excluded.password_hash`

/**
 * Loads the stored hash of a password. It is empty if the password was removed, and undefined if there never was one.
 */
export const loadPasswordHash = async (sql: Db, realm_id: number, user_id: number): Promise<string | undefined> => {
  const [row] = await sql<{ password_hash: string }[]>`
    select password_hash from passwords where realm_id = ${realm_id} and user_id = ${user_id}`
  return row?.password_hash
}

/** Replaces a password hash if it still equals `former_hash` (empty: none). @returns whether it did */
export const replacePassword = async (
  tx: Db,
  realm_id: number,
  user_id: number,
  former_hash: string,
  password_hash: string,
): Promise<boolean> => {
  const stored = await tx`
    insert into passwords (realm_id, user_id, password_hash) values (${realm_id}, ${user_id}, ${password_hash})
    on conflict (realm_id, user_id) do update set password_hash = excluded.password_hash
      where passwords.password_hash = ${former_hash}`
  return stored.count > 0
}

/** Removes the passwords of these accounts. Their users choose new ones by a mailed link. */
export const removePasswords = (tx: Db, realm_id: number, user_ids: readonly number[]): Promise<unknown> => tx`
  update passwords set password_hash = ''
  where realm_id = ${realm_id} and user_id = any(${user_ids as number[]}::int[])`

/**
 * `reset`: the account's password was removed, and the user must choose a new one. `waits`: there is no account, and
 * the password is right for the user who waits for one.
 */
export type Comparison = 'right' | 'wrong' | 'reset' | 'waits'

/**
 * Compares a password with the stored hash of an account.
 * @param user_id undefined when there is no such account: the work is the same (2)
 * @param waiting the hash of a user who signed up with this address and waits for approval (sign-ups.ts)
 * Throws SERVER_NOT_READY.
 */
export const comparePassword = async (
  sql: Sql,
  realm_id: number,
  user_id: number | undefined,
  password: string,
  waiting?: string,
): Promise<Comparison> => {
  const kept = await loadPasswordHash(sql, realm_id, user_id ?? 0)
  dummyHash ??= hash(crypto.randomUUID(), cost)
  const waits = user_id === undefined && waiting !== undefined
  const against = kept || (waits ? waiting : await dummyHash)
  const isRight = await runLimited(() => verify(against, password))
  if (kept === '') return 'reset'
  if (isRight && waits) return 'waits'
  return isRight && kept !== undefined ? 'right' : 'wrong'
}

let dummyHash: Promise<string> | undefined

/**
 * Whether a password is too short, too long or too easy to guess.
 * @param words what an attacker would try first: the account's name and address
 */
export const isWeakPassword = async (password: string, words: readonly string[]): Promise<boolean> => {
  const length = [...password].length
  if (length < limits.password_min_length || length > limits.password_max_length) return true
  estimator ??= loadEstimator()
  const { guesses } = (await estimator).check(password, [...words])
  return guesses < limits.password_min_guesses
}

let estimator: ReturnType<typeof loadEstimator> | undefined

// Loaded on first use: the dictionaries take a tenth of a second and some megabytes, and most gateways never need them.
const loadEstimator = async () => {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}
