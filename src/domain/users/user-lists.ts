/**
 * Lists of a realm's accounts, each in the order of ids. They are made once for all callers, until an account changes.
 */
import { derivedValue } from '../log/derived-values.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'

export interface UserLists {
  /** the organization's own accounts, bots included */
  own: readonly UserRow[]
  /** those of them that are active */
  active: readonly UserRow[]
  deactivated: readonly UserRow[]
  systemBots: readonly UserRow[]
  /** the organization's own bots, active or not */
  bots: readonly UserRow[]
  /** active accounts, system bots included, that hide their presence */
  away: readonly UserRow[]
  /** the API addresses of active accounts, system bots included */
  addresses: ReadonlyMap<number, string>
}

const findLists = derivedValue<UserLists>({
  name: 'user_lists',
  tables: ['users'],
  compute(state) {
    const all = [...state.users.values()].sort((a, b) => a.id - b.id)
    const own = all.filter((user) => !user.is_system_bot)
    return {
      own,
      active: own.filter((user) => user.is_active),
      deactivated: own.filter((user) => !user.is_active),
      systemBots: all.filter((user) => user.is_system_bot),
      bots: own.filter((user) => user.is_bot),
      away: all.filter((user) => user.is_active && user.settings.presence_enabled === false),
      addresses: new Map(all.flatMap(({ id, email, is_active }) => (is_active ? [[id, email]] : []))),
    }
  },
})

/** The lists of this state. A later state has lists of its own: these do not change. */
export const listUsers = (state: RealmState): UserLists => findLists(state)
