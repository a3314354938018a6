/**
 * Signing up without an invitation, where the organization permits it (`invite_required` is off): the page that asks
 * for an address, and the page of the mailed link, on which the user chooses a name and a password.
 *
 * 1. The answer to a request for a link does not reveal whether an account exists: it is the same, the same rows are
 *    stored before it, and it spends the same allowances (store/users/sign-ups.ts).
 * 2. The mails to one mailbox are bounded, however its address is written.
 * 3. A page of another site can neither request a link nor use one.
 *
 * The pages have no scripts. A program that sends `Accept: application/json` gets JSON.
 */
import { z } from 'zod'
import { findLanguage, isLanguage } from '#rules/languages.js'
import type { Texts } from '#rules/texts.js'
import { realmHost, realmUrl } from '../../../config/hosts.js'
import { openWays } from '../../../config/log-in-ways.js'
import { groupsForNewUser } from '../../../domain/channels/default-channel-groups.js'
import { Role } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { isOpenWay } from '../../../domain/realm/authentication.js'
import { isSecondFactorRequired } from '../../../domain/second-factor/requirement.js'
import { isTimeZone } from '../../../domain/settings/languages.js'
import { mailboxOf, validateRequestedEmail } from '../../../domain/users/name-and-email-rules.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { mailedLinkExpired } from '../../../store/users/mailed-links.js'
import { completeSignUp, findSignUpByToken, requestSignUp } from '../../../store/users/sign-ups.js'
import { consumeAllowances } from '../../call/allowances.js'
import { streamed } from '../../call/endpoint.js'
import { json, str, textInPath } from '../../call/params.js'
import { parseAcceptLanguage } from '../../contract/accept-language.js'
import type { App } from '../../contract/app.js'
import type { CallRequest } from '../../contract/call-request.js'
import { rateLimitAddress } from '../../fairness/rate-limit.js'
import { describeRefusal } from '../../pages/error-page.js'
import { answerTexts } from '../../pages/page-texts.js'
import {
  renderDeadLinkPage,
  renderInvitationRequiredPage,
  renderMailedPage,
  renderMessagePage,
  renderSignUpAddressPage,
  renderSignUpPage,
  renderWelcomePage,
} from './account-pages.js'
import { readChosenGroups } from './chosen-groups.js'
import { acceptsJson, replyWithJson, replyWithPage } from './page-replies.js'
import { startSession } from './sessions.js'

const siteEndpoint = { site: true, callers: 'anyone', response: z.object({}) } as const

const requestEndpoint = { ...siteEndpoint, path: '/accounts/sign_up', errors: [errors.invitationRequired] } as const

/** Whether users can sign up. The organization needs no invitation, and they can log in with a password. */
export const isSignUpOpen = ({ config }: Pick<App, 'config'>, state: RealmState): boolean =>
  !state.settings.invite_required &&
  state.realm.is_active &&
  isOpenWay('Email', state.settings, openWays(config, state))

/** Throws NONEXISTENT_SUBDOMAIN, REALM_DEACTIVATED and BAD_REQUEST where users cannot sign up. */
const requireSignUp = (app: App, write: WriteContext | undefined): WriteContext => {
  if (write === undefined) throw errors.nonexistentSubdomain()
  if (!write.realm.state.realm.is_active) throw errors.realmIsDeactivated()
  if (!isSignUpOpen(app, write.realm.state)) throw errors.invitationRequired()
  return write
}

export const showSignUp = streamed({
  ...requestEndpoint,
  method: 'GET',
  summary: 'Shows the page on which a user signs up without an invitation, or how to get one.',
  params: {},
  handle: ({ app, realm }, exchange) => {
    const t = answerTexts(exchange, realm)
    if (realm === undefined || !isSignUpOpen(app, realm.state)) {
      return replyWithPage(exchange, 200, renderInvitationRequiredPage(t))
    }
    return replyWithPage(exchange, 200, renderSignUpAddressPage(t, { organization: realm.state.realm.name }))
  },
})

export const askToSignUp = streamed({
  ...requestEndpoint,
  method: 'POST',
  summary: 'Mails the link with which a user signs up. The answer is the same for an address that has an account.',
  condition: 'The organization permits to join without an invitation.',
  params: {
    email: str().default(''),
    timezone: str({ max: 100 }).default('').describe('of the browser: the page of the link suggests it'),
  },
  errors: [errors.invitationRequired, errors.rateLimitHit, errors.foreignPage],
  allowances: ['sign_up_mail_by_email', 'sign_up_mail_by_ip', 'sign_up_mail_by_mailbox', 'sign_up_mail_by_realm'],
  async handle(call, exchange) {
    const { app, write, params, request } = call
    const open = requireSignUp(app, write)
    const { realm } = open
    const { name: organization, string_id } = realm.state.realm
    const t = answerTexts(exchange, realm)
    try {
      if (request.isFromForeignPage) throw errors.foreignPage()
      const email = validateRequestedEmail(realm.state, params.email)
      const timezone = validateTimeZone(params.timezone)
      await consumeAllowances(call, {
        sign_up_mail_by_email: `${realm.id}:${mailboxOf(email)}`,
        sign_up_mail_by_mailbox: mailboxOf(email),
        sign_up_mail_by_ip: rateLimitAddress(request),
        sign_up_mail_by_realm: String(realm.id),
      })
      const language = findLanguage(parseAcceptLanguage(request.acceptLanguage)) ?? ''
      await requestSignUp(open, { email, timezone, language }, realmUrl(string_id, app.config))
      if (acceptsJson(exchange)) return replyWithJson(exchange, { confirmation_mailed_to: email })
      const text = t('A link to join was mailed to {email}. It is valid for a day.', { email })
      return replyWithPage(exchange, 200, renderMailedPage(t, text))
    } catch (error) {
      if (acceptsJson(exchange) || !(error instanceof ApiError)) throw error
      const shown = { organization, email: params.email, refusal: describeRefusal(t, error) }
      return replyWithPage(exchange, error.status, renderSignUpAddressPage(t, shown))
    }
  },
})

const linkEndpoint = { ...siteEndpoint, path: '/accounts/sign_up/{token}' } as const
const token = textInPath().describe('the last segment of the link in the mail')

export const showSignUpLink = streamed({
  ...linkEndpoint,
  method: 'GET',
  summary: 'Shows the page on which a user who signs up chooses a name and a password.',
  params: { token },
  async handle({ app, realm, params, request }, exchange) {
    const isOpen = realm !== undefined && isSignUpOpen(app, realm.state)
    const found = isOpen ? await findSignUpByToken(app.store.sql, realm.state, params.token) : undefined
    const t = answerTexts(exchange, realm)
    if (realm === undefined || found === undefined) return replyWithPage(exchange, 404, renderLinkExpiredPage(t))
    const { email, timezone } = found
    const language = findLanguage(parseAcceptLanguage(request.acceptLanguage)) ?? found.language
    const page = renderSignUpPage(t, {
      organization: realm.state.realm.name,
      email,
      channelGroups: groupsForNewUser(realm.state, Role.member),
      given: { full_name: '', channel_groups: [], timezone, language },
    })
    return replyWithPage(exchange, 200, page)
  },
})

export const signUp = streamed({
  ...linkEndpoint,
  method: 'POST',
  summary:
    'Creates the account of a user who signs up, and returns its API key, or logs the browser in. Where administrators approve accounts, the user waits.',
  params: {
    token,
    full_name: str().default(''),
    password: str().default(''),
    timezone: str({ max: 100 }).default('').describe('of the IANA data, like `Europe/Berlin`'),
    language: str({ max: 50 }).default('').describe('the default is the one of `Accept-Language`'),
    default_stream_group: json(z.array(z.string()))
      .default([])
      .describe('names of groups of default channels, to which the new user is subscribed'),
  },
  errors: [errors.foreignPage],
  async handle({ app, realm, write, params, request }, exchange) {
    const isOpen = realm !== undefined && isSignUpOpen(app, realm.state)
    const found = isOpen ? await findSignUpByToken(app.store.sql, realm.state, params.token) : undefined
    const t = answerTexts(exchange, realm)
    if (realm === undefined || write === undefined || found === undefined) {
      if (acceptsJson(exchange)) throw mailedLinkExpired()
      return replyWithPage(exchange, 404, renderLinkExpiredPage(t))
    }
    const { name: organization, string_id } = realm.state.realm
    const channelGroups = groupsForNewUser(realm.state, Role.member)
    const channel_groups = readChosenGroups(channelGroups, params.default_stream_group, request)
    const { full_name, password } = params
    const place = { host: realmHost(string_id, app.config), realm_url: realmUrl(string_id, app.config) }
    try {
      if (request.isFromForeignPage) throw errors.foreignPage()
      const timezone = validateTimeZone(params.timezone)
      const language = validateLanguage(params.language, request)
      const created = await completeSignUp(write, place, found, {
        full_name,
        password,
        timezone,
        language,
        channel_groups,
      })
      const user = created === undefined ? undefined : realm.state.users.get(created.user_id)
      // Who must have a second factor sets it up at the first log-in, and has no key before.
      const mayEnter = user !== undefined && !isSecondFactorRequired(realm.state, user)
      if (acceptsJson(exchange)) {
        const { api_key, ...others } = { api_key: undefined, ...created }
        const account = { is_waiting: created === undefined, ...others, realm_url: place.realm_url }
        return replyWithJson(exchange, mayEnter ? { ...account, api_key } : account)
      }
      if (created === undefined) return replyWithPage(exchange, 200, renderWaitingPage(t, found.email))
      if (mayEnter) await startSession(write, user, request, exchange)
      return replyWithPage(exchange, 200, renderWelcomePage(t, { ...created, ...place, organization }))
    } catch (error) {
      if (acceptsJson(exchange) || !(error instanceof ApiError)) throw error
      const { timezone, language } = params
      const given = { full_name, channel_groups, timezone, language }
      const refusal = describeRefusal(t, error)
      const page = renderSignUpPage(t, { organization, email: found.email, channelGroups, given, refusal })
      return replyWithPage(exchange, error.status, page)
    }
  },
})

const validateTimeZone = (input: string): string => {
  if (input !== '' && !isTimeZone(input)) throw errors.badRequest('There is no time zone {input}.', { input })
  return input
}

const validateLanguage = (input: string, { acceptLanguage }: CallRequest): string => {
  if (input === '') return findLanguage(parseAcceptLanguage(acceptLanguage)) ?? ''
  if (!isLanguage(input)) throw errors.badRequest('There is no language {input} here.', { input })
  return input
}

const renderWaitingPage = (t: Texts, email: string) =>
  renderMessagePage(
    t,
    t('An administrator decides'),
    t(
      'Your address is confirmed. You can log in when an administrator has approved your account: {email} gets a mail.',
      {
        email,
      },
    ),
  )

const renderLinkExpiredPage = (t: Texts) =>
  renderDeadLinkPage(
    t,
    t('This link is no longer valid'),
    t(
      'It was used, it has expired (after a day), or the organization accepts no new accounts. If you have joined already, log in.',
    ),
    { path: '/', text: t('Log in') },
  )
