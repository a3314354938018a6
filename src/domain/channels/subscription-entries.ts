/**
 * Who joined and left which channels: told to those who did, and to those who see it.
 *
 * 1. Many who join together share one entry where their events are equal, that is, where their colours are.
 * 2. A list of subscribers stands in the log as ranges (id-ranges.ts), and is unfolded for the wire.
 * 3. An event for one user is built for them alone: the list of subscribers in it would otherwise be kept, once per
 *    profile, for nobody else.
 * 4. For a queue without the `archived_channels` capability an archived channel does not exist (channels.ts).
 *
 * Source: events.md 3.2 and 4.10; permissions.md 9.1.
 */
import { z } from 'zod'
import { type Audience, only } from '../log/entry.js'
import { entry, type Recipient } from '../log/entry-kind.js'
import { fromRanges, type IdRanges } from '../log/id-ranges.js'
import type { Profile } from '../log/profile.js'
import type { RealmState } from '../log/state.js'
import { existing, withFirstMessages } from './channel-entries.js'
import { type SubscriptionObject, subscriptionObject } from './channels.js'

/** A subscription object whose subscribers are still folded (2). */
export type FoldedSubscription = SubscriptionObject & { subscribers: IdRanges }

/** Receivers who are told of the same subscriptions. */
interface Subscribed {
  users: readonly number[]
  subscriptions: readonly FoldedSubscription[]
}

const addedEvent = z.object({
  type: z.literal('subscription'),
  op: z.literal('add'),
  subscriptions: z.array(subscriptionObject.extend({ subscribers: z.array(z.int()) })),
})

const ownCopy = ({ users }: Subscribed): readonly number[] => (users.length === 1 ? users : [])

const projectAdded = ({ users, subscriptions }: Subscribed, profile: Profile, recipient?: Recipient) => {
  if (users.length === 1 && recipient === undefined) return null
  const seen = existing(subscriptions, profile)
  if (seen.length === 0) return null
  return {
    type: 'subscription',
    op: 'add',
    subscriptions: seen.map((one) => ({ ...one, subscribers: fromRanges(one.subscribers) })),
  }
}

const withFirst = (data: Subscribed, state: RealmState): Subscribed => ({
  ...data,
  subscriptions: withFirstMessages(data.subscriptions, state),
})

/** The receivers became subscribed. */
export const subscriptionsAdded = entry<Subscribed>({
  kind: 'subscription/add',
  type: 'subscription',
  event: addedEvent,
  audience: ({ users }) => ({ users }),
  personalRecipients: ownCopy,
  complete: withFirst,
  project: projectAdded,
})

/**
 * The receivers are in channels that came out of the archive. Clients that know of archived channels never lost these.
 */
export const subscriptionsReturned = entry<Subscribed>({
  kind: 'subscription/return',
  type: 'subscription',
  event: addedEvent,
  audience: ({ users }) => ({ users }),
  personalRecipients: ownCopy,
  complete: withFirst,
  project: (data, profile, recipient) => (profile.archived_channels ? null : projectAdded(data, profile, recipient)),
})

/** A channel, as far as an event about leaving it goes. */
export interface LeftChannel {
  stream_id: number
  name: string
  is_archived: boolean
}

/** The receivers are no longer subscribed. */
export const subscriptionsRemoved = entry<{ users: readonly number[]; subscriptions: readonly LeftChannel[] }>({
  kind: 'subscription/remove',
  type: 'subscription',
  event: z.object({
    type: z.literal('subscription'),
    op: z.literal('remove'),
    subscriptions: z.array(z.object({ stream_id: z.int(), name: z.string() })),
  }),
  audience: ({ users }) => ({ users }),
  project({ subscriptions }, profile) {
    const seen = existing(subscriptions, profile)
    if (seen.length === 0) return null
    const left = seen.map(({ stream_id, name }) => ({ stream_id, name }))
    return { type: 'subscription', op: 'remove', subscriptions: left }
  },
})

/** The user has a new value in one personal setting of a subscription. */
export const subscriptionUpdated = entry<{
  user_id: number
  stream_id: number
  property: string
  value: boolean | string
}>({
  kind: 'subscription/update',
  type: 'subscription',
  event: z.object({
    type: z.literal('subscription'),
    op: z.literal('update'),
    stream_id: z.int(),
    property: z.string(),
    value: z.union([z.boolean(), z.string()]),
  }),
  audience: ({ user_id }) => only(user_id),
  project: ({ stream_id, property, value }) => ({ type: 'subscription', op: 'update', stream_id, property, value }),
})

/** Every one of the users joined, or left, every one of the channels. */
export interface Peers {
  /** who sees these channels; the users themselves are left out */
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

const peersAudience = ({ to, users }: Peers): Audience => ({ ...to, except: fromRanges(users) })

const projectPeers = (op: 'peer_add' | 'peer_remove') => (data: Peers, profile: Profile) => {
  const seen = existing(data.streams, profile)
  if (seen.length === 0) return null
  const stream_ids = seen.map(({ stream_id }) => stream_id)
  return { type: 'subscription', op, stream_ids, user_ids: fromRanges(data.users) }
}

/** Others joined channels that the receivers see. */
export const peersAdded = entry<Peers>({
  kind: 'subscription/peer_add',
  type: 'subscription',
  event: peerEvent('peer_add'),
  audience: peersAudience,
  project: projectPeers('peer_add'),
})

/** Others are in channels that came out of the archive; for the same clients. */
export const peersReturned = entry<Peers>({
  kind: 'subscription/peer_return',
  type: 'subscription',
  event: peerEvent('peer_add'),
  audience: peersAudience,
  project: (data, profile) => (profile.archived_channels ? null : projectPeers('peer_add')(data, profile)),
})

/** Others left channels that the receivers see. */
export const peersRemoved = entry<Peers>({
  kind: 'subscription/peer_remove',
  type: 'subscription',
  event: peerEvent('peer_remove'),
  audience: peersAudience,
  project: projectPeers('peer_remove'),
})
