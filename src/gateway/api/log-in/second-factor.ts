/**
 * The second factor of the caller's account: set up, shown and removed with the session of a browser only.
 *
 * 1. What weakens or replaces it asks for the second factor again; where there is none yet, for the password, or for a
 *    log-in of the last RECENT_SECONDS where the user has no password.
 * 2. With the second factor, all sessions and the API key of the account end, which a password alone may have begun.
 *    The browser that sets it up gets a new session in the same transaction.
 * 3. Recovery codes are in the answer that makes them, and nowhere else.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { realmUrl } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { errors } from '../../../domain/protocol/errors.js'
import { createRecoveryCodes, hashRecoveryCode } from '../../../domain/second-factor/recovery-codes.js'
import { isSecondFactorRequired } from '../../../domain/second-factor/requirement.js'
import { renewKey } from '../../../domain/users/accounts/account-changes.js'
import { checkOutranks, requireAdministered } from '../../../domain/users/accounts/account-rights.js'
import type { Realm } from '../../../store/log/realm.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { insertProviderSession, type ProviderSession } from '../../../store/log-in/provider-sessions.js'
import { endSecondFactor } from '../../../store/second-factor/end-second-factor.js'
import {
  commitSecondFactorAct,
  composeSecondFactorMail,
  recordSecondFactorAct,
  type SecondFactorAct,
  type SecondFactorEvent,
} from '../../../store/second-factor/second-factor-acts.js'
import {
  deleteSecondFactor,
  insertSecondFactor,
  loadSecondFactor,
  replaceRecoveryCodes,
} from '../../../store/second-factor/second-factors.js'
import { endpoint, streamed } from '../../call/endpoint.js'
import { idInPath, str } from '../../call/params.js'
import type { App } from '../../contract/app.js'
import type { CallRequest } from '../../contract/call-request.js'
import type { Caller } from '../../contract/caller.js'
import type { HttpExchange } from '../../contract/transport.js'
import { beginEnrolment, confirmEnrolment } from '../../second-factor/enrolment.js'
import { type CodeOrigin, hasPassword, hasSecondFactor, verifySecondFactor } from '../../second-factor/second-factor.js'
import { verifyPassword } from '../accounts/log-in-checks.js'
import { currentSession, startSession } from '../accounts/sessions.js'

/** A log-in this recent shows who is at the browser, in seconds. */
const RECENT_SECONDS = 600

const password = str({ max: 1_000 })
  .default('')
  .describe('needed where the account has a password and no second factor')
const code = str({ max: 100 })
  .default('')
  .describe('a code of the app, or a recovery code; needed with a second factor')
const noExample = 'It needs the cookie of a browser.'
const refusals = [
  errors.noSession,
  errors.secondFactorFailed,
  errors.recentLogInRequired,
  errors.authenticationFailed,
  errors.rateLimitHit,
] as const

/** The recovery codes of an answer (3). */
const recovery_codes = z.array(z.string()).describe('shown once; each logs in once instead of a code of the app')

/** The session that begins with a second factor, and its recovery codes. */
export const sessionWithCodes = currentSession.extend({ recovery_codes })

/** What the user gives to the app. */
export const begunEnrolment = z.object({
  secret: z.string().describe('in Base32, to be typed into an app'),
  uri: z.string().describe('the same with the names of the account, for a code that a camera reads'),
  enrolment: z.string().describe('goes back with the first code of the app, within half an hour'),
})

/** What confirms it. */
export const confirmParams = {
  enrolment: str({ max: 1_000 }),
  code: str({ max: 100 }).describe('what the app shows'),
}

/** Begins to set a second factor up. */
export const beginFor = ({ id: realm_id, state }: Realm, { id: user_id, delivery_email: label }: UserRow) =>
  beginEnrolment(state.deployment.keys, { realm_id, user_id }, { issuer: state.realm.name, label })

interface SetUp {
  readonly enrolment: string
  readonly code: string
  readonly origin: CodeOrigin
  /** the provider of the log-in in which this happens */
  readonly provider?: ProviderSession | undefined
}

/**
 * Sets a second factor up (2): the browser gets a new session. Throws SECOND_FACTOR_FAILED, BAD_REQUEST, and what
 * `startSession` throws: AUTHENTICATION_FAILED and USER_DEACTIVATED.
 */
export const setUp = async (
  app: App,
  open: WriteContext,
  user: UserRow,
  { origin, provider, ...given }: SetUp,
  request: CallRequest,
  exchange: HttpExchange,
) => {
  const { realm } = open
  const owner = { realm_id: realm.id, user_id: user.id }
  const confirmed = confirmEnrolment(realm.state.deployment.keys, owner, given)
  if (await hasSecondFactor(open, user.id)) throw errors.badRequest('Your account has a second factor already.')
  const codes = createRecoveryCodes()
  const act = { user_id: user.id, happened: 'added', actor: { user_id: user.id, ...origin } } as const
  const session = await startSession(open, user, request, exchange, {
    steps: [renewKey(user.id)],
    jobs: [composeSecondFactorMail(act, findRealmUrl(app, realm))],
    besides: (tx, id) => [
      insertSecondFactor(tx, realm.id, user.id, { ...confirmed, added_at: secondsNow() }),
      replaceRecoveryCodes(tx, realm.id, user.id, codes.map(hashCode)),
      recordSecondFactorAct(tx, realm.id, act),
      ...(provider === undefined ? [] : [insertProviderSession(tx, realm.id, id, provider)]),
    ],
  })
  await app.store.queues.removeAll(realm.id, [user.id])
  return { ...session, recovery_codes: codes }
}

interface ProvingCall {
  app: App
  caller: Caller
  realm: Realm
  write: WriteContext
  request: CallRequest
  params: { password: string; code: string }
}

/**
 * Asks who is at the browser (1). Runs in `prepare`, because a code is accepted once. Throws UNAUTHORIZED without a
 * session, SECOND_FACTOR_FAILED, RECENT_LOG_IN_REQUIRED, RATE_LIMIT_HIT, and what `verifyPassword` throws:
 * AUTHENTICATION_FAILED, PASSWORD_AUTH_DISABLED, PASSWORD_RESET_REQUIRED, USER_DEACTIVATED and BAD_REQUEST.
 */
const proveIdentity = async ({ app, caller, realm, write, request, params }: ProvingCall): Promise<void> => {
  const { session, user } = caller
  if (session === undefined) throw errors.noSession()
  if (await hasSecondFactor(write, user.id)) {
    await verifySecondFactor(app, write, user, params.code, composeOrigin(write))
    return
  }
  if (await hasPassword(app, user.id, realm)) {
    const typed = { username: user.delivery_email, password: params.password, action: composeOrigin(write).action }
    await verifyPassword(app, write, typed, request)
    return
  }
  const began = realm.state.sessions.get(session.id)?.created_at ?? 0
  if (began < secondsNow() - RECENT_SECONDS) throw errors.recentLogInRequired()
}

const composeOrigin = ({ actor }: WriteContext) => ({ address: actor?.address ?? '', action: actor?.action ?? '' })

const composeAct = (write: WriteContext, user_id: number, happened: SecondFactorEvent): SecondFactorAct => ({
  user_id,
  happened,
  actor: { user_id, ...composeOrigin(write) },
})

const findRealmUrl = ({ config }: App, { state }: Realm): string => realmUrl(state.realm.string_id, config)

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/users/me/second_factor',
  summary: 'Tells which second factor the account has, and what its changes ask for.',
  callers: 'human',
  keyScope: 'none',
  params: {},
  response: z.object({
    added_at: z.int().nullable().describe('UNIX seconds; null: the account has no second factor'),
    recovery_codes: z.int().describe('how many are left'),
    is_required: z.boolean().describe('whether the organization asks for one: it cannot be removed then'),
    has_password: z.boolean().describe('whether the user can log in with a password'),
  }),
  async handle({ app, caller, realm, write }) {
    const factor = await loadSecondFactor(write.sql, realm.id, caller.id)
    return {
      added_at: factor?.added_at ?? null,
      recovery_codes: factor?.recovery_codes ?? 0,
      is_required: isSecondFactorRequired(realm.state, caller.user),
      has_password: await hasPassword(app, caller.id, realm),
    }
  },
})

export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/users/me/second_factor/enrolment',
  summary: 'Begins to set a second factor up: an app for one-time codes gets the secret.',
  callers: 'human',
  keyScope: 'none',
  params: { password },
  noExample,
  response: begunEnrolment,
  errors: refusals,
  takesAck: false,
  async prepare({ app, caller, realm, write, request, params }) {
    if (await hasSecondFactor(write, caller.id)) throw errors.badRequest('Your account has a second factor already.')
    await proveIdentity({ app, caller, realm, write, request, params: { ...params, code: '' } })
  },
  handle: ({ caller, realm }) => beginFor(realm, caller.user),
})

export const confirmSecondFactor = streamed({
  method: 'POST',
  path: '/users/me/second_factor',
  summary: 'Sets a second factor up: all sessions and the API key of the account end, and this browser gets a new one.',
  callers: 'human',
  keyScope: 'none',
  params: confirmParams,
  noExample,
  response: sessionWithCodes,
  errors: [errors.noSession, errors.secondFactorFailed],
  headers: ['accept'],
  async handle({ app, caller, write, request, params }, exchange) {
    if (caller.session === undefined) throw errors.noSession()
    return setUp(app, write, caller.user, { ...params, origin: composeOrigin(write) }, request, exchange)
  },
})

const hashCode = (code: string): string => hashRecoveryCode(code.replaceAll('-', ''))

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/users/me/second_factor/recovery_codes',
  summary: 'Replaces the recovery codes.',
  callers: 'human',
  keyScope: 'none',
  params: { code },
  noExample,
  response: z.object({ recovery_codes }),
  errors: refusals,
  takesAck: false,
  async prepare({ app, caller, realm, write, request, params }) {
    await requireOwnFactor(write, caller.id)
    await proveIdentity({ app, caller, realm, write, request, params: { ...params, password: '' } })
  },
  async handle({ app, caller, realm, write }) {
    const codes = createRecoveryCodes()
    const act = composeAct(write, caller.id, 'codes_renewed')
    await commitSecondFactorAct(write, act, findRealmUrl(app, realm), (tx) =>
      replaceRecoveryCodes(tx, realm.id, caller.id, codes.map(hashCode)),
    )
    return { recovery_codes: codes }
  },
})

export const removeSecondFactor = endpoint({
  method: 'DELETE',
  path: '/users/me/second_factor',
  summary: 'Removes the second factor: a password is enough again.',
  callers: 'human',
  keyScope: 'none',
  params: { code },
  noExample,
  response: z.object({}),
  errors: refusals,
  takesAck: false,
  async prepare({ app, caller, realm, write, request, params }) {
    await requireOwnFactor(write, caller.id)
    if (isSecondFactorRequired(realm.state, caller.user)) {
      throw errors.badRequest('Your organization asks for a second factor: it cannot be removed.')
    }
    await proveIdentity({ app, caller, realm, write, request, params: { ...params, password: '' } })
  },
  async handle({ app, caller, realm, write }) {
    const act = composeAct(write, caller.id, 'removed')
    await commitSecondFactorAct(write, act, findRealmUrl(app, realm), (tx) =>
      deleteSecondFactor(tx, realm.id, caller.id),
    )
    return {}
  },
})

/** Throws BAD_REQUEST. */
const requireOwnFactor = async (write: WriteContext, user_id: number): Promise<void> => {
  if (!(await hasSecondFactor(write, user_id))) throw errors.badRequest('Your account has no second factor.')
}

export const showApiKey = endpoint({
  method: 'POST',
  path: '/users/me/api_key',
  summary: "Returns the caller's API key, after the password or the second factor was asked for again.",
  callers: 'human',
  keyScope: 'none',
  params: { password, code },
  noExample,
  response: z.object({ api_key: z.string() }),
  errors: refusals,
  takesAck: false,
  prepare: proveIdentity,
  handle: ({ caller: { id, user }, realm, state }) => ({
    api_key: state.deployment.keys.apiKey(realm.id, id, user.key_version),
  }),
})

export const endSecondFactorOfUser = endpoint({
  method: 'DELETE',
  path: '/users/{user_id}/second_factor',
  summary: 'Ends the second factor of an account whose user has lost it, with all its sessions and its API key.',
  callers: 'administrator',
  keyScope: 'none',
  condition: 'Only owners do this to an owner, and nobody to the own account.',
  params: { user_id: idInPath() },
  noExample: 'It needs an account with a second factor.',
  response: z.object({}),
  errors: [errors.notOwner],
  changesStructure: true,
  async handle({ app, caller, realm, state, write, params }) {
    const user = requireAdministered(caller.user, state.users.get(params.user_id))
    checkOutranks(caller.user, user)
    if (user.id === caller.id) throw errors.badRequest('Remove your own second factor in your settings, with a code.')
    if (!(await hasSecondFactor(write, user.id))) throw errors.badRequest('This account has no second factor.')
    const actor = { user_id: caller.id, ...composeOrigin(write) }
    await endSecondFactor(write, app.store.queues, user.id, actor, findRealmUrl(app, realm))
    return {}
  },
})
