/** A provider of OpenID Connect as companies run one: the library `oidc-provider`, with its own forms. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface HonestProvider extends AsyncDisposable {
  issuer: string
}

/**
 * Starts a provider on this machine. Every login and password is accepted; the login is the local part of the address.
 * @param chat the address of the chat, without a slash at the end
 */
export const startHonestProvider = async (chat: string): Promise<HonestProvider> => {
  const server = http.createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'parley',
        client_secret: 'shared secret',
        redirect_uris: [`${chat}/accounts/login/external/1/callback`],
        post_logout_redirect_uris: [`${chat}/`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
    }),
    cookies: { keys: ['a key of a test'] },
    ttl: { AccessToken: 300, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
  })
  server.on('request', provider.callback())
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
