/**
 * Log-in for a mobile app in the browser of the phone: with the password of the account, then with its second factor.
 *
 * An app finds the address among the ways to log in of the organization (`external_authentication_methods`), and opens
 * it as that of a provider, with a one-time pad. The user types the password each time, also where the browser has a
 * session: so no other app gets the key of a user who only follows a link.
 */
import { z } from 'zod'
import type { UserRow } from '../../../domain/log/rows.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { streamed } from '../../call/endpoint.js'
import { str } from '../../call/params.js'
import { validatePad } from '../../log-in/log-in-flow.js'
import { describeRefusal } from '../../pages/error-page.js'
import { answerTexts } from '../../pages/page-texts.js'
import { holdForSecondFactor } from '../../second-factor/half-log-in.js'
import { renderAppLogInPage, renderAppPage } from '../accounts/account-pages.js'
import { logInRefusals, noteLogin, requireActiveRealm, verifyPassword } from '../accounts/log-in-checks.js'
import { replyWithPage } from '../accounts/page-replies.js'
import { endLogIn, lead, SECOND_HALF_PATH } from './log-in-end.js'

/** Where a mobile app lets its user log in with a browser. */
export const APP_LOG_IN_PATH = '/accounts/login/app'

const endpoint = {
  site: true,
  callers: 'anyone',
  path: APP_LOG_IN_PATH,
  response: z.object({}),
  errors: logInRefusals,
} as const
const mobile_flow_otp = str().describe('the one-time pad of the app')

export const showAppLogIn = streamed({
  ...endpoint,
  method: 'GET',
  summary: 'Shows the page on which the user of a mobile app logs in.',
  params: { mobile_flow_otp },
  handle({ write, params }, exchange) {
    const { realm } = requireActiveRealm(write)
    validatePad(params.mobile_flow_otp)
    const { name: organization } = realm.state.realm
    return replyWithPage(exchange, 200, renderAppLogInPage(answerTexts(exchange, realm), { organization }))
  },
})

export const logInForApp = streamed({
  ...endpoint,
  method: 'POST',
  summary: 'Logs the user of a mobile app in: leads on to the second factor, or back to the app.',
  params: { mobile_flow_otp, username: str().default(''), password: str().default('') },
  async prepare({ app, write, params, request }): Promise<UserRow | ApiError> {
    if (request.isFromForeignPage) throw errors.foreignPage()
    validatePad(params.mobile_flow_otp)
    try {
      return await verifyPassword(
        app,
        requireActiveRealm(write),
        { ...params, action: `POST ${APP_LOG_IN_PATH}` },
        request,
      )
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  },
  async handle({ app, write, request, params, prepared }, exchange) {
    const open = requireActiveRealm(write)
    const t = answerTexts(exchange, open.realm)
    if (prepared instanceof ApiError) {
      const { name: organization } = open.realm.state.realm
      const given = { organization, email: params.username, refusal: describeRefusal(t, prepared) }
      return replyWithPage(exchange, prepared.status, renderAppLogInPage(t, given))
    }
    const end = { purpose: { kind: 'mobile', otp: validatePad(params.mobile_flow_otp) } } as const
    const need = await holdForSecondFactor(open, prepared, end, exchange)
    if (need !== undefined) return lead(exchange, SECOND_HALF_PATH, 303)
    await noteLogin(app, open, prepared, request)
    return endLogIn(app, open, prepared, end, request, exchange, {
      showAppAddress: (address) => replyWithPage(exchange, 200, renderAppPage(t, address)),
    })
  },
})
