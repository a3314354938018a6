/**
 * The options of a provider that speaks SAML 2.0.
 *
 * A provider is described by its metadata at an address, which are read again and again, or by single values. Owners
 * can enter metadata as a text: the server reads the single values from it, and stores these.
 */
import { z } from 'zod'
import { ProviderOptions } from './provider-options.js'

const MAX_CERTIFICATES = 10

const address = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2_000)]).default('')
/** The name of an attribute; '': well-known names. */
const attribute = z.string().trim().max(255).default('')

/** What is common to all protocols. */
const common = ProviderOptions.omit({ dialect: true, issuer: true, client_id: true, scopes: true }).shape

/** What owners and operators set. */
export const SamlOptions = z.strictObject({
  /** the entity id of the provider */
  issuer: z.string().trim().min(1).max(500),
  /** where its metadata are; '': the following members say what they would say */
  metadata_url: address,
  /** where it receives requests to log in (HTTP-Redirect) */
  sso_url: address,
  /** where it receives requests to log out (HTTP-Redirect); '': nowhere */
  slo_url: address,
  /** with which it signs, in PEM or its base64; several while it changes its key */
  certificates: z.array(z.string().trim().min(1).max(10_000)).max(MAX_CERTIFICATES).default([]),
  /** whether the whole answer must be signed, besides the assertion in it */
  wants_signed_response: z.boolean().default(false),
  /** whether a log-in may begin at the provider */
  starts_at_provider: z.boolean().default(false),
  /** what names the user; '': the NameID */
  subject_attribute: attribute,
  email_attribute: attribute,
  name_attribute: attribute,
  /** whether every address counts as verified, because users cannot choose theirs at the provider */
  trusts_addresses: z.boolean().default(false),
  ...common,
})

export type SamlOptions = z.infer<typeof SamlOptions>

/** Where a provider is found and with which keys it signs. */
export interface SamlDescription {
  readonly issuer: string
  readonly sso_url: string
  readonly slo_url: string
  readonly certificates: readonly string[]
}
