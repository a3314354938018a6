/**
 * The property on which every client relies: the snapshot at registration, with the events since then, equals the
 * snapshot now.
 *
 * Users run random operations through random gateways, several at once. Every user registers queues with different
 * client capabilities in between.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClientState } from '../setup/clients/client-state.js'
import { readWritten } from '../setup/realm/event-listener.js'
import type { Cursor, WireEvent } from '../setup/realm/event-reader.js'
import { anyGateway, call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const capabilitySets = [
  undefined,
  { notification_settings_null: true, archived_channels: true, empty_topic_name: true, bulk_message_deletion: true },
  { notification_settings_null: false, include_deactivated_groups: true, user_settings_object: true },
]

const takesNull = (set: number) => capabilitySets[set]?.notification_settings_null ?? false

const person = fc.nat({ max: 4 })
/** Most channel operations are for channel administrators, so they are drawn more often. */
const manager = fc.oneof(fc.constantFrom(0, 1, 2), person)
const channel = fc.nat({ max: 3 })
const messages = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 5 })

/** Changes of a channel. Group settings name system groups by their id. */
const change = fc.oneof(
  fc.record(
    { is_private: fc.boolean(), history_public_to_subscribers: fc.boolean() },
    { requiredKeys: ['is_private'] },
  ),
  fc.record({ is_web_public: fc.boolean() }),
  fc.record({ new_name: fc.constantFrom('renamed', 'Renamed', 'another name') }),
  fc.record({ description: fc.constantFrom('', 'What *it* is for'), folder_id: fc.constantFrom(null, 1, 2) }),
  fc.record({ is_default_stream: fc.boolean(), message_retention_days: fc.constantFrom(7, 'unlimited') }),
  fc.record({ topics_policy: fc.constantFrom('inherit', 'disable_empty_topic'), is_archived: fc.constant(false) }),
  fc.record({
    can_create_topic_group: fc.record({ new: fc.constantFrom(6, 7) }),
    can_delete_own_message_group: fc.record({ new: fc.constantFrom(1, 7) }),
    can_resolve_topics_group: fc.record({ new: fc.constantFrom(1, 5) }),
  }),
  fc.record({ is_archived: fc.constant(false), is_private: fc.boolean() }, { requiredKeys: ['is_archived'] }),
  fc.record({ can_send_message_group: fc.constantFrom({ new: 3 }, { new: 7 }, { new: 4 }) }),
  fc.record({ can_subscribe_group: fc.constantFrom({ new: 1 }, { new: 6 }, { new: 5 }) }),
  fc.record({ can_administer_channel_group: fc.constantFrom({ new: 1 }, { new: 6 }) }),
)

/** Operations of users. An operation without permission is refused and must change nothing for any user. */
const operation = fc.oneof(
  fc.record({ do: fc.constant('join' as const), who: person, channel, kind: fc.nat({ max: 4 }), other: person }),
  fc.record({ do: fc.constant('add' as const), who: person, channel, kind: fc.nat({ max: 4 }), other: person }),
  fc.record({ do: fc.constant('leave' as const), who: person, channel }),
  fc.record({ do: fc.constant('remove' as const), who: person, channel, other: person }),
  fc.record({ do: fc.constant('update' as const), who: manager, channel, change }),
  fc.record({ do: fc.constant('update' as const), who: manager, channel, change }),
  fc.record({ do: fc.constant('archive' as const), who: manager, channel, back: fc.boolean() }),
  fc.record({ do: fc.constant('default' as const), who: manager, channel, method: fc.constantFrom('POST', 'DELETE') }),
  fc.record({
    do: fc.constant('set' as const),
    who: person,
    channel,
    property: fc.constantFrom('is_muted', 'in_home_view', 'pin_to_top', 'push_notifications'),
    value: fc.boolean(),
  }),
  fc.record({ do: fc.constant('folder' as const), who: manager, archive: fc.boolean() }),
  fc.record({ do: fc.constant('order folders' as const), who: manager, isReversed: fc.boolean() }),
  fc.record({ do: fc.constant('post' as const), who: person, channel, mention: person }),
  fc.record({ do: fc.constant('write' as const), who: person, other: person, third: person }),
  fc.record({
    do: fc.constant('flag' as const),
    who: person,
    messages,
    op: fc.constantFrom('add', 'remove'),
    flag: fc.constantFrom('read', 'read', 'starred'),
  }),
  fc.record({ do: fc.constant('read all' as const), who: person }),
  fc.record({ do: fc.constant('react' as const), who: person, messages }),
  fc.record({ do: fc.constant('delete' as const), who: person, messages }),
  fc.record({ do: fc.constant('restore' as const), who: fc.constantFrom(0, 1), messages }),
  fc.record({ do: fc.constant('edit' as const), who: person, messages, mention: person }),
  fc.record({
    do: fc.constant('move' as const),
    who: person,
    messages,
    topic: fc.constantFrom(undefined, 't', '✔ t', ''),
    to: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
    propagate_mode: fc.constantFrom('change_one', 'change_later', 'change_all'),
  }),
  fc.record({ do: fc.constant('delete topic' as const), who: fc.constantFrom(0, 1), channel: fc.nat({ max: 9 }) }),
  fc.record({ do: fc.constant('hire' as const), who: fc.constant(0), role: fc.constantFrom(400, 600) }),
  fc.record({ do: fc.constant('register' as const), who: person, capabilities: fc.nat({ max: 2 }) }),
)
type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never

/** Operations that run first: without channels and folders most random operations would be refused. */
const setupOperations: readonly Operation[] = [
  { do: 'folder', who: 0, archive: false },
  { do: 'add', who: 2, channel: 0, kind: 0, other: 4 },
  { do: 'add', who: 2, channel: 1, kind: 1, other: 3 },
  { do: 'add', who: 0, channel: 2, kind: 4, other: 2 },
]

interface Queue extends Cursor {
  who: number
  capabilities: number
  client: ClientState
}

const options = [
  {},
  { invite_only: true },
  { invite_only: true, history_public_to_subscribers: true },
  { is_default_stream: true },
  { is_web_public: true },
] as const

const run = async (steps: readonly Operation[][]): Promise<void> => {
  await using realm = await newRealm()
  const people = await realm.people(
    { full_name: 'Owner', role: 100 },
    { full_name: 'Admin', role: 200 },
    { full_name: 'Member' },
    { full_name: 'Other Member' },
    { full_name: 'Guest', role: 600 },
  )
  const at = (who: number) => people[who] as Person
  const queues: Queue[] = []
  await updateRealmSettings(realm, { enable_spectator_access: true, can_create_web_public_channel_group: 3 })
  let hired = 0
  let folders = 0

  const register = async (who: number, capabilities: number) => {
    const asked = {
      client_gravatar: false,
      include_subscribers: true,
      client_capabilities: capabilitySets[capabilities],
    }
    return ok(at(who), 'POST', '/register', asked)
  }

  const perform = async (step: Operation): Promise<unknown> => {
    const actor = at(step.who)
    switch (step.do) {
      case 'join':
      case 'add':
        return call(actor, 'POST', '/users/me/subscriptions', {
          subscriptions: [{ name: `channel ${step.channel}` }],
          principals: step.do === 'add' ? [at(step.other).user_id, actor.user_id] : undefined,
          ...options[step.kind],
        })
      case 'leave':
        return call(actor, 'DELETE', '/users/me/subscriptions', { subscriptions: [`channel ${step.channel}`] })
      case 'remove': {
        const principals = [at(step.other).user_id]
        return call(actor, 'DELETE', '/users/me/subscriptions', {
          subscriptions: [`channel ${step.channel}`],
          principals,
        })
      }
      case 'update':
        return call(actor, 'PATCH', `/streams/${step.channel + 1}`, step.change)
      case 'archive':
        return step.back
          ? call(actor, 'PATCH', `/streams/${step.channel + 1}`, { is_archived: false })
          : call(actor, 'DELETE', `/streams/${step.channel + 1}`)
      case 'default':
        return call(actor, step.method, '/default_streams', { stream_id: step.channel + 1 })
      case 'set': {
        const { property, value } = step
        const subscription_data = [{ stream_id: step.channel + 1, property, value }]
        return call(actor, 'POST', '/users/me/subscriptions/properties', { subscription_data })
      }
      case 'folder':
        return step.archive
          ? call(actor, 'PATCH', '/channel_folders/1', { is_archived: folders++ % 2 === 0 })
          : call(actor, 'POST', '/channel_folders/create', { name: `Folder ${folders++}`, description: 'of *all*' })
      case 'order folders': {
        const { size } = realm.realm.state.folders
        const order = Array.from({ length: size }, (_, i) => (step.isReversed ? size - i : i + 1))
        return call(actor, 'PATCH', '/channel_folders', { order })
      }
      case 'post': {
        const content = `hello @**${at(step.mention).full_name}**`
        return call(actor, 'POST', '/messages', { type: 'stream', to: `channel ${step.channel}`, topic: 't', content })
      }
      case 'write': {
        const to = [at(step.other).user_id, at(step.third).user_id]
        return call(actor, 'POST', '/messages', { type: 'direct', to, content: 'hi' })
      }
      case 'flag': {
        const { messages, op, flag } = step
        return call(actor, 'POST', '/messages/flags', { messages, op, flag })
      }
      case 'read all':
        return call(actor, 'POST', '/mark_all_as_read')
      case 'react':
        return call(actor, 'POST', `/messages/${step.messages[0]}/reactions`, { emoji_name: 'tada' })
      case 'edit': {
        const content = `hello again @**${at(step.mention).full_name}**`
        return call(actor, 'PATCH', `/messages/${step.messages[0]}`, { content })
      }
      case 'move': {
        const { topic, to, propagate_mode } = step
        const stream_id = to === undefined ? undefined : to + 1
        return call(actor, 'PATCH', `/messages/${step.messages[0]}`, { topic, stream_id, propagate_mode })
      }
      case 'delete':
        return call(actor, 'DELETE', `/messages/${step.messages[0]}`)
      case 'restore':
        return call(actor, 'POST', '/deleted_messages/restore', { message_ids: step.messages })
      case 'delete topic':
        return call(actor, 'POST', `/streams/${step.channel + 1}/delete_topic`, { topic_name: 't' })
      case 'hire': {
        const n = ++hired
        const account = { email: `hired${n}@example.com`, full_name: `Hired ${n}`, password: 'correct horse battery' }
        return call(actor, 'POST', '/users', account)
      }
      case 'register': {
        const { who, capabilities } = step
        const snapshot = await register(who, capabilities)
        const { queue_id, last_event_id } = snapshot
        return queues.push({
          who,
          capabilities,
          queue_id,
          last_event_id,
          client: new ClientState(snapshot, takesNull(capabilities)),
        })
      }
    }
  }

  for (const step of setupOperations) await perform(step)
  for (const who of people.keys()) await perform({ do: 'register', who, capabilities: who % 3 })
  for (const step of steps) {
    for (const outcome of await Promise.all(step.map(perform))) {
      if (typeof outcome === 'object') expect((outcome as { status: number }).status).toBeLessThan(500)
    }
  }
  await waitForJobs(realm.sql, realm.realm_id)
  const wereRestored = steps.flat().some((step) => step.do === 'restore')
  const wereLost = steps.flat().some((step) => step.do.startsWith('delete') || step.do === 'move')

  for (const { who, capabilities, client, ...cursor } of queues) {
    const now = await register(who, capabilities)
    const events: WireEvent[] = []
    for (const url of [anyGateway(), anyGateway()]) {
      const last_event_id = events.at(-1)?.id ?? cursor.last_event_id
      events.push(...(await readWritten(at(who), { queue_id: cursor.queue_id, last_event_id }, url)))
    }
    const before = JSON.stringify(client.known())
    for (const event of events) client.apply(event)
    const failureMessage = `${at(who).full_name}, with capabilities ${capabilities}, knew ${before}, received ${JSON.stringify(events)}`
    const known = new ClientState(now, takesNull(capabilities))
    // A user who has left a channel gets no event when its newest message is deleted, or moved out of their reach.
    const isBehind = (client.maxMessageId ?? 0) > (known.maxMessageId ?? 0) && wereLost
    // The same holds for a message that is restored.
    const isAhead = (client.maxMessageId ?? 0) < (known.maxMessageId ?? 0) && wereRestored
    if (client.maxMessageId === undefined || isBehind || isAhead) client.maxMessageId = known.maxMessageId
    expect(client.known(), failureMessage).toEqual(known.known())
  }
}

/** Resolves when the realm's jobs (notices) are done, so that no further change happens. */
const waitForJobs = async (sql: Awaited<ReturnType<typeof newRealm>>['sql'], realm_id: number): Promise<void> => {
  for (;;) {
    const open = await sql`select 1 from jobs where realm_id = ${realm_id} and done_at is null limit 1`
    if (open.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('A snapshot at registration, with the events since then applied, equals the snapshot now.', {
  timeout: 300_000,
}, async () => {
  const steps = fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 15 })
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 12)
  await fc.assert(fc.asyncProperty(steps, run), { numRuns, endOnFailure: true, interruptAfterTimeLimit: 240_000 })
})
