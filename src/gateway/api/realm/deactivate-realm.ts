/**
 * Deactivates an organization: its accounts cannot make calls any more. Its data is kept, or deleted after some days.
 *
 * Source: protocol/endpoints.md 3.11; protocol/events.md 3.5, `realm` op `deactivated`.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { deactivateRealm as composeDeactivation } from '../../../domain/realm/realm-changes.js'
import { commitEntries } from '../../../store/log/change.js'
import { endpoint } from '../../call/endpoint.js'
import { json } from '../../call/params.js'

const DAY_SECS = 86_400

export const deactivateRealm = endpoint({
  method: 'POST',
  path: '/realm/deactivate',
  summary: 'Deactivates the organization. Its data is kept, or deleted after the given number of days.',
  callers: 'owner',
  params: {
    deletion_delay_days: json(z.int().nullable()).default(null).describe('null: the data is never deleted'),
  },
  response: z.object({}),
  changesStructure: true,
  async handle(call) {
    const { state, params, write } = call
    const { deletion_delay_days: days } = params
    const minDays = limits.server_min_deactivated_realm_deletion_days
    if (days !== null && days < minDays) {
      throw errors.badRequest('deletion_delay_days must be at least {days}, or null.', { days: minDays })
    }
    await commitEntries(
      write,
      composeDeactivation(state),
      days === null ? [] : [{ kind: 'delete_realm', payload: {}, run_after: secondsNow() + days * DAY_SECS }],
    )
    return {}
  },
})
