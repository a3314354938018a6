/**
 * Log-in with OpenID Connect: the only file that knows the library `openid-client`.
 *
 * 1. The library checks the protocol: state, nonce, PKCE, issuer (RFC 9207), audience, times and the signature of the
 *    ID token. Only asymmetric signatures are accepted, and never `none`.
 * 2. Providers are called with the protection against private addresses, and with limits of time and size
 *    (store/outgoing/outgoing-http.ts).
 * 3. The description of a provider is kept (description-cache.ts). Keys are fetched for each
 *    log-in, so a key that the provider has just changed is known.
 * 4. In production, providers are called and opened over TLS only.
 */
import * as client from 'openid-client'
import { z } from 'zod'
import { hasAttribute, listMappedAttributes } from '../../domain/log-in/attribute-mapping.js'
import type { ExternalUser } from '../../domain/log-in/external-log-in.js'
import type { MethodOf } from '../../domain/log-in/methods.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { type Fetch, OutgoingCallError } from '../../store/outgoing/outgoing-http.js'
import { openDescriptionCache } from './description-cache.js'
import { composeGitHubScope, describeGitHub, loadGitHubClaims } from './github.js'
import { type LogOutToken, verifyLogOutToken } from './json-web-token.js'

type LogInMethod = MethodOf<'oidc'>

/** What the browser keeps between the beginning of a log-in and its end, so that the answer can be checked. */
export interface LogInChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The providers, as the handlers of log-ins use them. */
export interface IdentityProviders {
  /** Begins a log-in. @returns the address of the provider to open, and what checks its answer. Throws BAD_REQUEST. */
  begin(method: LogInMethod, redirect_uri: string): Promise<{ url: string; checks: LogInChecks }>
  /**
   * Ends a log-in: exchanges the code of the answer, and returns what the provider says about the user.
   * @param answer the address to which the provider sent the browser back
   * Throws BAD_REQUEST, and AUTHENTICATION_FAILED when it names no subject.
   */
  finish(method: LogInMethod, answer: URL, checks: LogInChecks): Promise<ExternalUser>
  /** Verifies the token with which a provider ends sessions. Throws BAD_REQUEST. @param now UNIX seconds */
  verifyLogOut(method: LogInMethod, token: string, now: number): Promise<LogOutToken>
  /**
   * The address that ends the session at the provider; undefined: it has none, or does not answer.
   * @param back where the provider leads the user afterwards
   */
  composeLogOutUrl(method: LogInMethod, id_token: string, back: string): Promise<string | undefined>
  /** Refuses an issuer that does not describe itself as a provider. Throws BAD_REQUEST. */
  check(issuer: string): Promise<void>
}

const MAX_DESCRIPTION = 20_000
/** Longer values are refused: they are stored, or kept in a cookie. */
const MAX_TEXT = 255

const Endpoint = z.url({ protocol: /^https?$/ }).max(2_000)

/** What is used of a provider's description. */
const Description = z.object({
  issuer: Endpoint,
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  jwks_uri: Endpoint,
  userinfo_endpoint: Endpoint.optional(),
  end_session_endpoint: Endpoint.optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
type Description = z.infer<typeof Description>

/** Signatures that the key of the provider makes, and no secret that it shares. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/**
 * Opens the providers. What it returns throws what `IdentityProviders` says: BAD_REQUEST and AUTHENTICATION_FAILED.
 * @param fetch calls them (2)
 * @param options.allowsPlain whether they may be called without TLS (4)
 * @param options.report receives what a provider did wrong
 */
export const openIdentityProviders = (
  fetch: Fetch,
  options: { allowsPlain: boolean; report: (error: unknown, issuer: string) => void },
): IdentityProviders => {
  const { allowsPlain, report } = options
  const callProvider: client.CustomFetch = (url, { body, headers, method, signal }) =>
    fetch(url, {
      method,
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      ...(signal === undefined ? {} : { signal }),
    })

  const describe = openDescriptionCache((issuer) => discover(issuer, callProvider, allowsPlain))

  const describeMethod = async ({ options: { dialect, issuer } }: LogInMethod): Promise<client.ServerMetadata> => {
    if (dialect === 'github') return requireTls(describeGitHub(issuer), allowsPlain)
    const description = await describe(issuer)
    return { ...description, id_token_signing_alg_values_supported: supportedAlgorithms(description) }
  }

  const configure = async (method: LogInMethod): Promise<client.Configuration> => {
    const metadata = await describeMethod(method)
    const secret = method.secret()
    const config = new client.Configuration(metadata, method.options.client_id, {}, chooseAuth(metadata, secret))
    config[client.customFetch] = callProvider
    client.enableNonRepudiationChecks(config)
    if (allowsPlain) client.allowInsecureRequests(config)
    return config
  }

  /** Runs a step with a provider. What it did wrong is reported, and the user learns that it did not work. */
  const withProvider = async <T>({ name, options: { issuer } }: LogInMethod, run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      if (error instanceof ApiError) throw error
      report(error, issuer)
      throw composeRefusal(name, error)
    }
  }

  return {
    begin: (method, redirect_uri) =>
      withProvider(method, async () => {
        const config = await configure(method)
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        }
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri,
          state: checks.state,
          ...(method.options.dialect === 'github'
            ? { scope: composeGitHubScope(method.options) }
            : { scope: composeScope(method.options.scopes), nonce: checks.nonce }),
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, checks }
      }),

    finish: (method, answer, { state, nonce, verifier }) =>
      withProvider(method, async () => {
        const config = await configure(method)
        const expected = { expectedState: state, pkceCodeVerifier: verifier }
        if (method.options.dialect === 'github') {
          const { access_token } = await client.authorizationCodeGrant(config, answer, expected)
          const claims = await loadGitHubClaims(fetch, method.options, access_token)
          return composeExternalUser(method, config.serverMetadata().issuer, claims, '')
        }
        const tokens = await client.authorizationCodeGrant(config, answer, {
          ...expected,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const stated = tokens.claims()
        if (stated === undefined) throw errors.authenticationFailed()
        const needed = ['email', ...listMappedAttributes(method.options.mapping)]
        const isComplete = needed.every((name) => hasAttribute(stated, name))
        const asks = !isComplete && config.serverMetadata().userinfo_endpoint !== undefined
        const more = asks ? await client.fetchUserInfo(config, tokens.access_token, stated.sub) : {}
        const idToken = tokens.id_token ?? ''
        return composeExternalUser(method, config.serverMetadata().issuer, mergeClaims(more, stated), idToken)
      }),

    verifyLogOut: (method, token, now) =>
      withProvider(method, async () => {
        if (method.options.dialect === 'github') throw errors.badRequest('This is no log-out token of the provider.')
        const description = await describe(method.options.issuer)
        const answer = await fetch(description.jwks_uri, { method: 'GET', headers: { accept: 'application/json' } })
        const keys: unknown = await answer.json()
        const { client_id } = method.options
        return verifyLogOutToken(token, {
          keys,
          issuer: description.issuer,
          client_id,
          now,
          algorithms: supportedAlgorithms(description),
        })
      }),

    async composeLogOutUrl(method, id_token_hint, post_logout_redirect_uri) {
      try {
        const config = await configure(method)
        if (config.serverMetadata().end_session_endpoint === undefined) return undefined
        return client.buildEndSessionUrl(config, { id_token_hint, post_logout_redirect_uri }).href
      } catch (error) {
        report(error, method.options.issuer)
        return undefined
      }
    },

    async check(issuer) {
      try {
        await describe(issuer)
      } catch (error) {
        report(error, issuer)
        throw errors.badRequest(
          'At this address there is no provider that describes itself (/.well-known/openid-configuration).',
        )
      }
    },
  }
}

const discover = async (issuer: string, fetch: client.CustomFetch, allowsPlain: boolean): Promise<Description> => {
  const url = new URL(issuer)
  const execute = allowsPlain ? [client.allowInsecureRequests] : []
  const found = await client.discovery(url, 'unused', undefined, client.None(), {
    [client.customFetch]: fetch,
    execute,
    timeout: 10,
  })
  const description = Description.parse(found.serverMetadata())
  if (JSON.stringify(description).length > MAX_DESCRIPTION) throw new Error('the description is too long')
  return requireTls(description, allowsPlain)
}

/** Refuses addresses without TLS, which the browser or this server would open (4). */
const requireTls = <D extends client.ServerMetadata>(description: D, allowsPlain: boolean): D => {
  const { issuer, authorization_endpoint = 'https:', end_session_endpoint = 'https:' } = description
  const addresses = [issuer, authorization_endpoint, end_session_endpoint]
  if (!allowsPlain && addresses.some((address) => !address.startsWith('https:'))) throw new Error('it is without TLS')
  return description
}

const supportedAlgorithms = ({ id_token_signing_alg_values_supported: input }: client.ServerMetadata): string[] =>
  input === undefined ? ALGORITHMS : ALGORITHMS.filter((name) => input.includes(name))

const chooseAuth = (
  { token_endpoint_auth_methods_supported: input }: client.ServerMetadata,
  secret: string,
): client.ClientAuth => {
  if (secret === '') return client.None()
  return input?.includes('client_secret_post') === true
    ? client.ClientSecretPost(secret)
    : client.ClientSecretBasic(secret)
}

const composeScope = (scopes: string): string => [...new Set(['openid', ...scopes.split(/\s+/)])].join(' ').trim()

/** The claims of both; those of the ID token count more. Objects that both have are merged. */
const mergeClaims = (userinfo: Claims, idToken: Claims): Claims => {
  const merged: Record<string, unknown> = { ...userinfo, ...idToken }
  for (const [name, value] of Object.entries(idToken)) {
    const other = Object.hasOwn(userinfo, name) ? userinfo[name] : undefined
    if (isObject(value) && isObject(other)) merged[name] = mergeClaims(other, value)
  }
  return merged
}

type Claims = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Claims that the user has elsewhere. Entra ID does not send the groups of a user who has many.
 * Source: OpenID Connect Core 1.0, 5.6.2.
 */
const listWithheld = ({ _claim_names }: Claims): string[] => (isObject(_claim_names) ? Object.keys(_claim_names) : [])

const composeExternalUser = (
  { key: method, options }: LogInMethod,
  issuer: string,
  claims: Claims,
  idToken: string,
): ExternalUser => {
  const subject = textOf(claims.sub)
  if (subject === '') throw errors.authenticationFailed()
  const fullName = [textOf(claims.given_name), textOf(claims.family_name)].join(' ').trim()
  return {
    method,
    issuer,
    subject,
    email: textOf(claims.email),
    // Some providers send texts or numbers.
    isVerified: [true, 'true', 1, '1'].includes(claims[options.verified_claim] as never),
    names: [textOf(claims.name), fullName, textOf(claims.preferred_username)].filter((name) => name !== ''),
    sid: textOf(claims.sid),
    idToken,
    claims,
    withheld: listWithheld(claims),
  }
}

/** The text of a claim; '' for anything else, and for what is too long to be stored. */
const textOf = (value: unknown): string =>
  typeof value === 'string' && value.length <= MAX_TEXT && !value.includes('\0') ? value.trim() : ''

/** What the log says about a provider's fault. It has nothing that the provider sent, which may contain tokens. */
export const describeProviderFault = (error: unknown): string => {
  const { name, message, code, cause } = error as Error & { code?: string }
  const reason = cause instanceof Error ? ` (${cause.message})` : ''
  return `${name}${code === undefined ? '' : ` ${code}`}: ${message}${reason}`
}

/** What the user learns of a provider's fault. */
export const composeRefusal = (provider: string, error: unknown): ApiError => {
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
    return errors.badRequest('{provider} did not let you log in.', { provider })
  }
  if (error instanceof OutgoingCallError || (error as Error).cause instanceof OutgoingCallError) {
    return errors.badRequest('{provider} cannot be reached now. Try again later.', { provider })
  }
  return errors.badRequest('{provider} did not confirm the log-in. Try again.', { provider })
}
