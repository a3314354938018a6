/** Parts of the texts of subscriptions in registrations and lists, kept where many answers contain the same. */
import type { RealmState, SubscriptionSettings } from '../log/state.js'
import { settingsOnWire } from './channels.js'

interface KnownSubscribers {
  ids: Int32Array
  text: string
}

const knownSubscribers = new WeakMap<ReadonlySet<number>, KnownSubscribers>()

/**
 * Ids of the channel's subscribers, ascending, as text. Comparing them with the cached ones costs less than sorting.
 */
export const subscriberList = (state: RealmState, channel_id: number): string => {
  const subscribers = state.subscribers(channel_id)
  const last = knownSubscribers.get(subscribers)
  if (last?.ids.length === subscribers.size && last.ids.every((id) => subscribers.has(id))) return last.text
  const ids = Int32Array.from(subscribers).sort()
  const text = ids.join()
  knownSubscribers.set(subscribers, { ids, text })
  return text
}

/** What null means in each setting of a subscription, for clients that do not know null there. */
export type StreamDefaults = Pick<
  SubscriptionSettings,
  'desktop_notifications' | 'audible_notifications' | 'push_notifications' | 'email_notifications'
>

/** Subscriptions of the same settings share one object (log/state.ts), so there are few of these texts. */
const settingsTexts = new WeakMap<SubscriptionSettings, string>()

/**
 * The members of a subscription that are its user's own, with commas between them.
 *
 * @param inherited replaces null
 */
export const settingsText = (settings: SubscriptionSettings, inherited?: StreamDefaults): string => {
  if (inherited !== undefined) {
    const filled = { ...settings }
    for (const name of Object.keys(inherited) as (keyof StreamDefaults)[]) filled[name] ??= inherited[name]
    return JSON.stringify(settingsOnWire(filled)).slice(1, -1)
  }
  let text = settingsTexts.get(settings)
  if (text === undefined) {
    text = JSON.stringify(settingsOnWire(settings)).slice(1, -1)
    settingsTexts.set(settings, text)
  }
  return text
}
