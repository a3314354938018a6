/**
 * The linkifiers changed: clients that know their form get the whole list, in order. Source: protocol/events.md 3.5.
 */
import { z } from 'zod'
import { AllUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'

export const linkifierObject = z.object({ id: z.int(), pattern: z.string(), url_template: z.string() })

export const linkifiersChanged = entry<{ realm_linkifiers: readonly z.infer<typeof linkifierObject>[] }>({
  kind: 'realm_linkifiers',
  type: 'realm_linkifiers',
  description: 'The linkifiers of the organization changed. The list replaces the former one.',
  event: z.object({ type: z.literal('realm_linkifiers'), realm_linkifiers: z.array(linkifierObject) }),
  audience: () => AllUsers,
  project: ({ realm_linkifiers }, { linkifier_url_template }) =>
    linkifier_url_template ? { type: 'realm_linkifiers', realm_linkifiers } : null,
})
