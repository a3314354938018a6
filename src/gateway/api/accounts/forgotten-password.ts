/**
 * Sets a new password by a link in a mail, for users who forgot their password, whose
 * password was revoked, or who never had one.
 *
 * 1. The answer does not reveal whether an account exists: it is the same text, and it does not wait for the mail job.
 * 2. A link is valid for a day and can be used once (store/users/password-resets.ts).
 *
 * Source: protocol/errors.md 8 (`password_reset_form_by_email`, `sends_email_by_ip`).
 */
import { z } from 'zod'
import type { Texts } from '#rules/texts.js'
import { realmUrl } from '../../../config/hosts.js'
import { openWays } from '../../../config/log-in-ways.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { isOpenWay } from '../../../domain/realm/authentication.js'
import { isEmailAddress } from '../../../domain/users/name-and-email-rules.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { mailedLinkExpired } from '../../../store/users/mailed-links.js'
import {
  canResetPassword,
  enqueueResetMail,
  findPasswordReset,
  resetPassword,
} from '../../../store/users/password-resets.js'
import { hashPassword, isWeakPassword } from '../../../store/users/passwords.js'
import { consumeAllowances } from '../../call/allowances.js'
import { streamed } from '../../call/endpoint.js'
import { str, textInPath } from '../../call/params.js'
import type { App } from '../../contract/app.js'
import type { HttpExchange } from '../../contract/transport.js'
import { rateLimitAddress } from '../../fairness/rate-limit.js'
import { describeRefusal } from '../../pages/error-page.js'
import type { Page } from '../../pages/html-page.js'
import { answerTexts } from '../../pages/page-texts.js'
import {
  linkToClient,
  renderDeadLinkPage,
  renderForgottenPasswordPage,
  renderMailedPage,
  renderMessagePage,
  renderNewPasswordPage,
} from './account-pages.js'
import { acceptsJson, replyWithJson, replyWithPage } from './page-replies.js'
import { forgetPasswordAttempts } from './password-attempts.js'

const siteEndpoint = { site: true, callers: 'anyone', response: z.object({}) } as const

const requestEndpoint = {
  ...siteEndpoint,
  path: '/accounts/password/reset',
  errors: [errors.passwordAuthDisabled],
} as const

export const showForgottenPassword = streamed({
  ...requestEndpoint,
  method: 'GET',
  summary: 'Shows the page on which a user requests a link to set a new password.',
  params: {},
  handle: ({ app, write }, exchange) => {
    const { realm } = requirePasswordLogin(app, write)
    const { name: organization } = realm.state.realm
    return replyWithPage(exchange, 200, renderForgottenPasswordPage(answerTexts(exchange, realm), { organization }))
  },
})

export const askForPassword = streamed({
  ...requestEndpoint,
  method: 'POST',
  summary: 'Mails a link to set a new password, if an account with this address exists.',
  params: { email: str().default('') },
  allowances: ['password_reset_form_by_email', 'sends_email_by_ip'],
  handle: (call, exchange) => {
    const { app, write, params, request } = call
    const open = requirePasswordLogin(app, write)
    const { realm } = open
    const { name: organization } = realm.state.realm
    const t = answerTexts(exchange, realm)
    const renderForm = (refusal: string) =>
      renderForgottenPasswordPage(t, { organization, email: params.email, refusal })
    return replyWithPageOrJson(exchange, t, renderForm, async () => {
      const email = params.email.trim().toLowerCase()
      if (!isEmailAddress(email)) throw errors.badRequest('This is not an email address.')
      await consumeAllowances(call, {
        password_reset_form_by_email: `${realm.id}:${email}`,
        sends_email_by_ip: rateLimitAddress(request),
      })
      const user = realm.state.userByEmail(email)
      if (user !== undefined && canResetPassword(user)) mailResetLink(app, open, user)
      const text = t(
        'If an account with this address exists, a link to set a new password was mailed to it. It is valid for a day.',
      )
      return renderMailedPage(t, text)
    })
  },
})

const resetEndpoint = {
  ...siteEndpoint,
  path: '/accounts/password/reset/{token}',
  errors: [errors.passwordAuthDisabled],
} as const
const token = textInPath().describe('the last segment of the link in the mail')

export const showNewPassword = streamed({
  ...resetEndpoint,
  method: 'GET',
  summary: 'Shows the page on which a user sets a new password.',
  params: { token },
  async handle({ app, write, params }, exchange) {
    const { realm } = requirePasswordLogin(app, write)
    const reset = await findPasswordReset(app.store.sql, realm, params.token)
    const t = answerTexts(exchange, realm, realm.state.users.get(reset?.user_id ?? 0))
    if (reset === undefined) return replyWithPage(exchange, 404, renderLinkExpiredPage(t))
    const { delivery_email: email } = reset
    return replyWithPage(exchange, 200, renderNewPasswordPage(t, { organization: realm.state.realm.name, email }))
  },
})

export const chooseNewPassword = streamed({
  ...resetEndpoint,
  method: 'POST',
  summary: 'Sets a new password for the account to which the link was mailed.',
  params: { token, password: str().default('') },
  async handle({ app, write: open, params, request }, exchange) {
    const call = requirePasswordLogin(app, open)
    const { realm } = call
    const reset = await findPasswordReset(app.store.sql, realm, params.token)
    const user = reset && realm.state.users.get(reset.user_id)
    const t = answerTexts(exchange, realm, user)
    if (reset === undefined || user === undefined) {
      if (acceptsJson(exchange)) throw mailedLinkExpired()
      return replyWithPage(exchange, 404, renderLinkExpiredPage(t))
    }
    const { name: organization } = realm.state.realm
    const renderForm = (refusal: string) =>
      renderNewPasswordPage(t, { organization, email: user.delivery_email, refusal })
    return replyWithPageOrJson(exchange, t, renderForm, async () => {
      if (await isWeakPassword(params.password, [user.delivery_email, user.full_name])) {
        throw errors.badRequest('The password is too easy to guess: choose a longer one.')
      }
      const password_hash = await hashPassword(params.password)
      await resetPassword(call, params.token, password_hash, realmUrl(realm.state.realm.string_id, app.config))
      await app.store.queues.removeAll(realm.id, [user.id])
      // Wrong attempts before the reset no longer count.
      await forgetPasswordAttempts(app.allowances, realm.id, user.id, request)
      return renderMessagePage(
        t,
        t('Your password was changed'),
        t('Log in again on all devices, with the new password.'),
        linkToClient(t('Log in')),
      )
    })
  },
})

/**
 * The context of a call to an organization in which passwords are a way in. Throws NONEXISTENT_SUBDOMAIN,
 * REALM_DEACTIVATED and PASSWORD_AUTH_DISABLED.
 */
const requirePasswordLogin = ({ config }: App, write: WriteContext | undefined): WriteContext => {
  if (write === undefined) throw errors.nonexistentSubdomain()
  const { state } = write.realm
  if (!state.realm.is_active) throw errors.realmIsDeactivated()
  if (!isOpenWay('Email', state.settings, openWays(config, state))) {
    throw errors.passwordAuthDisabled()
  }
  return write
}

/** Runs `work` and answers: with JSON for programs; for browsers with its page, or the form with the refusal. */
const replyWithPageOrJson = async (
  exchange: HttpExchange,
  t: Texts,
  renderForm: (refusal: string) => Page,
  work: () => Promise<Page>,
) => {
  try {
    const done = await work()
    return acceptsJson(exchange) ? replyWithJson(exchange, {}) : replyWithPage(exchange, 200, done)
  } catch (error) {
    if (acceptsJson(exchange) || !(error instanceof ApiError)) throw error
    return replyWithPage(exchange, error.status, renderForm(describeRefusal(t, error)))
  }
}

/** Mails the link. The answer does not wait for it (1). */
const mailResetLink = ({ config, log }: App, call: WriteContext, user: UserRow): void => {
  enqueueResetMail(call, user, realmUrl(call.realm.state.realm.string_id, config)).catch((error: unknown) =>
    log.warn({ err: error }, 'enqueueing a password reset mail failed'),
  )
}

const renderLinkExpiredPage = (t: Texts) =>
  renderDeadLinkPage(
    t,
    t('This link is no longer valid'),
    t('It was used, it has expired (after a day), or the account was changed after it was requested.'),
    { path: '/accounts/password/reset', text: t('Request a new link') },
  )
