/** Whether a user is in an audience, by the state now or by the user's rows at an earlier seq. */
import type { Audience } from './entry.js'
import type { RowChange } from './row-changes.js'
import type { SubscriptionRow, UserRow } from './rows.js'
import type { RealmState } from './state.js'

/** The parts of a user that decide whether the user is in an audience. */
export interface Viewer {
  user_id: number
  role: number
  is_active: boolean
  isSubscribed(channel_id: number): boolean
}

/** Whether this viewer is in the audience. */
export const isNamed = (audience: Audience, viewer: Viewer): boolean => {
  if (!viewer.is_active) return false
  const { roles, channel, users, except } = audience
  if (except?.includes(viewer.user_id)) return false
  if (roles !== undefined && viewer.role >= roles[0] && viewer.role <= roles[1]) return true
  if (channel !== undefined && viewer.isSubscribed(channel)) return true
  return users?.includes(viewer.user_id) ?? false
}

/** The user by the state now. It reads the state each time, so it follows every change. */
export const viewerNow = (state: RealmState, user_id: number): Viewer => new CurrentViewer(state, user_id)

/** A class, because each returning poll makes one, and an object literal with getters takes several times as long. */
class CurrentViewer implements Viewer {
  readonly user_id: number
  readonly #state: RealmState

  constructor(state: RealmState, user_id: number) {
    this.user_id = user_id
    this.#state = state
  }

  get role(): number {
    return this.#state.users.get(this.user_id)?.role ?? Number.POSITIVE_INFINITY
  }

  get is_active(): boolean {
    return this.#state.users.get(this.user_id)?.is_active ?? false
  }

  isSubscribed(channel_id: number): boolean {
    return this.#state.isSubscribed(this.user_id, channel_id)
  }
}

/**
 * A user at any seq of the log. It starts from the state at one seq; the caller then applies each row change between
 * that seq and the requested one, forwards or backwards. Only rows about the user have an effect.
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
    for (const [channel_id, { active }] of state.userSubscriptions(user_id)) if (active) this.#channels.add(channel_id)
  }

  isSubscribed(channel_id: number): boolean {
    return this.#channels.has(channel_id)
  }

  /** Moves the viewer forwards over one change. */
  applyForward(change: RowChange): void {
    this.#applySide(change, change.after)
  }

  /** Moves the viewer backwards over one change. */
  applyBackward(change: RowChange): void {
    this.#applySide(change, change.before)
  }

  #applySide(change: RowChange, side: RowChange['after']): void {
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
