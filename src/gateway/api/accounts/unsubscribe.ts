/**
 * Ends the mails about missed messages of an account, by the link that each of them has.
 *
 * 1. The link needs no log-in, and permits nothing else. Mail programs send the POST by themselves when their user asks
 *    for it (RFC 8058: the header `List-Unsubscribe-Post`).
 * 2. In a browser, the link leads to a page with a button, because mail scanners open links.
 */
import { z } from 'zod'
import type { Texts } from '#rules/texts.js'
import { realmHost } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { stopMissedMail } from '../../../domain/messages/missed/unsubscribing.js'
import { errors } from '../../../domain/protocol/errors.js'
import { commitSteps } from '../../../store/log/change.js'
import type { Realm } from '../../../store/log/realm.js'
import { loadAccount } from '../../../store/users/account-changes.js'
import { streamed } from '../../call/endpoint.js'
import { textInPath } from '../../call/params.js'
import { answerTexts } from '../../pages/page-texts.js'
import { linkToClient, renderDeadLinkPage, renderMessagePage, renderUnsubscribePage } from './account-pages.js'
import { acceptsJson, replyWithJson, replyWithPage } from './page-replies.js'

const unsubscribeEndpoint = {
  path: '/accounts/unsubscribe/{token}',
  site: true,
  callers: 'anyone',
  response: z.object({}),
} as const
const token = textInPath().describe('the last segment of the link in the mail')

export const showMailUnsubscribing = streamed({
  ...unsubscribeEndpoint,
  method: 'GET',
  summary: 'Shows the page on which a user turns off mails about missed messages.',
  params: { token },
  handle({ realm, params }, exchange) {
    const user = findUser(realm, params.token)
    const t = answerTexts(exchange, realm, user)
    if (realm === undefined || user === undefined) return replyWithPage(exchange, 404, renderLinkInvalidPage(t))
    const { name: organization } = realm.state.realm
    return replyWithPage(exchange, 200, renderUnsubscribePage(t, { organization, email: user.delivery_email }))
  },
})

export const unsubscribeFromMail = streamed({
  ...unsubscribeEndpoint,
  method: 'POST',
  summary: 'Turns off mails about missed messages for the account to which the link was mailed.',
  params: { token },
  async handle({ app, realm, write: open, params }, exchange) {
    const found = findUser(realm, params.token)
    const t = answerTexts(exchange, realm, found)
    if (realm === undefined || open === undefined || found === undefined) {
      if (acceptsJson(exchange)) throw errors.badRequest('This link is not valid: open the one of a newer mail.')
      return replyWithPage(exchange, 404, renderLinkInvalidPage(t))
    }
    await open.withStructureLock(async (write) => {
      const { state } = realm
      const user = state.users.get(found.id) ?? found
      const account = await loadAccount(write, state, user, realmHost(state.realm.string_id, app.config))
      await commitSteps(write, stopMissedMail(account))
    })
    if (acceptsJson(exchange)) return replyWithJson(exchange, {})
    const { name: organization } = realm.state.realm
    return replyWithPage(
      exchange,
      200,
      renderMessagePage(
        t,
        t('You get no more of these mails'),
        t('{organization} mails you no missed messages. You can turn them on again in your notification settings.', {
          organization,
        }),
        linkToClient(t('Open the chat')),
      ),
    )
  },
})

const findUser = (realm: Realm | undefined, token: string): UserRow | undefined => {
  if (realm === undefined || !realm.state.realm.is_active) return undefined
  const user = realm.state.users.get(realm.state.deployment.keys.readUnsubscribeToken(token, realm.id) ?? 0)
  return user?.is_active === true ? user : undefined
}

const renderLinkInvalidPage = (t: Texts) =>
  renderDeadLinkPage(
    t,
    t('This link is not valid'),
    t('It is not complete, or the account does not exist any more. You can turn mails off in the settings.'),
    { path: '/#settings/notifications', text: t('Open the settings') },
  )
