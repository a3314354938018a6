/**
 * Joining an organization by an invitation: the pages with the forms, and the endpoint that creates the account.
 *
 * An account is created only with a link that was mailed to its address (store/users/invitations.ts, 4). The password
 * is chosen with that link, so that no user can choose the password of an account that another user confirms.
 *
 * A user with the link of a reusable invitation must not learn who has an account. So every address that may join gets
 * the same answer, and counts; only the mail differs.
 *
 * The page has no scripts and loads nothing. A program that sends `Accept: application/json` gets JSON.
 */
import { z } from 'zod'
import { findLanguage } from '#rules/languages.js'
import type { Texts } from '#rules/texts.js'
import { realmHost, realmUrl } from '../../../config/hosts.js'
import { groupsForNewUser } from '../../../domain/channels/default-channel-groups.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { isSecondFactorRequired } from '../../../domain/second-factor/requirement.js'
import { mailboxOf, validateEmail } from '../../../domain/users/name-and-email-rules.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { enqueueJoinMail, findInvitationByToken, type InvitationRow } from '../../../store/users/invitations.js'
import { joinByInvitation as join } from '../../../store/users/joining.js'
import { consumeAllowances } from '../../call/allowances.js'
import { type Call, streamed } from '../../call/endpoint.js'
import { json, str, textInPath } from '../../call/params.js'
import { parseAcceptLanguage } from '../../contract/accept-language.js'
import { rateLimitAddress } from '../../fairness/rate-limit.js'
import { describeRefusal } from '../../pages/error-page.js'
import { answerTexts } from '../../pages/page-texts.js'
import {
  renderDeadLinkPage,
  renderJoinAddressPage,
  renderJoinPage,
  renderMailedPage,
  renderWelcomePage,
} from './account-pages.js'
import { readChosenGroups } from './chosen-groups.js'
import { acceptsJson, replyWithJson, replyWithPage } from './page-replies.js'
import { startSession } from './sessions.js'

const joinEndpoint = {
  path: ['/join/{token}', '/join/{token}/'],
  site: true,
  callers: 'anyone',
  response: z.object({}),
} as const
const token = textInPath().describe('the last segment of an invitation link')

export const showInvitation = streamed({
  ...joinEndpoint,
  method: 'GET',
  summary: 'Shows the page on which an invited user joins.',
  params: { token },
  async handle({ app, realm, params }, exchange) {
    const found = realm && (await findInvitationByToken(app.store.sql, realm.state, params.token))
    const t = answerTexts(exchange, realm)
    if (realm === undefined || found === undefined) return replyWithPage(exchange, 404, renderLinkExpiredPage(t))
    const { name: organization } = realm.state.realm
    const { email, invitation } = found
    const channelGroups = groupsForNewUser(realm.state, invitation.invited_as)
    const page =
      email === null
        ? renderJoinAddressPage(t, { organization })
        : renderJoinPage(t, { organization, email, channelGroups })
    return replyWithPage(exchange, 200, page)
  },
})

const joinParams = {
  token,
  email: str().default('').describe('only with the link of a reusable invitation'),
  full_name: str().default('').describe('only with a link that was mailed'),
  password: str().default('').describe('only with a link that was mailed'),
  default_stream_group: json(z.array(z.string()))
    .default([])
    .describe('names of groups of default channels, to which the new user is subscribed; guests choose none'),
}

export const joinByInvitation = streamed({
  ...joinEndpoint,
  method: 'POST',
  summary:
    'Creates the account of an invited user, and returns its API key, or logs the browser in. With the link of a reusable invitation: mails ' +
    'another link, with which the user who has the address creates the account.',
  condition:
    'An account that must have a second factor gets neither key nor session: its user sets one up at the log-in.',
  params: joinParams,
  errors: [errors.rateLimitHit],
  allowances: ['join_mail_by_email', 'join_mail_by_invitation', 'join_mail_by_ip'],
  async handle(call, exchange) {
    const { app, realm, write, params, request } = call
    const found = realm && (await findInvitationByToken(app.store.sql, realm.state, params.token))
    const t = answerTexts(exchange, realm)
    if (realm === undefined || write === undefined || found === undefined) {
      if (acceptsJson(exchange)) throw errors.noSuchInvitation()
      return replyWithPage(exchange, 404, renderLinkExpiredPage(t))
    }
    const { invitation, email } = found
    const { name: organization } = realm.state.realm
    const { full_name, password } = params
    const channelGroups = groupsForNewUser(realm.state, invitation.invited_as)
    const channel_groups = readChosenGroups(channelGroups, params.default_stream_group, request)
    try {
      if (email === null) {
        const confirmation_mailed_to = await mailConfirmation(call, write, invitation)
        if (acceptsJson(exchange)) return replyWithJson(exchange, { confirmation_mailed_to })
        const text = t('A link to join was mailed to {email}. It is valid for a day.', {
          email: confirmation_mailed_to,
        })
        return replyWithPage(exchange, 200, renderMailedPage(t, text))
      }
      const { string_id } = realm.state.realm
      const [host, realm_url] = [realmHost(string_id, app.config), realmUrl(string_id, app.config)]
      const language = findLanguage(parseAcceptLanguage(request.acceptLanguage))
      const given = { email, full_name, password, channel_groups, language }
      const account = { ...(await join(write, { host, realm_url }, invitation, given)), realm_url }
      const user = realm.state.users.get(account.user_id)
      const mayEnter = user !== undefined && !isSecondFactorRequired(realm.state, user)
      if (acceptsJson(exchange)) {
        const { api_key, ...others } = account
        return replyWithJson(exchange, mayEnter ? { ...others, api_key } : others)
      }
      if (mayEnter && !request.isFromForeignPage) await startSession(write, user, request, exchange)
      return replyWithPage(exchange, 200, renderWelcomePage(t, { ...account, organization }))
    } catch (error) {
      if (acceptsJson(exchange) || !(error instanceof ApiError)) throw error
      const refusal = describeRefusal(t, error)
      const page =
        email === null
          ? renderJoinAddressPage(t, { organization, email: params.email, refusal })
          : renderJoinPage(t, { organization, email, channelGroups, given: { full_name, channel_groups }, refusal })
      return replyWithPage(exchange, error.status, page)
    }
  },
})

type JoinCall = Call<
  typeof joinParams,
  'anyone',
  undefined,
  'join_mail_by_email' | 'join_mail_by_invitation' | 'join_mail_by_ip'
>

/**
 * Mails the link with which the user who has this address joins, if the organization accepts the address.
 * @returns the address. Throws BAD_REQUEST and RATE_LIMIT_HIT.
 */
const mailConfirmation = async (
  call: Pick<JoinCall, 'app' | 'params' | 'request' | 'spending'>,
  write: WriteContext,
  invitation: InvitationRow,
): Promise<string> => {
  const { id: realm_id, state } = write.realm
  if (!state.realm.is_active) throw errors.realmDeactivated()
  const email = validateEmail(state, call.params.email)
  // The answer does not depend on whether the address has an account: its user is told by mail (invitation-mail.ts).
  await consumeAllowances(call, {
    join_mail_by_email: `${realm_id}:${mailboxOf(email)}`,
    join_mail_by_invitation: `${realm_id}:${invitation.id}`,
    join_mail_by_ip: rateLimitAddress(call.request),
  })
  const realm_url = realmUrl(state.realm.string_id, call.app.config)
  await enqueueJoinMail(write, { invitation_id: invitation.id, email, realm_url })
  return email
}

const renderLinkExpiredPage = (t: Texts) =>
  renderDeadLinkPage(
    t,
    t('This invitation is no longer valid'),
    t(
      'It was used, it was revoked, or it has expired. If you have joined already, log in. Otherwise ask for a new one.',
    ),
    { path: '/', text: t('Log in') },
  )
