/**
 * The second half of a log-in: the code of an app, or a recovery code (second-factor/half-log-in.ts).
 *
 * The web client calls the endpoint. The page, which has no scripts, is for log-ins that leave the web client: with a
 * provider, and for an app.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import type { Realm } from '../../../store/log/realm.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { streamed } from '../../call/endpoint.js'
import { str } from '../../call/params.js'
import type { App } from '../../contract/app.js'
import type { CallRequest } from '../../contract/call-request.js'
import { describeRefusal } from '../../pages/error-page.js'
import { answerTexts } from '../../pages/page-texts.js'
import { forgetHalf, type HalfLogIn, requireHalf } from '../../second-factor/half-log-in.js'
import { verifySecondFactor } from '../../second-factor/second-factor.js'
import { renderAppPage, renderEnrolFirstPage, renderSecondFactorPage } from '../accounts/account-pages.js'
import { noteLogin, requireActiveRealm } from '../accounts/log-in-checks.js'
import { replyWithPage } from '../accounts/page-replies.js'
import { currentSession } from '../accounts/sessions.js'
import { beginSession, endLogIn, SECOND_HALF_PATH } from './log-in-end.js'
import { beginFor, begunEnrolment, confirmParams, sessionWithCodes, setUp } from './second-factor.js'

/** What an app shows, or a recovery code. Longer texts are none. */
const code = str({ max: 100 }).default('').describe('what the app shows, or a recovery code')

/** The refusals of a second half, for the declarations of endpoints. */
const refusals = [
  errors.halfLogInEnded,
  errors.secondFactorFailed,
  errors.authenticationFailed,
  errors.userDeactivated,
  errors.realmIsDeactivated,
  errors.nonexistentSubdomain,
  errors.rateLimitHit,
] as const

interface Verified {
  half: HalfLogIn
  user: UserRow
}

/**
 * Checks the code of the browser's half. Throws LOG_IN_TOOK_TOO_LONG, USER_DEACTIVATED, SECOND_FACTOR_FAILED,
 * RATE_LIMIT_HIT and a 403 for a page of another site.
 */
const verifyHalf = async (
  app: App,
  open: WriteContext,
  request: CallRequest,
  input: string,
  action: string,
): Promise<Verified> => {
  if (request.isFromForeignPage) throw errors.foreignPage()
  const { half, user } = requireHalf(open.realm, request.logInFlow, secondsNow())
  await verifySecondFactor(app, open, user, input, { address: request.ip, action })
  return { half, user }
}

export const createSessionWithCode = streamed({
  method: 'POST',
  path: '/sessions/second_factor',
  summary: 'Ends a log-in with the second factor: sets the cookie of a new session.',
  condition: 'Only the browser that began the log-in ends it.',
  callers: 'anyone',
  params: { code },
  noExample: 'It needs the cookie of a browser.',
  response: currentSession,
  errors: refusals,
  barrier: true,
  headers: ['accept'],
  prepare: ({ app, write, params, request }): Promise<Verified> =>
    verifyHalf(app, requireActiveRealm(write), request, params.code, 'POST /sessions/second_factor'),
  async handle({ app, write, request, prepared: { half, user } }, exchange) {
    const session = await beginSession(app, requireActiveRealm(write), user, half.provider, request, exchange)
    forgetHalf(exchange)
    return session
  },
})

export const beginFactorAtLogIn = streamed({
  method: 'POST',
  path: '/sessions/second_factor/enrolment',
  summary: 'Begins to set a second factor up in a log-in to an account that must have one.',
  condition: 'Only the browser that began the log-in does this.',
  callers: 'anyone',
  params: {},
  noExample: 'It needs the cookie of a browser.',
  response: begunEnrolment,
  errors: refusals,
  headers: ['accept'],
  handle({ write, request }) {
    if (request.isFromForeignPage) throw errors.foreignPage()
    const { realm } = requireActiveRealm(write)
    return beginFor(realm, requireEnrolling(realm, request).user)
  },
})

export const confirmFactorAtLogIn = streamed({
  method: 'POST',
  path: '/sessions/second_factor/confirm',
  summary: 'Sets a second factor up, and ends the log-in: sets the cookie of a new session.',
  condition: 'Only the browser that began the log-in does this.',
  callers: 'anyone',
  params: confirmParams,
  noExample: 'It needs the cookie of a browser.',
  response: sessionWithCodes,
  errors: refusals,
  barrier: true,
  headers: ['accept'],
  async handle({ app, write, request, params }, exchange) {
    if (request.isFromForeignPage) throw errors.foreignPage()
    const open = requireActiveRealm(write)
    const { half, user } = requireEnrolling(open.realm, request)
    const origin = { address: request.ip, action: 'POST /sessions/second_factor/confirm' }
    const session = await setUp(app, open, user, { ...params, origin, provider: half.provider }, request, exchange)
    await noteLogin(app, open, user, request)
    forgetHalf(exchange)
    return session
  },
})

/** The half of a browser whose user must set a second factor up. Throws LOG_IN_TOOK_TOO_LONG and USER_DEACTIVATED. */
const requireEnrolling = (realm: Realm, request: CallRequest) => {
  const found = requireHalf(realm, request.logInFlow, secondsNow())
  if (found.half.needs !== 'enrolment') throw errors.halfLogInEnded()
  return found
}

const page = { site: true, callers: 'anyone', path: SECOND_HALF_PATH, response: z.object({}) } as const

export const showSecondHalf = streamed({
  ...page,
  method: 'GET',
  summary: 'Shows the page that asks for the second factor.',
  params: {},
  errors: refusals,
  handle({ write, request }, exchange) {
    const { realm } = requireActiveRealm(write)
    const { half, user } = requireHalf(realm, request.logInFlow, secondsNow())
    const t = answerTexts(exchange, realm)
    const { name: organization } = realm.state.realm
    if (half.needs === 'enrolment') return replyWithPage(exchange, 200, renderEnrolFirstPage(t, organization))
    return replyWithPage(exchange, 200, renderSecondFactorPage(t, { organization, email: user.delivery_email }))
  },
})

export const finishSecondHalf = streamed({
  ...page,
  method: 'POST',
  summary: 'Ends the log-in of a browser with the second factor.',
  condition: 'Only the browser that began the log-in ends it.',
  params: { code },
  errors: refusals,
  async prepare({ app, write, params, request }): Promise<Verified | ApiError> {
    try {
      return await verifyHalf(app, requireActiveRealm(write), request, params.code, `POST ${SECOND_HALF_PATH}`)
    } catch (error) {
      if (error instanceof ApiError && (error.code === 'SECOND_FACTOR_FAILED' || error.code === 'RATE_LIMIT_HIT')) {
        return error
      }
      throw error
    }
  },
  async handle({ app, write, request, prepared }, exchange) {
    const open = requireActiveRealm(write)
    const t = answerTexts(exchange, open.realm)
    const { name: organization } = open.realm.state.realm
    if (prepared instanceof ApiError) {
      const { user } = requireHalf(open.realm, request.logInFlow, secondsNow())
      const refusal = describeRefusal(t, prepared)
      const form = renderSecondFactorPage(t, { organization, email: user.delivery_email, refusal })
      return replyWithPage(exchange, prepared.status, form)
    }
    const { half, user } = prepared
    forgetHalf(exchange)
    return endLogIn(app, open, user, half, request, exchange, {
      status: 303,
      showAppAddress: (address) => replyWithPage(exchange, 200, renderAppPage(t, address)),
    })
  },
})
