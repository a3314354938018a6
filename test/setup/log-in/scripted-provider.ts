/** A provider of OpenID Connect that a test scripts: it signs what the test wants, also what no honest one would. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'

type Claims = Record<string, unknown>

/** What the provider answers when a code is exchanged. */
export interface Script {
  /** beside `iss`, `aud`, `sub`, `nonce`, `iat` and `exp`, or instead of them */
  claims?: Claims
  /** what the endpoint of user information says; undefined: there is no such endpoint */
  userinfo?: Claims
  /** signs with a key that the provider does not publish */
  hasForeignKey?: boolean
  /** signs nothing */
  isUnsigned?: boolean
}

/** An exchange of a code, as the provider got it. */
export interface Exchange {
  form: Record<string, string>
  authorization: string
}

export interface ScriptedProvider extends AsyncDisposable {
  issuer: string
  /** what it answers from now on */
  script: Script
  /** the exchanges so far */
  exchanges: Exchange[]
  /** how often each path was asked for */
  requests: Map<string, number>
  /** Replaces the key. */
  rotateKey(): Promise<void>
  /** Signs a token with the present key. */
  sign(claims: JWTPayload, options?: { typ?: string }): Promise<string>
  /** A code for a log-in that began with this address. */
  grant(authorizationUrl: string): string
}

/** Starts a provider on this machine. */
export const startProvider = async (
  client_id = 'parley',
  client_secret = 'shared secret',
): Promise<ScriptedProvider> => {
  let count = 0
  const newKey = async () => ({ kid: `key-${++count}`, pair: await generateKeyPair('RS256', { extractable: true }) })
  let key = await newKey()
  const foreign = await newKey()
  const nonces = new Map<string, string>()
  const exchanges: Exchange[] = []
  const requests = new Map<string, number>()
  const provider = { script: {} as Script }

  const sign = (claims: JWTPayload, { typ = 'JWT' } = {}, used = key) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid, typ }).sign(used.pair.privateKey)

  const composeIdToken = (code: string): Promise<string> | string => {
    const { claims, hasForeignKey, isUnsigned } = provider.script
    const now = Math.floor(Date.now() / 1000)
    const nonce = nonces.get(code)
    const own = { iss: issuer, aud: client_id, sub: 'subject-1', nonce, iat: now, exp: now + 300 }
    const all = { ...own, ...claims }
    if (isUnsigned === true) return new UnsecuredJWT(all as JWTPayload).encode()
    return sign(all as JWTPayload, {}, hasForeignKey === true ? foreign : key)
  }

  const answer = async (
    path: string,
    body: string,
    authorization: string,
  ): Promise<[status: number, body: unknown]> => {
    requests.set(path, (requests.get(path) ?? 0) + 1)
    switch (path) {
      case '/.well-known/openid-configuration':
        return [
          200,
          {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            end_session_endpoint: `${issuer}/log-out`,
            ...(provider.script.userinfo === undefined ? {} : { userinfo_endpoint: `${issuer}/userinfo` }),
            authorization_response_iss_parameter_supported: true,
          },
        ]
      case '/keys':
        return [200, { keys: [{ ...(await exportJWK(key.pair.publicKey)), kid: key.kid, alg: 'RS256', use: 'sig' }] }]
      case '/token': {
        const form = Object.fromEntries(new URLSearchParams(body))
        exchanges.push({ form, authorization })
        const code = form.code ?? ''
        if (!nonces.has(code)) return [400, { error: 'invalid_grant' }]
        const id_token = await composeIdToken(code)
        nonces.delete(code)
        return [200, { access_token: `access-${code}`, token_type: 'Bearer', expires_in: 300, id_token }]
      }
      case '/userinfo':
        return [200, provider.script.userinfo ?? {}]
      default:
        return [404, {}]
    }
  }

  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', async () => {
      const { pathname } = new URL(request.url ?? '/', 'http://provider')
      const [status, json] = await answer(pathname, body, request.headers.authorization ?? '')
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return Object.assign(provider, {
    issuer,
    client_secret,
    exchanges,
    requests,
    async rotateKey() {
      key = await newKey()
    },
    sign: (claims: JWTPayload, options?: { typ?: string }) => sign(claims, options),
    grant(authorizationUrl: string) {
      const code = `code-${++count}`
      nonces.set(code, new URL(authorizationUrl).searchParams.get('nonce') ?? '')
      return code
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  })
}
