/** Who must have a second factor: the organization decides it by role (the setting `second_factor_required_for`). */
import { Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'

/** The least powerful role that needs a second factor, by the value of the setting. */
const lastRole = {
  nobody: 0,
  administrators: Role.administrator,
  members: Role.member,
  everyone: Role.guest,
} as const satisfies Record<string, number>

/** Whether the account must have a second factor. Bots log in nowhere, so they need none. */
export const isSecondFactorRequired = ({ settings }: Pick<RealmState, 'settings'>, user: UserRow): boolean =>
  !user.is_bot && user.role <= lastRole[settings.second_factor_required_for]
