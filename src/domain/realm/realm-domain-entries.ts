/** The domains that addresses of accounts may be of changed, one at a time. Source: protocol/events.md 3.5. */
import { z } from 'zod'
import { AllUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'

export const domainObject = z.object({ domain: z.string(), allow_subdomains: z.boolean() })

type Domain = z.infer<typeof domainObject>

export const domainAdded = entry<Domain>({
  kind: 'realm_domains/add',
  type: 'realm_domains',
  description: 'A domain from which users may join was added.',
  event: z.object({ type: z.literal('realm_domains'), op: z.literal('add'), realm_domain: domainObject }),
  audience: () => AllUsers,
  project: (realm_domain) => ({ type: 'realm_domains', op: 'add', realm_domain }),
})

export const domainChanged = entry<Domain>({
  kind: 'realm_domains/change',
  type: 'realm_domains',
  description: 'Whether subdomains of a domain are accepted changed.',
  event: z.object({ type: z.literal('realm_domains'), op: z.literal('change'), realm_domain: domainObject }),
  audience: () => AllUsers,
  project: (realm_domain) => ({ type: 'realm_domains', op: 'change', realm_domain }),
})

export const domainRemoved = entry<{ domain: string }>({
  kind: 'realm_domains/remove',
  type: 'realm_domains',
  description: 'A domain was removed.',
  event: z.object({ type: z.literal('realm_domains'), op: z.literal('remove'), domain: z.string() }),
  audience: () => AllUsers,
  project: ({ domain }) => ({ type: 'realm_domains', op: 'remove', domain }),
})
