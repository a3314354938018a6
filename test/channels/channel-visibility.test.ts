/** The channels that different users can list and fetch. */
import { describe, expect, test } from 'vitest'
import { channelObject } from '../../src/domain/channels/channels.js'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import type { Method } from '../../src/gateway/call/endpoint.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow, updateRealmSettings } from '../setup/realm/row-changes.js'

interface Organization extends AsyncDisposable {
  realm: TestRealm
  owner: Person
  ada: Person
  grace: Person
  guest: Person
  bot: Person
  /** channel IDs by channel name */
  channels: Record<string, number>
}

/**
 * An organization in which Grace created a channel of each kind, except web-public, which the owner created. The guest
 * is subscribed to `public with guest`. Ada, who owns the bot, is subscribed only to `hers`; she may also join
 * `joinable` and administer `administered`.
 */
const organization = async (): Promise<Organization> => {
  const realm = await newRealm()
  const [owner, ada, grace, guest] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada' },
    { full_name: 'Grace' },
    { full_name: 'Guest', role: Role.guest },
  )) as [Person, Person, Person, Person]
  const [bot] = (await realm.people({ full_name: 'Bot', bot: { type: 1, owner_id: ada.user_id } })) as [Person]
  await updateRealmSettings(realm, { enable_spectator_access: true, can_create_web_public_channel_group: 3 })
  const adaOnly = { direct_members: [ada.user_id], direct_subgroups: [] }
  const create = (name: string, params: Record<string, unknown> = {}, by = grace) =>
    ok(by, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
  await create('public')
  await create('public with guest', { principals: [grace.user_id, guest.user_id] })
  await create('web-public', { is_web_public: true }, owner)
  await create('private', { invite_only: true })
  await create('joinable', { invite_only: true, can_subscribe_group: adaOnly })
  await create('administered', { invite_only: true, can_administer_channel_group: adaOnly })
  await create('hers', { invite_only: true, principals: [ada.user_id] })
  await create('archived')
  await updateChannelRow(realm, 'archived', { is_archived: true })
  await realm.realm.barrier()
  const channels = Object.fromEntries([...realm.realm.state.channels.values()].map(({ id, name }) => [name, id]))
  return { realm, owner, ada, grace, guest, bot, channels, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const listed = async (person: Person, params: Record<string, unknown> = {}) => {
  const { streams } = await ok(person, 'GET', '/streams', params)
  return streams.map(({ name }) => name)
}
const none = { include_public: false, include_subscribed: false }

interface Named {
  id: number
  name: string
}

/** A call that names a channel. */
type Form = (channel: Named) => [method: Method, path: string, params?: Record<string, unknown>]

/** Calls that name a channel by id or name, in every form. */
const composeForms = async ({ ada, guest, grace, channels }: Organization): Promise<Form[]> => {
  const own = await postMessage(ada, channels.public as number, 'plans')
  const inGuests = await postMessage(guest, channels['public with guest'] as number, 'plans')
  const narrows: ((channel: Named) => unknown[])[] = ['channel', 'stream'].flatMap((operator) =>
    [({ id }: Named) => id, ({ name }: Named) => name, ({ name }: Named) => name.toUpperCase()].flatMap((operand) =>
      [false, true].flatMap((negated) => [
        (channel: Named) => [{ operator, operand: operand(channel), negated }],
        (channel: Named) => [
          { operator: 'channels', operand: 'web-public' },
          { operator, operand: operand(channel), negated },
        ],
        (channel: Named) => [
          { operator, operand: operand(channel), negated },
          { operator: 'topic', operand: 'plans' },
        ],
      ]),
    ),
  )
  const ranges = { anchor: 'oldest', num_before: 0, num_after: 9 }
  const narrowed = narrows.flatMap((narrow): Form[] => [
    (channel) => ['GET', '/messages', { ...ranges, narrow: narrow(channel) }],
    (channel) => ['GET', '/messages/matches_narrow', { msg_ids: [own, inGuests], narrow: narrow(channel) }],
    (channel) => ['POST', '/messages/flags/narrow', { ...ranges, op: 'add', flag: 'read', narrow: narrow(channel) }],
  ])
  const message = { topic: 'plans', content: 'x' }
  const options = [{}, { invite_only: true }, { is_web_public: true }, { principals: [grace.user_id] }]
  const property = { property: 'color', value: '#ff0000' }
  return [
    ...narrowed,
    ({ name }) => ['GET', '/messages', { ...ranges, narrow: [['stream', name]] }],
    ...['', '/members', '/email_address'].map(
      (end): Form =>
        ({ id }) => ['GET', `/streams/${id}${end}`],
    ),
    ({ id }) => ['GET', `/users/me/${id}/topics`],
    ({ id }) => ['PATCH', `/streams/${id}`, { description: 'x' }],
    ({ id }) => ['DELETE', `/streams/${id}`],
    ({ id }) => ['POST', `/streams/${id}/delete_topic`, { topic_name: 'plans' }],
    ({ name }) => ['GET', '/get_stream_id', { stream: name }],
    ({ id }) => ['GET', `/users/${grace.user_id}/subscriptions/${id}`],
    ...options.flatMap((given): Form[] => [
      ({ name }) => ['POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...given }],
      ({ name }) => [
        'POST',
        '/users/me/subscriptions',
        { subscriptions: [{ name }], authorization_errors_fatal: false, ...given },
      ],
      ({ name }) => ['PATCH', '/users/me/subscriptions', { add: [{ name }], ...given }],
    ]),
    ({ name }) => ['POST', '/channels/create', { name, subscribers: [] }],
    ({ name }) => ['PATCH', '/users/me/subscriptions', { delete: [name] }],
    ({ name }) => ['DELETE', '/users/me/subscriptions', { subscriptions: [name] }],
    ({ name }) => ['DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [grace.user_id] }],
    ({ id }) => ['POST', '/users/me/subscriptions/properties', { subscription_data: [{ stream_id: id, ...property }] }],
    ({ id }) => ['PATCH', `/users/me/subscriptions/${id}`, property],
    ...['add', 'remove'].flatMap((op): Form[] => [
      ({ id }) => ['PATCH', '/users/me/subscriptions/muted_topics', { stream_id: id, topic: 'plans', op }],
      ({ name }) => ['PATCH', '/users/me/subscriptions/muted_topics', { stream: name, topic: 'plans', op }],
    ]),
    ...[0, 1, 2, 3].map(
      (visibility_policy): Form =>
        ({ id }) => ['POST', '/user_topics', { stream_id: id, topic: 'plans', visibility_policy }],
    ),
    ({ id }) => ['POST', '/mark_stream_as_read', { stream_id: id }],
    ({ id }) => ['POST', '/mark_topic_as_read', { stream_id: id, topic_name: 'plans' }],
    ...['stream', 'channel'].flatMap((type): Form[] => [
      ({ id }) => ['POST', '/messages', { type, to: id, ...message }],
      ({ name }) => ['POST', '/messages', { type, to: name, ...message }],
      ({ name }) => ['POST', '/messages', { type, to: [name], ...message }],
      ({ id }) => ['POST', '/typing', { type, op: 'start', stream_id: id, topic: 'plans' }],
      ({ id }) => [
        'POST',
        '/scheduled_messages',
        { type, to: id, ...message, scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600 },
      ],
    ]),
    ({ id }) => ['POST', '/drafts', { drafts: [{ type: 'stream', to: [id], ...message }] }],
    ({ id }) => ['POST', '/invites', { invitee_emails: 'new@example.org', stream_ids: [id] }],
    ({ id }) => ['POST', '/invites/multiuse', { stream_ids: [id] }],
    ...[own, inGuests].map(
      (moved): Form =>
        ({ id }) => ['PATCH', `/messages/${moved}`, { stream_id: id }],
    ),
    ({ name }) => ['POST', '/messages/render', { content: `#**${name}** #**${name}>plans**` }],
    ({ name }) => ['PATCH', `/bots/999999`, { default_sending_stream: name }],
    ({ name }) => ['POST', '/bots', { full_name: 'New', short_name: 'new', default_sending_stream: name }],
    ({ name }) => ['POST', '/bots', { full_name: 'New', short_name: 'new', default_events_register_stream: name }],
    ({ id }) => ['POST', '/default_streams', { stream_id: id }],
    ({ name }) => ['POST', '/register', { event_types: ['message'], narrow: [['channel', name]] }],
    ({ name }) => ['POST', '/register', { event_types: ['message'], narrow: [['stream', name]] }],
  ]
}

describe('The list of channels', () => {
  test('The list contains the public and the subscribed channels that the caller may see, sorted by name.', async () => {
    await using w = await organization()
    const { ada, grace, guest, owner, bot } = w
    const open = ['public', 'public with guest', 'web-public']
    expect(await listed(ada)).toEqual(['hers', ...open])
    expect(await listed(bot)).toEqual(open)
    expect(await listed(owner)).toEqual(open)
    expect(await listed(grace)).toEqual(['administered', 'joinable', 'private', ...open])
    expect(await listed(guest)).toEqual(['public with guest'])
  })

  test('The list is the union of the sets that the parameters include.', async () => {
    await using w = await organization()
    const { ada, guest, owner, bot } = w
    const everything = ['administered', 'hers', 'joinable', 'private', 'public', 'public with guest', 'web-public']
    expect(await listed(ada, none)).toEqual([])
    expect(await listed(ada, { ...none, include_subscribed: true })).toEqual(['hers'])
    expect(await listed(ada, { ...none, include_all: true })).toEqual(everything.filter((name) => name !== 'private'))
    expect(await listed(ada, { ...none, include_can_access_content: true })).toEqual(
      everything.filter((name) => !['administered', 'private'].includes(name)),
    )
    expect(await listed(owner, { ...none, include_all: true })).toEqual(everything)
    expect(await listed(owner, { ...none, include_all_active: true })).toEqual(everything)
    expect(await listed(owner, { ...none, include_can_access_content: true })).toEqual(everything.slice(4))
    expect(await listed(guest, { ...none, include_web_public: true })).toEqual(['web-public'])
    expect(await listed(guest, { include_all: true })).toEqual(['public with guest', 'web-public'])
    expect(await listed(bot, { ...none, include_owner_subscribed: true })).toEqual(['hers'])
    expect(await listed(ada, { ...none, include_owner_subscribed: true })).toEqual([])
  })

  test('include_default lists the default channels that the caller sees, also for a guest.', async () => {
    await using w = await organization()
    const { owner, grace, guest } = w
    for (const { name, stream_id } of (await ok(owner, 'GET', '/streams')).streams) {
      if (name === 'administered' || !name.includes('public')) continue
      await ok(owner, 'POST', '/default_streams', { stream_id })
    }
    const asked = { ...none, include_default: true }
    expect(await listed(grace, asked)).toEqual(['public', 'public with guest', 'web-public'])
    expect(await listed(guest, asked)).toEqual(['public with guest', 'web-public'])
  })

  test('The list contains archived channels when exclude_archived is false.', async () => {
    await using w = await organization()
    expect(await listed(w.grace, { exclude_archived: false })).toContain('archived')
    expect(await listed(w.ada, { ...none, include_public: true, exclude_archived: false })).toContain('archived')
    await updateChannelRow(w.realm, 'web-public', { is_archived: true })
    const asked = { ...none, include_web_public: true }
    expect(await listed(w.guest, { ...asked, exclude_archived: false })).toEqual(['web-public'])
    expect(await listed(w.guest, asked)).toEqual([])
  })

  test('A member cannot use the older parameter include_all_active.', async () => {
    await using w = await organization()
    const { body } = await call(w.ada, 'GET', '/streams', { include_all_active: true })
    expect(body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Only administrators of the organization may use include_all_active.',
    })
  })
})

describe('Fetching a channel', () => {
  test('A fetched channel equals its object in the list.', async () => {
    await using w = await organization()
    const { stream } = await ok(w.ada, 'GET', `/streams/${w.channels.joinable}`)
    const { streams } = await ok(w.ada, 'GET', '/streams', { include_all: true })
    expect(stream).toEqual(streams.find(({ name }) => name === 'joinable'))
    expect(channelObject.strict().parse(stream)).toMatchObject({ name: 'joinable', subscriber_count: 1 })
  })

  test('Every endpoint answers for a hidden channel as for a channel that does not exist.', async () => {
    await using w = await organization()
    const { ada, bot, guest, channels } = w
    const missing = 4711
    const hidden = [
      [ada, 'private'],
      [bot, 'hers'],
      [guest, 'public'],
      [guest, 'joinable'],
    ] as const
    for (const [person, name] of hidden) {
      const id = channels[name]
      for (const path of ['/streams/ID', '/streams/ID/members', `/users/${w.grace.user_id}/subscriptions/ID`]) {
        const [real, fake] = await Promise.all(
          [id, missing].map((stream_id) => call(person, 'GET', path.replace('ID', String(stream_id)))),
        )
        expect(real).toEqual(fake)
        expect(real).toMatchObject({
          status: 400,
          body: { code: 'BAD_REQUEST', msg: 'There is no channel with this ID, or you may not see it.' },
        })
      }
      const { body } = await call(person, 'GET', '/get_stream_id', { stream: name })
      expect(body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: `There is no channel named “${name}”, or you may not see it.`,
      })
    }
  })

  test('No call tells whether a hidden channel of an id or a name exists.', async () => {
    await using w = await organization()
    const { ada, bot, guest, grace, owner } = w
    const name = 'zanzibar'
    await ok(grace, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true })
    await w.realm.realm.barrier()
    const id = w.realm.realm.state.channelByName(name)?.id as number
    await postMessage(grace, id, 'plans', 'secret')
    const forms = await composeForms(w)
    await updateRealmSettings(w.realm, {
      can_create_public_channel_group: SystemGroup.administrators,
      can_create_private_channel_group: SystemGroup.administrators,
    })
    const hidden = { id, name }
    const missing = { id: 4711, name: 'atlantis' }
    const ask = async (person: Person | undefined, form: Form, channel: Named) => {
      const [method, path, params = {}] = form(channel)
      const caller = person ?? { host: owner.host }
      const { status, body } = await call(caller as Person, method, path, params)
      const { queue_id: _, anchor: __, ...rest } = body
      const shown = JSON.stringify(rest).replaceAll(channel.name, 'NAME').replaceAll(channel.name.toUpperCase(), 'NAME')
      return [status, shown.replaceAll(new RegExp(`\\b${channel.id}\\b`, 'g'), 'ID')]
    }
    const told: unknown[] = []
    for (const [who, person] of Object.entries({ ada, bot, guest, visitor: undefined })) {
      for (const form of forms) {
        const [real, fake] = [await ask(person, form, hidden), await ask(person, form, missing)]
        if (String(real) !== String(fake))
          told.push([who, ...form(hidden), real, fake].map((part) => JSON.stringify(part)).join(' '))
      }
    }
    expect(told).toEqual([])
  }, 60_000)

  test('A former subscriber of a private channel gets an empty page by its id, and does not learn its new name.', async () => {
    await using w = await organization()
    await ok(w.ada, 'DELETE', '/users/me/subscriptions', { subscriptions: ['hers'] })
    const find = (operand: string | number) =>
      call(w.ada, 'GET', '/messages', { anchor: 'newest', num_before: 1, narrow: [{ operator: 'channel', operand }] })
    expect((await find(w.channels.hers as number)).body).toMatchObject({ result: 'success', messages: [] })
    for (const name of ['hers', 'absent']) expect((await find(name)).body).toMatchObject({ code: 'BAD_NARROW' })
  })

  test('A caller finds a channel by its name regardless of case.', async () => {
    await using w = await organization()
    const { stream_id } = await ok(w.ada, 'GET', '/get_stream_id', { stream: 'PUBLIC' })
    expect(stream_id).toBe(w.channels.public)
    const { body } = await call(w.ada, 'GET', '/get_stream_id', { stream: 'absent' })
    expect(body.msg).toBe('There is no channel named “absent”, or you may not see it.')
  })

  test('A user who sees a channel can read its subscribers.', async () => {
    await using w = await organization()
    const { owner, ada, grace, guest, channels } = w
    const members = (person: Person, name: string) => ok(person, 'GET', `/streams/${channels[name]}/members`)
    expect((await members(guest, 'public with guest')).subscribers).toEqual([grace.user_id, guest.user_id])
    expect((await members(guest, 'web-public')).subscribers).toEqual([owner.user_id])
    expect((await members(ada, 'administered')).subscribers).toEqual([grace.user_id])
    expect((await members(owner, 'private')).subscribers).toEqual([grace.user_id])
    const status = (person: Person, user: Person, name: string) =>
      ok(person, 'GET', `/users/${user.user_id}/subscriptions/${channels[name]}`)
    expect((await status(ada, grace, 'public')).is_subscribed).toBe(true)
    expect((await status(ada, owner, 'public')).is_subscribed).toBe(false)
    const { body } = await call(ada, 'GET', `/users/4711/subscriptions/${channels.public}`)
    expect(body.msg).toBe('There is no such user.')
  })
})

describe("The caller's subscriptions", () => {
  test("The caller's subscriptions contain subscribers only on request.", async () => {
    await using w = await organization()
    const read = async (params: Record<string, unknown>) =>
      (await ok(w.guest, 'GET', '/users/me/subscriptions', params)).subscriptions
    const [plain] = await read({})
    expect(plain).toMatchObject({ name: 'public with guest', subscriber_count: 2, pin_to_top: false })
    expect(plain).not.toHaveProperty('subscribers')
    const [full] = await read({ include_subscribers: true })
    expect(full?.subscribers).toEqual([w.grace.user_id, w.guest.user_id])
  })
})

test('The email address of a channel is empty, and a user who cannot read the channel cannot ask for it.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await createChannel(ada, 'secret', [ada], { invite_only: true })
  const address = (by: Person, params = {}) => call(by, 'GET', `/streams/${id}/email_address`, params)
  expect((await address(ada)).body).toMatchObject({ result: 'success', email: '' })
  expect(await readRefusal(address(grace))).toEqual(
    badRequest('There is no channel with this ID, or you may not see it.'),
  )
  const { user_id } = await ok(ada, 'POST', '/bots', { full_name: 'Mailer', short_name: 'mailer' })
  expect((await address(ada, { sender_id: user_id })).status).toBe(200)
  expect(await readRefusal(address(ada, { sender_id: grace.user_id }))).toEqual(badRequest('There is no such bot.'))
})
