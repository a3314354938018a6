/**
 * Deactivates an organization: its accounts cannot make calls any more. Its data is kept, or deleted after some days.
 *
 * Source: protocol/endpoints.md 3.11; protocol/events.md 3.5, `realm` op `deactivated`.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { limits } from '../../../domain/limits/limits.js'
import { composeUpdate } from '../../../domain/log/row-changes.js'
import { errors } from '../../../domain/protocol/errors.js'
import { realmDeactivated } from '../../../domain/realm/realm-entries.js'
import { commitEntries } from '../../../store/log/change.js'
import { endpoint } from '../../call/endpoint.js'
import { json } from '../../call/params.js'

const DAY_SECS = 86_400

export const deactivateRealm = endpoint({
  method: 'POST',
  path: '/realm/deactivate',
  summary: 'Deactivates the organization. Its data is kept, or deleted after the given number of days.',
  access: 'owner',
  params: {
    deletion_delay_days: json(z.int().nullable()).default(null).describe('null: the data is never deleted'),
  },
  response: z.object({}),
  changesStructure: true,
  async handle(call) {
    const { state, realm, params, write } = call
    const { deletion_delay_days: days } = params
    const minDays = limits.server_min_deactivated_realm_deletion_days
    if (days !== null && days < minDays) {
      throw errors.badRequest(`deletion_delay_days must be at least ${minDays}, or null.`)
    }
    const row = composeUpdate('realms', state.realm, { is_active: false })
    await commitEntries(
      write,
      [realmDeactivated({ realm_id: realm.id }, row === undefined ? [] : [row])],
      days === null ? [] : [{ kind: 'delete_realm', payload: {}, run_after: secondsNow() + days * DAY_SECS }],
    )
    return {}
  },
})
