/**
 * Subscribes users to channels by name. Channels that do not exist are created.
 *
 * A request is one change on one state: it succeeds or fails as a whole. The checks have the order of the protocol.
 * Source: the API document, endpoint 1; endpoints.md 1.1; permissions.md 7.1.
 */
import { z } from 'zod'
import { normalizeColor } from '../../../domain/channels/channels.js'
import {
  checkSubscriptionCount,
  findMembershipChanges,
  findUnchangedMemberships,
  groupByUser,
  type MembershipChanges,
} from '../../../domain/channels/membership.js'
import {
  checkCreation,
  composeChannels,
  parseRetention,
  validateChannelName,
  validateGroupSettings,
} from '../../../domain/channels/new-channels.js'
import { limits } from '../../../domain/limits/limits.js'
import type { ChannelRow, UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { hasContentAccess, mayAddSubscribers } from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { joinLines } from '../../../domain/rendering/names-and-descriptions.js'
import { type Principals, resolvePrincipals } from '../../../domain/users/resolve-principals.js'
import { createAndJoinChanges } from '../../../store/channels/channels.js'
import type { JobSpec } from '../../../store/jobs/job-table.js'
import { type Change, combineChanges, commit, entriesChange } from '../../../store/log/change.js'
import { endpoint } from '../../http/endpoint.js'
import { bool, type ParamValues } from '../../http/params.js'
import { withStructureLock } from '../../http/structure-lock.js'
import { creationParams, principals, type RequestedChannel, requestedChannels } from './channel-params.js'

const namesByUser = z.record(z.string(), z.array(z.string())).describe('channel names by user id')

/** The parameters of a request to subscribe, without the channels. */
export const subscribeParams = {
  principals: principals(),
  authorization_errors_fatal: bool().default(true),
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
export const subscribeErrors = [errors.systemGroupRequired, errors.notOwner, errors.badValue]

export const subscribe = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribes users to channels by name; channels that do not exist are created.',
  access: 'nonGuest',
  params: { subscriptions: requestedChannels(), ...subscribeParams },
  response: subscribeAnswer,
  errors: subscribeErrors,
  handle: (call) =>
    withStructureLock(call, async (write) => {
      const { change, answer } = composeSubscribe(call.state, call.caller.user, call.params.subscriptions, call.params)
      await commit(write, change)
      return answer
    }),
})

/** Composes the change of a request to subscribe, and its answer. Throws the refusals of endpoints.md 1.1, in that order. */
export const composeSubscribe = (
  state: RealmState,
  user: UserRow,
  subscriptions: readonly RequestedChannel[],
  params: ParamValues<typeof subscribeParams>,
): { change: Change; answer: z.input<typeof subscribeAnswer> } => {
  const options = { ...params, message_retention_days: parseRetention(params.message_retention_days) }
  const groups = validateGroupSettings(state, options)
  const requested = normalizeChannels(subscriptions)
  const missing = requested.filter(({ name }) => state.channelByName(name) === undefined)
  if (missing.length > 0) checkCreation(state, user, options)
  if (missing.length > limits.max_new_channels_at_once) {
    throw errors.badRequest(`At most ${limits.max_new_channels_at_once} channels can be created at once.`)
  }

  const { existing, unauthorized } = selectReadable(state, user, requested)
  if (unauthorized.length > 0 && params.authorization_errors_fatal) {
    throw errors.badRequest(`You do not have permission to subscribe users to this channel: ${unauthorized[0]}`)
  }
  const isForSelf = isOnlySelf(params.principals, user)
  if (!isForSelf && !existing.every((channel) => mayAddSubscribers(state, user, channel))) {
    throw errors.insufficientPermission()
  }
  const users = isForSelf ? [user] : resolvePrincipals(state, user, params.principals ?? [])
  checkSubscriptionCount(users.length * requested.length)

  const created = composeChannels(state, user, missing, options, groups)
  const channels = [...existing, ...created]
  const added = findMembershipChanges(state, channels, users, false)
  const colors = indexColors(requested, channels)
  const change = createAndJoinChanges(state, {
    users,
    existing,
    created,
    areDefault: options.is_default_stream,
    colors,
  })
  const subscribed = groupNamesByUser(added)
  return {
    change: combineChanges([change, entriesChange([], composeNoticeJobs(state, user, added, created, params))]),
    answer: {
      subscribed,
      already_subscribed: groupNamesByUser(findUnchangedMemberships(channels, users, added)),
      ...(params.authorization_errors_fatal ? {} : { unauthorized }),
      ...(params.send_new_subscription_messages
        ? { new_subscription_messages_sent: areFew(Object.keys(subscribed).length) }
        : {}),
    },
  }
}

/** The requested channels, each name once (compared without case), with names and descriptions as they are stored. */
const normalizeChannels = (requested: readonly RequestedChannel[]) => {
  const channels = new Map<string, { name: string; description: string; color: string | undefined }>()
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

/** The existing channels that the caller may read, and the names of the existing channels that the caller may not read. */
const selectReadable = (state: RealmState, user: UserRow, requested: readonly { name: string }[]) => {
  const existing: ChannelRow[] = []
  const unauthorized: string[] = []
  for (const { name } of requested) {
    const channel = state.channelByName(name)
    if (channel === undefined) continue
    if (hasContentAccess(state, user, channel)) existing.push(channel)
    else unauthorized.push(name)
  }
  return { existing, unauthorized }
}

/** Whether the request is only for the caller. The caller's own address is treated like that of another user. */
const isOnlySelf = (given: Principals | undefined, user: UserRow): boolean =>
  given === undefined || (given.length === 1 && given[0] === user.id)

const indexColors = (
  requested: ReturnType<typeof normalizeChannels>,
  channels: readonly ChannelRow[],
): Map<number, string> => {
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
  state: RealmState,
  actor: UserRow,
  added: MembershipChanges,
  created: readonly ChannelRow[],
  params: { announce: boolean; send_new_subscription_messages: boolean },
): JobSpec[] => {
  const jobs: JobSpec[] = []
  if (params.send_new_subscription_messages && areFew(groupByUser(added).size)) {
    const old = added.filter(({ channel }) => !created.includes(channel))
    const user_channels = [...groupByUser(old)]
      .filter(([user]) => user.id !== actor.id && !user.is_bot)
      .map(([user, channels]) => ({ user_id: user.id, channel_ids: channels.map(({ id }) => id) }))
    if (user_channels.length > 0) {
      jobs.push({ kind: 'subscription_notices', payload: { actor_id: actor.id, user_channels } })
    }
  }
  if (created.length > 0 && (params.announce || state.settings.send_channel_events_messages)) {
    const channel_ids = created.map(({ id }) => id)
    jobs.push({ kind: 'channel_notices', payload: { actor_id: actor.id, channel_ids, announce: params.announce } })
  }
  return jobs
}

/** With more users, the Notification Bot sends no direct messages. */
const areFew = (users: number): boolean => users <= limits.max_bulk_new_subscription_messages

const groupNamesByUser = (moves: MembershipChanges): Record<string, string[]> =>
  Object.fromEntries([...groupByUser(moves)].map(([user, channels]) => [user.id, channels.map(({ name }) => name)]))
