/**
 * The options of a provider: where it is, who this server is there, and what its accounts may do here.
 *
 * The presets are what each provider's own documents say. They only fill in the form: nothing else depends on them.
 */
import { z } from 'zod'
import { AttributeMapping } from './attribute-mapping.js'

/** Who gets an account at the first log-in. */
export const accountRules = ['everyone', 'invited', 'nobody'] as const

/** How a provider says who logs in: with an ID token, or as GitHub, with its API. */
export const providerDialects = ['openid', 'github'] as const

const MAX_DOMAINS = 100
const MAX_METHODS = 20

/** What owners and operators set. */
export const ProviderOptions = z.strictObject({
  dialect: z.enum(providerDialects).default('openid'),
  /** the address of the provider, as its tokens name it */
  issuer: z.url({ protocol: /^https?$/ }).max(500),
  client_id: z.string().trim().min(1).max(500),
  /** separated by spaces; `openid` is always asked for */
  scopes: z.string().trim().max(500).default('openid email profile'),
  /** the claim that says that the user owns the address */
  verified_claim: z.string().trim().min(1).max(100).default('email_verified'),
  /** who gets an account at the first log-in */
  creates_accounts: z.enum(accountRules).default('invited'),
  /** the domains of addresses that may log in; none: all that the organization accepts */
  domains: z.array(z.string().trim().toLowerCase().min(1).max(253)).max(MAX_DOMAINS).default([]),
  /** the methods in the claim `amr` that count as the second factor of an account here; none: it is asked for here */
  second_factor_amr: z.array(z.string().trim().min(1).max(100)).max(MAX_METHODS).default([]),
  /** whether a log-out here also ends the session at the provider */
  ends_provider_session: z.boolean().default(false),
  /** what the attributes of a user say about the account here */
  mapping: AttributeMapping.prefault({}),
})

export type ProviderOptions = z.infer<typeof ProviderOptions>

/** What the form of owners starts with for a provider. `issuer` may have parts in braces, which the owner replaces. */
export const providerPresets = {
  google: { name: 'Google', issuer: 'https://accounts.google.com' },
  // Entra ID sends no email_verified; xms_edov says that the tenant owns the domain of the address.
  microsoft: {
    name: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/{tenant}/v2.0',
    verified_claim: 'xms_edov',
  },
  github: { name: 'GitHub', issuer: 'https://github.com', dialect: 'github' },
  gitlab: { name: 'GitLab', issuer: 'https://gitlab.com' },
  keycloak: { name: 'Keycloak', issuer: 'https://{host}/realms/{realm}' },
  authentik: { name: 'authentik', issuer: 'https://{host}/application/o/{application}/' },
} as const satisfies Record<string, Partial<ProviderOptions> & { name: string }>
