/**
 * The exports of an organization, sent to the administrator who requested the one that changed. Source:
 * protocol/events.md 2.5.
 */
import { z } from 'zod'
import { onlyUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'

export const realmExport = z.object({
  id: z.int(),
  acting_user_id: z.int(),
  export_time: z.number().describe('UNIX seconds'),
  deleted_timestamp: z.number().nullable(),
  failed_timestamp: z.number().nullable(),
  export_url: z.string().nullable(),
  pending: z.boolean(),
  export_type: z.int().describe('1 what is public, 2 with what people consented to'),
})

export type RealmExport = z.infer<typeof realmExport>

/** The complete list after a change. */
export const realmExportsChanged = entry<{ user_id: number; exports: readonly RealmExport[] }>({
  kind: 'realm_export',
  type: 'realm_export',
  description: 'The list of exports of the organization changed. Only administrators receive it.',
  event: z.object({ type: z.literal('realm_export'), exports: z.array(realmExport) }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ exports }) => ({ type: 'realm_export', exports }),
})
