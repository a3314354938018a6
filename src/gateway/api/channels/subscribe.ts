/**
 * Subscribes users to channels by name. Channels that do not exist are created.
 *
 * A request is one change on one state: it succeeds or fails as a whole, unless `authorization_errors_fatal` is false:
 * then the channels for which the caller lacks a permission are left out, and the answer lists them. A large request is
 * several changes (call/change-batches.ts). The checks have the order of the protocol.
 * Source: the API document, endpoint 1; protocol/endpoints.md 1.1; protocol/permissions.md 7.1.
 */
import { z } from 'zod'
import { hasContentAccess, hasMetadataAccess, mayAddSubscribers } from '#rules/channel-access.js'
import { isGuest } from '#rules/roles.js'
import { normalizeColor } from '../../../domain/channels/channels.js'
import {
  checkSubscriptionCount,
  findMembershipChanges,
  findUnchangedMemberships,
  groupByUser,
  type MembershipChanges,
} from '../../../domain/channels/membership.js'
import {
  type ChannelOptions,
  checkCreation,
  checkNewNames,
  composeChannels,
  mayCreateWith,
  parseRetention,
  validateChannelName,
  validateGroupSettings,
} from '../../../domain/channels/new-channels.js'
import { limits } from '../../../domain/limits/limits.js'
import type { ChannelRow, UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { errors } from '../../../domain/protocol/errors.js'
import { joinLines } from '../../../domain/rendering/names-and-descriptions.js'
import { isNameOf, type Principals, resolvePrincipals } from '../../../domain/users/resolve-principals.js'
import { createAndJoinChanges } from '../../../store/channels/channels.js'
import type { JobSpec } from '../../../store/jobs/job-table.js'
import { combineChanges, entriesChange } from '../../../store/log/change.js'
import { type BegunChannel, creationNotices } from '../../../store/messages/sending/creation-notices.js'
import { type ChangeBatch, type ComposedBatch, commitInBatches, divide, type Plan } from '../../call/change-batches.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, type ParamValues } from '../../call/params.js'
import { creationParams, principals, type RequestedChannel, requestedChannels } from './channel-params.js'

const namesByUser = z.record(z.string(), z.array(z.string())).describe('channel names by user id')

/** The parameters of a request to subscribe, without the channels. */
export const subscribeParams = {
  principals: principals(),
  authorization_errors_fatal: bool()
    .default(true)
    .describe('false: channels for which the caller lacks a permission are listed in `unauthorized`, and are no error'),
  announce: bool().default(false),
  send_new_subscription_messages: bool().default(true),
  ...creationParams,
}

/** The fields of the answer to a request to subscribe. */
export const subscribeAnswer = z.object({
  subscribed: namesByUser,
  already_subscribed: namesByUser,
  unauthorized: z.array(z.string()).optional(),
  new_subscription_messages_sent: z.boolean().optional(),
})

/** The errors with codes of their own of a request to subscribe. */
export const subscribeErrors = [errors.systemGroupRequired, errors.notAdministrator, errors.badValue]

export const subscribe = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribes users to channels by name; channels that do not exist are created. Guests may not do this.',
  access: 'account',
  params: { subscriptions: requestedChannels(), ...subscribeParams },
  response: subscribeAnswer,
  errors: subscribeErrors,
  handle: (call) =>
    commitInBatches(call, (state, user) => planSubscribe(state, user, call.params.subscriptions, call.params)),
})

type SubscribeParams = ParamValues<typeof subscribeParams>
type SubscribeAnswer = z.input<typeof subscribeAnswer>

/**
 * Checks a request to subscribe, and divides it into parts. Throws the refusals of protocol/endpoints.md 1.1, in that
 * order.
 */
export const planSubscribe = (
  state: RealmState,
  user: UserRow,
  subscriptions: readonly RequestedChannel[],
  params: SubscribeParams,
): Plan<SubscribeAnswer> => {
  const { requested, missing, users } = checkSubscribe(state, user, subscriptions, params)
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
  const part = (piece: Piece, isLast: boolean): ChangeBatch => {
    return (now, caller) => composeSubscribe(now, caller, piece, params, done, isLast)
  }
  return {
    parts: [...pieces.map((piece) => part(piece, false)), part(last, true)],
    answer() {
      const subscribed = groupNamesByUser(done.added)
      return {
        subscribed,
        already_subscribed: groupNamesByUser(done.unchanged),
        ...(params.authorization_errors_fatal ? {} : { unauthorized: [...done.unauthorized] }),
        ...(params.send_new_subscription_messages
          ? { new_subscription_messages_sent: areFew(Object.keys(subscribed).length) }
          : {}),
      }
    },
  }
}

/** How many subscriptions cost as much as a new channel. */
const CREATION_COST = 10

/** A part of the request: these users are subscribed to these channels. */
interface Piece {
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
  params: SubscribeParams,
) => {
  if (params.authorization_errors_fatal && isGuest(user)) throw errors.notForGuests()
  const options = readOptions(params)
  validateGroupSettings(state, options)
  const requested = normalizeChannels(subscriptions)
  const { missing } = selectAuthorized(state, user, requested, params, options)
  // No user is subscribed, so the principals do not matter.
  if (isGuest(user)) return { requested, missing, users: [] }
  const users = isOnlySelf(params.principals, user) ? [user] : resolvePrincipals(state, user, params.principals ?? [])
  checkNewNames(state, missing)
  checkSubscriptionCount(users.length * requested.length)
  return { requested, missing, users }
}

/** The options of new channels in these parameters. Throws REQUEST_VARIABLE_INVALID. */
export const readOptions = (params: SubscribeParams) => ({
  ...params,
  message_retention_days: parseRetention(params.message_retention_days),
})

/** The requested channels for which the caller has every permission, and the names of the others. */
interface Authorized {
  existing: ChannelRow[]
  missing: NormalizedChannel[]
  unauthorized: string[]
}

/** Divides the channels. Throws when authorization errors are fatal and there is one, and for options that exclude. */
const selectAuthorized = (
  state: RealmState,
  user: UserRow,
  requested: readonly NormalizedChannel[],
  params: SubscribeParams,
  options: ChannelOptions,
): Authorized => {
  if (params.authorization_errors_fatal) requireAuthorized(state, user, requested, params, options)
  const isForSelf = isOnlySelf(params.principals, user)
  const mayCreate = mayCreateWith(state, user, options)
  const chosen: Authorized = { existing: [], missing: [], unauthorized: [] }
  for (const channel of requested) {
    const row = state.channelByName(channel.name)
    if (isGuest(user)) chosen.unauthorized.push(channel.name)
    else if (row === undefined && mayCreate) chosen.missing.push(channel)
    else if (row !== undefined && maySubscribeUsers(state, user, row, isForSelf)) chosen.existing.push(row)
    else chosen.unauthorized.push(channel.name)
  }
  if (chosen.missing.length > 0) checkCreation(state, user, options)
  if (chosen.missing.length > limits.max_new_channels_at_once) {
    throw errors.badRequest(`At most ${limits.max_new_channels_at_once} channels can be created at once.`)
  }
  return chosen
}

const maySubscribeUsers = (state: RealmState, user: UserRow, channel: ChannelRow, isForSelf: boolean): boolean =>
  isForSelf ? hasContentAccess(state, user, channel) : mayAddSubscribers(state, user, channel)

/** Throws the first refusal of a permission. */
const requireAuthorized = (
  state: RealmState,
  user: UserRow,
  requested: readonly NormalizedChannel[],
  params: SubscribeParams,
  options: ChannelOptions,
): void => {
  if (isGuest(user)) throw errors.notForGuests()
  const rows = requested.map(({ name }) => ({ name, row: state.channelByName(name) }))
  // A channel that the caller does not see is refused as a new one is, which takes no permission to see it.
  const isUnseen = (row: ChannelRow | undefined) => row === undefined || !hasMetadataAccess(state, user, row)
  if (rows.some(({ row }) => isUnseen(row))) checkCreation(state, user, options)
  const existing = rows.flatMap(({ name, row }) => (row === undefined ? [] : [{ name, row }]))
  const unread = existing.find(({ row }) => !hasContentAccess(state, user, row))
  if (unread !== undefined) {
    throw errors.badRequest(`You do not have permission to subscribe users to this channel: ${unread.name}`)
  }
  const isForSelf = isOnlySelf(params.principals, user)
  if (!existing.every(({ row }) => maySubscribeUsers(state, user, row, isForSelf))) {
    throw errors.insufficientPermission()
  }
}

/** Composes one part. Throws when the caller may not do it any more. */
const composeSubscribe = (
  state: RealmState,
  user: UserRow,
  { channels: requested, user_ids, hasLastUsers }: Piece,
  params: SubscribeParams,
  done: Done,
  isLast: boolean,
): ComposedBatch => {
  const options = readOptions(params)
  const groups = validateGroupSettings(state, options)
  // The creator of a channel may choose its first subscribers, also those of a later part.
  const own = new Set(done.created.map(({ id }) => id))
  const isOwn = ({ name }: NormalizedChannel) => own.has(state.channelByName(name)?.id ?? 0)
  const others = requested.filter((channel) => !isOwn(channel))
  const { existing, missing, unauthorized } = selectAuthorized(state, user, others, params, options)
  const begun = requested.filter(isOwn).flatMap(({ name }) => state.channelByName(name) ?? [])
  const users = user_ids.flatMap((id) => state.users.get(id) ?? []).filter(({ is_active }) => is_active)

  checkNewNames(state, missing)
  const created = composeChannels(state, user, missing, options, groups)
  const channels = [...existing, ...begun, ...created]
  const added = findMembershipChanges(state, channels, users, false)
  const unchanged = findUnchangedMemberships(channels, users, added)
  const change = createAndJoinChanges(state, {
    users,
    existing: [...existing, ...begun],
    created,
    areDefault: options.is_default_stream,
    colors: indexColors(requested, channels),
  })
  const notices = hasLastUsers
    ? creationNotices(state, user, findBegun(state, [...begun, ...created], added))
    : undefined
  const allCreated = [...done.created, ...created]
  const jobs = isLast ? composeNoticeJobs(user, [...done.added, ...added], allCreated, params) : []
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

interface NormalizedChannel {
  name: string
  description: string
  color: string | undefined
}

/** The requested channels, each name once (compared without case), with names and descriptions as they are stored. */
const normalizeChannels = (requested: readonly RequestedChannel[]): NormalizedChannel[] => {
  const channels = new Map<string, NormalizedChannel>()
  for (const { name: givenName, description, color } of requested) {
    const name = validateChannelName(givenName)
    const key = name.toLowerCase()
    if (channels.has(key)) continue
    channels.set(key, {
      name,
      description: joinLines(description ?? ''),
      color: color === undefined ? undefined : normalizeColor(color),
    })
  }
  return [...channels.values()]
}

/** Whether the request is only for the caller, who may be named by id or by address. */
const isOnlySelf = (given: Principals | undefined, user: UserRow): boolean =>
  given === undefined || (given.length > 0 && given.every((principal) => isNameOf(user, principal)))

const indexColors = (requested: readonly NormalizedChannel[], channels: readonly ChannelRow[]): Map<number, string> => {
  const chosen = new Map(requested.map(({ name, color }) => [name.toLowerCase(), color]))
  return new Map(
    channels.flatMap(({ id, name }) => {
      const color = chosen.get(name.toLowerCase())
      return color === undefined ? [] : [[id, color] as const]
    }),
  )
}

/** The jobs that notify users whom the actor subscribed, and that announce new channels. */
const composeNoticeJobs = (
  actor: UserRow,
  added: MembershipChanges,
  created: readonly ChannelRow[],
  params: { announce: boolean; send_new_subscription_messages: boolean },
): JobSpec[] => {
  const jobs: JobSpec[] = []
  if (params.send_new_subscription_messages && areFew(groupByUser(added).size)) {
    const createdIds = new Set(created.map(({ id }) => id))
    const old = added.filter(({ channel }) => !createdIds.has(channel.id))
    const user_channels = [...groupByUser(old)]
      .filter(([user]) => user.id !== actor.id && !user.is_bot)
      .map(([user, channels]) => ({ user_id: user.id, channel_ids: channels.map(({ id }) => id) }))
    if (user_channels.length > 0) {
      jobs.push({ kind: 'subscription_notices', payload: { actor_id: actor.id, user_channels } })
    }
  }
  if (created.length > 0 && params.announce) {
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
