/**
 * Joining channels by name, and creating them by joining.
 *
 * One change, decided on one state and committed whole or not at all. The checks stand in the order in which the
 * protocol lists them. Source: the API document, endpoint 1; endpoints.md 1.1; permissions.md 7.1.
 */
import { z } from 'zod'
import { fullColor } from '../../../domain/channels/channels.js'
import {
  checkSubscriptionCount,
  findMembershipChanges,
  findUnchangedMemberships,
  groupByUser,
  type MembershipChanges,
} from '../../../domain/channels/membership.js'
import {
  checkCreation,
  checkedGroups,
  checkedName,
  checkedRetention,
  newChannels,
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
import { creationParams, principals, type WantedChannel, wantedChannels } from './channel-params.js'

const namesByUser = z.record(z.string(), z.array(z.string())).describe('channel names by user id')

/** What a request to subscribe takes beside the channels. */
export const joiningParams = {
  principals: principals(),
  authorization_errors_fatal: bool().default(true),
  announce: bool().default(false),
  send_new_subscription_messages: bool().default(true),
  ...creationParams,
}

export const joiningAnswer = z.object({
  subscribed: namesByUser,
  already_subscribed: namesByUser,
  unauthorized: z.array(z.string()).optional(),
  new_subscription_messages_sent: z.boolean().optional(),
})

export const joiningErrors = [errors.systemGroupRequired, errors.notOwner, errors.badValue]

export const subscribe = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribes users to channels by name; channels that do not exist are created.',
  access: 'nonGuest',
  params: { subscriptions: wantedChannels(), ...joiningParams },
  response: joiningAnswer,
  errors: joiningErrors,
  handle: (call) =>
    withStructureLock(call, async (write) => {
      const { change, answer } = joining(call.state, call.caller.user, call.params.subscriptions, call.params)
      await commit(write, change)
      return answer
    }),
})

/** What a request to subscribe changes, and its answer. Throws the refusals of endpoints.md 1.1, in that order. */
export const joining = (
  state: RealmState,
  user: UserRow,
  subscriptions: readonly WantedChannel[],
  params: ParamValues<typeof joiningParams>,
): { change: Change; answer: z.input<typeof joiningAnswer> } => {
  const options = { ...params, message_retention_days: checkedRetention(params.message_retention_days) }
  const groups = checkedGroups(state, options)
  const wanted = distinct(subscriptions)
  const missing = wanted.filter(({ name }) => state.channelByName(name) === undefined)
  if (missing.length > 0) checkCreation(state, user, options)
  if (missing.length > limits.max_new_channels_at_once) {
    throw errors.badRequest(`At most ${limits.max_new_channels_at_once} channels can be made at once.`)
  }

  const { existing, unauthorized } = readable(state, user, wanted)
  if (unauthorized.length > 0 && params.authorization_errors_fatal) {
    throw errors.badRequest(`You may not subscribe anybody to this channel: ${unauthorized[0]}`)
  }
  const isForSelf = namesOnlySelf(params.principals, user)
  if (!isForSelf && !existing.every((channel) => mayAddSubscribers(state, user, channel))) {
    throw errors.insufficientPermission()
  }
  const users = isForSelf ? [user] : resolvePrincipals(state, user, params.principals ?? [])
  checkSubscriptionCount(users.length * wanted.length)

  const created = newChannels(state, user, missing, options, groups)
  const channels = [...existing, ...created]
  const added = findMembershipChanges(state, channels, users, false)
  const colors = colorsOf(wanted, channels)
  const change = createAndJoinChanges(state, {
    users,
    existing,
    created,
    areDefault: options.is_default_stream,
    colors,
  })
  const subscribed = namesOf(added)
  return {
    change: combineChanges([change, entriesChange([], notices(state, user, added, created, params))]),
    answer: {
      subscribed,
      already_subscribed: namesOf(findUnchangedMemberships(channels, users, added)),
      ...(params.authorization_errors_fatal ? {} : { unauthorized }),
      ...(params.send_new_subscription_messages
        ? { new_subscription_messages_sent: areFew(Object.keys(subscribed).length) }
        : {}),
    },
  }
}

/** The channels asked for, each once, whatever the case; names and descriptions in the form that is stored. */
const distinct = (wanted: readonly WantedChannel[]) => {
  const channels = new Map<string, { name: string; description: string; color: string | undefined }>()
  for (const one of wanted) {
    const name = checkedName(one.name)
    const key = name.toLowerCase()
    if (channels.has(key)) continue
    const color = one.color === undefined ? undefined : fullColor(one.color)
    channels.set(key, { name, description: joinLines(one.description ?? ''), color })
  }
  return [...channels.values()]
}

/** The channels of these names that the caller may read, and the names of the others as they were given. */
const readable = (state: RealmState, user: UserRow, named: readonly { name: string }[]) => {
  const existing: ChannelRow[] = []
  const unauthorized: string[] = []
  for (const { name } of named) {
    const channel = state.channelByName(name)
    if (channel === undefined) continue
    if (hasContentAccess(state, user, channel)) existing.push(channel)
    else unauthorized.push(name)
  }
  return { existing, unauthorized }
}

/** One's own address counts as somebody else's. */
const namesOnlySelf = (given: Principals | undefined, user: UserRow): boolean =>
  given === undefined || (given.length === 1 && given[0] === user.id)

const colorsOf = (wanted: ReturnType<typeof distinct>, channels: readonly ChannelRow[]): Map<number, string> => {
  const chosen = new Map(wanted.map(({ name, color }) => [name.toLowerCase(), color]))
  return new Map(
    channels.flatMap(({ id, name }) => {
      const color = chosen.get(name.toLowerCase())
      return color === undefined ? [] : [[id, color] as const]
    }),
  )
}

/** Whom the Notification Bot tells: people whom somebody else added, and new channels. */
const notices = (
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

const areFew = (users: number): boolean => users <= limits.max_bulk_new_subscription_messages

const namesOf = (moves: MembershipChanges): Record<string, string[]> =>
  Object.fromEntries([...groupByUser(moves)].map(([user, channels]) => [user.id, channels.map(({ name }) => name)]))
