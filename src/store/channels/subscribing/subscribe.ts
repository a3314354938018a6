/**
 * Subscribes users to channels by name. Channels that do not exist are created.
 *
 * A request is one change on one state: it succeeds or fails as a whole, apart from the channels that it leaves out
 * (domain/channels/subscribing.ts). A large request is several changes (log/change-plan.ts). The checks have the order
 * of the protocol.
 * Source: the API document, endpoint 1; protocol/endpoints.md 1.1; protocol/permissions.md 7.1.
 */
import { isGuest } from '#rules/roles.js'
import { checkSubscriptionCount, groupByUser, type MembershipChanges } from '../../../domain/channels/membership.js'
import {
  checkNewNames,
  parseChannelOptions,
  type RequestedOptions,
  validateGroupSettings,
} from '../../../domain/channels/new-channels.js'
import {
  decideMemberships,
  type NormalizedChannel,
  normalizeChannels,
  type RequestedChannel,
  selectAuthorized,
} from '../../../domain/channels/subscribing.js'
import { limits } from '../../../domain/limits/limits.js'
import type { ChannelRow, UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { errors } from '../../../domain/protocol/errors.js'
import { isNameOf, type Principals, resolvePrincipals } from '../../../domain/users/resolve-principals.js'
import type { JobSpec } from '../../jobs/job-table.js'
import { combineChanges, entriesChange } from '../../log/change.js'
import { type ChangeBatch, type ComposedBatch, divide, type Plan } from '../../log/change-plan.js'
import { type BegunChannel, creationNotices } from '../../messages/sending/creation-notices.js'
import { createAndJoinChanges } from '../channels.js'

/** A request to subscribe, without its channels: for whom it is, and the options of new channels. */
export interface SubscribeRequest extends RequestedOptions {
  /** undefined: the caller */
  principals?: Principals | undefined
  /** false: channels for which the caller lacks a permission are left out */
  authorization_errors_fatal: boolean
  /** new channels are announced */
  announce: boolean
  send_new_subscription_messages: boolean
}

/** What a request to subscribe did. Names of channels are by user id. */
export interface SubscribeResult {
  subscribed: Record<string, string[]>
  already_subscribed: Record<string, string[]>
  unauthorized?: string[]
  new_subscription_messages_sent?: boolean
}

/**
 * Checks a request to subscribe, and divides it into parts. Throws the refusals of protocol/endpoints.md 1.1, in that
 * order.
 */
export const planSubscribe = (
  state: RealmState,
  user: UserRow,
  subscriptions: readonly RequestedChannel[],
  request: SubscribeRequest,
): Plan<SubscribeResult> => {
  const { requested, missing, users } = checkSubscribe(state, user, subscriptions, request)
  const created = new Set(missing.map(({ name }) => name))
  const channelCost = ({ name }: NormalizedChannel) => users.length + (created.has(name) ? CREATION_COST : 0)
  const done: Done = { added: [], unchanged: [], created: [], unauthorized: new Set() }
  // Without users, there is one list without users: the channels are created all the same.
  const someUsers = users.length === 0 ? [[]] : divide(users, limits.max_subscriptions_per_change, () => 1)
  const pieces = divide(requested, limits.max_subscriptions_per_change, channelCost).flatMap((channels) =>
    someUsers.map((some, i) => ({
      channels,
      user_ids: some.map(({ id }) => id),
      hasLastUsers: i === someUsers.length - 1,
    })),
  )
  // The last part also writes the jobs. Without channels, it is the only part and changes nothing.
  const last = pieces.pop() ?? { channels: [], user_ids: [], hasLastUsers: true }
  const part = (piece: Fragment, isLast: boolean): ChangeBatch => {
    return (now, caller) => composeSubscribe(now, caller, piece, request, done, isLast)
  }
  return {
    parts: [...pieces.map((piece) => part(piece, false)), part(last, true)],
    answer() {
      const subscribed = groupNamesByUser(done.added)
      return {
        subscribed,
        already_subscribed: groupNamesByUser(done.unchanged),
        ...(request.authorization_errors_fatal ? {} : { unauthorized: [...done.unauthorized] }),
        ...(request.send_new_subscription_messages
          ? { new_subscription_messages_sent: areFew(Object.keys(subscribed).length) }
          : {}),
      }
    },
  }
}

/** How many subscriptions cost as much as a new channel. */
const CREATION_COST = 10

/** A part of the request: these users are subscribed to these channels. */
interface Fragment {
  channels: readonly NormalizedChannel[]
  user_ids: readonly number[]
  /** no later part subscribes users to these channels */
  hasLastUsers: boolean
}

/** What the committed parts did. */
interface Done {
  added: MembershipChanges[number][]
  unchanged: MembershipChanges[number][]
  created: ChannelRow[]
  /** the names of the channels for which the caller lacks a permission */
  unauthorized: Set<string>
}

/** Checks the whole request. Throws the refusals of protocol/endpoints.md 1.1, in that order. */
const checkSubscribe = (
  state: RealmState,
  user: UserRow,
  subscriptions: readonly RequestedChannel[],
  request: SubscribeRequest,
) => {
  if (request.authorization_errors_fatal && isGuest(user)) throw errors.notForGuests()
  const options = parseChannelOptions(request)
  validateGroupSettings(state, options)
  const requested = normalizeChannels(subscriptions)
  const authorization = buildAuthorization(user, request)
  const { missing } = selectAuthorized(state, user, requested, options, authorization)
  // No user is subscribed, so the principals do not matter.
  if (isGuest(user)) return { requested, missing, users: [] }
  const users = authorization.isForSelf ? [user] : resolvePrincipals(state, user, request.principals ?? [])
  checkNewNames(state, missing)
  checkSubscriptionCount(users.length * requested.length)
  return { requested, missing, users }
}

const buildAuthorization = (user: UserRow, { principals, authorization_errors_fatal }: SubscribeRequest) => ({
  isForSelf: isOnlySelf(principals, user),
  isFatal: authorization_errors_fatal,
})

/** Whether the request is only for the caller, who may be named by id or by address. */
const isOnlySelf = (input: Principals | undefined, user: UserRow): boolean =>
  input === undefined || (input.length > 0 && input.every((principal) => isNameOf(user, principal)))

/** Composes one part. Throws when the caller may not do it any more. */
const composeSubscribe = (
  state: RealmState,
  user: UserRow,
  piece: Fragment,
  request: SubscribeRequest,
  done: Done,
  isLast: boolean,
): ComposedBatch => {
  const options = parseChannelOptions(request)
  const begunIds = new Set(done.created.map(({ id }) => id))
  const part = { channels: piece.channels, user_ids: piece.user_ids, begun: begunIds }
  const decision = decideMemberships(state, user, part, options, buildAuthorization(user, request))
  const { existing, begun, created, users, added, unchanged, unauthorized, colors } = decision
  const change = createAndJoinChanges(state, {
    users,
    existing: [...existing, ...begun],
    created,
    areDefault: options.is_default_stream,
    colors,
  })
  const notices = piece.hasLastUsers
    ? creationNotices(state, user, findBegun(state, [...begun, ...created], added))
    : undefined
  const allCreated = [...done.created, ...created]
  const jobs = isLast ? composeNoticeJobs(user, [...done.added, ...added], allCreated, request) : []
  return {
    change: combineChanges([change, entriesChange([], jobs), ...(notices === undefined ? [] : [notices])]),
    note() {
      done.added.push(...added)
      done.unchanged.push(...unchanged)
      done.created.push(...created)
      for (const name of unauthorized) done.unauthorized.add(name)
    },
  }
}

/** The new channels, with all their subscribers after this part. */
const findBegun = (state: RealmState, channels: readonly ChannelRow[], added: MembershipChanges): BegunChannel[] => {
  const joining = new Map(added.map(({ channel, users }) => [channel.id, users]))
  return channels.map((channel) => {
    const joined = joining.get(channel.id)?.map(({ id }) => id) ?? []
    return { channel, subscriber_ids: new Set([...state.subscribers(channel.id), ...joined]) }
  })
}

/** The jobs that notify users whom the actor subscribed, and that announce new channels. */
const composeNoticeJobs = (
  actor: UserRow,
  added: MembershipChanges,
  created: readonly ChannelRow[],
  request: Pick<SubscribeRequest, 'announce' | 'send_new_subscription_messages'>,
): JobSpec[] => {
  const jobs: JobSpec[] = []
  if (request.send_new_subscription_messages && areFew(groupByUser(added).size)) {
    const createdIds = new Set(created.map(({ id }) => id))
    const old = added.filter(({ channel }) => !createdIds.has(channel.id))
    const user_channels = [...groupByUser(old)]
      .filter(([user]) => user.id !== actor.id && !user.is_bot)
      .map(([user, channels]) => ({ user_id: user.id, channel_ids: channels.map(({ id }) => id) }))
    if (user_channels.length > 0) {
      jobs.push({ kind: 'subscription_notices', payload: { actor_id: actor.id, user_channels } })
    }
  }
  if (created.length > 0 && request.announce) {
    const channel_ids = created.map(({ id }) => id)
    jobs.push({ kind: 'channel_notices', payload: { actor_id: actor.id, channel_ids, announce: true } })
  }
  return jobs
}

/** With more users, the Notification Bot sends no direct messages. */
const areFew = (users: number): boolean => users <= limits.max_bulk_new_subscription_messages

/** By id, because the row of a user may change between two parts. */
const groupNamesByUser = (moves: MembershipChanges): Record<string, string[]> => {
  const names: Record<string, string[]> = {}
  for (const { channel, users } of moves) {
    for (const { id } of users) {
      names[id] ??= []
      names[id].push(channel.name)
    }
  }
  return names
}
