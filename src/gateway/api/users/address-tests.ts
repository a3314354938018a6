/**
 * Counts what administrators learn about hidden addresses. A new account, or a new address of one, is refused when
 * another account has the address. Where the caller may not see that address, the refusal tells them who has an
 * account: it is counted, and beyond the limit every such call is refused, whether or not its address is taken.
 */
import type { UserRow } from '../../../domain/log/rows.js'
import { canSeeAddress } from '../../../domain/users/users.js'
import { consumeAllowances, type Spending } from '../../call/allowances.js'
import type { Call } from '../../call/endpoint.js'

/** Counts a change that gives this address to an account. Throws RATE_LIMIT_HIT. */
export const countAddressTest = async (
  call: Pick<Call, 'realm' | 'caller'> & { spending: Spending<'address_tests_by_user'> },
  email: string,
): Promise<void> => {
  const { realm, caller } = call
  const spent = await consumeAllowances(call, { address_tests_by_user: `${realm.id}:${caller.id}` })
  const holder = realm.state.userByEmail(email.trim())
  if (holder !== undefined && isHidden(caller.user, holder)) spent.keep()
  else spent.giveBack()
}

const isHidden = (viewer: UserRow, holder: UserRow): boolean => !canSeeAddress(viewer, holder)
