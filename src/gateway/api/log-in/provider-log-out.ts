/**
 * A provider ends sessions here, because the user logged out there or lost the account.
 *
 * 1. Back-channel: the provider sends a token that it has signed. It names a session at the provider, or a user, whose
 *    sessions all end. A token counts once.
 * 2. Front-channel: the provider opens an address in a frame of the browser. Cookies are not sent to a frame of another
 *    site, so the session at the provider, which only the provider and this server know, says which one ends.
 * 3. API keys stay: an app that took one over is not a session. Deactivate the account to end it.
 *
 * Source: OpenID Connect Back-Channel Logout 1.0; OpenID Connect Front-Channel Logout 1.0.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { findProviderSessions } from '../../../store/log-in/provider-sessions.js'
import { removeSessions } from '../../../store/users/sessions.js'
import { markTokenUsed } from '../../../store/users/used-tokens.js'
import { streamed, streaming } from '../../call/endpoint.js'
import { str, textInPath } from '../../call/params.js'
import type { HttpExchange } from '../../contract/transport.js'
import { requireMethodOf } from '../../log-in/open-methods.js'
import { requireActiveRealm } from '../accounts/log-in-checks.js'

const method = textInPath().describe('the key of the method')

export const endSessionsByProvider = streamed({
  method: 'POST',
  path: '/accounts/login/external/{method}/backchannel_logout',
  site: true,
  summary: 'A provider ends the sessions of a user who logged out there.',
  callers: 'anyone',
  params: { method, logout_token: str({ max: 20_000 }) },
  response: z.object({}),
  headers: ['accept'],
  async prepare({ app, write, params }) {
    const { realm } = requireActiveRealm(write)
    const found = requireMethodOf(app.config, realm.state, params.method, 'oidc')
    const now = secondsNow()
    const token = await app.providers.verifyLogOut(found, params.logout_token, now)
    if (!(await markTokenUsed(app.store.sql, realm.id, token, now))) {
      throw errors.badRequest('This log-out token was used before.')
    }
    return token
  },
  async handle({ write, params, prepared }, exchange) {
    const { issuer, subject, sid } = prepared
    await endProviderSessions(requireActiveRealm(write), { method: params.method, issuer, subject, sid })
    return replyEmpty(exchange)
  },
})

export const endSessionInBrowser = streamed({
  method: 'GET',
  path: '/accounts/login/external/{method}/frontchannel_logout',
  site: true,
  summary: 'A provider ends the session of a browser in which the user logged out there.',
  callers: 'anyone',
  params: { method, iss: str({ max: 500 }), sid: str({ min: 1, max: 255 }) },
  response: z.object({}),
  headers: ['accept'],
  async handle({ app, write, params: { method: key, iss, sid } }, exchange) {
    const open = requireActiveRealm(write)
    requireMethodOf(app.config, open.realm.state, key, 'oidc')
    await endProviderSessions(open, { method: key, issuer: iss, sid })
    return replyEmpty(exchange)
  },
})

/** Ends the sessions that a provider names. */
export const endProviderSessions = (
  open: WriteContext,
  of: { method: string; issuer: string; subject?: string | undefined; sid?: string | undefined },
): Promise<void> =>
  open.withStructureLock(async (write) => {
    await removeSessions(write, await findProviderSessions(write.sql, write.realm.state, of))
  })

/** Both specifications ask for an answer that no cache stores. */
export const replyEmpty = (exchange: HttpExchange) => {
  exchange.reply(200, { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain; charset=utf-8' }, '')
  return streaming
}
