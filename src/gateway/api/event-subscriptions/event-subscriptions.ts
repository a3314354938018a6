/**
 * Event subscriptions: events of an account that the server delivers to a receiver. The protocol has no such calls:
 * these are ours. Source: docs/event-subscriptions.md.
 */
import { z } from 'zod'
import { listAvailableSinks, sinkKinds, validateTarget } from '../../../domain/event-subscriptions/event-sinks.js'
import {
  canControl,
  canOversee,
  composeEventSubscription,
  type EventSubscription,
  eventSubscriptionObject,
  findResponsible,
  gapRules,
  requireAccount,
} from '../../../domain/event-subscriptions/event-subscriptions.js'
import { composeTopicPrefix } from '../../../domain/event-subscriptions/topics.js'
import { limits } from '../../../domain/limits/limits.js'
import { eventId, toSeq } from '../../../domain/log/event-id.js'
import type { Profile } from '../../../domain/log/profile.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { errors } from '../../../domain/protocol/errors.js'
import { validateProfile } from '../../../domain/register/queue-request.js'
import {
  changeSubscription,
  createSubscription,
  deleteSubscription,
  loadReplayable,
  loadSubscriptions,
  type SubscriptionPatch,
} from '../../../store/event-subscriptions/subscription-rows.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, int, json, oneOf, type ParamValues, str, textInPath } from '../../call/params.js'
import { clientCapabilities } from '../events/register.js'

/** How long a replaced secret signs beside the new one, at most: a week. */
const MAX_OVERLAP_SECS = 604_800

const name = () => str({ min: 1, max: limits.max_event_subscription_name_length })
const address = () =>
  str({ min: 1, max: limits.max_event_subscription_address_length }).describe(
    'http: the URL; nats: the subject; kafka: the topic',
  )

/** The filter: the parameters of a registration that decide which events a queue gets, and in which form. */
const filterParams = {
  event_types: json(z.array(z.string()))
    .nullable()
    .optional()
    .describe('types of events; null, and absent in a new subscription: all'),
  narrow: json(z.array(z.tuple([z.string(), z.string()])))
    .optional()
    .describe('message events that match, as in a registration'),
  all_public_streams: bool().optional().describe('message events of every public channel'),
  apply_markdown: bool().optional().describe('message events carry HTML, not Markdown'),
  client_gravatar: bool().optional(),
  client_capabilities: json(clientCapabilities).optional(),
}

const sectionParams = {
  fetch_event_types: json(z.array(z.string()))
    .optional()
    .describe('the sections of a snapshot, as in a registration; as event_types when absent'),
  on_gap: oneOf(...gapRules)
    .optional()
    .describe('what follows when the log does not have the next event any more (default: stop)'),
}

const subscription_id = textInPath()

export const getEventSubscriptions = endpoint({
  method: 'GET',
  path: '/event_subscriptions',
  summary: 'Lists the event subscriptions that the caller may see, with their position, lag and last errors.',
  callers: 'account',
  condition: 'Accounts see their own and those of bots that they administer, administrators all of the organization.',
  params: {},
  response: z.object({
    event_subscriptions: z.array(eventSubscriptionObject),
    sinks: z.array(z.enum(sinkKinds)).describe('the kinds to which this server delivers'),
    topic_prefix: z.string().describe('what addresses of nats and kafka begin with'),
  }),
  async handle({ app, caller, realm, state }) {
    const all = await loadSubscriptions(app.store.sql, realm.id)
    const visible = all.filter(({ subscription }) => canOversee(state, caller.user, subscription.user_id))
    return {
      event_subscriptions: visible.map(({ subscription, progress }) =>
        composeEventSubscription(state, caller.user, subscription, progress),
      ),
      sinks: listAvailableSinks(state.deployment),
      topic_prefix: composeTopicPrefix(state.deployment.eventBrokers.topic_prefix, realm.id),
    }
  },
})

export const getEventSubscription = endpoint({
  method: 'GET',
  path: '/event_subscriptions/{subscription_id}',
  summary: 'Returns one event subscription.',
  callers: 'account',
  params: { subscription_id },
  response: z.object({ event_subscription: eventSubscriptionObject }),
  errors: [errors.eventSubscriptionDoesNotExist],
  async handle({ app, caller, realm, state, params }) {
    const [found] = await loadSubscriptions(app.store.sql, realm.id, params.subscription_id)
    const { id } = requireVisible(state, caller.user, found?.subscription)
    if (found === undefined) throw new Error(`there is no subscription ${id}`)
    const { subscription, progress } = found
    return {
      event_subscription: composeEventSubscription(state, caller.user, subscription, progress),
    }
  },
})

export const createEventSubscription = endpoint({
  method: 'POST',
  path: '/event_subscriptions',
  summary: 'Creates an event subscription. Its events are those of the log from now on.',
  callers: 'account',
  keyScope: 'administer',
  condition: 'For the caller, or for a bot that the caller administers.',
  params: {
    name: name(),
    sink: oneOf(...sinkKinds).default('http'),
    address: address(),
    user_id: int().optional().describe('a bot that the caller administers; the caller when absent'),
    ...filterParams,
    ...sectionParams,
    snapshot_first: bool()
      .default(false)
      .describe('the first delivery is a snapshot: the answer of a registration, to which the events apply'),
  },
  example: { name: 'Tickets', address: 'https://tickets.example.com/parley', event_types: ['message'] },
  response: z.object({
    subscription_id: z.string(),
    secret: z.string().describe('with which deliveries over HTTP are signed, in the form of Standard Webhooks'),
  }),
  async handle({ caller, state, write, params }) {
    const { user_id = caller.id, snapshot_first, on_gap = 'stop' } = params
    const account = requireAccount(state, caller.user, user_id)
    const { kind: sink, address: target } = validateTarget(
      { kind: params.sink, address: params.address },
      state.deployment,
      state.realm.id,
    )
    const wanted = {
      user_id,
      owner_id: findResponsible(account),
      name: validateName(params.name),
      sink,
      address: target,
      profile: validateFilter(state, account, params),
      fetch_event_types: validateSections(params.fetch_event_types ?? params.event_types ?? undefined),
      on_gap,
      key_version: account.key_version,
      wants_snapshot: snapshot_first,
    }
    const composeAnswer = (created: EventSubscription) => ({
      subscription_id: created.id,
      secret: showSecret(state, created),
    })
    return write.answering(composeAnswer, (keyed) => createSubscription(keyed, wanted))
  },
})

export const updateEventSubscription = endpoint({
  method: 'PATCH',
  path: '/event_subscriptions/{subscription_id}',
  summary: 'Changes the name, the receiver or the filter of an event subscription. Its position stays.',
  callers: 'account',
  keyScope: 'administer',
  params: {
    subscription_id,
    name: name().optional(),
    address: address().optional(),
    ...filterParams,
    ...sectionParams,
  },
  example: { name: 'All tickets' },
  response: z.object({}),
  errors: [errors.eventSubscriptionDoesNotExist],
  async handle({ caller, state, write, params }) {
    const { on_gap } = params
    const filter = Object.keys(filterParams).some((key) => params[key as keyof typeof filterParams] !== undefined)
    await changeSubscription(write, params.subscription_id, (found) => {
      const before = requireControlled(state, caller.user, found)
      const account = requireAccount(state, caller.user, before.user_id)
      const target = params.address === undefined ? undefined : { kind: before.sink, address: params.address }
      return {
        ...(params.name === undefined ? {} : { name: validateName(params.name) }),
        ...(target === undefined ? {} : { address: validateTarget(target, state.deployment, state.realm.id).address }),
        ...(filter ? { profile: validateFilter(state, account, params, before.profile) } : {}),
        ...(params.fetch_event_types === undefined
          ? {}
          : { fetch_event_types: validateSections(params.fetch_event_types) }),
        ...(on_gap === undefined ? {} : { on_gap }),
        // Another receiver starts anew.
        ...(target === undefined ? {} : { starts_anew: true, ...repair(before, 'failing', 'gone') }),
      }
    })
    return {}
  },
})

export const deleteEventSubscription = endpoint({
  method: 'DELETE',
  path: '/event_subscriptions/{subscription_id}',
  summary: 'Deletes an event subscription. A delivery that is under way is the last one.',
  callers: 'account',
  keyScope: 'administer',
  condition: 'Who controls it, and administrators.',
  params: { subscription_id },
  response: z.object({}),
  errors: [errors.eventSubscriptionDoesNotExist],
  async handle({ caller, state, write, params }) {
    await deleteSubscription(write, params.subscription_id, (found) => requireVisible(state, caller.user, found))
    return {}
  },
})

export const pauseEventSubscription = endpoint({
  method: 'POST',
  path: '/event_subscriptions/{subscription_id}/pause',
  summary: 'Pauses an event subscription. Its events wait as long as the log is kept.',
  callers: 'account',
  keyScope: 'administer',
  condition: 'Who controls it, and administrators.',
  params: { subscription_id },
  response: z.object({}),
  errors: [errors.eventSubscriptionDoesNotExist],
  async handle({ caller, state, write, params }) {
    await changeSubscription(write, params.subscription_id, (found) => {
      requireVisible(state, caller.user, found)
      return { state: 'paused', reason: null }
    })
    return {}
  },
})

export const resumeEventSubscription = endpoint({
  method: 'POST',
  path: '/event_subscriptions/{subscription_id}/resume',
  summary: 'Resumes a paused or broken event subscription at its position, and tries a failed delivery at once.',
  callers: 'account',
  keyScope: 'administer',
  params: { subscription_id },
  response: z.object({}),
  errors: [errors.eventSubscriptionDoesNotExist],
  async handle({ caller, state, write, params }) {
    await changeSubscription(write, params.subscription_id, (found) => {
      const before = requireControlled(state, caller.user, found)
      return resume(requireAccount(state, caller.user, before.user_id))
    })
    return {}
  },
})

export const replayEventSubscription = endpoint({
  method: 'POST',
  path: '/event_subscriptions/{subscription_id}/replay',
  summary: 'Lets an event subscription continue after another event of the log, or with a snapshot. Resumes it.',
  callers: 'account',
  keyScope: 'administer',
  params: {
    subscription_id,
    position: int({ min: 0 }).optional().describe('the id of the last event that the receiver has; 0: the oldest'),
    snapshot: bool().default(false).describe('continues with a snapshot, and after it'),
  },
  example: { snapshot: true },
  response: z.object({ position: z.int() }),
  errors: [errors.eventSubscriptionDoesNotExist],
  async handle({ app, caller, realm, state, write, params: { subscription_id: id, position, snapshot } }) {
    if ((position === undefined) !== snapshot) {
      throw errors.badRequest('Name a position, or ask for a snapshot.')
    }
    const { oldest, newest } = await loadReplayable(app.store.sql, realm.id)
    const wanted = position === undefined ? newest : Math.max(toSeq(position), position === 0 ? oldest : 0)
    if (wanted < oldest || wanted > newest) {
      throw errors.badRequest('The server has the events from {oldest} to {newest}.', {
        oldest: eventId(oldest),
        newest: eventId(newest),
      })
    }
    const composeAnswer = ({ seq }: EventSubscription) => ({ position: eventId(seq) })
    return write.answering(composeAnswer, (keyed) =>
      changeSubscription(keyed, id, (found) => {
        const before = requireControlled(state, caller.user, found)
        const resumed = resume(requireAccount(state, caller.user, before.user_id))
        if (snapshot) return { ...resumed, wants_snapshot: true }
        return { ...resumed, wants_snapshot: false, seq: wanted, content_seq: Math.min(before.content_seq, wanted) }
      }),
    )
  },
})

export const replaceEventSubscriptionSecret = endpoint({
  method: 'POST',
  path: '/event_subscriptions/{subscription_id}/secret',
  summary: 'Replaces the secret of an event subscription. For a while, both secrets sign.',
  callers: 'account',
  keyScope: 'administer',
  params: {
    subscription_id,
    overlap_secs: int({ min: 0, max: MAX_OVERLAP_SECS })
      .default(86_400)
      .describe('for how many seconds the former secret signs too'),
  },
  response: z.object({ secret: z.string() }),
  errors: [errors.eventSubscriptionDoesNotExist],
  async handle({ caller, state, write, params }) {
    const composeAnswer = (changed: EventSubscription) => ({ secret: showSecret(state, changed) })
    return write.answering(composeAnswer, (keyed) =>
      changeSubscription(keyed, params.subscription_id, (found) => {
        requireControlled(state, caller.user, found)
        return { replaces_secret: params.overlap_secs }
      }),
    )
  },
})

export const testEventSubscription = endpoint({
  method: 'POST',
  path: '/event_subscriptions/{subscription_id}/test',
  summary: 'Sends a test to the receiver, also of a paused subscription. The subscription shows how it ended.',
  callers: 'account',
  keyScope: 'administer',
  params: { subscription_id },
  response: z.object({}),
  errors: [errors.eventSubscriptionDoesNotExist],
  async handle({ caller, state, write, params }) {
    await changeSubscription(write, params.subscription_id, (found) => {
      requireControlled(state, caller.user, found)
      return { test_id: crypto.randomUUID() }
    })
    return {}
  },
})

/** The subscription, if the user may see it. Throws BAD_REQUEST. */
const requireVisible = (state: RealmState, user: UserRow, found: EventSubscription | undefined): EventSubscription => {
  if (found === undefined || !canOversee(state, user, found.user_id)) throw errors.eventSubscriptionDoesNotExist()
  return found
}

/** The subscription, if the user may do everything with it. Throws BAD_REQUEST. */
const requireControlled = (
  state: RealmState,
  user: UserRow,
  found: EventSubscription | undefined,
): EventSubscription => {
  const visible = requireVisible(state, user, found)
  if (!canControl(state, user, visible.user_id)) {
    throw errors.badRequest('Only the account of this event subscription may change it: you may pause or delete it.')
  }
  return visible
}

/** Lets a subscription be delivered. One who controls it agrees to the present credentials of its account. */
const resume = (account: UserRow): SubscriptionPatch => ({
  state: 'active',
  reason: null,
  starts_anew: true,
  key_version: account.key_version,
})

/** Makes a subscription that is broken for one of these reasons active. */
const repair = ({ reason }: EventSubscription, ...reasons: EventSubscription['reason'][]): SubscriptionPatch =>
  reason !== null && reasons.includes(reason) ? { state: 'active', reason: null } : {}

const validateName = (text: string): string => {
  const trimmed = text.trim()
  if (trimmed === '') throw errors.badRequest('{name} must not be blank.', { name: 'name' })
  return trimmed
}

type Filter = Partial<ParamValues<typeof filterParams>>

/** The filter as a profile. What is not given is as before. */
const validateFilter = (state: RealmState, account: UserRow, input: Filter, before?: Profile): Profile =>
  validateProfile(
    state,
    account,
    {
      event_types: (input.event_types === undefined ? before?.event_types : input.event_types) ?? undefined,
      narrow: input.narrow ?? before?.narrow ?? [],
      all_public_streams: input.all_public_streams ?? before?.all_public_streams,
      apply_markdown: input.apply_markdown ?? before?.apply_markdown ?? false,
      client_gravatar: input.client_gravatar ?? before?.client_gravatar,
      client_capabilities: input.client_capabilities ?? before,
      include_subscribers: true,
      slim_presence: false,
    },
    true,
  )

const validateSections = (sections: readonly string[] | undefined): readonly string[] | null => {
  if (sections === undefined) return null
  if (JSON.stringify(sections).length > limits.max_queue_profile_length) {
    throw errors.badRequest('The event types and the narrow of a queue are too long: name fewer.')
  }
  return [...new Set(sections)]
}

const showSecret = (state: RealmState, { realm_id, id, secret_version }: EventSubscription): string =>
  state.deployment.keys.signingSecrets(realm_id, id, secret_version)[0] ?? ''
