/** What happens to the organization as a whole: events.md 3.5, and what only its administrators hear of. */
import { z } from 'zod'
import { Administrators, entry } from '../entry.js'

/** Whether an account lets administrators export its private data; also told when the account is new. */
export const realmExportConsent = entry<{ user_id: number; consented: boolean }>({
  kind: 'realm_export_consent',
  type: 'realm_export_consent',
  event: z.object({ type: z.literal('realm_export_consent'), user_id: z.int(), consented: z.boolean() }),
  audience: () => Administrators,
  project: ({ user_id, consented }) => ({ type: 'realm_export_consent', user_id, consented }),
})
