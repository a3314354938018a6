/** Who an audience names, asked of a state or of one viewer at an earlier seq. */
import type { Audience } from './entry.js'
import type { RowChange } from './row-changes.js'
import type { SubscriptionRow, UserRow } from './rows.js'
import type { RealmState } from './state.js'

/** What of a user decides whether an audience names them. */
export interface Viewer {
  user_id: number
  role: number
  is_active: boolean
  isSubscribed(channel_id: number): boolean
}

/** Whether the audience names this viewer. */
export const isNamed = (audience: Audience, viewer: Viewer): boolean => {
  if (!viewer.is_active) return false
  const { roles, channel, users, except } = audience
  if (except?.includes(viewer.user_id)) return false
  if (roles !== undefined && viewer.role >= roles[0] && viewer.role <= roles[1]) return true
  if (channel !== undefined && viewer.isSubscribed(channel)) return true
  return users?.includes(viewer.user_id) ?? false
}

/** The viewer as the state has them now; it follows the state. */
export const viewerNow = (state: RealmState, user_id: number): Viewer => ({
  user_id,
  get role() {
    return state.users.get(user_id)?.role ?? Number.POSITIVE_INFINITY
  },
  get is_active() {
    return state.users.get(user_id)?.is_active ?? false
  },
  isSubscribed: (channel_id) => state.isSubscribed(user_id, channel_id),
})

/**
 * A viewer who can be moved through the log: taken from the state at one seq, then told the changes passed on the way,
 * undone ones backwards. It looks only at rows about the user.
 */
export class MovableViewer implements Viewer {
  readonly user_id: number
  role: number
  is_active: boolean
  readonly #channels = new Set<number>()

  constructor(state: RealmState, user_id: number) {
    this.user_id = user_id
    const user = state.users.get(user_id)
    this.role = user?.role ?? Number.POSITIVE_INFINITY
    this.is_active = user?.is_active ?? false
    for (const [channel_id, { active }] of state.subscriptionsOf(user_id)) if (active) this.#channels.add(channel_id)
  }

  isSubscribed(channel_id: number): boolean {
    return this.#channels.has(channel_id)
  }

  /** Passes one change forwards. */
  pass(change: RowChange): void {
    this.#take(change, change.after)
  }

  /** Passes one change backwards. */
  passBack(change: RowChange): void {
    this.#take(change, change.before)
  }

  #take(change: RowChange, side: RowChange['after']): void {
    if (change.table === 'users' && (change.key as UserRow).id === this.user_id) {
      const user = side as Partial<UserRow> | null
      if (user === null) this.is_active = false
      this.role = user?.role ?? this.role
      this.is_active = user?.is_active ?? this.is_active
    } else if (change.table === 'subscriptions') {
      const { user_id, channel_id } = change.key as SubscriptionRow
      if (user_id !== this.user_id) return
      const active = side === null ? false : (side as Partial<SubscriptionRow>).active
      if (active === true) this.#channels.add(channel_id)
      else if (active === false) this.#channels.delete(channel_id)
    }
  }
}
