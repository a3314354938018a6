/**
 * The event queue that a registration requests: its profile, its lifespan, and the event types that it names.
 *
 * Source: protocol/register.md 1, protocol/events.md 5 and 6.
 */
import { isGuest } from '#rules/roles.js'
import { entryKinds } from '../entry-kinds.js'
import { limits } from '../limits/limits.js'
import { acceptsType, capabilities, type Profile, profileKey } from '../log/profile.js'
import type { BotRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { parseEventNarrow } from '../messages/narrow/event-narrow.js'
import { errors } from '../protocol/errors.js'
import { botRow, channelName } from '../users/bots/bots.js'
import { sections } from './sections.js'

/** What a registration says about its queue. */
export interface RequestedQueue {
  apply_markdown: boolean
  client_gravatar?: boolean | undefined
  /** `partial` is the same as true */
  include_subscribers: boolean | 'partial'
  slim_presence: boolean
  event_types?: readonly string[] | undefined
  all_public_streams?: boolean | undefined
  client_capabilities?: Partial<Record<(typeof capabilities)[number], boolean | undefined>> | undefined
  narrow: readonly (readonly [string, string])[]
}

/**
 * The profile of the queue: which events it receives, and in which form. Throws BAD_REQUEST for options that this user
 * may not use.
 * @param user undefined: a caller without credentials
 * @param document_names the client reads the names of the API document
 */
export const validateProfile = (
  state: RealmState,
  user: UserRow | undefined,
  requested: RequestedQueue,
  document_names: boolean,
): Profile => {
  if (user === undefined) {
    if (requested.client_gravatar === true) {
      throw errors.badRequest('Callers without an account cannot ask for client_gravatar.')
    }
    if (requested.include_subscribers !== false) {
      throw errors.badRequest('Callers without an account cannot ask for include_subscribers.')
    }
  }
  const bot = user?.is_bot ? botRow(state, user.id) : undefined
  const listensWidely = bot?.default_all_public_streams === true && user !== undefined && !isGuest(user)
  const all_public_streams = requested.all_public_streams ?? listensWidely
  if (all_public_streams && (user === undefined || isGuest(user))) {
    throw errors.badRequest('You may not register for all public channels.')
  }
  const claimed = requested.client_capabilities
  const known = Object.fromEntries(capabilities.map((name) => [name, claimed?.[name] ?? false])) as Pick<
    Profile,
    (typeof capabilities)[number]
  >
  const profile: Profile = {
    event_types: requested.event_types ?? null,
    narrow: parseEventNarrow(requested.narrow.length > 0 ? requested.narrow : botDefaultNarrow(state, bot)),
    all_public_streams,
    apply_markdown: requested.apply_markdown,
    client_gravatar: requested.client_gravatar ?? user !== undefined,
    slim_presence: requested.slim_presence,
    ...known,
    document_names,
  }
  if (profileKey(profile).length > limits.max_queue_profile_length) {
    throw errors.badRequest('The event types and the narrow of a queue are too long: name fewer.')
  }
  return profile
}

/** The narrow of a bot that sends none: the bot's default channel for events, if one is set. */
const botDefaultNarrow = (state: RealmState, bot: BotRow | undefined): [string, string][] => {
  const name = channelName(state, bot?.default_events_register_channel_id ?? null)
  return name === null ? [] : [['channel', name]]
}

/** The seconds without use after which the queue may be deleted. */
export const queueLifespan = ({
  queue_lifespan_secs,
  idle_queue_timeout,
}: {
  queue_lifespan_secs: number
  idle_queue_timeout?: number | 'mobile' | undefined
}): number => {
  const { default_queue_timeout_seconds: usual, max_queue_timeout_seconds: most } = limits
  const wish = idle_queue_timeout ?? queue_lifespan_secs
  if (wish === 'mobile') return most
  return wish <= 0 ? usual : Math.min(wish, most)
}

/** The type of the events, and the section, that have the API keys of bots. */
const botType = 'realm_bot'

/** Whether a queue receives the API keys of the account's bots. */
export const receivesBotKeys = (profile: Profile): boolean => acceptsType(profile, botType)

/**
 * The types of events, or the sections, that have no API keys of bots.
 * @param names what is wanted; undefined: all
 */
export const withoutBotKeys = (names: readonly string[] | undefined): string[] =>
  (names ?? [...new Set([...[...entryKinds.values()].map(({ type }) => type ?? ''), ...Object.keys(sections)])]).filter(
    (name) => name !== botType && name !== '',
  )

/** The names that clients of later levels may send: types of events, sections, and names of the protocol. */
const knownTypes = new Set([
  ...[...entryKinds.values()].map(({ type }) => type),
  ...Object.keys(sections),
  'heartbeat',
  'zulip_version',
])

/** The event types that this server never sends. They are told and not refused: newer clients know more types. */
export const findUnknownTypes = (event_types: readonly string[] | undefined): string[] =>
  [...new Set(event_types)].filter((type) => !knownTypes.has(type)).sort()
