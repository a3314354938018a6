/** A change of structure that no client is told of: its entry carries the rows and has no event. */
import { z } from 'zod'
import { entry } from './entry-kind.js'
import type { RowChange } from './row-changes.js'

const silent = entry<Record<string, never>>({
  kind: 'quiet',
  type: 'quiet',
  event: z.never(),
  audience: () => ({}),
  project: () => null,
})

export const quiet = (rows: readonly RowChange[]) => silent({}, rows)
