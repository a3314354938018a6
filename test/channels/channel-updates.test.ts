/** Changing and archiving channels, and default channels: permissions, refusals and events. */
import { describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { listen } from '../setup/realm/event-listener.js'
import type { WireEvent } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { type Answer, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateChannelRow, updateRealmSettings } from '../setup/realm/row-changes.js'

type Name = 'owner' | 'admin' | 'ada' | 'grace' | 'linus' | 'guest'
const names: readonly Name[] = ['owner', 'admin', 'ada', 'grace', 'linus', 'guest']
const roles: Partial<Record<Name, number>> = { owner: Role.owner, admin: Role.administrator, guest: Role.guest }

const setUp = async (settings: Parameters<typeof updateRealmSettings>[1] = {}) => {
  const realm = await newRealm()
  const list = await realm.people(...names.map((name) => ({ full_name: name, role: roles[name] ?? Role.member })))
  const people = Object.fromEntries(names.map((name, i) => [name, list[i]])) as Record<Name, Person>
  await updateRealmSettings(realm, { send_channel_events_messages: false, enable_spectator_access: true, ...settings })
  return { realm, ...people, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const ids = (...people: Person[]) => people.map(({ user_id }) => user_id)
const anonymousGroup = (...people: Person[]) => ({ direct_members: ids(...people), direct_subgroups: [] })

/** Creates a channel. @returns its id */
const create = async (by: Person, name: string, params: Record<string, unknown> = {}): Promise<number> => {
  await ok(by, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
  const { stream_id } = await ok(by, 'GET', '/get_stream_id', { stream: name })
  return stream_id
}
const update = (by: Person, id: number, params: Record<string, unknown>) => call(by, 'PATCH', `/streams/${id}`, params)
const expectSuccess = async (answer: Promise<Answer>) =>
  expect((await answer).body).toEqual({ result: 'success', msg: '' })
const expectRefusal = async (answer: Promise<Answer>, msg: string, code = 'BAD_REQUEST') =>
  expect(await answer).toMatchObject({ status: 400, body: { code, msg } })
const stream = async (by: Person, id: number) => (await ok(by, 'GET', `/streams/${id}`)).stream

const eventTypes = ['stream', 'subscription', 'default_streams', 'realm']
const capable = {
  event_types: eventTypes,
  client_capabilities: { notification_settings_null: true, archived_channels: true },
}
const incapable = { event_types: eventTypes }

const shortForm = ({ type, op, property, value }: WireEvent) =>
  [`${type}/${op}`, ...(property === undefined ? [] : [property, JSON.stringify(value)])].join(' ')

/** Runs `work`. Returns the events that each user received, in short form. */
const eventsDuring = async (
  people: Partial<Record<Name, Person>>,
  work: () => Promise<unknown>,
  params: object = capable,
) => {
  const listeners = await Promise.all(
    Object.entries(people).map(async ([name, one]) => [name, await listen(one, { ...params })] as const),
  )
  await work()
  return Object.fromEntries(
    await Promise.all(
      listeners.map(async ([name, listener]) => [name, (await listener.events()).map(shortForm)] as const),
    ),
  )
}

describe('Permission to change a private channel', () => {
  const refusals = {
    5: ['BAD_REQUEST', 'Only administrators of this channel may do this.'],
    6: ['BAD_REQUEST', 'There is no channel with this ID, or you may not see it.'],
    7: ['BAD_REQUEST', 'Only users who can read this channel may do this.'],
    8: ['BAD_REQUEST', 'Only administrators may change the default channels.'],
    9: ['UNAUTHORIZED_PRINCIPAL', 'Only administrators of the organization may do this.'],
  } as const

  // The columns of a row are: an administrator who can read the channel, one who cannot, a user in
  // can_administer_channel_group who can read it, one who cannot, a subscriber without permissions, and a user without
  // access. Digits are the notes of protocol/permissions.md 6.4.
  test.each<[string, string, Record<string, unknown> | 'archive']>([
    ['name', 'YYYY56', { new_name: 'another' }],
    ['description', 'YYYY56', { description: 'another' }],
    ['folder', 'YYYY56', { folder_id: null }],
    ['topics_policy', 'YYYY56', { topics_policy: 'inherit' }],
    ['is_private', 'Y7Y756', { is_private: false }],
    ['history', 'Y7Y756', { history_public_to_subscribers: false }],
    ['is_web_public', 'Y7Y756', { is_web_public: false }],
    ['can_add_subscribers_group', 'Y7Y756', { can_add_subscribers_group: { new: SystemGroup.moderators } }],
    ['can_subscribe_group', 'Y7Y756', { can_subscribe_group: { new: SystemGroup.moderators } }],
    ['can_administer_channel_group', 'YYYY56', { can_administer_channel_group: { new: SystemGroup.moderators } }],
    ['can_remove_subscribers_group', 'YYYY56', { can_remove_subscribers_group: { new: SystemGroup.moderators } }],
    ['can_send_message_group', 'YYYY56', { can_send_message_group: { new: SystemGroup.moderators } }],
    [
      'can_move_messages_out_of_channel_group',
      'YYYY56',
      { can_move_messages_out_of_channel_group: { new: SystemGroup.members } },
    ],
    [
      'can_move_messages_within_channel_group',
      'YYYY56',
      { can_move_messages_within_channel_group: { new: SystemGroup.members } },
    ],
    ['is_default_stream', 'YY8856', { is_default_stream: false }],
    ['message_retention_days', 'YY9956', { message_retention_days: 30 }],
    ['archive', 'YYYY56', 'archive'],
  ])('The permission row of %s is %s.', async (_, row, params) => {
    await using s = await setUp()
    const { admin, owner, ada, grace, linus, guest } = s
    // Each cell has its own channel, because an allowed action can change the permissions of the next.
    const cells = [
      [admin, [admin]],
      [admin, []],
      [ada, [ada]],
      [ada, []],
      [grace, [grace]],
      [guest, []],
    ] as const
    for (const [i, [person, readers]] of cells.entries()) {
      const principals = [linus.user_id, ...ids(...readers)]
      const rights = {
        invite_only: true,
        history_public_to_subscribers: true,
        can_administer_channel_group: anonymousGroup(ada),
      }
      const id = await create(linus, `c${i}`, { ...rights, principals })
      const given = params === 'archive' || !('new_name' in params) ? params : { new_name: `another ${i}` }
      const answer = given === 'archive' ? call(person, 'DELETE', `/streams/${id}`) : update(person, id, given)
      const cell = row[i] as string
      if (cell === 'Y') await expectSuccess(answer)
      else
        await expectRefusal(answer, refusals[Number(cell) as keyof typeof refusals][1], refusals[Number(cell) as 5][0])
    }
    if (row.startsWith('9') && typeof params === 'object') {
      const id = await create(linus, 'owned', { invite_only: true })
      await expectSuccess(update(owner, id, params))
    }
  })
})

describe('Updating a channel', () => {
  test('An update sets the requested properties and leaves the others.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await ok(s.owner, 'POST', '/channel_folders/create', { name: 'Work' })
    await expectSuccess(
      update(s.owner, id, {
        new_name: ' Design ',
        description: 'Shapes\nand *colours*',
        is_private: true,
        history_public_to_subscribers: true,
        message_retention_days: 30,
        folder_id: 1,
        topics_policy: 'disable_empty_topic',
        can_subscribe_group: { new: anonymousGroup(s.grace) },
        can_send_message_group: {
          new: { direct_members: [], direct_subgroups: [SystemGroup.administrators] },
          old: SystemGroup.everyone,
        },
      }),
    )
    expect(await stream(s.ada, id)).toMatchObject({
      name: 'Design',
      description: 'Shapes and *colours*',
      rendered_description: '<p>Shapes and <em>colours</em></p>',
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      folder_id: 1,
      topics_policy: 'disable_empty_topic',
      can_subscribe_group: anonymousGroup(s.grace),
      can_send_message_group: SystemGroup.administrators,
      stream_post_policy: 2,
      is_announcement_only: true,
    })
    await expectSuccess(update(s.owner, id, { message_retention_days: '"unlimited"', folder_id: null }))
    expect(await stream(s.ada, id)).toMatchObject({ message_retention_days: -1, folder_id: null })
    await expectSuccess(update(s.owner, id, { message_retention_days: 'realm_default' }))
    expect(await stream(s.ada, id)).toMatchObject({ message_retention_days: null })
  })

  test('An update of privacy alone also sets the history visibility.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    const kind = async () => {
      const { invite_only, history_public_to_subscribers, is_web_public } = await stream(s.ada, id)
      return [invite_only, history_public_to_subscribers, is_web_public]
    }
    await expectSuccess(update(s.ada, id, { is_private: true }))
    expect(await kind()).toEqual([true, false, false])
    await expectSuccess(update(s.ada, id, { history_public_to_subscribers: true }))
    expect(await kind()).toEqual([true, true, false])
    await expectSuccess(update(s.ada, id, { is_private: false }))
    expect(await kind()).toEqual([false, true, false])
    await expectSuccess(update(s.owner, id, { is_web_public: true }))
    expect(await kind()).toEqual([false, true, true])
  })

  test('A refused update changes nothing and sends no event.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    const before = await stream(s.ada, id)
    const received = await eventsDuring({ ada: s.ada }, () =>
      expectRefusal(
        update(s.ada, id, { description: 'new', is_private: true, new_name: 'x'.repeat(61) }),
        'A channel name may have at most 60 characters.',
      ),
    )
    expect(received).toEqual({ ada: [] })
    expect(await stream(s.ada, id)).toEqual(before)
  })

  test.each<[Record<string, unknown>, string, string?]>([
    [{ is_web_public: true, is_private: true }, 'Only private channels can keep their history from new subscribers.'],
    [{ history_public_to_subscribers: false }, 'Only private channels can keep their history from new subscribers.'],
    [
      { is_private: true, is_default_stream: true },
      'Remove the channel from the default channels before you make it private.',
    ],
    [{ is_web_public: true }, 'Insufficient permission: ask an administrator of the organization.'],
    [{ is_default_stream: true }, 'Only administrators may change the default channels.'],
    [{ message_retention_days: 5 }, 'Only administrators of the organization may do this.', 'UNAUTHORIZED_PRINCIPAL'],
    [{ is_archived: false }, 'This channel is not archived.'],
    [{ topics_policy: 'allow_empty_topic' }, 'Insufficient permission: ask an administrator of the organization.'],
    [{ new_name: 'design ' }, 'The channel has this name already.'],
    [{ new_name: 'TAKEN' }, 'There is a channel with this name already: choose another one.'],
    [{ new_name: 't\u0430ken' }, 'There is a channel with this name already: choose another one.'],
    [{ new_name: 'des\u00adign' }, 'The channel name contains a character that is not allowed, at position 4.'],
    [{ new_name: '  ' }, 'A channel needs a name.'],
    [{ folder_id: 7 }, 'There is no channel folder with this ID.'],
    [{ can_send_message_group: { new: 99 } }, 'There is no such user group.'],
    [{ can_subscribe_group: { new: 7 } }, 'can_subscribe_group cannot be the group role:everyone.'],
    [
      { can_send_message_group: { new: 99, old: 2 } },
      'The value is not the one in old: fetch it again before you change it.',
      'EXPECTATION_MISMATCH',
    ],
    [{ can_send_message_group: 7 }, 'can_send_message_group must be an object.'],
  ])('The server refuses the update %j: %s', async (params, msg, code) => {
    await using s = await setUp({ can_set_topics_policy_group: SystemGroup.owners })
    const id = await create(s.ada, 'design')
    await create(s.ada, 'taken')
    await expectRefusal(update(s.ada, id, params), msg, code)
  })

  test('The server refuses a description of more than 1024 characters.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await expectSuccess(update(s.ada, id, { description: 'ä'.repeat(1_024) }))
    const msg = 'description may have at most 1024 characters.'
    await expectRefusal(update(s.ada, id, { description: 'x'.repeat(1_025) }), msg)
  })

  test('The server checks the parts of an update in the documented order.', async () => {
    await using s = await setUp({
      can_create_private_channel_group: SystemGroup.owners,
      enable_spectator_access: false,
    })
    const id = await create(s.ada, 'design')
    await expectRefusal(
      update(s.ada, id, { is_private: true, is_default_stream: true, new_name: '' }),
      'Remove the channel from the default channels before you make it private.',
    )
    await expectRefusal(
      update(s.ada, id, { is_private: true, message_retention_days: 3 }),
      'Insufficient permission: ask an administrator of the organization.',
    )
    await expectRefusal(
      update(s.ada, id, { is_web_public: true, is_default_stream: true }),
      'Turn on the setting enable_spectator_access first.',
    )
    await expectRefusal(
      update(s.ada, id, { is_default_stream: true, message_retention_days: 3 }),
      'Only administrators may change the default channels.',
    )
    await expectRefusal(
      update(s.owner, id, { message_retention_days: 'soon', new_name: '' }),
      'message_retention_days cannot be soon: see the reference for its values.',
      'REQUEST_VARIABLE_INVALID',
    )
    await expectRefusal(update(s.ada, id, { new_name: '', folder_id: 9 }), 'A channel needs a name.')
    await expectRefusal(
      update(s.ada, id, { folder_id: 9, can_send_message_group: { new: 99 } }),
      'There is no channel folder with this ID.',
    )
  })

  test('An update cannot make a default channel private or the moderation channel public.', async () => {
    await using s = await setUp()
    const news = await create(s.owner, 'news', { is_default_stream: true })
    await expectRefusal(
      update(s.owner, news, { is_private: true }),
      'Remove the channel from the default channels before you make it private.',
    )
    await expectSuccess(update(s.owner, news, { is_private: true, is_default_stream: false }))
    await updateRealmSettings(s.realm, { moderation_request_channel_id: news })
    await expectRefusal(
      update(s.owner, news, { is_private: false }),
      'The channel for reports to moderators must be private.',
    )
  })

  test('An update can change only the case of a channel name.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await expectSuccess(update(s.ada, id, { new_name: 'DESIGN' }))
    expect(await stream(s.ada, id)).toMatchObject({ name: 'DESIGN' })
  })
})

describe('Events for users with access to a channel', () => {
  test('A user receives one event per changed property, in order, with the channel name known until then.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design', { principals: ids(s.ada, s.guest) })
    await ok(s.owner, 'POST', '/channel_folders/create', { name: 'Work' })
    const listener = await listen(s.guest, capable)
    const linusListener = await listen(s.linus, capable)
    await expectSuccess(
      update(s.owner, id, {
        can_send_message_group: { new: SystemGroup.moderators },
        folder_id: 1,
        new_name: 'shapes',
        description: 'All of *them*',
        topics_policy: 'disable_empty_topic',
        message_retention_days: 9,
        is_default_stream: true,
        history_public_to_subscribers: true,
      }),
    )
    const updateEvent = (name: string, property: string, value: unknown, more = {}) => ({
      type: 'stream',
      op: 'update',
      stream_id: id,
      name,
      property,
      value,
      ...more,
    })
    const updates = [
      updateEvent('design', 'message_retention_days', 9),
      updateEvent('design', 'topics_policy', 'disable_empty_topic'),
      updateEvent('design', 'description', 'All of *them*', { rendered_description: '<p>All of <em>them</em></p>' }),
      updateEvent('design', 'name', 'shapes'),
      updateEvent('shapes', 'folder_id', 1),
      updateEvent('shapes', 'can_send_message_group', SystemGroup.moderators),
      updateEvent('shapes', 'stream_post_policy', 4),
    ]
    const readEvents = async (from: typeof listener) => (await from.events()).map(({ id: _, ...event }) => event)
    expect(await readEvents(listener)).toEqual(updates)
    expect(await readEvents(linusListener)).toEqual([{ type: 'default_streams', default_streams: [id] }, ...updates])
  })

  test('A new posting permission also sends the older properties stream_post_policy and is_announcement_only.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    const received = await eventsDuring({ ada: s.ada }, async () => {
      await expectSuccess(update(s.ada, id, { can_send_message_group: { new: SystemGroup.administrators } }))
      await expectSuccess(update(s.ada, id, { can_send_message_group: { new: SystemGroup.owners } }))
      await expectSuccess(update(s.ada, id, { can_send_message_group: { new: SystemGroup.owners } }))
      await expectSuccess(update(s.ada, id, { can_send_message_group: { new: anonymousGroup(s.ada) } }))
    })
    expect(received.ada).toEqual([
      'stream/update can_send_message_group 3',
      'stream/update stream_post_policy 2',
      'stream/update is_announcement_only true',
      'stream/update can_send_message_group 2',
      `stream/update can_send_message_group ${JSON.stringify(anonymousGroup(s.ada))}`,
      'stream/update stream_post_policy 1',
      'stream/update is_announcement_only false',
    ])
  })

  const everyone = (s: Awaited<ReturnType<typeof setUp>>) => ({
    admin: s.admin,
    ada: s.ada,
    grace: s.grace,
    linus: s.linus,
    guest: s.guest,
  })

  test('A user loses a channel that becomes private unless they have another reason for access.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design', {
      principals: ids(s.ada, s.guest),
      can_subscribe_group: anonymousGroup(s.grace),
    })
    const received = await eventsDuring(everyone(s), () =>
      expectSuccess(update(s.ada, id, { is_private: true, new_name: 'secret' })),
    )
    const kept = ['stream/update invite_only true', 'stream/update name "secret"']
    expect(received).toEqual({ admin: kept, ada: kept, grace: kept, guest: kept, linus: ['stream/delete'] })
  })

  test('A user receives a channel with its subscribers when it becomes public.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'secret', { invite_only: true, principals: ids(s.ada, s.owner) })
    const received = await eventsDuring(everyone(s), () =>
      expectSuccess(update(s.ada, id, { is_private: false, new_name: 'open' })),
    )
    const kept = ['stream/update invite_only false', 'stream/update name "open"']
    const gained = ['stream/create', 'subscription/peer_add']
    expect(received).toEqual({ admin: kept, ada: kept, grace: gained, linus: gained, guest: [] })
    const listener = await listen(s.guest, capable)
    await expectSuccess(update(s.owner, id, { is_web_public: true }))
    const [created, peers] = await listener.events()
    expect(created).toMatchObject({ streams: [{ name: 'open', is_web_public: true, subscriber_count: 0 }] })
    expect(peers).toMatchObject({ stream_ids: [id], user_ids: ids(s.owner, s.ada) })
    await expectSuccess(update(s.owner, id, { new_name: 'wide open' }))
    expect((await listener.events()).map(shortForm)).toEqual(['stream/update name "wide open"'])
  })

  test('Access to a private channel follows the groups that grant it.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'secret', {
      invite_only: true,
      can_administer_channel_group: anonymousGroup(s.grace),
    })
    const received = await eventsDuring(everyone(s), () =>
      expectSuccess(
        update(s.admin, id, {
          can_administer_channel_group: { new: anonymousGroup(s.linus), old: anonymousGroup(s.grace) },
        }),
      ),
    )
    const kept = [`stream/update can_administer_channel_group ${JSON.stringify(anonymousGroup(s.linus))}`]
    expect(received).toEqual({
      admin: kept,
      ada: kept,
      grace: ['stream/delete'],
      linus: ['stream/create', 'subscription/peer_add'],
      guest: [],
    })
  })
})

describe('Archiving a channel', () => {
  test('A client with the archived_channels capability receives an update, and other clients receive a deletion.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design', { principals: ids(s.ada, s.guest) })
    const people = { ada: s.ada, linus: s.linus, guest: s.guest }
    const [incapableListener, capableListener] = [await listen(s.ada, incapable), await listen(s.ada, capable)]
    const received = await eventsDuring(people, () => expectSuccess(call(s.ada, 'DELETE', `/streams/${id}`)))
    const archived = ['stream/update is_archived true']
    expect(received).toEqual({ ada: archived, linus: archived, guest: archived })
    expect(await incapableListener.events()).toMatchObject([
      { op: 'delete', streams: [{ stream_id: id }], stream_ids: [id] },
    ])
    expect(await capableListener.events()).toMatchObject([
      { op: 'update', name: 'design', property: 'is_archived', value: true },
    ])
    await expectRefusal(call(s.ada, 'DELETE', `/streams/${id}`), 'This channel is already archived.')
    await expectRefusal(call(s.linus, 'DELETE', `/streams/${id}`), 'Only administrators of this channel may do this.')
    await expectRefusal(
      call(s.ada, 'DELETE', '/streams/4711'),
      'There is no channel with this ID, or you may not see it.',
    )
  })

  test('Archiving removes a channel from the default channels and from the announcement settings.', async () => {
    await using s = await setUp()
    const id = await create(s.owner, 'news', { is_default_stream: true })
    await updateRealmSettings(s.realm, { new_stream_announcements_stream_id: id, signup_announcements_stream_id: id })
    const listener = await listen(s.ada, capable)
    await expectSuccess(call(s.owner, 'DELETE', `/streams/${id}`))
    expect(await listener.events()).toMatchObject([
      {
        type: 'realm',
        op: 'update_dict',
        data: { new_stream_announcements_stream_id: -1, signup_announcements_stream_id: -1 },
      },
      { type: 'default_streams', default_streams: [] },
      { type: 'stream', op: 'update', property: 'is_archived', value: true },
    ])
    expect((await update(s.owner, id, { is_default_stream: true })).body.msg).toContain('unarchive it first')
    await expectSuccess(update(s.owner, id, { is_archived: false }))
    const { streams } = await ok(s.ada, 'GET', '/streams', { include_default: true })
    expect(streams).toMatchObject([{ name: 'news', is_default: false }])
  })

  test('An archived channel keeps its subscribers and can be changed, and older clients receive no event for the change.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await expectSuccess(call(s.ada, 'DELETE', `/streams/${id}`))
    const [incapableListener, capableListener] = [await listen(s.ada, incapable), await listen(s.ada, capable)]
    await expectSuccess(update(s.ada, id, { is_private: true, new_name: 'secret' }))
    expect((await capableListener.events()).map(shortForm)).toEqual([
      'stream/update invite_only true',
      'stream/update name "secret"',
    ])
    expect(await incapableListener.events()).toEqual([])
    expect(await ok(s.ada, 'GET', `/streams/${id}/members`)).toMatchObject({ subscribers: ids(s.ada) })
  })

  test('Unarchiving sends an update to capable clients, and a new channel with its subscribers to older ones.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design', { principals: ids(s.ada, s.grace, s.guest) })
    await expectSuccess(call(s.ada, 'DELETE', `/streams/${id}`))
    const people = { ada: s.ada, linus: s.linus }
    const capableListeners = await Promise.all(Object.values(people).map((one) => listen(one, capable)))
    const received = await eventsDuring(
      people,
      () => expectSuccess(update(s.ada, id, { is_archived: false, new_name: 'shapes' })),
      incapable,
    )
    const change = ['stream/update is_archived false', 'stream/update name "shapes"']
    for (const listener of capableListeners) expect((await listener.events()).map(shortForm)).toEqual(change)
    expect(received).toEqual({
      ada: ['stream/create', 'subscription/add', 'stream/update name "shapes"'],
      linus: ['stream/create', 'subscription/peer_add', 'stream/update name "shapes"'],
    })
    await expectRefusal(update(s.ada, id, { is_archived: false }), 'This channel is not archived.')
  })

  test('The value true unarchives a channel as false does, and changes nothing of an active one.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design', { principals: ids(s.ada, s.linus) })
    await expectSuccess(call(s.ada, 'DELETE', `/streams/${id}`))
    await expectRefusal(update(s.linus, id, { is_archived: true }), 'Only administrators of this channel may do this.')
    const unarchived = ['stream/update is_archived false']
    expect(await eventsDuring({ ada: s.ada }, () => expectSuccess(update(s.ada, id, { is_archived: true })))).toEqual({
      ada: unarchived,
    })
    expect(await stream(s.ada, id)).toMatchObject({ is_archived: false })
    expect(await eventsDuring({ ada: s.ada }, () => expectSuccess(update(s.ada, id, { is_archived: true })))).toEqual({
      ada: [],
    })
    await expectSuccess(call(s.ada, 'DELETE', `/streams/${id}`))
    await expectSuccess(update(s.owner, id, { is_archived: true, is_default_stream: true }))
    const { streams } = await ok(s.ada, 'GET', '/streams', { include_default: true })
    expect(streams).toMatchObject([{ name: 'design', is_archived: false, is_default: true }])
  })

  test('A private channel without subscribers cannot be unarchived.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'secret', { invite_only: true })
    await ok(s.ada, 'DELETE', '/users/me/subscriptions', { subscriptions: ['secret'] })
    await expectSuccess(call(s.admin, 'DELETE', `/streams/${id}`))
    for (const is_archived of [true, false]) {
      await expectRefusal(
        update(s.admin, id, { is_archived }),
        'This private channel has no subscribers: it cannot be unarchived.',
      )
    }
  })
})

describe('Default channels', () => {
  test('Administrators choose the default channels, members receive the list, and guests do not.', async () => {
    await using s = await setUp()
    const [one, two] = [await create(s.ada, 'one'), await create(s.ada, 'two')]
    const [adaListener, guestListener] = [await listen(s.ada, capable), await listen(s.guest, capable)]
    const set = (method: string, by: Person, stream_id: number) => call(by, method, '/default_streams', { stream_id })
    await expectSuccess(set('POST', s.admin, two))
    await expectSuccess(set('POST', s.admin, two))
    await expectSuccess(set('POST', s.admin, one))
    await expectSuccess(set('DELETE', s.admin, two))
    await expectSuccess(set('DELETE', s.admin, two))
    expect((await adaListener.events()).map(({ default_streams }) => default_streams)).toEqual([
      [two],
      [one, two],
      [one],
    ])
    expect(await guestListener.events()).toEqual([])
    await expectRefusal(set('POST', s.ada, two), 'Only administrators may change the default channels.')
    await expectRefusal(set('POST', s.admin, 4711), 'There is no channel with this ID, or you may not see it.')
    const secret = await create(s.ada, 'secret', { invite_only: true })
    await expectRefusal(set('POST', s.admin, secret), 'A private channel cannot be a default channel.')
    await updateChannelRow(s.realm, 'two', { is_archived: true })
    await expectRefusal(set('POST', s.admin, two), 'There is no channel with this ID, or you may not see it.')
  })
})

describe('Messages of the Notification Bot', () => {
  const notices = async (realm: TestRealm) => {
    await waitForJobs(realm)
    return realm.sql<{ topic: string; content: string }[]>`
      select topic, content from messages where realm_id = ${realm.realm_id} order by id`
  }

  test('The bot posts each change in the channel and uses only silent mentions.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await updateRealmSettings(s.realm, { send_channel_events_messages: true })
    const listener = await listen(s.ada, { event_types: ['message'] })
    await expectSuccess(
      update(s.owner, id, {
        new_name: '@**all**',
        description: 'Shapes @**all**',
        is_private: true,
        message_retention_days: 7,
        can_send_message_group: { new: anonymousGroup(s.ada, s.grace) },
        folder_id: null,
      }),
    )
    const by = `@_**owner|${s.owner.user_id}**`
    const said = await notices(s.realm)
    expect(said.map(({ topic }) => topic)).toEqual(said.map(() => 'channel events'))
    expect(said.map(({ content }) => content)).toEqual([
      `${by} made this channel **Private, protected history**. It was **Public** before.`,
      `${by} changed how long messages stay in this channel:\n\n* **Before:** as long as everywhere in this organization\n* **Now:** 7 days`,
      `${by} changed the description of this channel.\n\n**Before:**\n*No description.*\n\n**Now:**\n\`\`\`\` quote\nShapes @**all**\n\`\`\`\``,
      `${by} renamed this channel from \`design\` to \`@**all**\`.`,
      `${by} changed who may post in this channel:\n\n* **Before:** @_*role:everyone*\n* **Now:** @_**ada|${s.ada.user_id}**, @_**grace|${s.grace.user_id}**`,
    ])
    expect((await listener.events()).map(({ flags }) => flags)).toEqual(said.map(() => []))
  })

  test('The bot posts that a channel was archived, already read for a subscriber, and that it was unarchived.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design', { principals: ids(s.ada, s.guest) })
    await updateRealmSettings(s.realm, { send_channel_events_messages: true })
    const listener = await listen(s.guest, { event_types: ['message'] })
    await expectSuccess(call(s.ada, 'DELETE', `/streams/${id}`))
    expect(await notices(s.realm)).toMatchObject([{ content: 'Channel #**design** has been archived.' }])
    expect(await listener.events()).toMatchObject([{ type: 'message', flags: ['read'] }])
    const { unread_msgs } = await ok(s.guest, 'POST', '/register', { event_types: ['message', 'update_message_flags'] })
    expect(unread_msgs).toMatchObject({ count: 0 })
    await expectSuccess(update(s.ada, id, { is_archived: false }))
    expect((await notices(s.realm)).at(-1)).toMatchObject({ content: 'Channel #**design** has been unarchived.' })
    expect(await listener.events()).toMatchObject([{ type: 'message', flags: [] }])
  })

  test('The bot posts nothing when send_channel_events_messages is off.', async () => {
    await using s = await setUp()
    const id = await create(s.ada, 'design')
    await expectSuccess(update(s.ada, id, { new_name: 'shapes' }))
    expect(await notices(s.realm)).toEqual([])
  })
})
