/**
 * Choosing another password by the link in a mail, for whoever forgot theirs, had it taken away, or never had one.
 *
 * 1. Nobody learns here whether there is an account: the answer is the same, and does not wait for what it brings about.
 * 2. A link is worth something for a day, and once: its key derives from the password that it replaces.
 *
 * Source: errors.md section 8 (`password_reset_form_by_email`, `sends_email_by_ip`).
 */
import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import type { PasswordReset } from '../../../domain/deployment/keys.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { secondsNow } from '../../../domain/permissions/permissions.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { isOpenWay } from '../../../domain/realm/authentication.js'
import { isEmailAddress } from '../../../domain/users/account-rules.js'
import type { JobSpec } from '../../../store/jobs/job-table.js'
import { commit } from '../../../store/log/change.js'
import type { Realm } from '../../../store/log/realm.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { hashPassword, isWeakPassword, passwordHashOf, replacePassword } from '../../../store/users/passwords.js'
import type { App } from '../../http/app.js'
import { type CallRequest, streamed } from '../../http/endpoint.js'
import { str, textInPath } from '../../http/params.js'
import { rateLimitAddress } from '../../http/rate-limit.js'
import { withStructureLock } from '../../http/structure-lock.js'
import type { HttpExchange } from '../../http/transport.js'
import { renderForgottenPasswordPage, renderMessagePage, renderNewPasswordPage } from './account-pages.js'
import { acceptsJson, replyWithJson, replyWithPage } from './page-replies.js'

const siteEndpoint = { site: true, who: 'anyone', response: z.object({}) } as const

const requestEndpoint = {
  ...siteEndpoint,
  path: '/accounts/password/reset',
  errors: [errors.passwordAuthDisabled],
} as const

export const showForgottenPassword = streamed({
  ...requestEndpoint,
  method: 'GET',
  summary: 'Shows the page on which somebody asks for another password.',
  params: {},
  handle: ({ app, write }, exchange) =>
    replyWithPage(exchange, 200, renderForgottenPasswordPage(requirePasswordLogin(app, write).realm.state.realm.name)),
})

export const askForPassword = streamed({
  ...requestEndpoint,
  method: 'POST',
  summary: 'Mails a link to choose another password, if there is an account with this address.',
  params: { email: str().default('') },
  handle: ({ app, write, params, request }, exchange) =>
    replyWithPageOrJson(exchange, requirePasswordLogin(app, write), renderForgottenPasswordPage, async (open) => {
      const { realm } = open
      const email = params.email.trim().toLowerCase()
      if (!isEmailAddress(email)) throw errors.badRequest('This is not an email address.')
      await countResetRequest(app, realm, email, request)
      const user = realm.state.userByEmail(email)
      if (user !== undefined && canResetPassword(user)) enqueueResetMail(app, open, user)
      return ['A mail is on its way', 'If there is an account with this address, it gets a link to choose a password.']
    }),
})

const resetEndpoint = {
  ...siteEndpoint,
  path: '/accounts/password/reset/{token}',
  errors: [errors.passwordAuthDisabled],
} as const
const token = textInPath().describe('what the link in the mail ends with')

export const showNewPassword = streamed({
  ...resetEndpoint,
  method: 'GET',
  summary: 'Shows the page on which somebody chooses another password.',
  params: { token },
  async handle({ app, write, params }, exchange) {
    const { realm } = requirePasswordLogin(app, write)
    if ((await verifyResetLink(app, realm, params.token)) === undefined)
      return replyWithPage(exchange, 404, renderLinkExpiredPage())
    return replyWithPage(exchange, 200, renderNewPasswordPage(realm.state.realm.name))
  },
})

export const chooseNewPassword = streamed({
  ...resetEndpoint,
  method: 'POST',
  summary: 'Gives an account another password by the link that was mailed to it.',
  params: { token, password: str().default('') },
  handle: ({ app, write, params }, exchange) =>
    replyWithPageOrJson(exchange, requirePasswordLogin(app, write), renderNewPasswordPage, async (open) => {
      const { realm } = open
      const reset = await verifyResetLink(app, realm, params.token)
      const user = reset && realm.state.users.get(reset.user_id)
      if (reset === undefined || user === undefined) throw linkExpired()
      if (await isWeakPassword(params.password, [user.delivery_email, user.full_name])) {
        throw errors.badRequest('The password is too easy to guess: choose a longer one.')
      }
      const password_hash = await hashPassword(params.password)
      await commit(open, {
        entries: [],
        async before(tx) {
          if (!(await replacePassword(tx, realm.id, user.id, reset.password_hash, password_hash))) throw linkExpired()
        },
      })
      // Whoever forgot it may have guessed in vain before.
      await app.allowances.resetKey('authenticate_by_username', `${realm.id}:${user.id}`)
      return ['You have another password', 'Log in with it from now on.']
    }),
})

/** The context of a call to an organization in which passwords are a way in. Throws the refusals of logging in. */
const requirePasswordLogin = ({ config }: App, write: WriteContext | undefined): WriteContext => {
  if (write === undefined) throw errors.nonexistentSubdomain()
  const { state } = write.realm
  if (!state.realm.is_active) throw errors.realmIsDeactivated()
  if (!isOpenWay('Email', state.settings, config.JWT_KEYS.has(state.realm.string_id))) {
    throw errors.passwordAuthDisabled()
  }
  return write
}

/** Answers a program with success or the refusal, and a person with a page: what `work` says, or the form again. */
const replyWithPageOrJson = async (
  exchange: HttpExchange,
  open: WriteContext,
  form: (organization: string, refusal: string) => string,
  work: (open: WriteContext) => Promise<[title: string, text: string]>,
) => {
  try {
    const [title, text] = await work(open)
    return acceptsJson(exchange)
      ? replyWithJson(exchange, {})
      : replyWithPage(exchange, 200, renderMessagePage(title, text))
  } catch (error) {
    if (acceptsJson(exchange) || !(error instanceof ApiError)) throw error
    return replyWithPage(exchange, error.status, form(open.realm.state.realm.name, error.message))
  }
}

/** Throws RATE_LIMIT_HIT. */
const countResetRequest = async (
  { allowances }: App,
  realm: Realm,
  email: string,
  request: Pick<CallRequest, 'ip'>,
) => {
  const spent = await Promise.all([
    allowances.spend('password_reset_form_by_email', `${realm.id}:${email}`),
    allowances.spend('sends_email_by_ip', rateLimitAddress(request)),
  ])
  const waits = spent.flatMap((one) => one?.retry_after ?? [])
  if (waits.length === 0) return
  for (const one of spent) one?.giveBack()
  throw errors.rateLimitHit({ 'retry-after': Math.max(...waits) })
}

const canResetPassword = (user: UserRow): boolean => user.is_active && !user.is_bot

/** Nobody waits for it (1). */
const enqueueResetMail = ({ config, log }: App, call: WriteContext, user: UserRow): void => {
  const realm_url = realmUrl(call.realm.state.realm.string_id, config)
  const jobs: JobSpec[] = [{ kind: 'password_reset_mail', payload: { user_id: user.id, realm_url } }]
  withStructureLock({ caller: undefined, write: call }, (write) => commit(write, { entries: [], jobs })).catch(
    (error: unknown) => log.warn({ err: error }, 'a link to choose a password was not mailed'),
  )
}

/** What a link asks for, while it is worth something (2). */
const verifyResetLink = async (
  { store }: App,
  { id, state }: Realm,
  given: string,
): Promise<PasswordReset | undefined> => {
  const [, user_id, expires_at, key] = /^(\d{1,9})-(\d{1,12})-([0-9A-Za-z]{32})$/.exec(given) ?? []
  if (key === undefined || Number(expires_at) < secondsNow()) return undefined
  const user = state.users.get(Number(user_id))
  if (user === undefined || !canResetPassword(user)) return undefined
  const password_hash = (await passwordHashOf(store.sql, id, user.id)) ?? ''
  const reset = { user_id: user.id, expires_at: Number(expires_at), password_hash }
  return state.deployment.keys.isPasswordResetKey(key, id, reset) ? reset : undefined
}

const linkExpired = () => errors.badRequest('This link is not open: it was used, or a day has passed.')

const renderLinkExpiredPage = () =>
  renderMessagePage('This link is not open', 'It was used, or a day has passed. Ask for another one.')
