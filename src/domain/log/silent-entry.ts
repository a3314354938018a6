/** A structural change without an event: the entry carries only row changes. */
import { entry } from './entry-kind.js'
import type { RowChange } from './row-changes.js'

/** Carries row changes; has no audience and no event. */
export const quietEntry = entry<Record<string, never>>({
  kind: 'quiet',
  type: 'quiet',
  audience: () => ({}),
})

/** The entry that carries these row changes and sends no event. */
export const composeSilentEntry = (rows: readonly RowChange[]) => quietEntry({}, rows)
