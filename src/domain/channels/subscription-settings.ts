/**
 * The personal settings of a subscription: the allowed values, and the entries of a change.
 *
 * A mute is one setting with two names, and makes one event for each (the API document, Events).
 * Source: the API document, endpoint 3; protocol/endpoints.md 1.3; protocol/events.md 4.2.
 */

import type { NewEntry } from '../log/entry.js'
import { composeUpdate } from '../log/row-changes.js'
import type { SubscriptionRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { findVisibleChannel } from '../permissions/channel-access.js'
import { errors } from '../protocol/errors.js'
import { isHexColor, normalizeColor } from './channels.js'
import { findSubscription } from './membership.js'
import { subscriptionUpdated } from './subscription-entries.js'

/** One setting of a request. */
export interface RequestedSetting {
  stream_id: number
  property: string
  value: boolean | string
}

const flags = [
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const satisfies readonly (keyof SubscriptionRow)[]

/**
 * Composes the entries that set these values, in order. Each value is applied on top of those before it. A setting that
 * has its value already makes no entry.
 * Throws the refusals of protocol/endpoints.md 1.3.
 */
export const setSubscriptionSettings = (
  state: RealmState,
  user: UserRow,
  requested: readonly RequestedSetting[],
): NewEntry[] => {
  const rows = new Map<number, SubscriptionRow>()
  return requested.flatMap(({ stream_id, property, value }) => {
    if (!isProperty(property)) throw errors.badRequest('There is no subscription property {name}.', { name: property })
    const channel = findVisibleChannel(state, user, stream_id)
    if (channel === undefined || channel.is_archived) throw errors.invalidChannelId()
    const row = rows.get(stream_id) ?? findSubscription(state, user.id, stream_id)
    if (row?.active !== true)
      throw errors.badRequest('You are not subscribed to the channel with ID {stream_id}.', { stream_id })
    const patch = parsePatch(property, value)
    const change = composeUpdate('subscriptions', row, patch)
    if (change === undefined) return []
    rows.set(stream_id, { ...row, ...patch })
    const composeData = (property: string, value: boolean | string) => ({
      user_id: user.id,
      stream_id,
      property,
      value,
    })
    if (patch.is_muted !== undefined) {
      const { is_muted } = patch
      return [
        subscriptionUpdated(composeData('in_home_view', !is_muted), [change]),
        subscriptionUpdated(composeData('is_muted', is_muted)),
      ]
    }
    return [subscriptionUpdated(composeData(property, patch.color ?? value), [change])]
  })
}

type Property = 'color' | 'is_muted' | 'in_home_view' | (typeof flags)[number]

const isProperty = (name: string): name is Property =>
  name === 'color' || name === 'is_muted' || name === 'in_home_view' || (flags as readonly string[]).includes(name)

const parsePatch = (property: Property, value: boolean | string): Partial<SubscriptionRow> => {
  if (property === 'color') {
    if (typeof value !== 'string' || !isHexColor(value))
      throw errors.badRequest('color must be a hex color, such as #76ce90.')
    return { color: normalizeColor(value) }
  }
  if (typeof value !== 'boolean') throw errors.badRequest('{name} must be true or false.', { name: property })
  if (property === 'in_home_view') return { is_muted: !value }
  return { [property]: value }
}
