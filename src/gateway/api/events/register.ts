/**
 * Registration: it creates an event queue, and returns the snapshot to which the queue's events apply.
 *
 * 1. The memory part of the snapshot is taken in one tick, at seq S. The queue's events begin after S.
 * 2. The database part is read later, at seq S' >= S. It already contains the changes of (S, S'], so the queue skips
 *    content entries up to S'. It skips nothing else, so a client neither misses a change nor receives one twice.
 * 3. A queue with a name begins at a stored position, which is older than S, so it has no snapshot.
 *
 * Source: protocol/register.md, protocol/events.md 1.14.
 */
import { z } from 'zod'
import { readServerFacts } from '../../../config/server-facts.js'
import { maySeeBotKeys } from '../../../domain/api-keys/api-keys.js'
import { listGrantedChannels } from '../../../domain/channels/content-access-changes.js'
import { apiFeatureLevel, limits, shownVersion } from '../../../domain/limits/limits.js'
import { eventId, toSeq } from '../../../domain/log/event-id.js'
import { capabilities, type Profile } from '../../../domain/log/profile.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { readsDocumentNames, versionFields } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import {
  type Fragment,
  memberFragments,
  type RawJson,
  rawMembersOfFragments,
} from '../../../domain/protocol/raw-json.js'
import {
  findUnknownTypes,
  queueLifespan,
  validateProfile,
  withoutBotKeys,
} from '../../../domain/register/queue-request.js'
import { anySnapshot, fetchSet, type Snapshot, takeSnapshot } from '../../../domain/register/snapshot.js'
import type { SnapshotRequest } from '../../../domain/register/snapshot-request.js'
import { oneOwner } from '../../../store/fairness/fair-queue.js'
import { openFairQueue } from '../../../store/fairness/fair-queues.js'
import { StaleStateError } from '../../../store/log/log.js'
import type { NewQueue } from '../../../store/register/event-queues.js'
import { type OpenedPosition, openPosition } from '../../../store/register/queue-positions.js'
import { openWithContent } from '../../../store/register/registration-content.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, int, json, str } from '../../call/params.js'
import { parseClientName } from '../../call/user-agent.js'
import { openYieldQueue } from '../../fairness/yield-queue.js'
import { includeSubscribers } from '../channels/channel-params.js'

/** What the client of a queue can read; absent: it cannot. */
export const clientCapabilities = z.object(
  Object.fromEntries(capabilities.map((name) => [name, z.boolean().optional()])) as Record<
    (typeof capabilities)[number],
    z.ZodOptional<z.ZodBoolean>
  >,
)

const params = {
  apply_markdown: bool().default(false).describe('message events carry HTML, not Markdown'),
  client_gravatar: bool().optional().describe('true unless called without credentials'),
  include_subscribers: includeSubscribers(),
  slim_presence: bool().default(false),
  presence_history_limit_days: int({ min: 0 })
    .optional()
    .describe('initial `presences` of users who were connected within so many days; 14 when absent'),
  event_types: json(z.array(z.string()))
    .optional()
    .describe(
      'events of the queue; all when absent. The answer lists names that it does not know in `unknown_event_types`',
    ),
  fetch_event_types: json(z.array(z.string())).optional().describe('initial data; as event_types when absent'),
  all_public_streams: bool().optional().describe('message events of every public channel'),
  client_capabilities: json(clientCapabilities)
    .optional()
    .describe('what the client can read; each is false when it is absent'),
  narrow: json(z.array(z.tuple([z.string(), z.string()]))).default([]),
  queue_lifespan_secs: int()
    .default(0)
    .describe('seconds without use after which the queue may be deleted; 600 when 0'),
  idle_queue_timeout: json(z.union([z.int(), z.literal('mobile')]))
    .optional()
    .describe('the same, for newer clients; `"mobile"`: the longest lifespan of a queue'),
  queue_name: str({ min: 1, max: limits.max_queue_name_length })
    .optional()
    .describe(
      'the name of a position: the events begin after the last one that was acknowledged under this name. ' +
        'No initial data is fetched, because it would be newer than the events',
    ),
}

export const register = endpoint({
  method: 'POST',
  path: '/register',
  ignoresKeys: true,
  summary: 'Creates an event queue and returns the state to which its events apply.',
  callers: 'spectator',
  keyScope: 'read',
  isFrequent: true,
  params,
  example: { event_types: ['message', 'reaction'], fetch_event_types: ['message'] },
  response: anySnapshot.extend({
    queue_id: z.string().nullable(),
    last_event_id: z.int().optional(),
    unknown_event_types: z.array(z.string()).optional(),
    queue_position: z
      .enum(['new', 'continued', 'lost'])
      .optional()
      .describe('with queue_name; lost: events after the position are not stored any more, and it begins anew'),
    api_feature_level: z.int(),
    zulip_feature_level: z.int(),
    zulip_version: z.string(),
    zulip_merge_base: z.string(),
  }),
  errors: [errors.serverBusy, errors.incompatibleParameters],
  barrier: true,
  isHeavy: ({ event_types, fetch_event_types }) => (fetch_event_types ?? event_types)?.length !== 0,
  async handle(call, exchange) {
    const { caller, realm } = call
    const document_names = readsDocumentNames(parseClientName(call.request.fields.client, call.request.userAgent))
    checkNamedQueue(call.params, caller?.user)
    const requested = maySeeBotKeys(caller?.apiKey) ? call.params : hideBotKeys(call.params)
    const profile = validateProfile(call.state, caller?.user, requested, document_names)
    const releaseId = await call.app.releaseId()
    const takeMemory = () => takeSnapshot(composeSnapshotRequest({ ...call, params: requested }, profile, releaseId))
    if (caller === undefined) return composeAnswer({ queue_id: null }, takeMemory().finish({}))

    const lifespan_secs = queueLifespan(call.params)
    const position_name = call.params.queue_name ?? null
    const newQueue = { realm_id: realm.id, user_id: caller.id, profile, lifespan_secs, position_name }
    return registrations.run(oneOwner, async () => {
      // Nobody reads the answer of a client that has given up, which connects again.
      if (exchange?.aborted === true) throw errors.serverBusy({ 'retry-after': 1 })
      await nextPass()
      // The account may have been deactivated while the call waited:
      // the pipeline then runs the call again and refuses it.
      if (call.state.users.get(caller.id)?.is_active !== true) throw new StaleStateError()
      const { queue, sections, ...created } =
        position_name === null
          ? await createQueueWithSnapshot(call, newQueue, takeMemory)
          : await createQueueAtPosition(call, newQueue, position_name, takeMemory)
      const unknown = findUnknownTypes(call.params.event_types)
      return composeAnswer(
        { queue_id: queue.id, ...created, ...(unknown.length === 0 ? {} : { unknown_event_types: unknown }) },
        sections,
      )
    })
  },
})

const registrations = openFairQueue('registrations')
/**
 * In a large organization each part takes milliseconds. Two parts in one pass of the event loop would delay a send by
 * both.
 */
const nextPass = openYieldQueue()

type RegisterCall = Call<typeof params, 'spectator'>

/** What a key may register that may not see the keys of bots (call/key-scope.ts). */
const hideBotKeys = (params: RegisterCall['params']): RegisterCall['params'] => ({
  ...params,
  event_types: withoutBotKeys(params.event_types),
  fetch_event_types: withoutBotKeys(params.fetch_event_types ?? params.event_types),
})

/** Throws BAD_REQUEST for a name that the caller cannot use, or for initial data that would not fit its events. */
const checkNamedQueue = (
  { queue_name, fetch_event_types = [] }: RegisterCall['params'],
  user: UserRow | undefined,
): void => {
  if (queue_name === undefined) return
  if (user === undefined) throw errors.badRequest('Callers without an account cannot ask for queue_name.')
  if (fetch_event_types.length > 0) throw errors.incompatibleParameters({ parameters: 'queue_name, fetch_event_types' })
}

/** Creates a queue whose events begin after the position of its name (store/register/queue-positions.ts). */
const createQueueAtPosition = async (
  { app, realm }: RegisterCall,
  newQueue: Omit<NewQueue, 'id' | 'state_seq'>,
  name: string,
  takeMemory: () => Snapshot,
) => {
  const { sql, queues } = app.store
  const { realm_id, user_id } = newQueue
  const { event_id, status } = await openPosition(sql, { realm_id, user_id, name }, realm.seq)
  const seq = toSeq(event_id)
  const queue = await queues.create({ ...newQueue, state_seq: seq, content_seq: seq })
  return { queue, last_event_id: event_id, queue_position: status, sections: takeMemory().finish({}) }
}

/** After this many attempts a channel's first message between the two parts is ignored. */
const MAX_SNAPSHOT_ATTEMPTS = 5

/**
 * Takes the memory part at `state_seq`, reads the database part at `content_seq`, which may be later, and creates the
 * queue. The statement that writes the queue also reads the database part:
 * with the query of the barrier, a registration is two statements.
 *
 * A channel's first message id is in the memory part, but a message entry sets it. If a first message was sent between
 * the two parts, neither the snapshot nor an event would have its id, so both parts are taken again.
 */
const createQueueWithSnapshot = async (
  { app, realm, params: { presence_history_limit_days: presence_days } }: RegisterCall,
  newQueue: Omit<NewQueue, 'id' | 'state_seq'>,
  takeMemory: () => Snapshot,
) => {
  const { state } = realm
  const { sql, queues, recentMessages } = app.store
  const id = crypto.randomUUID()
  let recent = recentMessages.find(realm)
  for (let round = 1; ; round++) {
    const snapshot = takeMemory()
    const state_seq = state.seq
    // The ids of ephemeral events are above the snapshot too.
    const last_event_id = Math.max(eventId(state_seq), app.hubs.of(realm).lastId())
    if (snapshot.needs.length === 0) {
      const queue = await queues.create({ ...newQueue, state_seq, content_seq: state_seq })
      return { queue, last_event_id, sections: snapshot.finish({}) }
    }
    const inMemory = recent?.describe()
    const loaded = await openWithContent(sql, { id, state_seq, ...newQueue }, snapshot.needs, {
      inMemory,
      presence_days,
      ...(snapshot.needs.includes('starred') ? { granted: listGranted(state, newQueue.user_id) } : {}),
    })
    const { seq: content_seq, content, facts, evicted } = loaded
    await realm.waitForSeq(content_seq)
    if (recent !== undefined && inMemory !== undefined && facts !== undefined) {
      const unread = await recent.composeUnread(newQueue.user_id, content_seq, facts, inMemory)
      if (unread === undefined) {
        // The messages in memory are not those of `content_seq`: the database has them all.
        recent = undefined
        continue
      }
      content.unread_topics = unread
    } else {
      recentMessages.noteExamined(realm, content.unread_topics?.examined ?? 0)
    }
    await nextPass()
    if (state.firstMessagesSeq <= state_seq || round === MAX_SNAPSHOT_ATTEMPTS) {
      const queue = { id, state_seq, content_seq, ...newQueue }
      queues.keep(queue, evicted)
      return { queue, last_event_id, sections: snapshot.finish(content) }
    }
  }
}

const listGranted = (state: RealmState, user_id: number): number[] => {
  const user = state.users.get(user_id)
  return user === undefined ? [] : listGrantedChannels(state, user)
}

/** Composes the answer: the fields of every registration, then the fields of the requested sections. */
const composeAnswer = (
  queue: {
    queue_id: string | null
    last_event_id?: number
    queue_position?: OpenedPosition['status']
    unknown_event_types?: string[]
  },
  sections: readonly (readonly Fragment[])[],
): RawJson => {
  const always = Object.entries({ ...queue, ...versionFields(apiFeatureLevel, shownVersion) }).map(([key, value]) =>
    memberFragments(key, value),
  )
  return rawMembersOfFragments([...always, ...sections])
}

const composeSnapshotRequest = (
  { app: { config }, caller, state, params }: RegisterCall,
  profile: Profile,
  releaseId: number,
): SnapshotRequest => {
  return {
    state,
    // The row of this tick: an entry may have changed the account since the caller was authenticated.
    viewer: caller === undefined ? null : (state.users.get(caller.id) ?? caller.user),
    profile,
    client: caller?.client ?? '',
    include_subscribers: params.include_subscribers !== false,
    server: readServerFacts(config, state, releaseId),
    now: Date.now(),
    ...fetchSet(params.queue_name === undefined ? params.fetch_event_types : [], params.event_types),
  }
}
