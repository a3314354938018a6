/**
 * Log-in with the password of a directory (LDAP, Active Directory).
 *
 * 1. The directory is searched for the one person with the name, and then asked whether it accepts the password of that
 *    person. A name that several people have lets none of them in.
 * 2. The attempt counts for the account of the person, too, whatever name was typed: other names of a person give no
 *    further attempts.
 * 3. A directory that does not answer within LIMIT_MS is as one that is away. It is asked after the others for AWAY_MS,
 *    and never decides about people of other directories.
 */
import { composeLogInFilter, type Directory } from '../../../domain/log-in/directories.js'
import {
  composeExternalPerson,
  type DirectoryPerson,
  personAttributes,
  readPerson,
} from '../../../domain/log-in/directory-people.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { DirectoryError, withDirectory } from '../../../store/log-in/directory-client.js'
import { type NewcomerContext, resolveExternalUser } from '../../../store/log-in/external-accounts.js'
import { loadKnownIdentities } from '../../../store/log-in/identities.js'
import { recordLogInAct } from '../../../store/log-in/log-in-acts.js'
import type { App } from '../../contract/app.js'

const LIMIT_MS = 5_000
const AWAY_MS = 10_000
/** Longer names and passwords belong to nobody. */
const MAX_NAME = 255
const MAX_PASSWORD = 1_000

/** How the directories answered: with an account, that no person has this name and password, or not at all. */
export type DirectoryAnswer =
  | { readonly result: 'entered'; readonly user_id: number }
  | { readonly result: 'refused' }
  | { readonly result: 'away'; readonly directory: Directory }

interface Attempt {
  username: string
  password: string
  newcomer: NewcomerContext
  /**
   * Counts the attempt for an account (2). Throws RATE_LIMIT_HIT.
   * @param account its id, or what names a person who has no account yet
   */
  count(account: number | string): Promise<void>
  /** Must be called when the password was correct. */
  succeed(): Promise<void>
}

const lastFailures = new Map<string, number>()

/**
 * Asks the directories in turn until one accepts the password. Returns the account of the person, which may be a
 * new one. Throws RATE_LIMIT_HIT, BAD_REQUEST and what resolveExternalUser throws.
 */
export const logInWithDirectories = async (
  app: App,
  open: WriteContext,
  directories: readonly Directory[],
  attempt: Attempt,
): Promise<DirectoryAnswer> => {
  const { username, password, newcomer } = attempt
  if (username === '' || username.length > MAX_NAME || password === '' || password.length > MAX_PASSWORD)
    return { result: 'refused' }
  let away: Directory | undefined
  for (const directory of orderByFailure(directories)) {
    try {
      const person = await verifyPerson(open, directory, attempt)
      if (person === undefined) continue
      await attempt.succeed()
      return { result: 'entered', user_id: await enter(app, open, directory, newcomer, person) }
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      lastFailures.set(directory.key, Date.now())
      app.log.warn({ err: error, directory: directory.key }, 'a directory failed')
      away ??= directory
    }
  }
  return away === undefined ? { result: 'refused' } : { result: 'away', directory: away }
}

/** The person whose password it is; undefined: nobody. Throws DirectoryError and RATE_LIMIT_HIT. */
const verifyPerson = (
  { realm, sql }: WriteContext,
  directory: Directory,
  { username, password, count }: Attempt,
): Promise<DirectoryPerson | undefined> =>
  withDirectory(directory, LIMIT_MS, async (session) => {
    const found = await session.findTwo({
      base_dn: directory.base_dn,
      filter: composeLogInFilter(directory, username),
      attributes: personAttributes(directory),
    })
    const [entry] = found
    const person = entry && found.length === 1 ? readPerson(directory, entry) : undefined
    if (person === undefined || person.isDisabled) return undefined
    const external = composeExternalPerson(directory, person)
    const { owner } = await loadKnownIdentities(sql, realm.id, external, undefined)
    await count(owner ?? realm.state.userByEmail(person.email)?.id ?? `${directory.key}:${person.subject}`)
    return (await session.acceptsPassword(person.dn, password)) ? person : undefined
  })

/** The account of a person. A refusal is recorded in the audit log. Throws what resolveExternalUser throws. */
const enter = async (
  app: App,
  open: WriteContext,
  directory: Directory,
  newcomer: NewcomerContext,
  person: DirectoryPerson,
): Promise<number> => {
  try {
    return await resolveExternalUser(open, newcomer, directory, composeExternalPerson(directory, person))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { id } = open.realm
    const allowance = await app.allowances.consume('failed_log_ins_by_realm', String(id))
    if (allowance?.retry_after === undefined) {
      const refusal = { user_id: null, result: 'refused', reason: error.message, email: person.email } as const
      await recordLogInAct(app.store.sql, id, newcomer, directory, refusal)
    }
    throw error
  }
}

/** Those that have answered lately come first (3). */
const orderByFailure = (directories: readonly Directory[]): Directory[] => {
  const isAway = ({ key }: Directory) => Date.now() - (lastFailures.get(key) ?? Number.NEGATIVE_INFINITY) < AWAY_MS
  return [...directories].sort((a, b) => Number(isAway(a)) - Number(isAway(b)))
}

/** The refusal while a directory is away. */
export const composeAwayRefusal = ({ name: provider }: Directory): ApiError =>
  errors.badRequest('{provider} cannot be reached now. Try again later.', { provider })
