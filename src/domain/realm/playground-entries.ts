/** The code playgrounds changed: clients get the whole list. Source: protocol/events.md 3.5. */
import { z } from 'zod'
import { AllUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'

export const playgroundObject = z.object({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string(),
  url_template: z.string(),
})

export const playgroundsChanged = entry<{ realm_playgrounds: readonly z.infer<typeof playgroundObject>[] }>({
  kind: 'realm_playgrounds',
  type: 'realm_playgrounds',
  description: 'The code playgrounds of the organization changed. The list replaces the former one.',
  event: z.object({ type: z.literal('realm_playgrounds'), realm_playgrounds: z.array(playgroundObject) }),
  audience: () => AllUsers,
  project: ({ realm_playgrounds }) => ({ type: 'realm_playgrounds', realm_playgrounds }),
})
