/**
 * GitHub and GitHub Enterprise Server, which speak OAuth 2 without OpenID Connect: their API says who logs in.
 *
 * 1. The user is known by the number of the account, which never changes: another person can get a name that is free.
 * 2. The address is the primary one, if GitHub has verified it. The public address of a profile does not count.
 * 3. Organizations and teams are asked for only if the mapping of the provider reads them.
 *
 * Source: docs.github.com, Authorizing OAuth apps; REST API, users, emails, organizations and teams.
 */
import { z } from 'zod'
import { listMappedAttributes } from '../../domain/log-in/attribute-mapping.js'
import type { ProviderOptions } from '../../domain/log-in/provider-options.js'
import type { Fetch } from '../../store/outgoing/outgoing-http.js'

/** The endpoints of GitHub, in the form of a provider's description. */
export const describeGitHub = (issuer: string) => {
  const base = issuer.replace(/\/+$/, '')
  return {
    issuer: base,
    authorization_endpoint: `${base}/login/oauth/authorize`,
    token_endpoint: `${base}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  }
}

/** The address of the API. github.com and subdomains of ghe.com have a host of their own for it. */
export const gitHubApi = (issuer: string): string => {
  const { protocol, host, origin } = new URL(issuer)
  return host === 'github.com' || host.endsWith('.ghe.com') ? `${protocol}//api.${host}` : `${origin}/api/v3`
}

/** What this server asks the user's consent for, separated by spaces. */
export const composeGitHubScope = (options: ProviderOptions): string =>
  ['read:user', 'user:email', ...(readsMemberships(options) ? ['read:org'] : [])].join(' ')

/** Attributes that other addresses of the API have. */
const memberships = ['organizations', 'teams']

const readsMemberships = ({ mapping }: ProviderOptions): boolean =>
  listMappedAttributes(mapping).some((name) => memberships.includes(name))

const User = z.looseObject({ id: z.int(), login: z.string() })
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
const Organizations = z.array(z.object({ login: z.string() }))
const Teams = z.array(z.object({ slug: z.string(), organization: z.object({ login: z.string() }) }))

const PAGE = 100
const MAX_PAGES = 10

/**
 * The claims of the user who gave this token. They have the names of OpenID Connect, beside those of the API itself.
 * Throws an Error for an answer that GitHub does not document, and OutgoingCallError.
 */
export const loadGitHubClaims = async (
  fetch: Fetch,
  options: ProviderOptions,
  access_token: string,
): Promise<Record<string, unknown>> => {
  const get = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${access_token}`, accept: 'application/vnd.github+json' }
    const answer = await fetch(`${gitHubApi(options.issuer)}${path}`, { method: 'GET', headers })
    if (answer.status !== 200) throw new Error(`the API answered with status ${answer.status}`)
    return answer.json()
  }
  const getAll = async <T>(path: string, schema: z.ZodType<T[]>): Promise<T[]> => {
    const all: T[] = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const part = schema.parse(await get(`${path}?per_page=${PAGE}&page=${page}`))
      all.push(...part)
      if (part.length < PAGE) break
    }
    return all
  }
  const user = User.parse(await get('/user'))
  const primary = (await getAll('/user/emails', Emails)).find((one) => one.primary)
  const claims = { ...user, sub: String(user.id), preferred_username: user.login, email: primary?.email }
  const verified = { [options.verified_claim]: primary?.verified === true }
  if (!readsMemberships(options)) return { ...claims, ...verified }
  const organizations = (await getAll('/user/orgs', Organizations)).map(({ login }) => login)
  const teams = (await getAll('/user/teams', Teams)).map(({ slug, organization }) => `${organization.login}/${slug}`)
  return { ...claims, ...verified, organizations, teams }
}
