/**
 * The login methods: an address with its password; where the deployment trusts a site that signs tokens for the
 * organization's users (JWT_KEYS), such a token; and where the organization or the operator has set up a provider
 * (domain/log-in/methods.ts) or a directory (domain/log-in/directories.ts), an account there. A method can be
 * turned off as long as another one is on.
 *
 * Source: protocol/register.md 5.1.1 (`realm_authentication_methods`) and section 7, protocol/endpoints.md 4.
 */
import { z } from 'zod'
import { errors } from '../protocol/errors.js'
import type { RealmSettings } from '../settings/realm-settings.js'

export const authenticationMethod = z.object({
  enabled: z.boolean(),
  available: z.boolean(),
  unavailable_reason: z.string().optional(),
})

export type AuthenticationMethods = Record<string, z.infer<typeof authenticationMethod>>

/** Which methods there are besides passwords. */
export interface OtherWays {
  /** a site signs tokens for the users */
  readonly JWT: boolean
  /** there is an enabled provider that speaks OpenID Connect */
  readonly 'OpenID Connect': boolean
  /** there is an enabled provider that speaks SAML */
  readonly SAML: boolean
  /** there is a directory */
  readonly LDAP: boolean
}

/** Passwords only. */
export const noOtherWays: OtherWays = { JWT: false, 'OpenID Connect': false, SAML: false, LDAP: false }

const otherNames = ['JWT', 'OpenID Connect', 'SAML', 'LDAP'] as const

/** The organization's methods by name. */
export const authenticationMethods = (
  { authentication_methods: chosen }: RealmSettings,
  ways: OtherWays,
): AuthenticationMethods => {
  const others = otherNames.filter((name) => ways[name])
  return {
    // Without another method passwords stay on, whatever was chosen while there was one.
    Email: { enabled: chosen.Email !== false || others.every((name) => chosen[name] === false), available: true },
    ...Object.fromEntries(others.map((name) => [name, { enabled: chosen[name] !== false, available: true }])),
  }
}

/** Whether this method can be used. */
export const isOpenWay = (name: 'Email' | keyof OtherWays, settings: RealmSettings, ways: OtherWays): boolean =>
  authenticationMethods(settings, ways)[name]?.enabled === true

/**
 * Returns the value to store when these methods are set as given. The value has the methods that are off. Throws
 * BAD_REQUEST.
 */
export const validateMethods = (
  settings: RealmSettings,
  ways: OtherWays,
  input: Readonly<Record<string, boolean>>,
): RealmSettings['authentication_methods'] => {
  const known = authenticationMethods(settings, ways)
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) throw errors.badRequest('There is no authentication method {name}.', { name: unknown })
  const chosen = Object.fromEntries(
    Object.entries(known).map(([name, { enabled }]): [string, boolean] => [name, input[name] ?? enabled]),
  )
  if (!Object.values(chosen).includes(true)) {
    throw errors.badRequest('Users need at least one authentication method: leave one enabled.')
  }
  // Methods that are on are not stored, so a method that is added later is on.
  return Object.fromEntries(Object.entries(chosen).filter(([, isOn]) => !isOn))
}
