/**
 * Confirming a new address by the link that was mailed to it.
 *
 * The link leads to a page with a button, because programs that look into mails open links too.
 */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { runSteps } from '../../../domain/log/steps.js'
import { isAdministrator } from '../../../domain/permissions/permissions.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { setAddress } from '../../../domain/users/account-changes.js'
import { checkedNewEmail } from '../../../domain/users/account-rules.js'
import { commit } from '../../../store/log/change.js'
import type { Realm } from '../../../store/log/realm.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { accountOf } from '../../../store/users/accounts.js'
import { type EmailChangeRow, emailChangeAt, useEmailChange } from '../../../store/users/email-changes.js'
import type { App } from '../../http/app.js'
import { streamed } from '../../http/endpoint.js'
import { textInPath } from '../../http/params.js'
import { withStructureLock } from '../../http/structure-lock.js'
import { renderConfirmEmailPage, renderMessagePage } from './account-pages.js'
import { acceptsJson, replyWithJson, replyWithPage } from './page-replies.js'

const emailChangeEndpoint = {
  path: '/confirm_email/{token}',
  site: true,
  who: 'anyone',
  response: z.object({}),
} as const
const token = textInPath().describe('what the link in the mail ends with')

export const showEmailChange = streamed({
  ...emailChangeEndpoint,
  method: 'GET',
  summary: 'Shows the page on which somebody confirms a new address.',
  params: { token },
  async handle({ app, realm, params }, exchange) {
    const found = realm && (await findEmailChange(app, realm, params.token))
    if (realm === undefined || found === undefined) return replyWithPage(exchange, 404, renderLinkExpiredPage())
    const { name: organization } = realm.state.realm
    const { full_name } = found.user
    return replyWithPage(exchange, 200, renderConfirmEmailPage({ organization, full_name, email: found.change.email }))
  },
})

export const confirmEmailChange = streamed({
  ...emailChangeEndpoint,
  method: 'POST',
  summary: 'Gives an account the address that somebody confirms by the link mailed to it.',
  params: { token },
  async handle({ app, realm, write, params }, exchange) {
    const found = realm && (await findEmailChange(app, realm, params.token))
    if (realm === undefined || write === undefined || found === undefined) {
      if (acceptsJson(exchange)) throw linkExpired()
      return replyWithPage(exchange, 404, renderLinkExpiredPage())
    }
    const { change, user } = found
    try {
      await applyEmailChange(app, write, change)
    } catch (error) {
      if (acceptsJson(exchange) || !(error instanceof ApiError)) throw error
      const shown = { organization: realm.state.realm.name, full_name: user.full_name, email: change.email }
      return replyWithPage(exchange, 400, renderConfirmEmailPage({ ...shown, refusal: error.message }))
    }
    if (acceptsJson(exchange)) return replyWithJson(exchange, { user_id: user.id, email: change.email })
    return replyWithPage(
      exchange,
      200,
      renderMessagePage('Your address is changed', `From now on you log in as ${change.email}.`),
    )
  },
})

/** The open wish for an address that a link leads to, of an account that is there. */
const findEmailChange = async (app: App, { state }: Realm, given: string) => {
  const change = await emailChangeAt(app.store.sql, state, given)
  const user = change && state.users.get(change.user_id)
  return change === undefined || user?.is_active !== true ? undefined : { change, user }
}

/** Throws BAD_REQUEST for what is not to be any more, and StaleStateError. */
const applyEmailChange = ({ store, config }: App, call: WriteContext, change: EmailChangeRow) =>
  withStructureLock({ caller: undefined, write: call }, async (write) => {
    const { realm } = write
    const { state } = realm
    const user = state.users.get(change.user_id)
    if (user?.is_active !== true || !state.realm.is_active) throw linkExpired()
    const email = checkOwnEmailChange(state, user, change.email)
    const account = await accountOf(store.sql, state, user, realmHost(state.realm.string_id, config))
    await commit(write, {
      entries: runSteps(state, [setAddress(account, email)]).entries,
      jobs: [{ kind: 'email_changed_mail', payload: { user_id: user.id, former_email: user.delivery_email } }],
      async before(tx) {
        if (!(await useEmailChange(tx, realm.id, change.id))) throw linkExpired()
      },
    })
  })

/** The address, if the account may have it by its own wish. Throws BAD_REQUEST. */
export const checkOwnEmailChange = (state: RealmState, user: UserRow, given: string): string => {
  if (state.settings.email_changes_disabled && !isAdministrator(user)) {
    throw errors.badRequest('Only administrators change email addresses in this organization.')
  }
  return checkedNewEmail(state, given, user.id)
}

const linkExpired = () =>
  errors.badRequest('This link is not open: it was used, or another address is wanted, or it is over.')

const renderLinkExpiredPage = () =>
  renderMessagePage(
    'This link is not open',
    'It was used, or another address is wanted by now, or more than a day went by.',
  )
