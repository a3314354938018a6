/**
 * Counts what administrators learn about hidden addresses. A new account, or a new address of one, is refused when
 * another account has the address. Where the caller may not see that address, the refusal tells them who has an
 * account: it is counted, and beyond the limit every such call is refused, whether or not its address is taken.
 */
import type { UserRow } from '../../../domain/log/rows.js'
import { errors } from '../../../domain/protocol/errors.js'
import { canSeeAddress } from '../../../domain/users/users.js'
import type { Call } from '../../call/endpoint.js'

/** Runs a change that gives an address to an account. Throws RATE_LIMIT_HIT, and what `change` throws. */
export const countAddressTest = async <T>(
  { app, realm, caller }: Pick<Call, 'app' | 'realm' | 'caller'>,
  email: string,
  change: () => Promise<T>,
): Promise<T> => {
  const spent = await app.allowances.spend('address_tests_by_user', `${realm.id}:${caller.id}`)
  if (spent?.retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': spent.retry_after })
  const holder = realm.state.userByEmail(email.trim())
  try {
    return await change()
  } finally {
    if (holder === undefined || !isHidden(caller.user, holder)) spent?.returnSpent()
  }
}

const isHidden = (viewer: UserRow, holder: UserRow): boolean => !canSeeAddress(viewer, holder)
