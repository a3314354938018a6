/** An entry without recipients: its seq is a new base for ephemeral event ids (event-id.ts). */
import { entry } from './entry-kind.js'

/** Declares the kind of these entries. */
export const advancedSeq = entry<Record<string, never>>({
  kind: 'tick',
  type: 'tick',
  audience: () => ({}),
})
