/**
 * Entries about subscriptions: for the users who subscribe or unsubscribe, and for the users who see the channel.
 *
 * 1. Users who subscribe in one change share one entry where their events are equal, that is, where their colors are.
 * 2. The log stores a list of subscribers as ranges of ids (log/id-ranges.ts). `project` expands it for the wire.
 * 3. An event with a single recipient is projected as that recipient's personal copy: as a shared event, its list of
 *    subscribers would be cached once per form without another reader.
 * 4. For a queue without the `archived_channels` capability an archived channel does not exist (channel-entries.ts).
 *
 * Source: protocol/events.md 3.2 and 4.10; protocol/permissions.md 9.1.
 */
import { z } from 'zod'
import { type Audience, onlyUsers } from '../log/entry.js'
import { entry, type FirstMessages, type ProjectionContext } from '../log/entry-kind.js'
import { fromRanges, type IdRanges } from '../log/id-ranges.js'
import type { EventForm } from '../log/profile.js'
import type { RealmState } from '../log/state.js'
import { channelsForForm, fillFirstMessages } from './channel-entries.js'
import { type SubscriptionObject, subscriptionObject } from './channels.js'

/** A subscription object with its subscribers as ranges of ids (2). */
export type CompactSubscription = SubscriptionObject & { subscribers: IdRanges }

/** The recipients of an event, and the subscriptions in it: the same for all of them. */
interface SubscriptionsData {
  users: readonly number[]
  subscriptions: readonly CompactSubscription[]
}

/** A new subscription, with the subscribers of the channel. */
export const newSubscription = subscriptionObject.extend({ subscribers: z.array(z.int()) })

/** The event that the user is subscribed to channels from now on. */
export const addedSubscriptions = z.object({
  type: z.literal('subscription'),
  op: z.literal('add'),
  subscriptions: z.array(newSubscription),
})

const singleRecipient = ({ users }: SubscriptionsData): readonly number[] => (users.length === 1 ? users : [])

const projectAdded = (
  { users, subscriptions }: SubscriptionsData,
  form: EventForm,
  { recipient }: ProjectionContext,
) => {
  if (users.length === 1 && recipient === undefined) return null
  const seen = channelsForForm(subscriptions, form)
  if (seen.length === 0) return null
  return {
    type: 'subscription',
    op: 'add',
    subscriptions: seen.map((subscription) => ({ ...subscription, subscribers: fromRanges(subscription.subscribers) })),
  }
}

const completeFirstMessages = (
  data: SubscriptionsData,
  state: RealmState,
  begun: FirstMessages,
): SubscriptionsData => ({ ...data, subscriptions: fillFirstMessages(data.subscriptions, state, begun) })

/** The recipients became subscribed. */
export const subscriptionsAdded = entry<SubscriptionsData>({
  kind: 'subscription/add',
  type: 'subscription',
  description: 'The user was subscribed to channels. Each object has the whole subscription.',
  event: addedSubscriptions,
  audience: ({ users }) => ({ users }),
  personalRecipients: singleRecipient,
  complete: completeFirstMessages,
  project: projectAdded,
})

/**
 * Channels of the recipients were unarchived. Clients with the `archived_channels` capability get nothing: they kept
 * the subscriptions.
 */
export const subscriptionsReturned = entry<SubscriptionsData>({
  kind: 'subscription/return',
  type: 'subscription',
  description:
    'Channels of the user were unarchived. Clients with the capability `archived_channels` do not receive it: they kept the subscriptions.',
  noExample: 'It is an older form, for clients that do not keep archived channels.',
  event: addedSubscriptions,
  audience: ({ users }) => ({ users }),
  personalRecipients: singleRecipient,
  complete: completeFirstMessages,
  project: (data, form, context) => (form.archived_channels ? null : projectAdded(data, form, context)),
})

/** The fields of a channel in an event about leaving it. */
export interface LeftChannel {
  stream_id: number
  name: string
  is_archived: boolean
}

/** The recipients are no longer subscribed. */
export const subscriptionsRemoved = entry<{ users: readonly number[]; subscriptions: readonly LeftChannel[] }>({
  kind: 'subscription/remove',
  type: 'subscription',
  description: 'The user was unsubscribed from channels.',
  event: z.object({
    type: z.literal('subscription'),
    op: z.literal('remove'),
    subscriptions: z.array(z.object({ stream_id: z.int(), name: z.string() })),
  }),
  audience: ({ users }) => ({ users }),
  project({ subscriptions }, form) {
    const seen = channelsForForm(subscriptions, form)
    if (seen.length === 0) return null
    const left = seen.map(({ stream_id, name }) => ({ stream_id, name }))
    return { type: 'subscription', op: 'remove', subscriptions: left }
  },
})

/** One personal setting of a subscription has a new value. */
export const subscriptionUpdated = entry<{
  user_id: number
  stream_id: number
  property: string
  value: boolean | string
}>({
  kind: 'subscription/update',
  type: 'subscription',
  description: "One property of the user's subscription changed, such as its color or whether it is muted.",
  event: z.object({
    type: z.literal('subscription'),
    op: z.literal('update'),
    stream_id: z.int(),
    property: z.string(),
    value: z.union([z.boolean(), z.string()]),
  }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ stream_id, property, value }) => ({ type: 'subscription', op: 'update', stream_id, property, value }),
})

/** Each of the users subscribed to, or unsubscribed from, each of the channels. */
export interface Peers {
  /** the users who see these channels; the subscribing users themselves are excluded */
  to: Audience
  streams: readonly { stream_id: number; is_archived: boolean }[]
  users: IdRanges
}

const peerEvent = <Op extends 'peer_add' | 'peer_remove'>(op: Op) =>
  z.object({
    type: z.literal('subscription'),
    op: z.literal(op),
    stream_ids: z.array(z.int()),
    user_ids: z.array(z.int()),
  })

/** The event that other users are subscribed to channels from now on. */
export const addedSubscribers = peerEvent('peer_add')

const peersAudience = ({ to, users }: Peers): Audience => ({ ...to, except: fromRanges(users) })

const projectPeers = (op: 'peer_add' | 'peer_remove') => (data: Peers, form: EventForm) => {
  const seen = channelsForForm(data.streams, form)
  if (seen.length === 0) return null
  const stream_ids = seen.map(({ stream_id }) => stream_id)
  return { type: 'subscription', op, stream_ids, user_ids: fromRanges(data.users) }
}

/** Other users subscribed to channels that the recipients see. */
export const peersAdded = entry<Peers>({
  kind: 'subscription/peer_add',
  type: 'subscription',
  description: 'Other users were subscribed to channels that the user can see.',
  event: addedSubscribers,
  audience: peersAudience,
  project: projectPeers('peer_add'),
})

/** The subscribers of unarchived channels. The entry is for clients without the `archived_channels` capability. */
export const peersReturned = entry<Peers>({
  kind: 'subscription/peer_return',
  type: 'subscription',
  description:
    'The subscribers of channels that were unarchived, for clients without the capability `archived_channels`.',
  noExample: 'It is an older form, for clients that do not keep archived channels.',
  event: addedSubscribers,
  audience: peersAudience,
  project: (data, form) => (form.archived_channels ? null : projectPeers('peer_add')(data, form)),
})

/** Other users unsubscribed from channels that the recipients see. */
export const peersRemoved = entry<Peers>({
  kind: 'subscription/peer_remove',
  type: 'subscription',
  description: 'Other users were unsubscribed from channels that the user can see.',
  event: peerEvent('peer_remove'),
  audience: peersAudience,
  project: projectPeers('peer_remove'),
})
