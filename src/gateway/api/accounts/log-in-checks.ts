/** The checks and the record of every log-in, whether it answers with an API key or begins a session. */

import { secondsNow } from '#rules/time.js'
import { isOwnHost, realmUrl } from '../../../config/hosts.js'
import { openWays } from '../../../config/log-in-ways.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { Directory } from '../../../domain/log-in/directories.js'
import { type ApiError, errors } from '../../../domain/protocol/errors.js'
import { isOpenWay } from '../../../domain/realm/authentication.js'
import { isEmailAddress } from '../../../domain/users/name-and-email-rules.js'
import type { Realm } from '../../../store/log/realm.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { findIdentityMethods } from '../../../store/log-in/identities.js'
import { recordLogin } from '../../../store/users/logins.js'
import { comparePassword } from '../../../store/users/passwords.js'
import { findWaitingPassword } from '../../../store/users/sign-ups.js'
import { parseClientName } from '../../call/user-agent.js'
import type { App } from '../../contract/app.js'
import type { CallRequest } from '../../contract/call-request.js'
import { openDirectories } from '../../log-in/open-methods.js'
import { composeNeedError, findSecondFactorNeed } from '../../second-factor/second-factor.js'
import { composeAwayRefusal, logInWithDirectories } from './directory-log-in.js'
import { composeNewcomer } from './newcomer.js'
import { countPasswordAttempt, type PasswordAttempt } from './password-attempts.js'

/** The refusals of a log-in, for the declarations of endpoints. */
export const logInRefusals = [
  errors.authenticationFailed,
  errors.userDeactivated,
  errors.signUpWaits,
  errors.realmIsDeactivated,
  errors.passwordAuthDisabled,
  errors.passwordResetRequired,
  errors.nonexistentSubdomain,
  errors.rateLimitHit,
] as const

/** The context of a call to an active organization. Throws NONEXISTENT_SUBDOMAIN and REALM_DEACTIVATED. */
export const requireActiveRealm = (write: WriteContext | undefined): WriteContext => {
  if (write === undefined) throw errors.nonexistentSubdomain()
  if (!write.realm.state.realm.is_active) throw errors.realmIsDeactivated()
  return write
}

/** The account of a human user; bots have no passwords. */
export const findHumanAccount = ({ state }: Realm, username: string): UserRow | undefined => {
  const user = state.userByEmail(username.trim())
  return user === undefined || user.is_bot ? undefined : user
}

/** The account, if there is one that may log in. Throws AUTHENTICATION_FAILED, and USER_DEACTIVATED. */
export const requireActiveAccount = (user: UserRow | undefined): UserRow => {
  if (user === undefined) throw errors.authenticationFailed()
  if (!user.is_active) throw errors.userDeactivated()
  return user
}

/** What a user types to log in, and the method and path of the endpoint for the audit log. */
interface TypedPassword {
  username: string
  password: string
  action: string
}

/**
 * Verifies a password. Counts the attempt, and asks the directories after the stored one. Throws
 * PASSWORD_AUTH_DISABLED, BAD_REQUEST for what is no address and while a directory is away, RATE_LIMIT_HIT,
 * PASSWORD_RESET_REQUIRED, AUTHENTICATION_FAILED, USER_DEACTIVATED and, with the right password of a user who waits
 * for approval, SIGN_UP_WAITS.
 * @returns the account, which a directory may have created
 */
export const verifyPassword = async (
  app: App,
  open: WriteContext,
  { username, password, action }: TypedPassword,
  request: CallRequest,
): Promise<UserRow> => {
  const { realm } = open
  const directories = openDirectories(app.config, realm.state)
  const hasPasswords = isOpenWay('Email', realm.state.settings, openWays(app.config, realm.state))
  if (!hasPasswords && directories.length === 0) throw errors.passwordAuthDisabled()
  const name = username.trim()
  // Users have other names than addresses in a directory only.
  if (directories.length === 0 && !isEmailAddress(name)) throw errors.badRequest('This is not an email address.')
  if (name.length > MAX_NAME) throw errors.authenticationFailed()
  const found = findHumanAccount(realm, name)
  const attempts = new Map<number | string, PasswordAttempt>()
  const count = async (account: number | string) => {
    if (attempts.has(account)) return
    const attempt = await countPasswordAttempt(app, realm.id, account, request)
    if (attempt.retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': attempt.retry_after })
    attempts.set(account, attempt)
  }
  const succeed = async () => {
    for (const attempt of attempts.values()) await attempt.succeed()
  }
  await count(found?.id ?? name.toLowerCase())
  const own = hasPasswords && !(await isHeldByDirectory(app, realm.id, found, directories)) ? found : undefined
  // Looked for in any case: the time does not reveal whether the address has an account.
  const waiting = await findWaitingPassword(app.store.sql, realm.id, name)
  const compared = await comparePassword(app.store.sql, realm.id, own?.id, password, waiting)
  if (compared === 'right' && own !== undefined) {
    await succeed()
    // Read again, because the account may have changed while the password was compared.
    return requireActiveAccount(realm.state.users.get(own.id))
  }
  if (compared === 'waits') {
    await succeed()
    throw errors.signUpWaits()
  }
  const newcomer = { ...composeNewcomer(app, realm, request), action }
  const answer = await logInWithDirectories(app, open, directories, {
    username: name,
    password,
    newcomer,
    count,
    succeed,
  })
  if (answer.result === 'entered') return requireActiveAccount(realm.state.users.get(answer.user_id))
  if (answer.result === 'away') throw composeAwayRefusal(answer.directory)
  if (compared === 'reset') throw errors.passwordResetRequired()
  throw errors.authenticationFailed()
}

/** No address of an account is longer. */
const MAX_NAME = 255

/** Whether only the password of a directory lets the account in (domain/log-in/directories.ts, 4). */
const isHeldByDirectory = async (
  { store }: App,
  realm_id: number,
  user: UserRow | undefined,
  directories: readonly Directory[],
): Promise<boolean> => {
  const keys = directories.filter(({ replaces_passwords }) => replaces_passwords).map(({ key }) => key)
  return user !== undefined && (await findIdentityMethods(store.sql, realm_id, user.id, keys)).length > 0
}

/**
 * Refuses the API key of an account that has or must have a second factor. An app gets the key when its user has logged
 * in with a browser (api/log-in/app-log-in.ts). Throws SECOND_FACTOR_REQUIRED and SECOND_FACTOR_ENROLMENT_REQUIRED.
 */
export const refuseSecondFactor = async (open: WriteContext, user: UserRow): Promise<void> => {
  const need = await findSecondFactorNeed(open, user)
  if (need !== undefined) throw composeNeedError(need)
}

/** Records a login: the user gets a mail if it is from a new device. */
export const noteLogin = (
  app: App,
  write: WriteContext,
  user: UserRow,
  { ip, userAgent, fields }: Pick<CallRequest, 'ip' | 'userAgent' | 'fields'>,
): Promise<void> => {
  const client = parseClientName(fields.client, userAgent)
  const realm_url = realmUrl(write.realm.state.realm.string_id, app.config)
  return recordLogin(write, user, { client, ip, at: secondsNow(), realm_url })
}

/**
 * Requires a development server, and a request that no page of another site sent. Throws BAD_REQUEST on another server,
 * and a 403 for a page of another site: a developer also visits other pages with the same browser, and these pages can
 * send requests to the server.
 */
export const requireDevelopment = (app: App, request: CallRequest): void => {
  const refusal = refuseDevelopmentLogin(app, request)
  if (refusal !== undefined) throw refusal
}

/** Why a request may not log in without a password; undefined if it may. */
export const refuseDevelopmentLogin = (
  { config }: App,
  { host, isFromForeignPage }: CallRequest,
): ApiError | undefined => {
  if (config.NODE_ENV === 'production') return errors.badRequest('This works only on a development server.')
  if (config.NODE_ENV !== 'development')
    return errors.badRequest('This server does not allow logging in without a password.')
  if (isFromForeignPage) return errors.foreignPage()
  if (!isOwnHost(host, config))
    return errors.badRequest('This development server has another name: call it as localhost, or set PUBLIC_URL.')
  return undefined
}
