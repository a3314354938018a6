/**
 * Joining an organization by an invitation: the page with the form, and the endpoint that creates the account.
 *
 * The page has no scripts and loads nothing. A program that sends `Accept: application/json` gets JSON.
 */
import { z } from 'zod'
import { realmHost, realmUrl } from '../../../config/hosts.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { validateEmail, validateFullName } from '../../../domain/users/name-and-email-rules.js'
import { StaleStateError } from '../../../store/log/log.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import {
  acceptInvitation,
  findInvitationByToken,
  type InvitationRow,
  isOpenInvitation,
} from '../../../store/users/invitations.js'
import { hashPassword, isWeakPassword } from '../../../store/users/passwords.js'
import { composeWelcomeJobs } from '../../../store/users/users.js'
import type { App } from '../../http/app.js'
import { streamed } from '../../http/endpoint.js'
import { str, textInPath } from '../../http/params.js'
import { withStructureLock } from '../../http/structure-lock.js'
import { renderJoinPage, renderMessagePage, renderWelcomePage } from './account-pages.js'
import { acceptsJson, replyWithJson, replyWithPage } from './page-replies.js'

const joinEndpoint = { path: '/join/{token}', site: true, access: 'anyone', response: z.object({}) } as const
const token = textInPath().describe('the last segment of an invitation link')

export const showInvitation = streamed({
  ...joinEndpoint,
  method: 'GET',
  summary: 'Shows the page on which an invited user joins.',
  params: { token },
  async handle({ app, realm, params }, exchange) {
    const invitation = realm && (await findInvitationByToken(app.store.sql, realm.state, params.token))
    if (realm === undefined || invitation === undefined) return replyWithPage(exchange, 404, renderLinkExpiredPage())
    return replyWithPage(
      exchange,
      200,
      renderJoinPage({ organization: realm.state.realm.name, email: invitation.email }),
    )
  },
})

export const joinByInvitation = streamed({
  ...joinEndpoint,
  method: 'POST',
  summary: 'Creates the account of an invited user, and returns its API key.',
  params: {
    token,
    email: str().default('').describe('only for an invitation by link'),
    full_name: str().default(''),
    password: str().default(''),
  },
  async handle({ app, realm, write, params }, exchange) {
    const invitation = realm && (await findInvitationByToken(app.store.sql, realm.state, params.token))
    if (realm === undefined || write === undefined || invitation === undefined) {
      if (acceptsJson(exchange)) throw errors.noSuchInvitation()
      return replyWithPage(exchange, 404, renderLinkExpiredPage())
    }
    const given = { ...params, email: invitation.email ?? params.email }
    try {
      const account = await join(app, write, invitation, given)
      if (acceptsJson(exchange)) return replyWithJson(exchange, account)
      return replyWithPage(exchange, 200, renderWelcomePage({ ...account, organization: realm.state.realm.name }))
    } catch (error) {
      if (acceptsJson(exchange) || !(error instanceof ApiError)) throw error
      const { email, full_name } = given
      const shown = { organization: realm.state.realm.name, email: invitation.email, given: { email, full_name } }
      return replyWithPage(exchange, 400, renderJoinPage({ ...shown, refusal: error.message }))
    }
  },
})

interface Given {
  email: string
  full_name: string
  password: string
}

const join = async (app: App, call: WriteContext, invitation: InvitationRow, given: Given) => {
  // Before the structure lock, for which other requests wait.
  if (await isWeakPassword(given.password, [given.email, given.full_name])) {
    throw errors.badRequest('The password is too easy to guess: choose a longer one.')
  }
  const password_hash = await hashPassword(given.password)
  const { realm } = call
  const { string_id } = realm.state.realm
  const host = realmHost(string_id, app.config)
  const realm_url = realmUrl(string_id, app.config)
  const user_id = await withStructureLock({ caller: undefined, write: call }, async (write) => {
    const { state } = realm
    if (!state.realm.is_active) throw errors.realmDeactivated()
    if (!isOpenInvitation(state, invitation)) throw errors.noSuchInvitation()
    const email = validateEmail(state, given.email)
    const full_name = validateFullName(state, given.full_name)
    const account = { email, full_name, password_hash }
    return acceptInvitation(write, host, invitation, account, composeWelcomeJobs(state, realm_url))
  })
  const user = realm.state.users.get(user_id)
  // The commit applied the rows of the account, so it is missing only if it was deleted meanwhile.
  if (user === undefined) throw new StaleStateError()
  const { delivery_email: email, key_version } = user
  const api_key = realm.state.deployment.keys.apiKey(realm.id, user_id, key_version)
  return { user_id, email, api_key, realm_url }
}

const renderLinkExpiredPage = () =>
  renderMessagePage(
    'This invitation is no longer valid',
    'It was used, it was revoked, or it has expired. Ask for a new one.',
  )
