/**
 * How people log in. Today every organization takes addresses with passwords, and nothing else.
 *
 * Source: register.md 5.1.1 (`realm_authentication_methods`) and section 7.
 */

export interface AuthenticationMethod {
  enabled: boolean
  available: boolean
  unavailable_reason?: string
}

/** The organization's methods by name. */
export const authenticationMethods = (): Readonly<Record<string, AuthenticationMethod>> => ({
  Email: { enabled: true, available: true },
})

/** Whether a password opens anything here. */
export const takesPasswords = (): boolean => authenticationMethods().Email?.enabled === true
