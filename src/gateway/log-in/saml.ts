/**
 * Log-in with SAML 2.0: the only file that knows the library `@node-saml/node-saml`, besides its parser
 * (saml-documents.ts).
 *
 * 1. A message is checked for its form first (saml-documents.ts). The library verifies its signature, its times and the
 *    audience, with the certificates of the provider only, whatever the message brings along.
 * 2. An assertion is always signed. Only what the signature covers is read: issuer, recipient, times and the request to
 *    which it answers are those of the assertion, and not those of the message around it.
 * 3. An assertion is at most MAX_AGE seconds old, and names a time at which it ends. So the record of those that were
 *    used need not be kept for longer.
 * 4. A request to log out must be signed, in its address or in the form.
 * 5. Metadata are kept (description-cache.ts). A signature that is not verified by
 *    metadata older than RENEWAL_MS causes them to be read again: the provider may have changed its key.
 * 6. In production, providers are called and opened over TLS only.
 */
import { randomBytes } from 'node:crypto'
import { type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { z } from 'zod'
import type { ExternalUser } from '../../domain/log-in/external-log-in.js'
import type { MethodOf } from '../../domain/log-in/methods.js'
import type { SamlDescription } from '../../domain/log-in/saml-options.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import type { Fetch } from '../../store/outgoing/outgoing-http.js'
import { type DescriptionCache, openDescriptionCache } from './description-cache.js'
import { composeRefusal, type LogInChecks } from './openid-connect.js'
import { checkDescription, checkOwnKey, loadMetadata, requireComplete, requireTls } from './saml-descriptions.js'
import { decodePosted, readMessage, selectAll } from './saml-documents.js'
import {
  checkAssertion,
  composeUse,
  type LogOutMessage,
  MAX_AGE,
  requireDestination,
  requireRecent,
  requireSameRequest,
  type ServiceUrls,
  SKEW_MS,
  type UsedOnce,
  verifyLogOutMessage,
} from './saml-messages.js'
import { readMetadata, readOwnKey } from './saml-metadata.js'
import { composeSamlUser } from './saml-user.js'

type SamlMethod = MethodOf<'saml'>

/** An answer of a provider that was verified. */
export interface SamlAnswer {
  readonly external: ExternalUser
  /** the request to which it answers; undefined: the log-in began at the provider */
  readonly in_response_to: string | undefined
  readonly used: UsedOnce
}

/** A request to log out that was verified. */
export interface SamlLogOut {
  readonly issuer: string
  readonly name_id: string
  /** the sessions at the provider; none: all of the user */
  readonly session_indexes: readonly string[]
  readonly used: UsedOnce
  /** Composes the address that tells the provider; undefined: it has none. */
  answer(): Promise<string | undefined>
}

/** SAML providers, as the handlers of log-ins use them. Throws BAD_REQUEST, by composeRefusal and notDescribed too. */
export interface SamlProviders {
  /** Begins a log-in. @returns the address of the provider to open, and what checks its answer */
  begin(method: SamlMethod, urls: ServiceUrls): Promise<{ url: string; checks: LogInChecks }>
  /** Verifies the answer of a provider. Whether the assertion was used before is not checked. */
  verifyAnswer(method: SamlMethod, urls: ServiceUrls, input: string): Promise<SamlAnswer>
  /** Verifies a request to log out. Whether it was used before is not checked. */
  verifyLogOut(method: SamlMethod, urls: ServiceUrls, message: LogOutMessage): Promise<SamlLogOut>
  /** The address that ends the session at the provider; undefined: it has none. @param token of ExternalUser */
  composeLogOutUrl(method: SamlMethod, urls: ServiceUrls, token: string): Promise<string | undefined>
  /** What a provider has to know of this server, in XML. */
  composeMetadata(method: SamlMethod, urls: ServiceUrls): string
  /**
   * Completes options as an owner gives them. Reads the metadata at their address, or the text in `metadata`. Options
   * that are not valid stay so: they are refused later, with their names.
   */
  complete(input: Readonly<Record<string, unknown>>, secret: string | undefined): Promise<Record<string, unknown>>
}

const RENEWAL_MS = 60_000

/** The session at the provider, as the provider wants it back. */
const SessionAtProvider = z.object({
  nameID: z.string(),
  nameIDFormat: z.string().optional(),
  nameQualifier: z.string().optional(),
  spNameQualifier: z.string().optional(),
  sessionIndex: z.string().optional(),
})

/**
 * Opens the providers. What it returns throws what `SamlProviders` says: BAD_REQUEST.
 * @param fetch reads metadata, protected against private addresses
 * @param options.allowsPlain whether providers may be without TLS (6)
 * @param options.report receives what a provider did wrong
 */
export const openSamlProviders = (
  fetch: Fetch,
  options: { allowsPlain: boolean; report: (error: unknown, issuer: string) => void },
): SamlProviders => {
  const { allowsPlain, report } = options
  const cached = openDescriptionCache(async (url) => loadMetadata(fetch, requireTls(url, allowsPlain)))

  /** @param maxAge milliseconds since the metadata were read */
  const describe = async ({ options }: SamlMethod, maxAge?: number): Promise<SamlDescription> => {
    const { issuer, metadata_url } = options
    const found = metadata_url === '' ? options : await cached(metadata_url, maxAge)
    return requireComplete(found, issuer, allowsPlain)
  }

  /** Runs a step with a provider. What it did wrong is reported, and the user learns that it did not work. */
  const withProvider = async <T>({ name, options: { issuer } }: SamlMethod, run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      if (error instanceof ApiError) throw error
      report(error, issuer)
      throw composeRefusal(name, error)
    }
  }

  /** Verifies with the provider's certificates, and once more with those that it may have changed to (5). */
  const verifying = async <T>(method: SamlMethod, verify: (description: SamlDescription) => Promise<T>): Promise<T> => {
    const description = await describe(method)
    try {
      return await verify(description)
    } catch (error) {
      if (error instanceof ApiError || method.options.metadata_url === '') throw error
      const renewed = await describe(method, RENEWAL_MS)
      if (renewed.certificates.join() === description.certificates.join()) throw error
      return verify(renewed)
    }
  }

  return {
    begin: (method, urls) =>
      withProvider(method, async () => {
        const checks = {
          state: randomBytes(32).toString('base64url'),
          nonce: `_${randomBytes(20).toString('hex')}`,
          verifier: '',
        }
        const library = buildLibrary(method, urls, await describe(method), checks.nonce)
        return { url: await library.getAuthorizeUrlAsync(checks.state, undefined, {}), checks }
      }),

    verifyAnswer: (method, urls, input) =>
      withProvider(method, async () => {
        const xml = decodePosted(input)
        const root = await readMessage(xml, 'Response', readOwnKey(method.secret())?.privateKey)
        requireDestination(root, urls.acs)
        // The first code is the outer one. No signature is needed to be refused.
        const [code] = selectAll(root, 'StatusCode')
        if (code?.getAttribute('Value') !== SUCCESS) {
          throw errors.badRequest('{provider} did not let you log in.', { provider: method.name })
        }
        return verifying(method, async (description) => {
          const library = buildLibrary(method, urls, description)
          const SAMLResponse = Buffer.from(xml).toString('base64')
          const verified = await library.validatePostResponseAsync({ SAMLResponse })
          const { profile, in_response_to, used } = checkAssertion(verified.profile, urls, description)
          requireSameRequest(root, in_response_to)
          return { external: composeSamlUser(method, description.issuer, profile), in_response_to, used }
        })
      }),

    verifyLogOut: (method, urls, message) =>
      withProvider(method, () =>
        verifying(method, async (description) => {
          const library = buildLibrary(method, urls, description)
          const { profile, xml, relay_state } = await verifyLogOutMessage(library, message)
          const root = await readMessage(xml, 'LogoutRequest')
          requireDestination(root, urls.slo)
          const issued = requireRecent(root)
          const session_indexes = selectAll(root, 'SessionIndex').map(({ textContent }) => textContent?.trim() ?? '')
          return {
            issuer: description.issuer,
            name_id: profile.nameID.trim(),
            session_indexes: session_indexes.filter((index) => index !== ''),
            used: composeUse(`log-out:${profile.ID}`, issued),
            async answer() {
              if (description.slo_url === '') return undefined
              return library.getLogoutResponseUrlAsync(profile, relay_state, {}, true)
            },
          }
        }),
      ),

    async composeLogOutUrl(method, urls, token) {
      try {
        const description = await describe(method)
        const session = SessionAtProvider.safeParse(JSON.parse(token))
        if (description.slo_url === '' || !session.success) return undefined
        const profile = { issuer: description.issuer, nameIDFormat: '', ...session.data } as Profile
        return await buildLibrary(method, urls, description).getLogoutUrlAsync(profile, '', {})
      } catch (error) {
        report(error, method.options.issuer)
        return undefined
      }
    },

    composeMetadata(method, urls) {
      const own = readOwnKey(method.secret())
      const description = { issuer: '', sso_url: urls.acs, slo_url: '', certificates: ['unused'] }
      const library = buildLibrary(method, urls, description, '_metadata')
      const xml = library.generateServiceProviderMetadata(own?.certificate ?? null, own?.certificate ?? null)
      // The library names the form only as the way to log out. Requests and answers in addresses are accepted too.
      const redirected = `<SingleLogoutService Binding="${REDIRECT}" Location="${urls.slo}"/>\n    `
      return xml.replace('<SingleLogoutService', `${redirected}<SingleLogoutService`)
    },

    async complete({ metadata, ...input }, secret) {
      if (secret !== undefined) checkOwnKey(secret)
      const url = typeof input.metadata_url === 'string' ? input.metadata_url.trim() : ''
      const found = await readDescription(url, typeof metadata === 'string' ? metadata : '', cached, report)
      const given = typeof input.issuer === 'string' ? input.issuer.trim() : ''
      if (url !== '' && found !== undefined) {
        if (given !== '' && given !== found.issuer) throw notDescribed()
        checkDescription(found, allowsPlain)
        return { ...input, issuer: found.issuer, sso_url: '', slo_url: '', certificates: [] }
      }
      const completed = { ...input, ...found }
      checkDescription(completed, allowsPlain)
      return completed
    },
  }
}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** The library for one step with a provider. @param id the identifier of the message that it composes */
const buildLibrary = (
  method: SamlMethod,
  urls: ServiceUrls,
  { issuer, sso_url, slo_url, certificates }: SamlDescription,
  id?: string,
): SAML => {
  const own = readOwnKey(method.secret())
  return new SAML({
    issuer: urls.metadata,
    audience: urls.metadata,
    callbackUrl: urls.acs,
    logoutCallbackUrl: urls.slo,
    entryPoint: sso_url,
    logoutUrl: slo_url,
    idpIssuer: issuer,
    idpCert: [...certificates],
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: method.options.wants_signed_response,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: MAX_AGE * 1000,
    // The cookie of the browser says which request it made (log-in-flow.ts); nothing is kept in the process.
    validateInResponseTo: ValidateInResponseTo.never,
    cacheProvider: noCache,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    ...(own !== undefined && {
      privateKey: own.privateKey,
      publicCert: own.certificate,
      decryptionPvk: own.privateKey,
    }),
    ...(id !== undefined && { generateUniqueId: () => id }),
  })
}

const noCache = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
}

const readDescription = async (
  url: string,
  text: string,
  cached: DescriptionCache<SamlDescription>,
  report: (error: unknown, issuer: string) => void,
): Promise<SamlDescription | undefined> => {
  if (url === '' && text.trim() === '') return undefined
  if (url !== '' && !/^https?:\/\//.test(url)) return undefined
  try {
    return url === '' ? await readMetadata(text.trim()) : await cached(url, 0)
  } catch (error) {
    report(error, url)
    throw notDescribed()
  }
}

const notDescribed = () =>
  errors.badRequest(
    'These are no metadata of a SAML provider (with IDPSSODescriptor, HTTP-Redirect and a certificate).',
  )
