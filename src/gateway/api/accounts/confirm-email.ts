/**
 * Confirms a new email address by the link that was mailed to it.
 *
 * The link leads to a page with a button, and only the button changes the address, because mail scanners open links.
 */
import { z } from 'zod'
import type { Texts } from '#rules/texts.js'
import { realmHost } from '../../../config/hosts.js'
import { ApiError } from '../../../domain/protocol/errors.js'
import { applyEmailChange, findEmailChangeByToken } from '../../../store/users/email-changes.js'
import { mailedLinkExpired } from '../../../store/users/mailed-links.js'
import { streamed } from '../../call/endpoint.js'
import { textInPath } from '../../call/params.js'
import { describeRefusal } from '../../pages/error-page.js'
import { answerTexts } from '../../pages/page-texts.js'
import { linkToClient, renderConfirmEmailPage, renderDeadLinkPage, renderMessagePage } from './account-pages.js'
import { acceptsJson, replyWithJson, replyWithPage } from './page-replies.js'

const emailChangeEndpoint = {
  path: '/confirm_email/{token}',
  site: true,
  callers: 'anyone',
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
    const t = answerTexts(exchange, realm, found?.user)
    if (realm === undefined || found === undefined) return replyWithPage(exchange, 404, renderLinkExpiredPage(t))
    const { name: organization } = realm.state.realm
    const shown = { organization, full_name: found.user.full_name, email: found.change.email }
    return replyWithPage(exchange, 200, renderConfirmEmailPage(t, shown))
  },
})

export const confirmEmailChange = streamed({
  ...emailChangeEndpoint,
  method: 'POST',
  summary: 'Changes the email address of an account to the one that the link was mailed to.',
  params: { token },
  async handle({ app, realm, write, params }, exchange) {
    const found = realm && (await findEmailChangeByToken(app.store.sql, realm.state, params.token))
    const t = answerTexts(exchange, realm, found?.user)
    if (realm === undefined || write === undefined || found === undefined) {
      if (acceptsJson(exchange)) throw mailedLinkExpired()
      return replyWithPage(exchange, 404, renderLinkExpiredPage(t))
    }
    const { change, user } = found
    try {
      await applyEmailChange(write, realmHost(realm.state.realm.string_id, app.config), change.id)
    } catch (error) {
      if (acceptsJson(exchange) || !(error instanceof ApiError)) throw error
      const shown = { organization: realm.state.realm.name, full_name: user.full_name, email: change.email }
      return replyWithPage(exchange, 400, renderConfirmEmailPage(t, { ...shown, refusal: describeRefusal(t, error) }))
    }
    if (acceptsJson(exchange)) return replyWithJson(exchange, { user_id: user.id, email: change.email })
    return replyWithPage(
      exchange,
      200,
      renderMessagePage(
        t,
        t('Your email address was changed'),
        t('From now on you log in as {email}.', { email: change.email }),
        linkToClient(t('Open the chat')),
      ),
    )
  },
})

const renderLinkExpiredPage = (t: Texts) =>
  renderDeadLinkPage(
    t,
    t('This link is no longer valid'),
    t(
      'It was used, it has expired (after a day), or the account was changed after it was requested. You can request a new one in the settings.',
    ),
    { path: '/#settings/account-and-privacy', text: t('Open the settings') },
  )
