/**
 * The property of the live realm: one that was opened before random changes equals one that is opened after them. The
 * same holds for windows of messages.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MessageWindow, openRealm, type Realm } from '../../client/src/realm/index.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { knownMessages, knownRealm } from '../setup/clients/known-realm.js'
import { startRelays } from '../setup/clients/library-client.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'

const who = fc.nat({ max: 3 })
const manager = fc.constantFrom(0, 0, 1)
const channel = fc.nat({ max: 2 })
const topic = fc.constantFrom('greetings', 'plans', '✔ plans', '')
const message = fc.integer({ min: 1, max: 20 })

/** A change by one user. One that is refused changes nothing. */
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('post' as const), who, channel, topic, mention: who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('write' as const), who, to: who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), who, message, mention: who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      who: manager,
      message,
      topic,
      to: fc.option(channel, { nil: undefined }),
      propagate_mode: fc.constantFrom('change_one', 'change_later', 'change_all'),
    }),
  },
  fc.record({ do: fc.constant('delete' as const), who: manager, message }),
  fc.record({ do: fc.constant('react' as const), who, message, method: fc.constantFrom('POST', 'DELETE') }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('flag' as const),
      who,
      messages: fc.array(message, { minLength: 1, maxLength: 5 }),
      op: fc.constantFrom('add', 'remove'),
      flag: fc.constantFrom('read', 'read', 'starred'),
    }),
  },
  fc.record({ do: fc.constant('read all' as const), who }),
  fc.record({ do: fc.constant('subscribe' as const), who, channel, other: who, isPrivate: fc.boolean() }),
  fc.record({ do: fc.constant('unsubscribe' as const), who, channel }),
  fc.record({
    do: fc.constant('channel' as const),
    who: manager,
    channel,
    fields: fc.constantFrom<Record<string, unknown>>(
      { new_name: 'renamed' },
      { description: 'What *it* is for' },
      { is_private: true },
      { is_private: false },
      { is_private: true, history_public_to_subscribers: false },
      { is_archived: true },
      { is_archived: false },
      { can_send_message_group: { new: SystemGroup.administrators } },
      { can_subscribe_group: { new: SystemGroup.everyone } },
      { can_add_subscribers_group: { new: SystemGroup.members } },
      { topics_policy: 'disable_empty_topic' },
      { folder_id: 1 },
      { folder_id: null },
      { is_default_stream: true },
    ),
  }),
  fc.record({ do: fc.constant('policy' as const), who, channel, topic, visibility_policy: fc.nat({ max: 3 }) }),
  fc.record({ do: fc.constant('mute' as const), who, other: who, method: fc.constantFrom('POST', 'DELETE') }),
  fc.record({
    do: fc.constant('settings' as const),
    who,
    fields: fc.constantFrom<Record<string, unknown>>(
      { full_name: 'Another Name' },
      { color_scheme: 2 },
      { timezone: 'Europe/Berlin' },
      { enter_sends: true },
    ),
  }),
  fc.record({
    do: fc.constant('organization' as const),
    who: fc.constant(0),
    fields: fc.constantFrom<Record<string, unknown>>(
      { name: 'Ours' },
      { inline_image_preview: false },
      { waiting_period_threshold: 3 },
    ),
  }),
  fc.record({
    do: fc.constant('role' as const),
    who: fc.constant(0),
    other: who,
    role: fc.constantFrom(200, 400, 600),
  }),
  fc.record({ do: fc.constant('deactivate' as const), who: fc.constant(0), isBack: fc.boolean() }),
  fc.record({ do: fc.constant('status' as const), who, status_text: fc.constantFrom('', 'at lunch') }),
  fc.record({ do: fc.constant('group' as const), who: manager, members: fc.uniqueArray(who, { maxLength: 3 }) }),
  fc.record({
    do: fc.constant('group members' as const),
    who: manager,
    group: fc.nat({ max: 1 }),
    ofGroups: fc.boolean(),
    op: fc.constantFrom('add', 'add', 'delete'),
    id: fc.nat({ max: 3 }),
  }),
  fc.record({
    do: fc.constant('change group' as const),
    who: manager,
    group: fc.nat({ max: 1 }),
    fields: fc.constantFrom<Record<string, unknown>>(
      { description: 'new' },
      { deactivated: false },
      { can_mention_group: { new: SystemGroup.nobody } },
    ),
  }),
  fc.record({ do: fc.constant('deactivate group' as const), who: manager, group: fc.nat({ max: 1 }) }),
  fc.record({
    do: fc.constant('folder' as const),
    who: manager,
    fields: fc.constantFrom<Record<string, unknown>>({ name: 'Shelf' }, { is_archived: true }, { is_archived: false }),
  }),
  fc.record({
    do: fc.constant('subscription' as const),
    who,
    channel,
    change: fc.constantFrom<Record<string, unknown>>(
      { property: 'is_muted', value: true },
      { property: 'is_muted', value: false },
      { property: 'pin_to_top', value: true },
      { property: 'color', value: '#112233' },
    ),
  }),
  fc.record({
    do: fc.constant('alert word' as const),
    who,
    method: fc.constantFrom('POST', 'DELETE'),
    word: fc.constantFrom('hello', 'now'),
  }),
  fc.record({
    do: fc.constant('view' as const),
    who,
    call: fc.constantFrom<readonly [method: string, path: string, params: Record<string, unknown>]>(
      ['POST', '/navigation_views', { fragment: 'narrow/is/unread', is_pinned: true, name: 'Unread' }],
      ['PATCH', '/navigation_views/narrow/is/unread', { name: 'New', is_pinned: false }],
      ['DELETE', '/navigation_views/narrow/is/unread', {}],
    ),
  }),
  fc.record({ do: fc.constant('bot' as const), who }),
  fc.record({ do: fc.constant('change bot' as const), who: manager, isActive: fc.boolean() }),
  fc.record({ do: fc.constant('poll' as const), who, channel }),
  fc.record({ do: fc.constant('vote' as const), who, message }),
  fc.record({ do: fc.constant('delete topic' as const), who: manager, channel, topic }),
  fc.record({ do: fc.constant('read topic' as const), who, channel, topic }),
  fc.record({ do: fc.constant('draft' as const), who }),
  fc.record({
    do: fc.constant('administration' as const),
    who: fc.constant(0),
    of: fc.constantFrom('domain', 'subdomains', 'no domain', 'default channels', 'playground', 'defaults'),
  }),
  fc.record({ do: fc.constant('onboarding step' as const), who }),
  fc.record({ do: fc.constant('change draft' as const), who, draft: fc.nat({ max: 3 }), isGone: fc.boolean() }),
)
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

/** The narrows of the windows that are compared. */
const narrows = (people: readonly Person[]) => [
  [],
  [{ operator: 'channel', operand: 1 }],
  [
    { operator: 'channel', operand: 1 },
    { operator: 'topic', operand: 'plans' },
  ],
  [{ operator: 'dm', operand: [people[1]?.user_id as number] }],
  [{ operator: 'sender', operand: people[0]?.user_id as number }],
  [{ operator: 'search', operand: 'hello' }],
  [{ operator: 'is', operand: 'resolved' }],
]

/** The ids of the groups that exist before the changes; later ones follow. */
const firstGroup = SystemGroup.internet + 1

/** People who change nothing themselves. */
interface Others {
  leaver: Person
  robot: Person
}

const perform = async (
  people: readonly Person[],
  { leaver, robot }: Others,
  step: Change,
  count: number,
): Promise<unknown> => {
  const at = (index: number) => people[index] as Person
  const actor = at(step.who)
  switch (step.do) {
    case 'post': {
      const content = `hello @**${at(step.mention).full_name}** ${count}`
      return call(actor, 'POST', '/messages', { type: 'stream', to: [step.channel + 1], topic: step.topic, content })
    }
    case 'write':
      return call(actor, 'POST', '/messages', { type: 'direct', to: [at(step.to).user_id], content: `hi ${count}` })
    case 'edit':
      return call(actor, 'PATCH', `/messages/${step.message}`, { content: `now @**${at(step.mention).full_name}**` })
    case 'move': {
      const { topic, to, propagate_mode } = step
      const stream_id = to === undefined ? undefined : to + 1
      return call(actor, 'PATCH', `/messages/${step.message}`, { topic, stream_id, propagate_mode })
    }
    case 'delete':
      return call(actor, 'DELETE', `/messages/${step.message}`)
    case 'react':
      return call(actor, step.method, `/messages/${step.message}/reactions`, { emoji_name: 'tada' })
    case 'flag': {
      const { messages, op, flag } = step
      return call(actor, 'POST', '/messages/flags', { messages, op, flag })
    }
    case 'read all':
      return call(actor, 'POST', '/mark_all_as_read')
    case 'subscribe':
      return call(actor, 'POST', '/users/me/subscriptions', {
        subscriptions: [{ name: `channel ${step.channel}` }],
        principals: [at(step.other).user_id, actor.user_id],
        invite_only: step.isPrivate,
      })
    case 'unsubscribe':
      return call(actor, 'DELETE', '/users/me/subscriptions', { subscriptions: [`channel ${step.channel}`] })
    case 'channel':
      return step.fields.is_archived === true
        ? call(actor, 'DELETE', `/streams/${step.channel + 1}`)
        : call(actor, 'PATCH', `/streams/${step.channel + 1}`, step.fields)
    case 'policy': {
      const { topic, visibility_policy } = step
      return call(actor, 'POST', '/user_topics', { stream_id: step.channel + 1, topic, visibility_policy })
    }
    case 'mute':
      return call(actor, step.method, `/users/me/muted_users/${at(step.other).user_id}`)
    case 'settings':
      return call(actor, 'PATCH', '/settings', step.fields)
    case 'organization':
      return call(actor, 'PATCH', '/realm', step.fields)
    case 'role':
      return step.other === 0
        ? Promise.resolve()
        : call(actor, 'PATCH', `/users/${at(step.other).user_id}`, { role: step.role })
    case 'deactivate':
      return step.isBack
        ? call(actor, 'POST', `/users/${leaver.user_id}/reactivate`)
        : call(actor, 'DELETE', `/users/${leaver.user_id}`)
    case 'status':
      return call(actor, 'POST', '/users/me/status', { status_text: step.status_text })
    case 'group': {
      const members = step.members.map((index) => at(index).user_id)
      return call(actor, 'POST', '/user_groups/create', { name: `group ${count}`, description: '', members })
    }
    case 'group members': {
      const { group, ofGroups, op, id } = step
      const endpoint = `/user_groups/${firstGroup + group}/${ofGroups ? 'subgroups' : 'members'}`
      return call(actor, 'POST', endpoint, { [op]: [ofGroups ? firstGroup + id : at(id).user_id] })
    }
    case 'change group':
      return call(actor, 'PATCH', `/user_groups/${firstGroup + step.group}`, step.fields)
    case 'deactivate group':
      return call(actor, 'POST', `/user_groups/${firstGroup + step.group}/deactivate`)
    case 'folder':
      return call(actor, 'PATCH', '/channel_folders/1', step.fields)
    case 'subscription': {
      const subscription_data = [{ stream_id: step.channel + 1, ...step.change }]
      return call(actor, 'POST', '/users/me/subscriptions/properties', { subscription_data })
    }
    case 'alert word':
      return call(actor, step.method, '/users/me/alert_words', { alert_words: [step.word] })
    case 'view':
      return call(actor, ...step.call)
    case 'bot':
      return call(actor, 'POST', '/bots', { full_name: `Bot ${count}`, short_name: `bot${count}`, bot_type: 1 })
    case 'change bot':
      return step.isActive
        ? call(actor, 'POST', `/users/${robot.user_id}/reactivate`)
        : call(actor, 'DELETE', `/bots/${robot.user_id}`)
    case 'poll':
      return call(actor, 'POST', '/messages', {
        type: 'stream',
        to: [step.channel + 1],
        topic: 'greetings',
        content: '/poll Where?\nHere\nThere',
      })
    case 'vote': {
      const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
      return call(actor, 'POST', '/submessage', { message_id: step.message, msg_type: 'widget', content })
    }
    case 'delete topic':
      return call(actor, 'POST', `/streams/${step.channel + 1}/delete_topic`, { topic_name: step.topic })
    case 'read topic':
      return call(actor, 'POST', '/mark_topic_as_read', { stream_id: step.channel + 1, topic_name: step.topic })
    case 'administration':
      return administer(actor, step.of, count)
    case 'onboarding step':
      return call(actor, 'POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' })
    case 'draft': {
      const drafts = [{ type: 'stream', to: [1], topic: 'greetings', content: `draft ${count}` }]
      return call(actor, 'POST', '/drafts', { drafts })
    }
    case 'change draft': {
      const { drafts } = await ok(actor, 'GET', '/drafts')
      const path = `/drafts/${drafts[step.draft % Math.max(drafts.length, 1)]?.id ?? 0}`
      if (step.isGone) return call(actor, 'DELETE', path)
      const draft = { type: 'stream', to: [2], topic: 'plans', content: `changed ${count}` }
      return call(actor, 'PATCH', path, { draft })
    }
  }
}

/** Changes what only administrators change. */
const administer = (by: Person, what: string, count: number): Promise<unknown> => {
  switch (what) {
    case 'domain':
      return call(by, 'POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false })
    case 'subdomains':
      return call(by, 'PATCH', '/realm/domains/example.org', { allow_subdomains: true })
    case 'no domain':
      return call(by, 'DELETE', '/realm/domains/example.org')
    case 'default channels': {
      const group = { group_name: `group ${count}`, description: 'For all', stream_names: ['channel 1'] }
      return call(by, 'POST', '/default_stream_groups/create', group)
    }
    case 'playground': {
      const url_template = 'https://play.example/{code}'
      return call(by, 'POST', '/realm/playgrounds', { name: `${count}`, pygments_language: 'Python', url_template })
    }
    default:
      return call(by, 'PATCH', '/realm/user_settings_defaults', { enter_sends: count % 2 === 0 })
  }
}

/** What exists before the realms are opened: the first of the random changes would find no messages. */
const firstSteps = [0, 1, 2].flatMap((channel): Change[] => [
  { do: 'poll', who: channel, channel },
  { do: 'post', who: 1, channel, topic: 'greetings', mention: 2 },
  { do: 'post', who: 2, channel, topic: 'plans', mention: 3 },
  { do: 'draft', who: channel },
])

const run = async (steps: readonly Change[][]): Promise<void> => {
  await using realm = await newRealm()
  const everyone = await realm.people(
    { full_name: 'Owner', role: 100 },
    { full_name: 'Member' },
    { full_name: 'Other Member' },
    { full_name: 'Guest', role: 600 },
    { full_name: 'Leaver' },
  )
  const people = everyone.slice(0, 4)
  const [robot] = (await realm.people({
    full_name: 'Robot',
    bot: { type: 1, owner_id: everyone[1]?.user_id as number },
  })) as [Person]
  const others = { leaver: everyone[4] as Person, robot }
  await using relays = await startRelays(realm.host)
  for (const n of [0, 1, 2]) {
    const principals = everyone.map(({ user_id }) => user_id)
    await ok(everyone[0], 'POST', '/users/me/subscriptions', { subscriptions: [{ name: `channel ${n}` }], principals })
  }
  await ok(everyone[0], 'POST', '/channel_folders/create', { name: 'Folder' })
  for (const name of ['first', 'second']) {
    const { group_id } = await ok(everyone[0], 'POST', '/user_groups/create', { name, description: '', members: [] })
    expect([firstGroup, firstGroup + 1]).toContain(group_id)
  }
  for (const step of firstSteps) await perform(people, others, step, 0)
  await waitForJobs(realm)

  const open = async (person: Person) => {
    const live = await openRealm(relays.client(person))
    const windows = narrows(people).map((narrow) => live.messages(narrow))
    for (const window of windows) await window.jumpTo('newest')
    return { person, live, windows }
  }
  const old = await Promise.all(people.map(open))

  let count = 0
  for (const step of steps) await Promise.all(step.map((one) => perform(people, others, one, ++count)))
  await waitForJobs(realm)

  for (const { person, live, windows } of old) {
    await receiveMarker(live, person)
    const now = await open(person)
    const failureMessage = `What ${person.full_name} knew differs from what is now.`
    expect(knownRealm(live), failureMessage).toEqual(knownRealm(now.live))
    // Users get no events of messages in channels to which they are not subscribed, also when these move elsewhere.
    const hearsAll = [1, 2, 3].every((id) => live.subscriptions.get().has(id))
    for (const [index, window] of hearsAll ? windows.entries() : []) {
      const narrow = narrows(people)[index] ?? []
      const fresh = now.windows[index] as MessageWindow
      const message = `${person.full_name} ${JSON.stringify(narrow)}`
      // A window may be asking the server about messages whose events it has received.
      await expect.poll(() => knownMessages(window), { message, timeout: 15_000 }).toEqual(knownMessages(fresh))
    }
    live.close()
    now.live.close()
  }
}

/** Waits until the realm has applied everything that was caused before this call. */
const receiveMarker = async (live: Realm, person: Person): Promise<void> => {
  const { saved_snippet_id: id } = await ok(person, 'POST', '/saved_snippets', { title: 'marker', content: 'x' })
  if (live.savedSnippets.get().has(id)) return
  await new Promise<void>((resolve) => {
    const stop = live.savedSnippets.subscribe(() => {
      if (!live.savedSnippets.get().has(id)) return
      stop()
      resolve()
    })
  })
}

describe('The live realm', () => {
  test('A realm that was opened before random changes equals one that is opened after them.', {
    timeout: 300_000,
  }, async () => {
    const steps = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 12 })
    const numRuns = Number(process.env.PROPERTY_RUNS ?? 5)
    await fc.assert(fc.asyncProperty(steps, run), { numRuns, endOnFailure: true, interruptAfterTimeLimit: 200_000 })
  })
})
