/**
 * The login methods: an address with its password, and, where the deployment trusts a site that signs tokens for the
 * organization's users (JWT_KEYS), such a token. A method can be turned off as long as another one is on.
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

/**
 * The organization's methods by name.
 * @param trustsSite whether a site signs tokens for its users
 */
export const authenticationMethods = (
  { authentication_methods: chosen }: RealmSettings,
  trustsSite: boolean,
): AuthenticationMethods => ({
  // Without a site there is no other method, whatever was chosen while there was one.
  Email: { enabled: chosen.Email !== false || !trustsSite, available: true },
  ...(trustsSite ? { JWT: { enabled: chosen.JWT !== false, available: true } } : {}),
})

/** Whether this method can be used. */
export const isOpenWay = (name: 'Email' | 'JWT', settings: RealmSettings, trustsSite: boolean): boolean =>
  authenticationMethods(settings, trustsSite)[name]?.enabled === true

/**
 * Returns the value to store when these methods are set as given. The value has the methods that are off. Throws
 * BAD_REQUEST.
 */
export const validateMethods = (
  settings: RealmSettings,
  trustsSite: boolean,
  given: Readonly<Record<string, boolean>>,
): RealmSettings['authentication_methods'] => {
  const known = authenticationMethods(settings, trustsSite)
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) throw errors.badRequest('There is no authentication method {name}.', { name: unknown })
  const chosen = Object.fromEntries(
    Object.entries(known).map(([name, { enabled }]): [string, boolean] => [name, given[name] ?? enabled]),
  )
  if (!Object.values(chosen).includes(true)) {
    throw errors.badRequest('Users need at least one authentication method: leave one enabled.')
  }
  // Methods that are on are not stored, so a method that is added later is on.
  return Object.fromEntries(Object.entries(chosen).filter(([, isOn]) => !isOn))
}
