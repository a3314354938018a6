/**
 * The check of a second factor: a one-time code of an app, or a recovery code.
 *
 * 1. Wrong codes of an account are limited, whichever way they come. An attempt is counted before the code is compared,
 *    and a right one is uncounted.
 * 2. A code is accepted once (store/second-factor/second-factors.ts). A call checks it in `prepare`, which runs once.
 * 3. A wrong code and a used recovery code are in the audit log, and the user is mailed.
 */
import { secondsNow } from '#rules/time.js'
import { realmUrl } from '../../config/hosts.js'
import { openWays } from '../../config/log-in-ways.js'
import type { UserRow } from '../../domain/log/rows.js'
import { errors } from '../../domain/protocol/errors.js'
import { isOpenWay } from '../../domain/realm/authentication.js'
import { hashRecoveryCode, readRecoveryCode } from '../../domain/second-factor/recovery-codes.js'
import { isSecondFactorRequired } from '../../domain/second-factor/requirement.js'
import type { Actor, WriteContext } from '../../store/log/write-context.js'
import { commitSecondFactorAct } from '../../store/second-factor/second-factor-acts.js'
import { loadSecondFactor, spendRecoveryCode, spendTimeStep } from '../../store/second-factor/second-factors.js'
import { loadPasswordHash } from '../../store/users/passwords.js'
import type { App } from '../contract/app.js'
import { findTotpStep, readTotpCode } from './one-time-code.js'

/** Whether a log-in to the account asks for a second factor. */
export const hasSecondFactor = async ({ sql, realm }: WriteContext, user_id: number): Promise<boolean> =>
  (await loadSecondFactor(sql, realm.id, user_id)) !== undefined

/** What a log-in needs besides: a code, or that its user first sets one up. */
export const findSecondFactorNeed = async (
  open: WriteContext,
  user: UserRow,
): Promise<'code' | 'enrolment' | undefined> => {
  if (await hasSecondFactor(open, user.id)) return 'code'
  return isSecondFactorRequired(open.realm.state, user) ? 'enrolment' : undefined
}

/** The error for an account that needs this. */
export const composeNeedError = (need: 'code' | 'enrolment') =>
  need === 'code' ? errors.secondFactorRequired() : errors.secondFactorEnrolmentRequired()

/** Whether the user can log in with a password. */
export const hasPassword = async (
  { config, store }: Pick<App, 'config' | 'store'>,
  user_id: number,
  { id, state }: WriteContext['realm'],
): Promise<boolean> =>
  isOpenWay('Email', state.settings, openWays(config, state)) &&
  ((await loadPasswordHash(store.sql, id, user_id)) ?? '') !== ''

/** Where a code comes from. */
export type CodeOrigin = Pick<Actor, 'address' | 'action'>

/**
 * Checks a code, and uses it up (1, 2, 3). Throws SECOND_FACTOR_FAILED and RATE_LIMIT_HIT.
 * @param input what the user typed: a one-time code or a recovery code
 */
export const verifySecondFactor = async (
  app: App,
  open: WriteContext,
  user: UserRow,
  input: string,
  origin: CodeOrigin,
): Promise<void> => {
  const { id: realm_id } = open.realm
  const attempt = await app.allowances.consume('second_factor_by_account', `${realm_id}:${user.id}`)
  if (attempt?.retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': attempt.retry_after })
  const actor = { user_id: user.id, ...origin }
  const realm_url = realmUrl(open.realm.state.realm.string_id, app.config)
  const used = await spendCode(open, user.id, input, async (spend) => {
    await commitSecondFactorAct(open, { user_id: user.id, happened: 'recovery_code_used', actor }, realm_url, spend)
  })
  if (used) return attempt?.refund()
  const mail = await app.allowances.consume('second_factor_mail_by_account', `${realm_id}:${user.id}`)
  const mailed = mail?.retry_after === undefined ? realm_url : undefined
  await commitSecondFactorAct(open, { user_id: user.id, happened: 'refused', actor }, mailed)
  throw errors.secondFactorFailed()
}

/** A recovery code that the account does not have. */
class NoSuchCode extends Error {}

/** Uses a code up. @param record commits that a recovery code is used. @returns whether it was right */
const spendCode = async (
  { sql, realm: { id: realm_id, state } }: WriteContext,
  user_id: number,
  input: string,
  record: (spend: Parameters<typeof commitSecondFactorAct>[3]) => Promise<void>,
): Promise<boolean> => {
  const factor = await loadSecondFactor(sql, realm_id, user_id)
  if (factor === undefined) return false
  const code = readTotpCode(input)
  if (code !== undefined) {
    const { keys } = state.deployment
    const secret = keys.openFor('second-factor', factor.sealed_secret)
    const step = secret === undefined ? undefined : findTotpStep(secret, code, secondsNow())
    if (secret === undefined || step === undefined) return false
    // Encrypted anew, so that the operator can replace the secret of the deployment.
    const sealed_secret = keys.sealFor('second-factor', secret)
    return spendTimeStep(sql, realm_id, user_id, { step, sealed_secret, former: factor.sealed_secret })
  }
  const recovery = readRecoveryCode(input)
  if (recovery === undefined) return false
  try {
    await record(async (tx) => {
      if (!(await spendRecoveryCode(tx, realm_id, user_id, hashRecoveryCode(recovery)))) throw new NoSuchCode()
    })
    return true
  } catch (error) {
    if (error instanceof NoSuchCode) return false
    throw error
  }
}
