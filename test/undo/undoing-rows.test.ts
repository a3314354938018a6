/**
 * Undoing acts on accounts, channels, groups and settings: every client knows the same as before the act, by a new
 * registration and by the events; what was changed since is told, and then nothing is changed.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownOrganization, organizationNames } from '../setup/clients/known-organization.js'
import { createChannel } from '../setup/realm/messages.js'
import { anyGateway, call, gateways, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { type Act, newestAct, planUndo, readActs, takeSnapshots, undo } from '../setup/realm/undoing.js'

const setUp = async () => {
  const world = await newRealmWith('Owner', 'Admin', 'Mia', 'Ned', 'Guest')
  const { realm, owner, admin, mia, ned, guest } = world
  // Notices would be messages that a registration counts.
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  const team = await createChannel(owner, 'team', [owner, admin, mia, ned, guest])
  const secret = await createChannel(owner, 'secret', [owner, mia, guest], { invite_only: true })
  const members = [mia.user_id, ned.user_id]
  const { group_id } = await ok(owner, 'POST', '/user_groups/create', { name: 'crew', description: 'all', members })
  const { group_id: other } = await ok(owner, 'POST', '/user_groups/create', {
    name: 'other',
    description: '',
    members: [],
  })
  const people = [owner, admin, mia, ned, guest]
  return { ...world, people, team, secret, group: group_id, other, ids: people.map(({ user_id }) => user_id) }
}

type World = Awaited<ReturnType<typeof setUp>>

interface Case {
  prepare?: (world: World) => Promise<unknown>
  act: (world: World) => Promise<unknown>
  /** what someone does after the act, so that it cannot be undone */
  change: (world: World) => Promise<unknown>
}

const patchChannel = (by: Person, id: number, params: Record<string, unknown>) =>
  ok(by, 'PATCH', `/streams/${id}` as '/streams/{stream_id}', params)
const patchUser = (by: Person, { user_id }: Person, params: Record<string, unknown>) =>
  ok(by, 'PATCH', `/users/${user_id}` as '/users/{user_id}', params)
const patchGroup = (by: Person, id: number, params: Record<string, unknown>) =>
  ok(by, 'PATCH', `/user_groups/${id}` as '/user_groups/{user_group_id}', params)
const changeMembers = (by: Person, id: number, params: Record<string, unknown>) =>
  ok(by, 'POST', `/user_groups/${id}/members` as '/user_groups/{user_group_id}/members', params)
const principals = (...people: Person[]) => people.map(({ user_id }) => user_id)

const cases: Record<string, Case> = {
  'a mass unsubscribe': {
    act: ({ admin, mia, ned, guest }) =>
      ok(admin, 'DELETE', '/users/me/subscriptions', {
        subscriptions: ['team'],
        principals: principals(mia, ned, guest),
      }),
    change: ({ ned }) => ok(ned, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'team' }] }),
  },
  'a mass subscribe': {
    prepare: ({ owner }) => createChannel(owner, 'news', [owner]),
    act: ({ owner, mia, ned }) =>
      ok(owner, 'POST', '/users/me/subscriptions', {
        subscriptions: [{ name: 'news' }],
        principals: principals(mia, ned),
        send_new_subscription_messages: false,
      }),
    change: ({ mia }) => ok(mia, 'DELETE', '/users/me/subscriptions', { subscriptions: ['news'] }),
  },
  'a removal from a private channel': {
    act: ({ owner, mia, guest }) =>
      ok(owner, 'DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: principals(mia, guest) }),
    change: ({ owner, guest }) => ok(owner, 'DELETE', `/users/${guest.user_id}` as '/users/{user_id}'),
  },
  'a new role': {
    act: ({ owner, mia }) => patchUser(owner, mia, { role: 200 }),
    change: ({ owner, mia }) => patchUser(owner, mia, { role: 300 }),
  },
  'a member who became a guest': {
    act: ({ owner, mia }) => patchUser(owner, mia, { role: 600 }),
    change: ({ owner, mia }) => patchUser(owner, mia, { role: 400 }),
  },
  'a new name': {
    act: ({ admin, mia }) => patchUser(admin, mia, { full_name: 'Mary' }),
    change: ({ mia }) => ok(mia, 'PATCH', '/settings', { full_name: 'Maria' }),
  },
  'a deactivated account': {
    act: ({ admin, ned }) => ok(admin, 'DELETE', `/users/${ned.user_id}` as '/users/{user_id}'),
    change: ({ admin, ned }) => ok(admin, 'POST', `/users/${ned.user_id}/reactivate` as '/users/{user_id}/reactivate'),
  },
  'an archived channel': {
    prepare: ({ owner, team }) => ok(owner, 'POST', '/default_streams', { stream_id: team }),
    act: ({ owner, team }) => ok(owner, 'DELETE', `/streams/${team}` as '/streams/{stream_id}'),
    change: ({ owner, team }) => patchChannel(owner, team, { is_archived: false }),
  },
  'an unarchived channel': {
    prepare: ({ owner, team }) => ok(owner, 'DELETE', `/streams/${team}` as '/streams/{stream_id}'),
    act: ({ owner, team }) => patchChannel(owner, team, { is_archived: false }),
    change: ({ owner, team }) => ok(owner, 'DELETE', `/streams/${team}` as '/streams/{stream_id}'),
  },
  'properties and permissions of a channel': {
    act: ({ owner, team, ned }) =>
      patchChannel(owner, team, {
        new_name: 'squad',
        description: 'new',
        message_retention_days: 30,
        can_send_message_group: { new: { direct_members: [ned.user_id], direct_subgroups: [] } },
        can_administer_channel_group: { new: 2 },
      }),
    change: ({ owner, team }) => patchChannel(owner, team, { description: 'newer' }),
  },
  'a channel that became private': {
    act: ({ owner, team }) => patchChannel(owner, team, { is_private: true }),
    change: ({ owner, team }) => patchChannel(owner, team, { is_private: false }),
  },
  'a channel that became public': {
    act: ({ owner, secret }) => patchChannel(owner, secret, { is_private: false, history_public_to_subscribers: true }),
    change: ({ owner, secret }) => patchChannel(owner, secret, { is_private: true }),
  },
  'members of a group': {
    act: ({ owner, group, mia, admin, other }) =>
      changeMembers(owner, group, { delete: principals(mia), add: principals(admin), add_subgroups: [other] }),
    change: ({ owner, group, mia }) => changeMembers(owner, group, { add: principals(mia) }),
  },
  'properties of a group': {
    act: ({ owner, group }) =>
      patchGroup(owner, group, { name: 'makers', description: 'some', can_mention_group: { new: 3 } }),
    change: ({ owner, group }) => patchGroup(owner, group, { name: 'takers' }),
  },
  'a deactivated group': {
    act: ({ owner, group }) =>
      ok(owner, 'POST', `/user_groups/${group}/deactivate` as '/user_groups/{user_group_id}/deactivate'),
    change: ({ owner, group }) => patchGroup(owner, group, { deactivated: false }),
  },
  'settings of the organization': {
    act: ({ owner, group, team }) =>
      ok(owner, 'PATCH', '/realm', {
        name: 'New name',
        description: 'new',
        message_content_edit_limit_seconds: 'unlimited',
        enable_read_receipts: false,
        can_create_public_channel_group: { new: group },
        new_stream_announcements_stream_id: team,
        message_retention_days: 100,
        default_language: 'de',
      }),
    change: ({ owner }) => ok(owner, 'PATCH', '/realm', { enable_read_receipts: true }),
  },
  'defaults of new accounts': {
    act: ({ owner }) => ok(owner, 'PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: true }),
    change: ({ owner }) => ok(owner, 'PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: false }),
  },
  'a default channel': {
    act: ({ owner, team }) => ok(owner, 'POST', '/default_streams', { stream_id: team }),
    change: ({ owner, team }) => ok(owner, 'DELETE', '/default_streams', { stream_id: team }),
  },
  'a linkifier that was removed': {
    prepare: ({ owner }) =>
      ok(owner, 'POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }),
    act: ({ owner }) => ok(owner, 'DELETE', '/realm/filters/1' as '/realm/filters/{filter_id}'),
    change: ({ owner }) =>
      ok(owner, 'POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }),
  },
  'a mail domain that was removed': {
    prepare: ({ owner }) => ok(owner, 'POST', '/realm/domains', { domain: 'example.com', allow_subdomains: true }),
    act: ({ owner }) => ok(owner, 'DELETE', '/realm/domains/example.com' as '/realm/domains/{domain}'),
    change: ({ owner }) => ok(owner, 'POST', '/realm/domains', { domain: 'example.com', allow_subdomains: false }),
  },
  'a renamed and archived folder': {
    prepare: ({ owner }) => ok(owner, 'POST', '/channel_folders/create', { name: 'old', description: 'd' }),
    act: ({ owner }) =>
      ok(owner, 'PATCH', '/channel_folders/1' as '/channel_folders/{channel_folder_id}', {
        name: 'new',
        is_archived: true,
      }),
    change: ({ owner }) =>
      ok(owner, 'PATCH', '/channel_folders/1' as '/channel_folders/{channel_folder_id}', { name: 'newer' }),
  },
}

const watch = async (person: Person, host: string) => {
  const params = { client_gravatar: false, fetch_event_types: organizationNames, client_capabilities: capabilities }
  const url = anyGateway()
  const snapshot = (await call(person, 'POST', '/register', params, { url })).body
  const { queue_id, last_event_id } = snapshot
  const client = new KnownOrganization(structuredClone(snapshot), host, false)
  return {
    client,
    async catchUp() {
      await ok(person, 'GET', '/users/me', {}, { url })
      const { body } = await call(person, 'GET', '/events', { queue_id, last_event_id, dont_block: true }, { url })
      for (const event of (body.events ?? []) as Parameters<KnownOrganization['apply']>[0][]) client.apply(event)
      const now = (await call(person, 'POST', '/register', params)).body
      return new KnownOrganization(now, host, false)
    },
  }
}

const capabilities = { notification_settings_null: true, archived_channels: true, include_deactivated_groups: true }

/** What clients know, without the versions of pictures, which only grow. */
const comparable = (snapshots: readonly unknown[]) =>
  JSON.parse(
    JSON.stringify(snapshots, (name, value) => (/^avatar_(url|version|url_medium)$/.test(name) ? undefined : value)),
  )

test.for(Object.entries(cases))('An owner undoes %s: every client knows the same as before.', async ([, given]) => {
  await using world = await setUp()
  const { owner, mia, people, realm } = world
  await given.prepare?.(world)
  const before = comparable(await takeSnapshots(people))
  const watcher = await watch(mia, realm.host)
  await given.act(world)
  const act = await newestAct(owner)
  expect(act).toMatchObject({ can_undo: true, undone_by: null })
  expect(comparable(await takeSnapshots(people))).not.toEqual(before)
  expect(await planUndo(owner, act.id)).toMatchObject({
    act_ids: [act.id],
    can_undo: true,
    obstacle: null,
    changed_since: [],
  })
  expect(await undo(owner, act.id)).toMatchObject({ status: 200, body: { act_ids: [act.id] } })
  expect(comparable(await takeSnapshots(people))).toEqual(before)
  const now = await watcher.catchUp()
  expect(watcher.client.known()).toEqual(now.known())
  const [newest, undone] = await readActs(owner)
  expect(newest).toMatchObject({ undoes: act.id, action: 'POST /realm/audit_log/{act_id}/undo', can_undo: true })
  expect(undone).toMatchObject({ id: act.id, undone_by: newest?.id, can_undo: false })
  expect((await undo(owner, act.id)).body).toMatchObject({ code: 'ACT_ALREADY_UNDONE' })
})

test.for(Object.entries(cases))(
  'After a later change of %s, an undo changes nothing and lists it.',
  async ([, given]) => {
    await using world = await setUp()
    const { owner, people } = world
    await given.prepare?.(world)
    await given.act(world)
    const act = await newestAct(owner)
    await given.change(world)
    const before = await takeSnapshots(people)
    const plan = await planUndo(owner, act.id)
    expect(plan.can_undo).toBe(false)
    const { status, body } = await undo(owner, act.id)
    if (plan.changed_since.length > 0) {
      expect(status).toBe(409)
      expect(body).toMatchObject({ code: 'CHANGED_SINCE_ACT', changed_since: plan.changed_since })
    } else {
      expect(body).toMatchObject({ result: 'error', msg: plan.obstacle })
    }
    expect(await takeSnapshots(people)).toEqual(before)
  },
)

/** Cases that need no state which others exclude. */
const combinable = Object.keys(cases).filter((name) => name !== 'an unarchived channel')

test('Random acts that are undone in reverse order lead every client back to what it knew.', {
  timeout: 120_000,
}, async () => {
  const run = async (chosen: readonly string[]) => {
    await using world = await setUp()
    const { owner, mia, people, realm } = world
    const given = chosen.map((name) => cases[name] as Case)
    for (const { prepare } of given) await prepare?.(world)
    const before = comparable(await takeSnapshots(people))
    const watcher = await watch(mia, realm.host)
    const done: Act[] = []
    let last = await newestAct(owner)
    for (const { act } of given) {
      // Another act can have made this one impossible, or have done the same.
      await act(world).catch(() => {})
      const newest = await newestAct(owner)
      if (newest.id !== last.id) done.push(newest)
      last = newest
    }
    for (const { id, changes } of done.reverse()) {
      const { status, body } = await undo(owner, id)
      expect(status, JSON.stringify({ chosen, changes, body })).toBe(200)
    }
    expect(comparable(await takeSnapshots(people)), chosen.join()).toEqual(before)
    const now = await watcher.catchUp()
    expect(watcher.client.known(), chosen.join()).toEqual(now.known())
  }
  // After these two, nobody may take back what came before: the settings let nobody make a channel public, and nobody
  // reads an archived one. So they come last, and are taken back first.
  const last = ['settings of the organization', 'an archived channel']
  const acts = fc
    .shuffledSubarray(combinable, { minLength: 5 })
    .map((names) => [...names.filter((name) => !last.includes(name)), ...last.filter((name) => names.includes(name))])
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 4)
  await fc.assert(fc.asyncProperty(acts, run), { numRuns, endOnFailure: true, interruptAfterTimeLimit: 90_000 })
})

test('An act of three thousand subscriptions is undone by one call, in parts, while members go on writing.', async () => {
  await using world = await setUp()
  const { realm, owner, mia, team } = world
  const many = await realm.people(...Array.from({ length: 1_000 }, (_, i) => ({ full_name: `Person ${i}` })))
  const ids = principals(...many)
  const subscriptions = ['c1', 'c2', 'c3'].map((name) => ({ name }))
  await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions })
  await ok(owner, 'POST', '/users/me/subscriptions', {
    subscriptions,
    principals: ids,
    send_new_subscription_messages: false,
  })
  const count = async () => {
    const rows = await realm.sql<{ count: number }[]>`
      select count(*)::int from subscriptions
      where realm_id = ${realm.realm_id} and user_id = any(${ids}::int[]) and active`
    return rows[0]?.count
  }
  expect(await count()).toBe(3_000)
  await ok(owner, 'DELETE', '/users/me/subscriptions', { subscriptions: ['c1', 'c2', 'c3'], principals: ids })
  expect(await count()).toBe(0)
  const act = await newestAct(owner)
  const plan = await planUndo(owner, act.id)
  expect(plan).toMatchObject({ can_undo: true, remains: ['delivered', 'read_state'] })
  expect(plan.act_ids.length).toBeGreaterThan(1)
  expect(plan.changes.at(-1)).toMatchObject({ table: 'omitted', key: { count: 2_800 } })
  const [{ body }] = await Promise.all([
    undo(owner, act.id),
    ok(mia, 'POST', '/messages', { type: 'stream', to: team, topic: 't', content: 'meanwhile' }),
  ])
  expect(body).toMatchObject({ act_ids: plan.act_ids })
  expect(await count()).toBe(3_000)
  expect((await undo(owner, plan.act_ids.at(-1) as number)).body).toMatchObject({ code: 'ACT_ALREADY_UNDONE' })
  const undoing = await newestAct(owner)
  expect((await planUndo(owner, undoing.id)).act_ids).toHaveLength(plan.act_ids.length)
})

test('Of many callers at once, over several gateways, one undoes an act.', async () => {
  await using world = await setUp()
  const { realm, owner, mia } = world
  const [second] = (await realm.people({ full_name: 'Second', role: 100 })) as [Person]
  await patchUser(owner, mia, { role: 300 })
  const act = await newestAct(owner)
  const urls = [...gateways(), ...gateways()]
  const answers = await Promise.all(urls.map((url, i) => undo(i % 2 === 0 ? owner : second, act.id, url)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['ACT_ALREADY_UNDONE']))
  expect((await readActs(owner)).filter(({ undoes }) => undoes === act.id)).toHaveLength(1)
})

test('An undo is undone like any other act.', async () => {
  await using world = await setUp()
  const { owner, mia } = world
  await patchUser(owner, mia, { role: 300 })
  const act = await newestAct(owner)
  expect((await undo(owner, act.id)).status).toBe(200)
  expect((await undo(owner, (await newestAct(owner)).id)).status).toBe(200)
  const { user } = await ok(owner, 'GET', `/users/${mia.user_id}` as '/users/{user_id}')
  expect(user).toMatchObject({ role: 300 })
})

test('Another setting that was changed since is no reason to refuse, and keeps its value.', async () => {
  await using world = await setUp()
  const { owner } = world
  await ok(owner, 'PATCH', '/realm', { enable_read_receipts: false })
  const act = await newestAct(owner)
  await ok(owner, 'PATCH', '/realm', { default_language: 'fr' })
  expect((await undo(owner, act.id)).status).toBe(200)
  const realm = await ok(owner, 'POST', '/register', { fetch_event_types: ['realm'] })
  expect(realm).toMatchObject({ realm_enable_read_receipts: true, realm_default_language: 'fr' })
})

test('Users undo their own acts, and only owners those of others.', async () => {
  await using world = await setUp()
  const { owner, admin, mia, ned, team } = world
  await patchChannel(owner, team, { description: 'by the owner' })
  const ofOwner = await newestAct(owner)
  await patchChannel(admin, team, { description: 'by the administrator' })
  const ofAdmin = await newestAct(owner)
  for (const by of [mia, ned]) {
    expect((await undo(by, ofAdmin.id)).body).toMatchObject({ code: 'BAD_REQUEST', msg: 'There is no such act.' })
    expect((await call(by, 'GET', `/realm/audit_log/${ofAdmin.id}/undo`)).status).toBe(400)
  }
  expect((await undo(admin, ofOwner.id)).body).toMatchObject({ msg: 'There is no such act.' })
  expect((await undo(admin, 999_999_999)).body).toMatchObject({ msg: 'There is no such act.' })
  expect((await undo(admin, ofAdmin.id)).status).toBe(200)
  // The owner's act is as it was left again.
  expect((await undo(owner, ofOwner.id)).status).toBe(200)
})

test('Who may not do the inverse act any more does not undo it.', async () => {
  await using world = await setUp()
  const { owner, admin, mia, ned, team } = world
  await ok(admin, 'DELETE', '/users/me/subscriptions', { subscriptions: ['team'], principals: principals(mia) })
  const act = await newestAct(owner)
  await patchUser(owner, admin, { role: 400 })
  await ok(owner, 'PATCH', '/realm', { can_add_subscribers_group: { new: 2 } })
  const plan = await planUndo(admin, act.id)
  expect(plan).toMatchObject({ can_undo: false, obstacle: expect.any(String) })
  expect((await undo(admin, act.id)).body).toMatchObject({ result: 'error', msg: plan.obstacle })
  const status = (by: Person, { user_id }: Person) =>
    ok(by, 'GET', `/users/${user_id}/subscriptions/${team}` as '/users/{user_id}/subscriptions/{stream_id}')
  expect(await status(owner, mia)).toMatchObject({ is_subscribed: false })
  expect(await status(owner, ned)).toMatchObject({ is_subscribed: true })
  expect((await undo(owner, act.id)).status).toBe(200)
  expect(await status(owner, mia)).toMatchObject({ is_subscribed: true })
})

test('A user who is no owner is not told which values others have set since.', async () => {
  await using world = await setUp()
  const { owner, admin, team } = world
  await patchChannel(admin, team, { description: 'first' })
  const act = await newestAct(owner)
  await patchChannel(owner, team, { description: 'second' })
  expect((await planUndo(owner, act.id)).changed_since).toMatchObject([{ column: 'description', now: 'second' }])
  expect((await planUndo(admin, act.id)).changed_since).toMatchObject([
    { column: 'description', left: null, now: null },
  ])
  expect(JSON.stringify((await undo(admin, act.id)).body)).not.toContain('second')
})

test('What an earlier release recorded, what is old and what has no inverse is refused with a code.', async () => {
  await using world = await setUp()
  const { realm, owner, mia } = world
  const expectRefused = async () => {
    const act = await newestAct(owner)
    expect(act.can_undo).toBe(false)
    expect((await undo(owner, act.id)).body).toMatchObject({ code: 'ACT_NOT_REVERSIBLE' })
    expect((await call(owner, 'GET', `/realm/audit_log/${act.id}/undo`)).body).toMatchObject({
      code: 'ACT_NOT_REVERSIBLE',
    })
  }
  const all = realm.sql`realm_id = ${realm.realm_id}`
  await patchUser(owner, mia, { role: 300 })
  await realm.sql`update audit_log set reversal = null where ${all}`
  await expectRefused()
  await patchUser(owner, mia, { role: 400 })
  await realm.sql`update audit_log set at = at - interval '31 days' where ${all}`
  await expectRefused()
  await createChannel(owner, 'one more', [owner, mia])
  await expectRefused()
  await ok(owner, 'POST', '/users', { email: 'new@example.com', full_name: 'New', password: 'a long and rare one 71' })
  await expectRefused()
})

test('A deactivated account that is undone has its bots again, and its sessions not.', async () => {
  await using world = await setUp()
  const { owner, admin, ned } = world
  const { user_id } = await ok(ned, 'POST', '/bots', { full_name: 'Helper', short_name: 'helper' })
  await ok(admin, 'DELETE', `/users/${ned.user_id}` as '/users/{user_id}')
  const act = await newestAct(owner)
  expect(await planUndo(owner, act.id)).toMatchObject({ remains: ['delivered', 'credentials'] })
  expect((await undo(admin, act.id)).status).toBe(200)
  const { user } = await ok(ned, 'GET', `/users/${user_id}` as '/users/{user_id}')
  expect(user).toMatchObject({ is_active: true, bot_owner_id: ned.user_id })
})
