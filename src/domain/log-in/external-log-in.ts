/**
 * Which account a user of a provider gets.
 *
 * 1. An identity is an account at a provider: method, issuer and subject together. It belongs to one account here, and
 *    an account has one identity of each method.
 * 2. An identity without an account is linked to the account with its address, or gets a new account, only if the
 *    provider says that the user owns the address. The address counts at the first log-in only: a later address of
 *    the identity leads to no other account.
 * 3. An account that has another identity of the same issuer is not linked by its address: the provider gave the
 *    address to another user.
 * 4. A deactivated account is refused, and so is a bot.
 */

import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { type ApiError, errors } from '../protocol/errors.js'
import { validateEmail, validateFullName } from '../users/name-and-email-rules.js'
import type { LogInMethod } from './methods.js'
import type { ProviderOptions } from './provider-options.js'

/** An identity (1). */
export interface Subject {
  /** the key of the method */
  readonly method: string
  readonly issuer: string
  readonly subject: string
}

/** Where users have their accounts: a provider or a directory. */
export interface AccountSource {
  readonly key: string
  /** what users read */
  readonly name: string
  /** a directory has no mapping here: its synchronization gives roles and groups */
  readonly options: Pick<ProviderOptions, 'creates_accounts' | 'domains'> & {
    readonly mapping?: ProviderOptions['mapping']
  }
}

/** What a provider says about the user who logs in. */
export interface ExternalUser extends Subject {
  /** '' if the provider names none */
  readonly email: string
  /** whether the user owns the address */
  readonly isVerified: boolean
  /** names to choose from, the best first */
  readonly names: readonly string[]
  /** the session at the provider; '' if it does not say */
  readonly sid: string
  /** the ID token, which the provider wants back when the user logs out */
  readonly idToken: string
  /** everything that the provider says */
  readonly claims: Readonly<Record<string, unknown>>
  /** claims that the user has, but that the provider did not send */
  readonly withheld?: readonly string[]
}

/** What the identities of an organization say about a user of a provider. */
export interface KnownIdentities {
  /** the account to which the identity belongs */
  readonly owner: number | undefined
  /** the issuer of the identity that the account with the address has of this method */
  readonly issuerOfAddress: string | undefined
}

/** What happens to the user: the account exists and is linked, gets linked, or is created. */
export type LogInDecision = { readonly act: 'enter' | 'link'; readonly user: UserRow } | NewAccount

/** An account that is created, by an invitation if its address has one. */
export interface NewAccount {
  readonly act: 'create'
  readonly email: string
  readonly full_name: string
}

/**
 * Decides which account the user gets (2, 3, 4). Throws BAD_REQUEST, USER_DEACTIVATED and AUTHENTICATION_FAILED.
 * @param isInvited whether the address has an open invitation
 */
export const decideLogIn = (
  state: RealmState,
  method: AccountSource,
  external: ExternalUser,
  known: KnownIdentities,
  isInvited: boolean,
): LogInDecision => {
  const { name: provider, options } = method
  if (known.owner !== undefined) return { act: 'enter', user: requireOpenAccount(state.users.get(known.owner)) }
  const email = external.email.trim()
  if (email === '')
    throw errors.badRequest('{provider} does not tell your address, which is needed here.', { provider })
  if (!external.isVerified) {
    throw errors.badRequest('{provider} does not confirm that {email} is your address.', { provider, email })
  }
  if (!isOfDomains(email, options.domains)) {
    throw errors.badRequest('Accounts of {provider} with the address {email} cannot log in here.', { provider, email })
  }
  const found = state.userByEmail(email)
  if (found !== undefined) {
    if (known.issuerOfAddress === external.issuer) {
      throw errors.badRequest('The account {email} belongs to another account of {provider}.', { provider, email })
    }
    return { act: 'link', user: requireOpenAccount(found) }
  }
  const { invite_required, sign_up_approval_required } = state.settings
  const mayJoin = isInvited || (!invite_required && !sign_up_approval_required)
  if (options.creates_accounts === 'nobody' || (options.creates_accounts === 'invited' && !mayJoin)) {
    throw errors.badRequest('There is no account for {email} here. Ask for an invitation to this address.', { email })
  }
  return { act: 'create', email: validateEmail(state, email), full_name: chooseName(state, external.names, email) }
}

/** Refuses to link an identity to the account of the caller who asks for it. Throws BAD_REQUEST. */
export const checkLink = (user: UserRow, { name: provider }: AccountSource, { owner }: KnownIdentities): void => {
  if (owner !== undefined && owner !== user.id) {
    throw errors.badRequest('This account of {provider} belongs to another account here.', { provider })
  }
}

/**
 * Refuses to unlink what the user needs to log in. Throws BAD_REQUEST.
 * @param rest.identities how many other identities of open methods the account has
 * @param rest.hasPassword whether the user can log in with a password
 */
export const checkUnlink = (rest: { identities: number; hasPassword: boolean }): void => {
  if (rest.identities === 0 && !rest.hasPassword) {
    throw errors.badRequest('This is the only way in which you can log in. Set a password first.')
  }
}

const requireOpenAccount = (user: UserRow | undefined): UserRow => {
  if (user === undefined || user.is_bot) throw errors.authenticationFailed()
  if (!user.is_active) throw errors.userDeactivated()
  return user
}

const isOfDomains = (email: string, domains: readonly string[]): boolean => {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domains.length === 0 || domains.includes(domain)
}

/** The first name that the organization accepts. Throws BAD_REQUEST when it accepts none. */
const chooseName = (state: RealmState, names: readonly string[], email: string): string => {
  const local = email.slice(0, email.lastIndexOf('@'))
  let refusal: ApiError | undefined
  for (const name of [...names, local, email]) {
    try {
      return validateFullName(state, name)
    } catch (error) {
      refusal = error as ApiError
    }
  }
  throw refusal ?? errors.authenticationFailed()
}

/** Whether the provider has asked for a second factor, in a way that counts here. */
export const hasSecondFactorThere = ({ options }: LogInMethod, { claims }: ExternalUser): boolean =>
  Array.isArray(claims.amr) && claims.amr.some((way) => options.second_factor_amr.includes(way))
