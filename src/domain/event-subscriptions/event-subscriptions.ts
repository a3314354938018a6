/**
 * Event subscriptions: which events of an account the server delivers, where to, and how far it is.
 *
 * 1. A subscription gets the events that a queue of its account with the same filter would get, apart from those that
 *    are not in the log (typing, presence, heartbeats): what is not stored cannot be delivered later.
 * 2. Its account controls it; for a bot, also who administers the bot. Administrators of the organization see all
 *    subscriptions, and may pause and delete them. They may not send the events of another person elsewhere.
 * 3. A subscription whose account is deactivated gets nothing. After a change of the credentials of its account it gets
 *    nothing until one who controls it resumes it: a stolen key must not live on in a subscription.
 */
import { z } from 'zod'
import { isAdministrator } from '#rules/roles.js'
import { eventId } from '../log/event-id.js'
import type { Profile } from '../log/profile.js'
import { capabilities } from '../log/profile.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { canAdministerBot } from '../users/bots/bots.js'
import { type SinkKind, sinkKinds } from './event-sinks.js'

/** active: it is delivered; paused: by its owner; broken: see the reason */
export const subscriptionStates = ['active', 'paused', 'broken'] as const

export type SubscriptionState = (typeof subscriptionStates)[number]

/**
 * Why a subscription is broken. `failing`: its receiver has failed for long, and is called from time to time; `gone`:
 * the receiver answered that it wants nothing more; `position_lost`: the log does not have the next event any more;
 * `credentials_changed`: see 3.
 */
export const brokenReasons = ['failing', 'gone', 'position_lost', 'credentials_changed'] as const

export type BrokenReason = (typeof brokenReasons)[number]

/** What follows when the log does not have the position any more. */
export const gapRules = ['snapshot', 'stop'] as const

export type GapRule = (typeof gapRules)[number]

/** A failed attempt. */
export interface DeliveryError {
  /** UNIX seconds */
  at: number
  /** the event, or null: a snapshot, or the position could not be read */
  event_id: number | null
  error: string
}

/** How the last test ended. */
export interface TestOutcome {
  at: number
  /** null: the receiver has it */
  error: string | null
}

/** A subscription with its state, as a row of the store says it. */
export interface EventSubscription {
  id: string
  realm_id: number
  user_id: number
  owner_id: number
  name: string
  sink: SinkKind
  address: string
  profile: Profile
  /** null: all */
  fetch_event_types: readonly string[] | null
  on_gap: GapRule
  state: SubscriptionState
  reason: BrokenReason | null
  seq: number
  content_seq: number
  wants_snapshot: boolean
  key_version: number
  secret_version: number
  /** UNIX seconds; null: only one secret signs */
  former_secret_until: number | null
  version: number
  failures: number
  /** UNIX seconds */
  failing_since: number | null
  errors: readonly DeliveryError[]
  is_owner_told: boolean
  delivered: number
  delivered_at: number | null
  test_id: string | null
  test_outcome: TestOutcome | null
  created_at: number
}

/** What is true of a subscription beside its row. */
export interface SubscriptionProgress {
  /** the newest entry of the log */
  log_seq: number
  /** UNIX seconds of the first entry after the position; null: there is none */
  waiting_since: number | null
  /** UNIX seconds of the next attempt, if one failed */
  next_attempt_at: number | null
}

const time = () => z.int().nullable().describe('UNIX seconds')

/** A subscription as the API shows it. */
export const eventSubscriptionObject = z.object({
  subscription_id: z.string(),
  user_id: z.int().describe('whose events'),
  name: z.string(),
  sink: z.enum(sinkKinds),
  address: z.string().describe('the URL, subject or topic; empty for administrators who do not control it'),
  event_types: z.array(z.string()).nullable().describe('null: all'),
  narrow: z.array(z.tuple([z.string(), z.string()])),
  all_public_streams: z.boolean(),
  apply_markdown: z.boolean(),
  client_gravatar: z.boolean(),
  client_capabilities: z.record(z.string(), z.boolean()),
  fetch_event_types: z.array(z.string()).nullable().describe('the sections of a snapshot; null: all'),
  on_gap: z.enum(gapRules),
  state: z.enum(subscriptionStates),
  reason: z.enum(brokenReasons).nullable().describe('why it is broken'),
  position: z.int().describe('event id: everything up to it was delivered, or is not for this subscription'),
  wants_snapshot: z.boolean().describe('a snapshot is delivered next'),
  lag_entries: z.int().describe('entries of the log after the position, those of no interest included'),
  waiting_since: time().describe('UNIX seconds of the first of them; null: there is none'),
  failures: z.int().describe('failed attempts in a row'),
  failing_since: time(),
  next_attempt_at: time(),
  errors: z
    .array(z.object({ at: z.int(), event_id: z.int().nullable(), error: z.string() }))
    .describe('the last failed attempts, the newest first'),
  delivered: z.int().describe('deliveries that the receiver has confirmed, tests not included'),
  delivered_at: time(),
  former_secret_until: time().describe('until when a replaced secret signs too'),
  test: z
    .object({ is_pending: z.boolean(), at: time(), error: z.string().nullable() })
    .nullable()
    .describe('the last test; error null: the receiver has it'),
  created_at: z.int(),
})

export type EventSubscriptionObject = z.infer<typeof eventSubscriptionObject>

/** The subscription as this viewer sees it. */
export const composeEventSubscription = (
  state: RealmState,
  viewer: UserRow,
  subscription: EventSubscription,
  { log_seq, waiting_since, next_attempt_at }: SubscriptionProgress,
): EventSubscriptionObject => {
  const { profile, test_outcome: outcome, test_id } = subscription
  const isController = canControl(state, viewer, subscription.user_id)
  return {
    subscription_id: subscription.id,
    user_id: subscription.user_id,
    name: subscription.name,
    sink: subscription.sink,
    address: isController ? subscription.address : '',
    event_types: profile.event_types === null ? null : [...profile.event_types],
    narrow: profile.narrow.map(([operator, operand]) => [operator, operand]),
    all_public_streams: profile.all_public_streams,
    apply_markdown: profile.apply_markdown,
    client_gravatar: profile.client_gravatar,
    client_capabilities: Object.fromEntries(capabilities.map((name) => [name, profile[name]])),
    fetch_event_types: subscription.fetch_event_types === null ? null : [...subscription.fetch_event_types],
    on_gap: subscription.on_gap,
    state: subscription.state,
    reason: subscription.reason,
    position: eventId(subscription.seq),
    wants_snapshot: subscription.wants_snapshot,
    lag_entries: Math.max(0, log_seq - subscription.seq),
    waiting_since,
    failures: subscription.failures,
    failing_since: subscription.failing_since,
    next_attempt_at: subscription.failures > 0 ? next_attempt_at : null,
    errors: isController ? [...subscription.errors] : [],
    delivered: subscription.delivered,
    delivered_at: subscription.delivered_at,
    former_secret_until: subscription.former_secret_until,
    test:
      test_id === null && outcome === null
        ? null
        : { is_pending: test_id !== null, at: outcome?.at ?? null, error: outcome?.error ?? null },
    created_at: subscription.created_at,
  }
}

/** Whether the user may do everything with subscriptions of this account (2). */
export const canControl = (state: RealmState, user: UserRow, user_id: number): boolean => {
  if (user.id === user_id) return true
  const account = state.users.get(user_id)
  return account?.is_bot === true && canAdministerBot(user, account)
}

/** Whether the user may see, pause and delete subscriptions of this account (2). */
export const canOversee = (state: RealmState, user: UserRow, user_id: number): boolean =>
  (isAdministrator(user) && !user.is_bot) || canControl(state, user, user_id)

/**
 * The account, if the caller may subscribe to its events. Throws BAD_REQUEST when there is no such account, and for one
 * that the caller does not control.
 */
export const requireAccount = (state: RealmState, caller: UserRow, user_id: number): UserRow => {
  const user = state.users.get(user_id)
  if (user?.is_active !== true || !canControl(state, caller, user_id)) throw errors.noSuchUser()
  return user
}

/** The account that answers for a subscription: its own, or the owner of the bot. */
export const findResponsible = ({ id, is_bot, bot_owner_id }: UserRow): number => (is_bot ? (bot_owner_id ?? id) : id)

/** The subscription as the audit log records it: with the host of its address only. */
export const composeAuditedSubscription = (subscription: EventSubscription): Record<string, unknown> => ({
  name: subscription.name,
  user_id: subscription.user_id,
  sink: subscription.sink,
  host: subscription.sink === 'http' ? new URL(subscription.address).host : null,
  state: subscription.state,
  secret_version: subscription.secret_version,
})
