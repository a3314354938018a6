/** An entry without recipients: it only gives ephemeral event ids a new base (event-id.ts). */
import { z } from 'zod'
import { entry } from './entry-kind.js'

export const tick = entry<Record<string, never>>({
  kind: 'tick',
  type: 'tick',
  event: z.never(),
  audience: () => ({}),
  project: () => null,
})
