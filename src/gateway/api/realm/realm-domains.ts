/**
 * The domains that email addresses must have where the organization restricts them. Source: protocol/endpoints.md 3.11.
 */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import { setRealmSettings } from '../../../domain/realm/realm-changes.js'
import { domainObject } from '../../../domain/realm/realm-domain-entries.js'
import { addDomain, changeDomain, domainsOnWire, removeDomain } from '../../../domain/realm/realm-domains.js'
import { commitSteps } from '../../../store/log/change.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, str, textInPath } from '../../call/params.js'

const declaredErrors = [errors.notOwner]

export const getRealmDomains = endpoint({
  method: 'GET',
  path: '/realm/domains',
  summary: 'Lists the domains of the organization.',
  callers: 'account',
  params: {},
  response: z.object({ domains: z.array(domainObject) }),
  handle: ({ state }) => ({ domains: domainsOnWire(state) }),
})

export const createRealmDomain = endpoint({
  method: 'POST',
  path: '/realm/domains',
  summary: 'Adds a domain.',
  callers: 'owner',
  params: { domain: str(), allow_subdomains: bool() },
  example: { domain: 'example.org', allow_subdomains: false },
  response: z.object({ new_domain: z.tuple([z.int(), z.string()]).describe('its id and its name') }),
  errors: declaredErrors,
  changesStructure: true,
  async handle(call) {
    const id = call.state.nextId('realm_domains')
    return call.write.answering(
      () => ({ new_domain: [id, call.params.domain.trim().toLowerCase()] as [number, string] }),
      (keyed) => commitSteps(keyed, [addDomain(call.params)]),
    )
  },
})

export const updateRealmDomain = endpoint({
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  summary: 'Sets whether addresses of subdomains are accepted.',
  callers: 'owner',
  params: { domain: textInPath(), allow_subdomains: bool() },
  example: { allow_subdomains: true },
  response: z.object({}),
  errors: declaredErrors,
  changesStructure: true,
  async handle(call) {
    const { domain, allow_subdomains } = call.params
    await commitSteps(call.write, [changeDomain(domain, allow_subdomains)])
    return {}
  },
})

export const deleteRealmDomain = endpoint({
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  summary: 'Removes a domain. Removing the last one also removes the restriction.',
  callers: 'owner',
  params: { domain: textInPath() },
  response: z.object({}),
  errors: declaredErrors,
  changesStructure: true,
  async handle(call) {
    const { state, params } = call
    const steps = [removeDomain(params.domain)]
    // With a restriction and without a domain, no address would be accepted.
    if (state.domains.size === 1) steps.push(setRealmSettings({ emails_restricted_to_domains: false }))
    await commitSteps(call.write, steps)
    return {}
  },
})
