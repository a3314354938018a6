/**
 * Subscribing and unsubscribing: the answers, the refusals and their order. The events: subscription-events.test.ts.
 */
import { describe, expect, test } from 'vitest'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { updateChannelRow, updateRealmSettings, updateUserRow } from '../setup/realm/row-changes.js'

const people = () => newRealmWith('Owner', 'Ada', 'Grace', 'Guest')

const named = (...names: string[]) => names.map((name) => ({ name }))
const SUBSCRIPTIONS = '/users/me/subscriptions'
const subscribe = (person: Person, names: string[], params: Record<string, unknown> = {}) =>
  ok(person, 'POST', SUBSCRIPTIONS, { subscriptions: named(...names), ...params })
const unsubscribe = (person: Person, names: string[], params: Record<string, unknown> = {}) =>
  ok(person, 'DELETE', SUBSCRIPTIONS, { subscriptions: names, ...params })
const refusal = async (person: Person, method: string, params: Record<string, unknown>, path = SUBSCRIPTIONS) => {
  const { status, body } = await call(person, method, path, params)
  expect(body.result).toBe('error')
  return { status, ...body } as { status: number; msg: string; code: string } & Record<string, unknown>
}

describe('Subscribing', () => {
  test('Subscribing creates a channel that does not exist, and finds an existing one regardless of case.', async () => {
    await using realm = (await people()).realm
    const [ada, grace] = (await realm.people({ full_name: 'Ada L' }, { full_name: 'Grace H' })) as [Person, Person]
    const first = await subscribe(ada, ['Design'])
    expect(first.subscribed).toEqual({ [ada.user_id]: ['Design'] })
    expect(first.already_subscribed).toEqual({})
    expect(first.new_subscription_messages_sent).toBe(true)
    expect(first).not.toHaveProperty('unauthorized')

    const second = await subscribe(grace, ['  dESIGN ', 'design'])
    expect(second.subscribed).toEqual({ [grace.user_id]: ['Design'] })
    const third = await subscribe(grace, ['design', 'logo'])
    expect(third.subscribed).toEqual({ [grace.user_id]: ['logo'] })
    expect(third.already_subscribed).toEqual({ [grace.user_id]: ['Design'] })
  })

  test('The creator of a channel is not subscribed when the principals do not include them.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    const answer = await subscribe(ada, ['for grace'], { principals: [grace.user_id], invite_only: true })
    expect(answer.subscribed).toEqual({ [grace.user_id]: ['for grace'] })
    const { subscriptions } = await ok(ada, 'GET', SUBSCRIPTIONS)
    expect(subscriptions).toEqual([])
  })

  test("Principals may be email addresses, and the caller's own address means the caller.", async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    const answer = await subscribe(ada, ['design'], { principals: [grace.email.toUpperCase(), ada.email] })
    expect(answer.subscribed).toEqual({ [ada.user_id]: ['design'], [grace.user_id]: ['design'] })
    // No user is named, so none is subscribed.
    const nobody = await subscribe(ada, ['design'], { principals: [] })
    expect(nobody).toMatchObject({ subscribed: {}, already_subscribed: {} })
    await updateRealmSettings(realm, { can_add_subscribers_group: SystemGroup.nobody })
    await updateChannelRow(realm, 'design', { can_administer_channel_group: SystemGroup.nobody })
    const asked = { subscriptions: named('design'), principals: [ada.email, grace.email] }
    expect((await refusal(ada, 'POST', asked)).msg).toBe(
      'Insufficient permission: ask an administrator of the organization.',
    )
    await unsubscribe(ada, ['design'])
    const own = [[` ${ada.email.toUpperCase()} `], [ada.email, ada.email], [ada.user_id], [ada.user_id, ada.user_id]]
    for (const principals of own) {
      const { subscribed } = await subscribe(ada, ['design'], { principals })
      expect(subscribed).toEqual({ [ada.user_id]: ['design'] })
      await unsubscribe(ada, ['design'], { principals })
    }
  })

  test('A new channel has the requested properties.', async () => {
    const { realm, owner, grace } = await people()
    await using _ = realm
    await ok(owner, 'POST', SUBSCRIPTIONS, {
      subscriptions: [{ name: 'plans', description: 'what\n**we** do' }],
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: '"unlimited"',
      topics_policy: '"disable_empty_topic"',
      can_send_message_group: SystemGroup.moderators,
      can_subscribe_group: { direct_members: [grace.user_id, grace.user_id], direct_subgroups: [] },
      can_remove_subscribers_group: { direct_members: [], direct_subgroups: [SystemGroup.members] },
    })
    const { streams } = await ok(owner, 'GET', '/streams')
    expect(streams).toMatchObject([
      {
        name: 'plans',
        description: 'what **we** do',
        rendered_description: '<p>what <strong>we</strong> do</p>',
        creator_id: owner.user_id,
        invite_only: true,
        is_web_public: false,
        history_public_to_subscribers: true,
        message_retention_days: -1,
        topics_policy: 'disable_empty_topic',
        can_send_message_group: SystemGroup.moderators,
        stream_post_policy: 4,
        is_announcement_only: false,
        can_subscribe_group: { direct_members: [grace.user_id], direct_subgroups: [] },
        can_remove_subscribers_group: SystemGroup.members,
        can_administer_channel_group: { direct_members: [owner.user_id], direct_subgroups: [] },
        can_add_subscribers_group: SystemGroup.nobody,
        subscriber_count: 1,
        is_recently_active: true,
      },
    ])
  })

  test('The server ignores creation options for existing channels, but still validates them.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    await subscribe(ada, ['design'])
    await subscribe(grace, ['design'], { invite_only: true, is_default_stream: true, message_retention_days: 3 })
    const { msg } = await refusal(grace, 'POST', { subscriptions: named('design'), can_subscribe_group: 8 })
    expect(msg).toBe('can_subscribe_group cannot be the group role:internet.')
  })

  test('New users are subscribed to a channel that was created as a default channel.', async () => {
    const { realm, owner } = await people()
    await using _ = realm
    await subscribe(owner, ['news'], { is_default_stream: true })
    const [newcomer] = (await realm.people({ full_name: 'New Comer' })) as [Person]
    const { subscriptions } = await ok(newcomer, 'GET', SUBSCRIPTIONS)
    expect(subscriptions.map(({ name }) => name)).toEqual(['news'])
    const { streams } = await ok(owner, 'GET', '/streams', { include_default: true })
    expect(streams).toMatchObject([{ name: 'news', is_default: true, subscriber_count: 2 }])
  })

  test('A new subscription has the given color, or one that the user does not use yet.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    const names = Array.from({ length: 24 }, (_, i) => `c${i}`)
    await subscribe(ada, names)
    await ok(ada, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'mine', color: '#AbC' }] })
    const { subscriptions } = await ok(ada, 'GET', SUBSCRIPTIONS)
    const colors = subscriptions.map(({ color }) => color)
    expect(new Set(colors).size).toBe(25)
    for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/)
    expect(subscriptions.find(({ name }) => name === 'mine')?.color).toBe('#aabbcc')
    expect((await refusal(ada, 'POST', { subscriptions: [{ name: 'x', color: 'red' }] })).msg).toBe(
      'subscriptions[0] must be an object whose color is a hex color, such as #76ce90.',
    )
  })

  test('A user who subscribes again keeps the personal settings of the subscription.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    await ok(ada, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'design', color: '#123456' }] })
    await unsubscribe(ada, ['design'])
    expect((await subscribe(ada, ['design'])).subscribed).toEqual({ [ada.user_id]: ['design'] })
    const { subscriptions } = await ok(ada, 'GET', SUBSCRIPTIONS)
    expect(subscriptions).toMatchObject([{ name: 'design', color: '#123456', in_home_view: true, is_muted: false }])
  })

  test('A request with one invalid channel name creates no channel.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    expect((await refusal(ada, 'POST', { subscriptions: named('good', 'b\u0007d') })).msg).toBe(
      'The channel name contains a character that is not allowed, at position 2.',
    )
    expect((await ok(ada, 'GET', '/streams')).streams).toEqual([])
  })

  test('A new channel has a name that readers see, and that looks like no other.', async () => {
    await using s = await people()
    await subscribe(s.ada, ['Design'])
    const taken = 'There is a channel with this name already: choose another one.'
    for (const [names, msg] of [
      [['De\u200bsign'], 'The channel name contains a character that is not allowed, at position 3.'],
      [['\u2800'], 'The channel name contains a character that is not allowed, at position 1.'],
      [['D\u0435sign'], taken],
      [['De\u200dsign'], taken],
      [
        ['cafe', 'caf\u0435'],
        'Two of the new channels have names that look alike: choose another name than “caf\u0435”.',
      ],
    ] as const) {
      expect(await refusal(s.ada, 'POST', { subscriptions: named(...names) })).toMatchObject({ status: 400, msg })
    }
    const { streams } = await ok(s.ada, 'GET', '/streams')
    expect(streams.map(({ name }) => name)).toContain('Design')
    expect(streams.map(({ name }) => name)).not.toContain('cafe')
  })

  test('Simultaneous requests of several users for one name create one channel.', async () => {
    const { realm, ada, grace, owner } = await people()
    await using _ = realm
    const everyone = [ada, grace, owner]
    await Promise.all(Array.from({ length: 24 }, (_, i) => subscribe(everyone[i % 3] as Person, ['rush', `c${i % 4}`])))
    const { streams } = await ok(ada, 'GET', '/streams')
    expect(streams.map(({ name }) => name)).toEqual(['c0', 'c1', 'c2', 'c3', 'rush'])
    for (const { subscriber_count } of streams) expect(subscriber_count).toBe(3)
    expect(streams.map(({ stream_id }) => stream_id).sort()).toEqual([1, 2, 3, 4, 5])
  })
})

describe('Refused subscriptions', () => {
  test('The server refuses in the order of its checks.', async () => {
    const { realm, ada, guest } = await people()
    await using _ = realm
    const asked: Record<string, unknown> = {
      subscriptions: named('new \u0001'),
      can_subscribe_group: SystemGroup.everyone,
      invite_only: false,
      is_default_stream: true,
      is_web_public: true,
      message_retention_days: 7,
      topics_policy: 'allow_empty_topic',
      folder_id: 1,
      principals: [4711],
    }
    await updateRealmSettings(realm, {
      can_create_public_channel_group: SystemGroup.owners,
      can_set_topics_policy_group: SystemGroup.owners,
      can_create_web_public_channel_group: SystemGroup.owners,
    })
    const next = async (msg: string, code = 'BAD_REQUEST') =>
      expect(await refusal(ada, 'POST', asked)).toMatchObject({ status: 400, msg, code })

    expect((await refusal(guest, 'POST', asked)).msg).toBe('Guests may not do this.')
    await next('can_subscribe_group cannot be the group role:everyone.')
    asked.can_subscribe_group = SystemGroup.members
    await next('The channel name contains a character that is not allowed, at position 5.')
    asked.subscriptions = named('new')
    await next('Insufficient permission: ask an administrator of the organization.')
    await updateRealmSettings(realm, { can_create_public_channel_group: SystemGroup.members })
    await next('Insufficient permission: ask an administrator of the organization.')
    asked.is_default_stream = false
    await next('Turn on the setting enable_spectator_access first.')
    await updateRealmSettings(realm, { enable_spectator_access: true })
    await next('Insufficient permission: ask an administrator of the organization.')
    asked.is_web_public = false
    await next('Only administrators of the organization may do this.', 'UNAUTHORIZED_PRINCIPAL')
    asked.message_retention_days = 'realm_default'
    await next('Insufficient permission: ask an administrator of the organization.')
    asked.topics_policy = 'inherit'
    await next('There is no channel folder with this ID.')
    delete asked.folder_id
    await next('There is no such user.')
  })

  test('The answer names the channel that the caller may not read, or lists it when authorization errors are not fatal.', async () => {
    const { realm, owner, ada, grace } = await people()
    await using _ = realm
    await subscribe(grace, ['secret'], { invite_only: true })
    for (const person of [ada, owner]) {
      const asked = { subscriptions: named('secret', 'open'), principals: [4711] }
      expect((await refusal(person, 'POST', asked)).msg).toBe(
        'You do not have permission to subscribe users to this channel: secret',
      )
    }
    const answer = await subscribe(ada, ['secret', 'open'], { authorization_errors_fatal: false })
    expect(answer).toMatchObject({ subscribed: { [ada.user_id]: ['open'] }, unauthorized: ['secret'] })
  })

  test('With errors that are not fatal, channels to which the caller may not add others are listed.', async () => {
    const { realm, ada, grace, guest } = await people()
    await using _ = realm
    await subscribe(ada, ['hers'], { can_administer_channel_group: SystemGroup.nobody })
    await subscribe(grace, ['secret'], { invite_only: true })
    await updateRealmSettings(realm, { can_add_subscribers_group: SystemGroup.nobody })
    const principals = [guest.user_id]
    const asked = { principals, authorization_errors_fatal: false }
    const answer = await subscribe(ada, ['Hers', 'new', 'secret'], asked)
    expect(answer).toMatchObject({ subscribed: { [guest.user_id]: ['new'] }, unauthorized: ['Hers', 'secret'] })
    // What the principals are is checked all the same.
    expect((await refusal(ada, 'POST', { subscriptions: named('hers'), ...asked, principals: [4711] })).msg).toBe(
      'There is no such user.',
    )
    const patched = await ok(ada, 'PATCH', SUBSCRIPTIONS, { add: named('hers', 'newer'), delete: ['new'], ...asked })
    expect(patched).toMatchObject({
      subscribed: { [guest.user_id]: ['newer'] },
      removed: ['new'],
      unauthorized: ['hers'],
    })
  })

  test.each<[string, Record<string, unknown>]>([
    ['can_create_public_channel_group', {}],
    ['can_create_private_channel_group', { invite_only: true }],
    ['can_create_web_public_channel_group', { is_web_public: true }],
    ['can_set_topics_policy_group', { topics_policy: 'allow_empty_topic' }],
  ])('With errors that are not fatal, channels that %s forbids are listed, and not created.', async (name, params) => {
    const { realm, ada, owner } = await people()
    await using _ = realm
    await subscribe(owner, ['design'])
    await updateRealmSettings(realm, { enable_spectator_access: true, [name]: SystemGroup.nobody })
    const asked = { ...params, authorization_errors_fatal: false }
    const answer = await subscribe(ada, ['design', 'new', 'newer'], asked)
    expect(answer).toMatchObject({ subscribed: { [ada.user_id]: ['design'] }, unauthorized: ['new', 'newer'] })
    expect((await ok(owner, 'GET', '/streams', { include_all: true })).streams).toMatchObject([{ name: 'design' }])
  })

  test('With errors that are not fatal, default channels and retention times that need a role are listed.', async () => {
    const { realm, ada, owner } = await people()
    await using _ = realm
    for (const params of [{ is_default_stream: true }, { message_retention_days: 7 }]) {
      const answer = await subscribe(ada, ['new'], { ...params, authorization_errors_fatal: false })
      expect(answer).toMatchObject({ subscribed: {}, already_subscribed: {}, unauthorized: ['new'] })
    }
    // A request that nobody may make is refused.
    const asked = { is_default_stream: true, invite_only: true, authorization_errors_fatal: false }
    expect((await refusal(owner, 'POST', { subscriptions: named('new'), ...asked })).msg).toBe(
      'Remove the channel from the default channels before you make it private.',
    )
  })

  test('With errors that are not fatal, every channel that a guest names is listed.', async () => {
    const { realm, ada, guest } = await people()
    await using _ = realm
    await subscribe(ada, ['design'])
    const answer = await subscribe(guest, ['design', 'new'], { authorization_errors_fatal: false })
    expect(answer).toMatchObject({ subscribed: {}, already_subscribed: {}, unauthorized: ['design', 'new'] })
    const more = { principals: [ada.user_id], authorization_errors_fatal: false }
    expect(await subscribe(guest, ['new'], more)).toMatchObject({ subscribed: {}, unauthorized: ['new'] })
    expect(await ok(guest, 'PATCH', SUBSCRIPTIONS, { add: named('new'), ...more })).toMatchObject({
      unauthorized: ['new'],
    })
    expect((await ok(ada, 'GET', '/streams')).streams).toMatchObject([{ name: 'design' }])
  })

  test('The answer says what is wrong with the principals.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    await subscribe(ada, ['design'])
    const adding = (principals: unknown[]) => refusal(ada, 'POST', { subscriptions: named('design'), principals })
    expect((await adding([grace.user_id, 4711])).msg).toBe('There is no such user.')
    expect((await adding(['nobody@example.com'])).msg).toBe('There is no such user.')
    expect((await adding([1])).msg).toBe('There is no such user.')
    await updateUserRow(realm, grace.user_id, { is_active: false })
    expect(await adding([grace.user_id])).toMatchObject({ msg: 'This user is deactivated.', code: 'BAD_REQUEST' })
    await updateRealmSettings(realm, { can_add_subscribers_group: SystemGroup.nobody })
    await updateChannelRow(realm, 'design', { can_administer_channel_group: SystemGroup.nobody })
    expect((await adding([4711])).msg).toBe('Insufficient permission: ask an administrator of the organization.')
  })

  test('The server refuses an invalid message_retention_days.', async () => {
    const { realm, owner } = await people()
    await using _ = realm
    for (const message_retention_days of ['soon', 0, -5]) {
      const asked = { subscriptions: named('x'), message_retention_days }
      expect(await refusal(owner, 'POST', asked)).toMatchObject({
        code: 'REQUEST_VARIABLE_INVALID',
        var_name: 'message_retention_days',
      })
    }
  })

  test('Every gateway refuses a request whose permission was withdrawn before.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    await subscribe(ada, ['a'])
    await updateRealmSettings(realm, { can_create_public_channel_group: SystemGroup.nobody })
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, i) => call(ada, 'POST', SUBSCRIPTIONS, { subscriptions: named(`b${i}`) })),
    )
    for (const { body } of answers)
      expect(body.msg).toBe('Insufficient permission: ask an administrator of the organization.')
  })
})

describe('Unsubscribing', () => {
  test('The answer lists the channels that the user left and those that they had left before.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    await subscribe(ada, ['a', 'b', 'c'])
    await unsubscribe(ada, ['b'])
    expect(await unsubscribe(ada, ['A', 'b'])).toMatchObject({ removed: ['a'], not_removed: ['b'] })
    const { subscriptions } = await ok(ada, 'GET', SUBSCRIPTIONS)
    expect(subscriptions.map(({ name }) => name)).toEqual(['c'])
  })

  test('The answer lists a channel once for each user.', async () => {
    const { realm, owner, ada, grace } = await people()
    await using _ = realm
    await subscribe(ada, ['a', 'b'])
    await subscribe(grace, ['a'])
    const principals = [ada.user_id, grace.user_id]
    expect(await unsubscribe(owner, ['a', 'b'], { principals })).toMatchObject({
      removed: ['a', 'a', 'b'],
      not_removed: ['b'],
    })
  })

  test('A guest can unsubscribe themselves but not others, and the owner of a bot can unsubscribe the bot.', async () => {
    const { realm, owner, ada, guest } = await people()
    await using _ = realm
    const bot_of_ada = { full_name: 'Robot', bot: { type: 1, owner_id: ada.user_id } }
    const [bot] = (await realm.people(bot_of_ada)) as [Person]
    await subscribe(owner, ['a'], { principals: [guest.user_id, bot.user_id] })
    expect((await unsubscribe(guest, ['a'])).removed).toEqual(['a'])
    expect((await unsubscribe(ada, ['a'], { principals: [bot.user_id] })).removed).toEqual(['a'])
    await subscribe(owner, ['a'], { principals: [guest.user_id] })
    expect((await refusal(guest, 'DELETE', { subscriptions: ['a'], principals: [ada.user_id] })).msg).toBe(
      'Insufficient permission: ask an administrator of the organization.',
    )
  })

  test('Administrators, channel administrators and members whom the channel permits can unsubscribe others.', async () => {
    const { realm, owner, ada, grace, guest } = await people()
    await using _ = realm
    const all = [owner.user_id, ada.user_id, grace.user_id, guest.user_id]
    await subscribe(ada, ['design'], { principals: all })
    const removing = (person: Person, user: Person) =>
      call(person, 'DELETE', SUBSCRIPTIONS, { subscriptions: ['design'], principals: [user.user_id] })
    expect((await removing(grace, ada)).body.msg).toBe(
      'Insufficient permission: ask an administrator of the organization.',
    )
    expect((await removing(ada, owner)).body.removed).toEqual(['design'])
    expect((await removing(guest, ada)).body.msg).toBe(
      'Insufficient permission: ask an administrator of the organization.',
    )
    await updateChannelRow(realm, 'design', { can_remove_subscribers_group: SystemGroup.everyone })
    expect((await removing(guest, ada)).body.removed).toEqual(['design'])
    expect((await removing(grace, guest)).body.removed).toEqual(['design'])
    expect((await removing(owner, grace)).body.removed).toEqual(['design'])
  })

  test('A guest whom the channel permits removes only accounts that they can see.', async () => {
    const { realm, owner, ada, grace, guest } = await people()
    await using _ = realm
    const shared = [guest.user_id, ada.user_id]
    await subscribe(owner, ['design'], { principals: shared, can_remove_subscribers_group: SystemGroup.everyone })
    await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.members })
    const removing = (user: Person) =>
      call(guest, 'DELETE', SUBSCRIPTIONS, { subscriptions: ['design'], principals: [user.user_id] })
    expect((await removing(grace)).body.msg).toBe('There is no such user.')
    expect((await removing(ada)).body).toMatchObject({ removed: ['design'] })
  })

  test('A user who unsubscribes others from several channels needs one reason that holds for all of them.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    await subscribe(ada, ['mine'], { principals: [grace.user_id] })
    await subscribe(grace, ['hers'])
    await updateChannelRow(realm, 'hers', { can_remove_subscribers_group: SystemGroup.members })
    const both = { subscriptions: ['mine', 'hers'], principals: [grace.user_id] }
    expect((await refusal(ada, 'DELETE', both)).msg).toBe(
      'Insufficient permission: ask an administrator of the organization.',
    )
    expect((await unsubscribe(ada, ['hers'], { principals: [grace.user_id] })).removed).toEqual(['hers'])
  })

  test('The answer for a hidden channel equals the answer for a channel that does not exist.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    await subscribe(grace, ['hidden'], { invite_only: true })
    for (const principals of [undefined, [ada.user_id], [grace.user_id]]) {
      const [hidden, missing] = await Promise.all(
        ['hidden', 'absent'].map((name) => refusal(ada, 'DELETE', { subscriptions: [name], principals })),
      )
      expect(hidden).toMatchObject({ status: 400, code: 'STREAM_DOES_NOT_EXIST', stream: 'hidden' })
      expect(JSON.stringify(hidden).replaceAll('hidden', 'absent')).toBe(JSON.stringify(missing))
    }
  })

  test('Users can subscribe to and unsubscribe from an archived channel.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    await subscribe(ada, ['old'])
    await updateChannelRow(realm, 'old', { is_archived: true })
    expect((await subscribe(grace, ['old'])).subscribed).toEqual({ [grace.user_id]: ['old'] })
    expect((await unsubscribe(ada, ['old'])).removed).toEqual(['old'])
    expect((await ok(grace, 'GET', SUBSCRIPTIONS)).subscriptions).toEqual([])
  })
})

describe('Subscribing and unsubscribing in one request', () => {
  test('A combined request subscribes and unsubscribes, and a refused one does neither.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    await subscribe(ada, ['a'])
    expect((await refusal(ada, 'PATCH', {})).msg).toBe('Nothing to change: send add or delete.')
    expect(await refusal(ada, 'PATCH', { add: named('b'), delete: ['absent'] })).toMatchObject({ stream: 'absent' })
    expect(await ok(ada, 'PATCH', SUBSCRIPTIONS, { add: named('b'), delete: ['a'] })).toMatchObject({
      subscribed: { [ada.user_id]: ['b'] },
      already_subscribed: {},
      removed: ['a'],
      not_removed: [],
    })
  })
})

test('One request subscribes 110 users, and one request unsubscribes them.', { timeout: 60_000 }, async () => {
  await using realm = await newRealm()
  const crowd = await realm.people(...Array.from({ length: 111 }, (_, i) => ({ full_name: `Person ${i}` })))
  const [ada, ...others] = crowd as [Person, ...Person[]]
  const first = others[0] as Person
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  const listeners = [await listen(first), await listen(ada)]
  const principals = others.map(({ user_id }) => user_id)

  const can_add_subscribers_group = { direct_members: [ada.user_id], direct_subgroups: [] }
  const joined = await subscribe(ada, ['town', 'square'], { principals, invite_only: true, can_add_subscribers_group })
  expect(Object.keys(joined.subscribed as object).length).toBe(110)
  expect(joined.new_subscription_messages_sent).toBe(false)
  const [members] = await Promise.all([ok(first, 'GET', '/streams/1/members')])
  expect(members.subscribers).toEqual(principals)
  // A user who was subscribed before is a separate case.
  await unsubscribe(ada, ['town'], { principals: [first.user_id] })
  await subscribe(ada, ['town'], { principals, send_new_subscription_messages: false })

  const left = await unsubscribe(ada, ['town', 'square'], { principals })
  expect((left.removed as string[]).length).toBe(220)
  expect((await ok(ada, 'GET', '/streams/1/members')).subscribers).toEqual([])
  expect((await listeners[0]?.eventNames())?.join(' ')).toBe(
    'stream/create subscription/add subscription/remove stream/delete stream/create subscription/add ' +
      'subscription/remove stream/delete',
  )
  expect((await listeners[1]?.eventNames())?.join(' ')).toBe(
    'stream/create subscription/peer_add subscription/peer_add subscription/peer_remove ' +
      'subscription/peer_add subscription/peer_remove subscription/peer_remove',
  )
})
