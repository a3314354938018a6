/**
 * The rules for names and email addresses of accounts.
 *
 * Source: protocol/endpoints.md 3.7 (name rules, POST /users) and 1.4 (address).
 */
import { domainToASCII, domainToUnicode } from 'node:url'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { z } from 'zod'
import { limits } from '../limits/limits.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { isRefusedDomain, isWithinDomains } from '../realm/realm-domains.js'
import { openNameIndex } from '../text/name-index.js'
import { requireVisibleName } from '../text/names.js'

// Control characters and those with a meaning in the Markdown of mentions: every name must be mentionable.
const forbiddenInNames = /[*`\\>"@\p{Cc}]/u

/** Finds an active account whose name looks like this one. */
export const findUserLike = openNameIndex<UserRow>({
  tables: ['users'],
  rows: (state) => [...state.users.values()].filter(({ is_active }) => is_active),
  nameOf: ({ full_name }) => full_name,
  ignoresCase: true,
})

/** The name without surrounding blanks, as it is stored. Throws BAD_REQUEST. */
export const validateFullName = (state: RealmState, input: string, own_id?: number): string => {
  const name = input.trim()
  const length = [...name].length
  const { min_full_name_length: min, max_full_name_length: max } = limits
  if (length < min) throw errors.badRequest('A name must have at least {min} characters.', { min })
  if (length > max) throw errors.badRequest('A name may have at most {max} characters.', { max })
  if (forbiddenInNames.test(name))
    throw errors.badRequest('The name contains characters that are not allowed in names.')
  // `@**Ada|7**` mentions the account with id 7.
  if (/\|\d+$/.test(name)) throw errors.badRequest('A name must not end with a bar and a number.')
  requireVisibleName(name, 'user')
  if (state.settings.require_unique_names && findUserLike(state, name, own_id) !== undefined) {
    throw errors.badRequest('Another user has this name already: choose another one.')
  }
  return name
}

const address = z.email({ pattern: z.regexes.unicodeEmail })

// What separates addresses, or stands around one, in a header of a mail; and what no reader sees.
const forbiddenInAddresses = /[(),:;<>[\]\\\p{Cc}\p{Cf}]/u

/** Whether the text has the form of an email address. Unicode letters are allowed. */
export const isEmailAddress = (text: string): boolean =>
  address.safeParse(text).success && !forbiddenInAddresses.test(text) && findMailDomain(text) !== ''

/**
 * The domain of an address as the domain name system knows it, in ASCII and lower case; '' if there is none such. Full
 * width letters and other forms of a letter, which a mail server takes for the same domain, become the same text.
 */
const findMailDomain = (email: string): string => {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return /^(?!.*xn--)[\x21-\x7e]+$/.test(domain) ? domain : domainToASCII(domain)
}

/** The address with the domain in the form in which people read it. One mailbox has one such address. */
const readableAddress = (email: string): string => {
  const at = email.lastIndexOf('@') + 1
  return /^[\x21-\x7e]+$/.test(email.slice(at)) ? email : email.slice(0, at) + domainToUnicode(findMailDomain(email))
}

/**
 * What the addresses of one mailbox have in common, for limits of mails. Many providers deliver `ada+x@…` and `a.da@…`
 * to `ada@…`. Two mailboxes with the same text share a limit, which does no harm.
 */
export const mailboxOf = (email: string): string => {
  const [local = ''] = email.slice(0, email.lastIndexOf('@')).normalize('NFKC').toLowerCase().split('+')
  return `${local.replaceAll('.', '')}@${findMailDomain(email)}`
}

/** Domains that provide disposable email addresses. */
const disposableDomains = disposableEmailBlocklistSet()

/** Whether the domain or a parent domain is listed: many providers give each user a subdomain. */
const isDisposable = (domain: string): boolean => {
  const labels = domain.split('.')
  return labels.some((_, i) => disposableDomains.has(labels.slice(i).join('.')))
}

/** The address as it is stored, if the organization accepts it for a new account. Throws BAD_REQUEST. */
export const validateEmail = (state: RealmState, input: string): string => {
  const email = readableAddress(input.trim())
  switch (findEmailFault(state, email)) {
    case 'no-address':
      throw errors.badRequest('This is not an email address.')
    case 'plus':
      throw errors.badRequest('Email addresses with a plus sign are not accepted here.')
    case 'domain':
      throw errors.badRequest('The organization does not accept the domain of {email}.', { email })
    case 'disposable':
      throw errors.badRequest('The organization does not accept disposable email addresses.')
    default:
      return email
  }
}

/** The new address of an existing account, as it is stored. Throws BAD_REQUEST (protocol/endpoints.md 1.4). */
export const validateNewEmail = (state: RealmState, input: string, own_id: number): string => {
  const email = validateRequestedEmail(state, input)
  checkAddressIsFree(state, email, own_id)
  return email
}

/** Refuses an address that another account has. Throws BAD_REQUEST. */
export const checkAddressIsFree = (state: RealmState, email: string, own_id?: number): void => {
  const other = state.userByEmail(email)
  if (other !== undefined && other.id !== own_id)
    throw errors.badRequest('An account with this email address already exists.')
}

/**
 * The same for an address that its user has not confirmed yet. Whether it has an account is checked when the user
 * confirms it, so that nobody learns this by asking for addresses of others. Throws BAD_REQUEST.
 */
export const validateRequestedEmail = (state: RealmState, input: string): string => {
  const email = readableAddress(input.trim())
  switch (findEmailFault(state, email)) {
    case 'no-address':
      throw errors.badRequest('This is not an email address.')
    case 'plus':
      throw errors.badRequest('Email addresses with a plus sign are not accepted here.')
    case 'domain':
      throw errors.badRequest('The organization does not accept the domain of this address.')
    case 'disposable':
      throw errors.badRequest('The organization does not accept disposable email addresses.')
    default:
      return email
  }
}

/** Why the organization accepts no account with this address; undefined: it accepts one. */
const findEmailFault = (
  state: RealmState,
  email: string,
): 'no-address' | 'plus' | 'domain' | 'disposable' | undefined => {
  if (!isEmailAddress(email)) return 'no-address'
  const domain = findMailDomain(email)
  if (isRefusedDomain(state, domain)) return 'domain'
  const { emails_restricted_to_domains, disallow_disposable_email_addresses } = state.settings
  if (emails_restricted_to_domains) {
    if (email.includes('+')) return 'plus'
    return isWithinDomains(state, domain) ? undefined : 'domain'
  }
  return disallow_disposable_email_addresses && isDisposable(domain) ? 'disposable' : undefined
}
