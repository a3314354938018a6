/** How many things an account and an organization may have. Each attack sends its requests at once, to all gateways. */
import { describe, expect, test } from 'vitest'
import { emojiCodeToNames } from '../../src/domain/emoji/emoji-table.js'
import { accountLimits, type CountLimit, realmLimits } from '../../src/domain/limits/counts.js'
import { checkRowCounts } from '../../src/domain/limits/row-counts.js'
import { composeInsert, composeUpdate, type RowChange } from '../../src/domain/log/row-changes.js'
import { BotType, Role } from '../../src/domain/log/rows.js'
import type { TableName } from '../../src/domain/log/tables.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { type Answer, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'
import { userRow } from '../setup/realm/rows.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const accountRefusal = ({ most, refusal }: CountLimit) => badRequest(refusal.replace('{most}', String(most)))
const realmRefusal = accountRefusal

const ATTEMPTS = 12
/** How many of the attempts the limit still allows. */
const FREE = 3

/** Sends the attempts at once. @returns how many succeeded; all others must have been refused with `refusal` */
const attack = async (refusal: ReturnType<typeof badRequest>, attempt: (n: number) => Promise<Answer>) => {
  const answers = await Promise.all(Array.from({ length: ATTEMPTS }, (_, n) => attempt(n)))
  const refused = answers.filter(({ status }) => status !== 200)
  for (const answer of refused) expect(await readRefusal(Promise.resolve(answer))).toEqual(refusal)
  return answers.length - refused.length
}

const emojiNames = Object.values(emojiCodeToNames()).map(([name = '']) => name)
const later = Math.floor(Date.now() / 1_000) + 86_400

interface Scene {
  realm: TestRealm
  ada: Person
  grace: Person
  stream_id: number
  message_id: number
}

interface Attack {
  /** Adds rows of Ada to the database. */
  fill(scene: Scene, count: number): Promise<unknown>
  attempt(by: Person, scene: Scene, n: number): Promise<Answer>
}

const attacks: { readonly [K in keyof typeof accountLimits]?: Attack } = {
  bot_storage: {
    fill: ({ realm: { sql, realm_id }, ada }, count) => sql`
      insert into bot_storage (realm_id, user_id, key, value)
      select ${realm_id}, ${ada.user_id}, 'k' || n, '' from generate_series(1, ${count}) n`,
    attempt: (by, _, n) => call(by, 'PUT', '/bot_storage', { storage: { [`one more ${n}`]: '' } }),
  },
  drafts: {
    fill: ({ realm: { sql, realm_id }, ada }, count) => sql`
      insert into drafts (realm_id, user_id, type, "to", topic, content, timestamp)
      select ${realm_id}, ${ada.user_id}, 'private', '{}', '', 'x', 1 from generate_series(1, ${count})`,
    attempt: (by) => call(by, 'POST', '/drafts', { drafts: [{ type: 'private', to: [], topic: '', content: 'x' }] }),
  },
  invitation_links: {
    fill: ({ realm: { sql, realm_id }, ada }, count) => sql`
      insert into invitations (realm_id, email, invited_by, invited_at, expires_at, invited_as, channel_ids, group_ids,
        include_realm_default_subscriptions, notify_referrer_on_join)
      select ${realm_id}, null, ${ada.user_id}, 1, null, 400, '{}', '{}', true, true from generate_series(1, ${count})`,
    attempt: (by) => call(by, 'POST', '/invites/multiuse', {}),
  },
  muted_topics: {
    fill: (scene, count) => fillTopics(scene, count, 1),
    attempt: (by, { stream_id }, n) =>
      call(by, 'POST', '/user_topics', { stream_id, topic: `one more ${n}`, visibility_policy: 1 }),
  },
  navigation_views: {
    fill: ({ realm: { sql, realm_id }, ada }, count) => sql`
      insert into navigation_views (realm_id, user_id, fragment, is_pinned, name)
      select ${realm_id}, ${ada.user_id}, 'f' || n, true, 'n' || n from generate_series(1, ${count}) n`,
    attempt: (by, _, n) =>
      call(by, 'POST', '/navigation_views', { fragment: `view/${n}`, is_pinned: true, name: `View ${n}` }),
  },
  push_devices: {
    fill: ({ realm: { sql, realm_id }, ada }, count) => sql`
      insert into push_devices (realm_id, user_id, kind, token)
      select ${realm_id}, ${ada.user_id}, 'fcm', 't' || n from generate_series(1, ${count}) n`,
    attempt: (by, _, n) => call(by, 'POST', '/users/me/android_gcm_reg_id', { token: `one-more-${n}` }),
  },
  reactions: {
    fill: ({ realm: { sql, realm_id }, ada, message_id }, count) => sql`
      insert into reactions (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
      select ${realm_id}, ${message_id}, ${ada.user_id}, 'unicode_emoji', 'x' || n, 'n' || n
      from generate_series(1, ${count}) n`,
    attempt: (by, { message_id }, n) =>
      call(by, 'POST', `/messages/${message_id}/reactions`, { emoji_name: emojiNames[n] }),
  },
  reminders: {
    fill: ({ realm: { sql, realm_id }, ada, message_id }, count) => sql`
      insert into jobs (realm_id, kind, payload, run_after)
      select ${realm_id}, 'reminder', json_build_object('user_id', ${ada.user_id}::int, 'message_id', ${message_id}::int),
        to_timestamp(${later})
      from generate_series(1, ${count})`,
    attempt: (by, { message_id }) =>
      call(by, 'POST', '/reminders', { message_id, scheduled_delivery_timestamp: later }),
  },
  saved_snippets: {
    fill: ({ realm: { sql, realm_id }, ada }, count) => sql`
      insert into saved_snippets (realm_id, user_id, title, content, date_created)
      select ${realm_id}, ${ada.user_id}, 'x', 'x', 1 from generate_series(1, ${count})`,
    attempt: (by) => call(by, 'POST', '/saved_snippets', { title: 'x', content: 'x' }),
  },
  scheduled_messages: {
    fill: ({ realm: { sql, realm_id }, ada }, count) => sql`
      insert into scheduled_messages (realm_id, user_id, user_ids, topic, content, rendered_content, deliver_at, client,
        realm_url)
      select ${realm_id}, ${ada.user_id}, ${[ada.user_id]}::int[], '', 'x', 'x', ${later}, 'x', 'x'
      from generate_series(1, ${count})`,
    attempt: (by) => {
      const params = { type: 'direct', to: [by.user_id], content: 'x', scheduled_delivery_timestamp: later }
      return call(by, 'POST', '/scheduled_messages', params)
    },
  },
  topic_policies: {
    fill: (scene, count) => fillTopics(scene, count, 3),
    attempt: (by, { stream_id }, n) =>
      call(by, 'POST', '/user_topics', { stream_id, topic: `one more ${n}`, visibility_policy: 3 }),
  },
}

const fillTopics = ({ realm: { sql, realm_id }, ada, stream_id }: Scene, count: number, policy: number) => sql`
  insert into user_topics (realm_id, user_id, channel_id, topic, visibility_policy, last_updated)
  select ${realm_id}, ${ada.user_id}, ${stream_id}, 't' || n, ${policy}, 1 from generate_series(1, ${count}) n`

describe('What an account stores', () => {
  test.each(Object.entries(attacks) as [keyof typeof accountLimits, Attack][])(
    'An account that sends many requests at once stores no more %s than allowed, and others can store theirs.',
    async (kind, { fill, attempt }) => {
      await using realm = await newRealm()
      const owner = { role: Role.owner, settings: neverFollowing }
      const people = await realm.people({ full_name: 'Ada', ...owner }, { full_name: 'Grace', ...owner })
      const [ada, grace] = people as [Person, Person]
      const stream_id = await createChannel(ada, 'design', [ada, grace])
      const scene = { realm, ada, grace, stream_id, message_id: await postMessage(ada, 'design', 'logo') }
      const limit = accountLimits[kind]
      await fill(scene, limit.most - FREE)
      expect(await attack(accountRefusal(limit), (n) => attempt(ada, scene, n))).toBe(FREE)
      expect(await readRefusal(attempt(ada, scene, ATTEMPTS))).toEqual(accountRefusal(limit))
      expect((await attempt(grace, scene, 0)).status).toBe(200)
    },
  )

  test('A user can mute 1,000 users.', async () => {
    await using realm = await newRealm()
    const [ada, grace, alan] = (await realm.people(
      { full_name: 'Ada' },
      { full_name: 'Grace' },
      { full_name: 'Alan' },
    )) as [Person, Person, Person]
    const { most } = accountLimits.muted_users
    const muted_users = Array.from({ length: most - 1 }, (_, n) => ({ id: 1_000_000 + n, timestamp: 1 }))
    await commitRowChanges(realm, [composeInsert('user_mutes', { user_id: ada.user_id, muted_users })])
    await ok(ada, 'POST', `/users/me/muted_users/${grace.user_id}`)
    expect(await readRefusal(call(ada, 'POST', `/users/me/muted_users/${alan.user_id}`))).toEqual(
      accountRefusal(accountLimits.muted_users),
    )
    await ok(ada, 'DELETE', `/users/me/muted_users/${grace.user_id}`)
    await ok(ada, 'POST', `/users/me/muted_users/${alan.user_id}`)
  })
})

describe('Structural rows', () => {
  test('An organization that sends many requests at once gets no more profile fields than allowed.', async () => {
    await using realm = await newRealm()
    const [ada] = (await realm.people({ full_name: 'Ada', role: Role.owner })) as [Person]
    const limit = realmLimits.profile_fields
    await commitRowChanges(
      realm,
      Array.from({ length: limit.most - FREE }, (_, n) => composeInsert('profile_fields', profileField(1_000 + n))),
    )
    const create = (n: number) => call(ada, 'POST', '/realm/profile_fields', { name: `one more ${n}`, field_type: 1 })
    expect(await attack(realmRefusal(limit), create)).toBe(FREE)
    const { custom_fields } = await ok(ada, 'GET', '/realm/profile_fields')
    expect(custom_fields).toHaveLength(limit.most)
    await ok(ada, 'DELETE', `/realm/profile_fields/${custom_fields[0]?.id}`)
    await ok(ada, 'POST', '/realm/profile_fields', { name: 'the last one', field_type: 1 })
  })

  test('A member who sends many requests at once gets no more bots than allowed, and other members can create bots.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
    const limit = accountLimits.bots
    const bots = Array.from({ length: limit.most - FREE }, (_, n) =>
      composeInsert('users', bot(1_000_000 + n, ada.user_id)),
    )
    await commitRowChanges(realm, bots)
    const create = (by: Person, n: number) =>
      call(by, 'POST', '/bots', { full_name: `Robot ${by.user_id} ${n}`, short_name: `robot-${by.user_id}-${n}` })
    expect(await attack(accountRefusal(limit), (n) => create(ada, n))).toBe(FREE)
    expect((await create(grace, 0)).status).toBe(200)
  })

  const profileField = (id: number) => ({
    id,
    name: `field ${id}`,
    field_type: 1,
    hint: '',
    field_data: '',
    position: id,
    required: false,
    editable_by_user: true,
    display_in_profile_summary: false,
  })
  const bot = (id: number, bot_owner_id: number) =>
    userRow(id, { full_name: `Bot ${id}`, is_bot: true, bot_type: BotType.generic, bot_owner_id })

  const named = (id: number) => ({ id, name: `${id}`, description: '', creator_id: null, date_created: 0 })
  /** Event subscriptions are not in memory: a transaction counts them (test/event-subscriptions). */
  type StructuralLimit = Exclude<keyof typeof realmLimits, 'event_subscriptions'>
  /** Rows of each limited table, without an owner where the table has one. */
  const rowMakers: { readonly [K in StructuralLimit]: (builder: StateBuilder, id: number) => unknown } = {
    bots: (builder, id) => builder.user(bot(id, 1_000_000 + id)),
    channel_folders: (builder, id) =>
      builder.put('channel_folders', { ...named(id), rendered_description: '', is_archived: true, position: id }),
    channels: (builder, id) => builder.channel({ id, is_archived: true }),
    default_channel_groups: (builder, id) => builder.put('default_channel_groups', { ...named(id), channel_ids: [] }),
    emoji: (builder, id) =>
      builder.put('emoji', { id, name: `${id}`, author_id: 1_000_000 + id, deactivated: true, file_name: '' }),
    groups: (builder, id) => builder.group({ id, deactivated: true }),
    linkifiers: (builder, id) =>
      builder.put('linkifiers', { id, pattern: `${id}`, url_template: 'https://a', position: id }),
    log_in_methods: (builder, id) =>
      builder.put('log_in_methods', {
        id,
        kind: 'oidc',
        name: `${id}`,
        is_enabled: true,
        options: {},
        sealed_secret: '',
      }),
    playgrounds: (builder, id) =>
      builder.put('playgrounds', { id, name: `${id}`, pygments_language: 'x', url_template: 'https://a' }),
    profile_fields: (builder, id) => builder.put('profile_fields', profileField(id)),
    realm_domains: (builder, id) =>
      builder.put('realm_domains', { id, domain: `${id}.example`, allow_subdomains: true }),
  }

  /** The change that inserts what the maker makes. */
  const insertOf = (table: TableName, make: (builder: StateBuilder, id: number) => unknown, id: number): RowChange =>
    composeInsert(table, make(new StateBuilder(), id) as never)

  test.each(Object.keys(rowMakers) as StructuralLimit[])('An organization has a limit of its number of %s.', (kind) => {
    const table = kind === 'bots' ? 'users' : kind
    const builder = new StateBuilder()
    const { most } = realmLimits[kind]
    for (let n = 1; n < most; n++) rowMakers[kind](builder, 1_000 + n)
    const [one, another] = [500, 501].map((id) => insertOf(table, rowMakers[kind], id)) as [RowChange, RowChange]
    expect(() => checkRowCounts(builder.state, [one])).not.toThrow()
    expect(() => checkRowCounts(builder.state, [one, another])).toThrow(realmRefusal(realmLimits[kind]).msg)
  })

  const owned: { readonly [K in 'bots' | 'channels' | 'emoji' | 'groups']: RowMaker } = {
    bots: (builder, id, owner) => builder.user(bot(id, owner)),
    channels: (builder, id, owner) => builder.channel({ id, creator_id: owner }),
    emoji: (builder, id, owner) =>
      builder.put('emoji', { id, name: `${id}`, author_id: owner, deactivated: false, file_name: '' }),
    groups: (builder, id, owner) => builder.group({ id, creator_id: owner }),
  }
  type RowMaker = (builder: StateBuilder, id: number, owner: number) => unknown

  test.each(Object.keys(owned) as (keyof typeof owned)[])('An account has a limit of its number of %s.', (kind) => {
    const table = kind === 'bots' ? 'users' : kind
    const builder = new StateBuilder()
    const [ada, grace] = [builder.user(), builder.user()]
    const { most } = accountLimits[kind]
    for (let n = 1; n < most; n++) owned[kind](builder, 1_000 + n, ada.id)
    const insert = (id: number, owner: number) => insertOf(table, (other) => owned[kind](other, id, owner), id)
    expect(() => checkRowCounts(builder.state, [insert(500, ada.id), insert(501, grace.id)])).not.toThrow()
    expect(() => checkRowCounts(builder.state, [insert(500, ada.id), insert(501, ada.id)])).toThrow(
      accountRefusal(accountLimits[kind]).msg,
    )
  })

  test('An account that has all the bots that it may have gets no bot of another owner.', () => {
    const builder = new StateBuilder()
    const [ada, grace] = [builder.user(), builder.user()]
    for (let n = 1; n <= accountLimits.bots.most; n++) builder.user(bot(1_000 + n, ada.id))
    const robot = builder.user(bot(500, grace.id))
    const gift = composeUpdate('users', robot, { bot_owner_id: ada.id }) as RowChange
    expect(() => checkRowCounts(builder.state, [gift])).toThrow(accountRefusal(accountLimits.bots).msg)
    const change = composeUpdate('users', robot, { full_name: 'Robot' }) as RowChange
    expect(() => checkRowCounts(builder.state, [change])).not.toThrow()
  })
})
