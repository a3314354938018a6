/**
 * Confirms a new email address by the link that was mailed to it.
 *
 * The link leads to a page with a button, and only the button changes the address, because mail scanners open links.
 */
import { z } from 'zod'
import { isAdministrator } from '#rules/roles.js'
import { realmHost } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { runSteps } from '../../../domain/log/steps.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { setAddress } from '../../../domain/users/accounts/account-changes.js'
import { validateNewEmail, validateRequestedEmail } from '../../../domain/users/name-and-email-rules.js'
import { commit } from '../../../store/log/change.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { loadAccount } from '../../../store/users/account-changes.js'
import { consumeEmailChange, findEmailChangeByToken, loadEmailChange } from '../../../store/users/email-changes.js'
import { streamed } from '../../call/endpoint.js'
import { textInPath } from '../../call/params.js'
import type { App } from '../../contract/app.js'
import { describeRefusal } from '../../pages/error-page.js'
import { linkToClient, renderConfirmEmailPage, renderDeadLinkPage, renderMessagePage } from './account-pages.js'
import { acceptsJson, replyWithJson, replyWithPage } from './page-replies.js'

const emailChangeEndpoint = {
  path: '/confirm_email/{token}',
  site: true,
  access: 'anyone',
  response: z.object({}),
} as const
const token = textInPath().describe('the last segment of the link in the mail')

export const showEmailChange = streamed({
  ...emailChangeEndpoint,
  method: 'GET',
  summary: 'Shows the page on which a user confirms a new email address.',
  params: { token },
  async handle({ app, realm, params }, exchange) {
    const found = realm && (await findEmailChangeByToken(app.store.sql, realm.state, params.token))
    if (realm === undefined || found === undefined) return replyWithPage(exchange, 404, renderLinkExpiredPage())
    const { name: organization } = realm.state.realm
    const { full_name } = found.user
    return replyWithPage(exchange, 200, renderConfirmEmailPage({ organization, full_name, email: found.change.email }))
  },
})

export const confirmEmailChange = streamed({
  ...emailChangeEndpoint,
  method: 'POST',
  summary: 'Changes the email address of an account to the one that the link was mailed to.',
  params: { token },
  async handle({ app, realm, write, params }, exchange) {
    const found = realm && (await findEmailChangeByToken(app.store.sql, realm.state, params.token))
    if (realm === undefined || write === undefined || found === undefined) {
      if (acceptsJson(exchange)) throw linkExpired()
      return replyWithPage(exchange, 404, renderLinkExpiredPage())
    }
    const { change, user } = found
    try {
      await applyEmailChange(app, write, change.id)
    } catch (error) {
      if (acceptsJson(exchange) || !(error instanceof ApiError)) throw error
      const shown = { organization: realm.state.realm.name, full_name: user.full_name, email: change.email }
      return replyWithPage(exchange, 400, renderConfirmEmailPage({ ...shown, refusal: describeRefusal(error) }))
    }
    if (acceptsJson(exchange)) return replyWithJson(exchange, { user_id: user.id, email: change.email })
    return replyWithPage(
      exchange,
      200,
      renderMessagePage(
        'Your email address was changed',
        `From now on you log in as ${change.email}.`,
        linkToClient('Open the chat'),
      ),
    )
  },
})

/** Changes the address. Throws BAD_REQUEST when the link or the address is no longer valid, and StaleStateError. */
const applyEmailChange = ({ store, config }: App, call: WriteContext, change_id: number) =>
  call.withStructureLock(async (write) => {
    const { realm } = write
    const { state } = realm
    const found = await loadEmailChange(store.sql, state, change_id)
    if (found === undefined || !state.realm.is_active) throw linkExpired()
    const { change, user } = found
    const email = checkOwnEmailChange(state, user, change.email)
    const account = await loadAccount(write, state, user, realmHost(state.realm.string_id, config))
    await commit(write, async (tx) => {
      if (!(await consumeEmailChange(tx, realm.id, change.id))) throw linkExpired()
      return {
        entries: runSteps(state, [setAddress(account, email)]).entries,
        jobs: [{ kind: 'email_changed_mail', payload: { user_id: user.id, former_email: user.delivery_email } }],
      }
    })
  })

/**
 * Checks that a user may request this address for their own account. The check does not tell whether another account
 * has it.
 * @returns the normalized address. Throws BAD_REQUEST.
 */
export const checkRequestedEmailChange = (state: RealmState, user: UserRow, given: string): string => {
  requireEmailChanges(state, user)
  return validateRequestedEmail(state, given)
}

/** Checks that a user may change their own address to this one. @returns the normalized address. Throws BAD_REQUEST. */
const checkOwnEmailChange = (state: RealmState, user: UserRow, given: string): string => {
  requireEmailChanges(state, user)
  return validateNewEmail(state, given, user.id)
}

const requireEmailChanges = (state: RealmState, user: UserRow): void => {
  if (state.settings.email_changes_disabled && !isAdministrator(user)) {
    throw errors.badRequest('Only administrators may change email addresses in this organization.')
  }
}

const linkExpired = () =>
  errors.badRequest(
    'This link is no longer valid: it was used, it has expired, or the account was changed after it was requested.',
  )

const renderLinkExpiredPage = () =>
  renderDeadLinkPage(
    'This link is no longer valid',
    'It was used, it has expired (after a day), or the account was changed after it was requested. You can request a new one in the settings.',
    { path: '/#settings/account-and-privacy', text: 'Open the settings' },
  )
