/**
 * The domains that email addresses must have where the organization restricts them (`emails_restricted_to_domains`).
 *
 * Source: protocol/endpoints.md 3.11, protocol/events.md 3.5.
 */

import { type Sentence, sentence } from '../languages/texts.js'
import { realmLimits } from '../limits/counts.js'
import { allocateId } from '../log/next-id.js'
import { composeDelete, composeInsert, composeUpdate } from '../log/row-changes.js'
import type { RealmDomainRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { errors } from '../protocol/errors.js'
import { domainAdded, domainChanged, domainRemoved } from './realm-domain-entries.js'

/** The organization's email domains as clients receive them. */
export const domainsOnWire = (state: RealmState) =>
  [...state.domains.values()].map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains }))

/** Whether the organization's domains include this one. */
export const isWithinDomains = (state: RealmState, input: string): boolean => {
  for (const { domain, allow_subdomains } of state.domains.values()) {
    if (input === domain || (allow_subdomains && input.endsWith(`.${domain}`))) return true
  }
  return false
}

/** Whether the organization refuses addresses of this domain. The list has it, or a domain above it. */
export const isRefusedDomain = ({ settings }: RealmState, input: string): boolean =>
  settings.refused_email_domains !== '' &&
  settings.refused_email_domains.split(', ').some((domain) => input === domain || input.endsWith(`.${domain}`))

/** The list of refused domains as it is stored, each domain once. Throws BAD_REQUEST. */
export const validateRefusedDomains = (input: string): string => {
  const domains = new Set(
    input
      .split(/[\s,]+/)
      .filter((part) => part !== '')
      .map(validateDomain),
  )
  const { most } = realmLimits.realm_domains
  if (domains.size > most) throw errors.badRequest('An organization can refuse at most {most} domains.', { most })
  return [...domains].join(', ')
}

/** Adds a domain, with the next id. Throws BAD_REQUEST. */
export const addDomain =
  ({ domain: input, allow_subdomains }: Omit<RealmDomainRow, 'id'>): Step =>
  (state) => {
    const domain = validateDomain(input)
    if (findDomain(state, domain) !== undefined) {
      throw errors.badRequest('The organization has the domain {domain} already.', { domain })
    }
    const { id, rows } = allocateId(state, 'realm_domains')
    const row = composeInsert('realm_domains', { id, domain, allow_subdomains })
    return [domainAdded({ domain, allow_subdomains }, [row, ...rows])]
  }

/** Sets whether addresses of subdomains are accepted. Throws BAD_REQUEST. */
export const changeDomain =
  (input: string, allow_subdomains: boolean): Step =>
  (state) => {
    const found = requiredDomain(state, input)
    const row = composeUpdate('realm_domains', found, { allow_subdomains })
    return row === undefined ? [] : [domainChanged({ domain: found.domain, allow_subdomains }, [row])]
  }

/** Removes a domain. Throws BAD_REQUEST. */
export const removeDomain =
  (input: string): Step =>
  (state) => {
    const found = requiredDomain(state, input)
    return [domainRemoved({ domain: found.domain }, [composeDelete('realm_domains', found)])]
  }

const findDomain = (state: RealmState, domain: string): RealmDomainRow | undefined => {
  for (const row of state.domains.values()) if (row.domain === domain) return row
  return undefined
}

const requiredDomain = (state: RealmState, input: string): RealmDomainRow => {
  const found = findDomain(state, input.trim().toLowerCase())
  if (found === undefined)
    throw errors.badRequest('The organization does not have the domain {domain}.', { domain: input })
  return found
}

const LONGEST = 80

/** The domain to store. Throws BAD_REQUEST. */
const validateDomain = (input: string): string => {
  const domain = input.trim().toLowerCase()
  const fault = findDomainFault(domain)
  if (fault !== undefined) throw errors.badRequest(fault)
  return domain
}

const findDomainFault = (domain: string): Sentence | undefined => {
  if (domain === '') return sentence('This is not a domain: it is empty.')
  if (domain.length > LONGEST) {
    return sentence('This is not a domain: it has more than {max} characters.', { max: LONGEST })
  }
  const labels = domain.split('.')
  if (labels.length < 2) return sentence('This is not a domain: it has no dot.')
  if (labels.includes('')) {
    return sentence('This is not a domain: there is nothing before, after or between dots.')
  }
  if (!/^[a-z0-9.-]+$/.test(domain)) {
    return sentence('This is not a domain: it may have letters, digits, dots and hyphens only.')
  }
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) {
    return sentence('This is not a domain: a part begins or ends with a hyphen.')
  }
  return undefined
}
