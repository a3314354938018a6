/** Sending messages: recipients, content, topics, permissions and the resulting event. */
import { describe, expect, test } from 'vitest'
import { composeInsert, composeUpdate } from '../../src/domain/log/row-changes.js'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { normalizeTopic } from '../../src/domain/messages/message.js'
import { isReadBySender } from '../../src/domain/messages/sending/posting.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { readUntil, type WireEvent } from '../setup/realm/event-reader.js'
import { anyGateway, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { commitRowChanges, updateRealmSettings } from '../setup/realm/row-changes.js'

interface Message {
  id: number
  type: string
  subject: string
  content: string
  display_recipient: string | { id: number; email: string }[]
  flags: string[]
  [key: string]: unknown
}

const people = async (realm: TestRealm, ...names: string[]) =>
  realm.people(...names.map((full_name) => ({ full_name })))

/** Creates the public channel `design` with Ada and Grace as subscribers. Alan has no subscription. */
const setUp = async () => {
  const realm = await newRealm()
  const [ada, grace, alan] = (await people(realm, 'Ada', 'Grace', 'Alan')) as [Person, Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  await channel(ada, 'design', [ada, grace])
  return { realm, ada, grace, alan }
}

const channel = async (by: Person, name: string, members: Person[], params: Record<string, unknown> = {}) => {
  await ok(by, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: members.map(({ user_id }) => user_id),
    send_new_subscription_messages: false,
    ...params,
  })
  return (await ok(by, 'GET', '/get_stream_id', { stream: name })).stream_id
}

const send = (by: Person, params: Record<string, unknown>) => call(by, 'POST', '/messages', params)
const toDesign = (by: Person, params: Record<string, unknown> = {}) =>
  send(by, { type: 'stream', to: 'design', topic: 'logo', content: 'hello', ...params })
const sent = async (by: Person, params: Record<string, unknown>) => (await ok(by, 'POST', '/messages', params)).id

const read = async (by: Person, message_id: number, params: Record<string, unknown> = {}) =>
  (await ok(by, 'GET', `/messages/${message_id}`, { apply_markdown: false, ...params })).message

const refusal = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer
  return { status, code: body.code, msg: body.msg }
}
const refused = (msg: string, code = 'BAD_REQUEST') => ({ status: 400, code, msg })

interface Queue {
  queue_id: string
  last_event_id: number
}

const registerQueue = (by: Person, params: Record<string, unknown> = {}) =>
  ok(by, 'POST', '/register', { event_types: ['message'], ...params })

/** The message events of a queue, up to the one whose content includes `content`. */
const eventsUntil = async (by: Person, queue: Queue, content: string): Promise<WireEvent[]> => {
  const isLast = ({ type, message }: WireEvent) => type === 'message' && (message as Message).content.includes(content)
  const events = await readUntil('poll', anyGateway(), by, queue, isLast)
  return events.filter(({ type }) => type === 'message')
}

describe('Channel messages', () => {
  test('A message reaches its channel for every form of the parameter to.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: 'design' })
    const forms = ['design', 'DESIGN', '"design"', '["design"]', String(stream_id), `[${stream_id}]`]
    for (const to of forms) {
      for (const type of ['stream', 'channel']) {
        const id = await sent(ada, { type, to, topic: 'logo', content: `to ${to}` })
        expect(await read(ada, id)).toMatchObject({
          type: 'stream',
          stream_id,
          display_recipient: 'design',
          subject: 'logo',
          content: `to ${to}`,
        })
      }
    }
  })

  test('Digits without quotes are a channel id, and with quotes a channel name.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    await channel(ada, '2024', [ada])
    expect(await read(ada, await sent(ada, { type: 'stream', to: '"2024"', topic: 'x', content: 'x' }))).toMatchObject({
      display_recipient: '2024',
    })
    expect((await toDesign(ada, { to: '2024' })).body).toMatchObject({ stream_id: 2024 })
  })

  test('The topic can be given as topic or as subject, but not as both.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const id = await sent(ada, { type: 'stream', to: 'design', subject: 'old name', content: 'x' })
    expect((await read(ada, id)).subject).toBe('old name')
    expect(await refusal(toDesign(ada, { subject: 'logo' }))).toMatchObject({ code: 'REQUEST_CONFUSING_VAR' })
  })

  test('A message without a channel, without a topic or with two channels is refused.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    expect(await refusal(send(ada, { type: 'stream', topic: 't', content: 'x' }))).toEqual(
      refused('Send the name or the ID of a channel in the parameter to.'),
    )
    expect(await refusal(send(ada, { type: 'stream', to: 'design', content: 'x' }))).toEqual(
      refused('A channel message needs a topic.'),
    )
    expect(await refusal(toDesign(ada, { to: '["design","other"]' }))).toEqual(
      refused('Send exactly one channel in the parameter to.'),
    )
    expect(await refusal(toDesign(ada, { to: '[]' }))).toEqual(refused('Send exactly one channel in the parameter to.'))
    for (const to of ['{"a":1}', 'null', '1.5', '[null]', 'true']) {
      expect(await refusal(toDesign(ada, { to }))).toEqual(
        refused('The parameter to must be the name or the ID of a channel.'),
      )
    }
    expect(await refusal(toDesign(ada, { type: 'letter' }))).toEqual(
      refused('type must be one of: stream, channel, private, direct.'),
    )
  })

  test("The error for an unknown channel contains the channel's name or id.", async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    expect((await toDesign(ada, { to: 'nowhere' })).body).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'nowhere',
      msg: 'There is no channel named “nowhere”.',
    })
    expect((await toDesign(ada, { to: '4711' })).body).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: 4711,
      msg: 'There is no channel with ID 4711.',
    })
  })

  test('The channel name in the error is escaped for HTML.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const { body } = await toDesign(ada, { to: '<b>R&D</b> "x"' })
    expect(body).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: '&lt;b&gt;R&amp;D&lt;/b&gt; &quot;x&quot;',
    })
  })

  test("A bot's message without a channel goes to the bot's default channel.", async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const made = await ok(ada, 'POST', '/bots', {
      full_name: 'Builder',
      short_name: 'builder',
      default_sending_stream: 'design',
    })
    const bot: Person = { ...ada, ...made, email: `builder-bot@${realm.host}` }
    const message = { type: 'stream', topic: 'builds', content: 'done' }
    expect(await read(ada, await sent(bot, message))).toMatchObject({ display_recipient: 'design', subject: 'builds' })
    expect(await refusal(send(bot, { ...message, topic: undefined }))).toEqual(
      refused('A channel message needs a topic.'),
    )
  })

  test('A message with forged is refused, and the sender is always the caller.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const msg = 'You cannot send messages as another user: omit the parameter forged.'
    for (const forged of ['yes', 'true']) expect(await refusal(toDesign(ada, { forged }))).toEqual(refused(msg))
    expect(await toDesign(ada, { forged: 'false' })).toMatchObject({ status: 200 })
  })

  test('The answer lists the parameters that the server does not support.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const { body } = await toDesign(ada, { weather: '{}', mood: 'good', client: 'curl' })
    expect(body.ignored_parameters_unsupported).toEqual(['mood', 'weather'])
  })
})

describe('Direct messages', () => {
  test('A message reaches the same conversation for every form of the parameter to.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const forms = [
      `[${grace.user_id}]`,
      `[${grace.user_id},${ada.user_id},${grace.user_id}]`,
      `["${grace.email}"]`,
      JSON.stringify(grace.email),
      grace.email,
      `${grace.email.toUpperCase()}, ${ada.email}`,
    ]
    const places = new Set<unknown>()
    for (const to of forms) {
      for (const type of ['direct', 'private']) {
        const message = await read(grace, await sent(ada, { type, to, content: 'hi' }))
        expect(message).toMatchObject({ type: 'private', subject: '' })
        expect((message.display_recipient as { id: number }[]).map(({ id }) => id)).toEqual([
          ada.user_id,
          grace.user_id,
        ])
        places.add(message.recipient_id)
      }
    }
    const answer = await read(ada, await sent(grace, { type: 'direct', to: [ada.user_id], content: 'hello' }))
    expect(answer.recipient_id).toBe([...places][0])
    expect(places.size).toBe(1)
  })

  test('A message to oneself has one participant.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const message = await read(ada, await sent(ada, { type: 'direct', to: [ada.user_id], content: 'note' }))
    expect(message.display_recipient).toEqual([
      { id: ada.user_id, email: ada.email, full_name: 'Ada', is_mirror_dummy: false },
    ])
    expect(message).not.toHaveProperty('stream_id')
  })

  test('A message without recipients, with unknown ones or with mixed ids and addresses is refused.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const direct = (to: string | undefined) => refusal(send(ada, { type: 'direct', to, content: 'x' }))
    for (const to of [undefined, '[]', '', '""', ' , ']) {
      expect(await direct(to)).toEqual(refused('Send at least one recipient in the parameter to.'))
    }
    expect(await direct('nobody@example.com')).toEqual(refused("Invalid email 'nobody@example.com'"))
    expect(await direct('[4711]')).toEqual(refused('There is no user with ID 4711 to send to.'))
    expect(await direct(`[${grace.user_id},"${ada.email}"]`)).toEqual(
      refused('Send all recipients as user IDs, or all as email addresses.'),
    )
    for (const to of ['{"a":1}', '7', '[null]', '[1.5]', 'true']) {
      expect(await direct(to)).toEqual(refused('Recipients must be a list of user IDs or of email addresses.'))
    }
  })

  test('The error for a hidden email address is the same as for an unknown one.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const [mary] = (await realm.people({
      full_name: 'Mary',
      settings: { email_address_visibility: 4 },
    })) as [Person]
    const direct = (to: string) => refusal(send(ada, { type: 'direct', to, content: 'x' }))
    expect(await direct(mary.email)).toEqual(refused(`Invalid email '${mary.email}'`))
    expect(await direct('stranger@example.com')).toEqual(refused("Invalid email 'stranger@example.com'"))
    await sent(ada, { type: 'direct', to: [mary.user_id], content: 'x' })
  })

  test('A message to a deactivated user is refused, and earlier messages stay readable.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const id = await sent(ada, { type: 'direct', to: [grace.user_id], content: 'before' })
    await realm.realm.barrier()
    const row = realm.realm.state.users.get(grace.user_id)
    await commitRowChanges(realm, [row && composeUpdate('users', row, { is_active: false })])
    const answer = await send(ada, { type: 'direct', to: [grace.user_id], content: 'after' })
    expect(answer.body.msg).toBe(`${grace.email} is deactivated: remove this recipient.`)
    expect((await read(ada, id)).content).toBe('before')
  })
})

describe('Message content', () => {
  const stored: readonly [string, string, string][] = [
    [
      'Content keeps leading spaces and loses trailing whitespace and leading blank lines.',
      '\n\n  indented \n\t ',
      '  indented',
    ],
    ['Content of the maximum length is kept.', '😀'.repeat(10_000), '😀'.repeat(10_000)],
    ['Longer content is truncated.', '😀'.repeat(10_001), `${'😀'.repeat(9_980)}\n[message truncated]`],
  ]
  test.each(stored)('%s', async (_name, given, kept) => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const { id } = (await toDesign(ada, { content: given })).body as { id: number }
    const { content } = await read(ada, id)
    expect(content === kept).toBe(true)
  })

  test('Content that is empty after trimming, or has a null byte, is refused.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    expect(await refusal(toDesign(ada, { content: ' \n ' }))).toEqual(refused('A message needs a text.'))
    expect(await refusal(toDesign(ada, { content: 'a\0b' }))).toEqual(
      refused('A message must not contain the NUL character.'),
    )
    expect((await toDesign(ada, { content: undefined })).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'content',
    })
  })

  test('A message that begins with /me has is_me_message.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const { id } = (await toDesign(ada, { content: '/me waves' })).body as { id: number }
    expect(await read(ada, id)).toMatchObject({ is_me_message: true, content: '/me waves' })
  })
})

describe('Topics', () => {
  const stored: readonly [string, string][] = [
    ['  logo  ', 'logo'],
    ['general chat', ''],
    ['(no topic)', ''],
    ['', ''],
    ['General chat', 'General chat'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['😀'.repeat(61), `${'😀'.repeat(57)}...`],
  ]
  test.each(stored)('The topic %j is stored as %j.', async (given, kept) => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const { id } = (await toDesign(ada, { topic: given })).body as { id: number }
    expect((await read(ada, id, { allow_empty_topic_name: true })).subject).toBe(kept)
    expect((await read(ada, id)).subject).toBe(kept || 'general chat')
  })

  test('A topic with a control character or a noncharacter is refused.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const place = (n: number) => refused(`The topic contains a character that is not allowed, at position ${n}.`)
    expect(await refusal(toDesign(ada, { topic: 'a\tb' }))).toEqual(place(2))
    expect(await refusal(toDesign(ada, { topic: '😀\u{fdd0}' }))).toEqual(place(2))
    expect(await refusal(toDesign(ada, { topic: 'abc\0' }))).toEqual(place(4))
    // No decoded request can contain an unpaired surrogate, so this case is tested on the function.
    expect(() => normalizeTopic('a\ud800')).toThrow(place(2).msg)
  })

  test('An empty topic is allowed only by the policy of the channel, or else of the organization.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const refusalAnswer = refused('Messages in this channel need a topic: general chat is not accepted.')
    await updateRealmSettings(realm, { topics_policy: 'disable_empty_topic' })
    expect(await refusal(toDesign(ada, { topic: '' }))).toEqual(refusalAnswer)
    const row = realm.realm.state.channelByName('design')
    await commitRowChanges(realm, [row && composeUpdate('channels', row, { topics_policy: 'allow_empty_topic' })])
    expect((await toDesign(ada, { topic: '' })).status).toBe(200)
    await updateRealmSettings(realm, { topics_policy: 'allow_empty_topic' })
    const again = realm.realm.state.channelByName('design')
    await commitRowChanges(realm, [again && composeUpdate('channels', again, { topics_policy: 'disable_empty_topic' })])
    expect(await refusal(toDesign(ada, { topic: 'general chat' }))).toEqual(refusalAnswer)
  })
})

describe('Permission to post in a channel', () => {
  test('Only users in can_send_message_group can post.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    await realm.realm.barrier()
    const row = realm.realm.state.channelByName('design')
    const value = { direct_members: [ada.user_id], direct_subgroups: [] }
    await commitRowChanges(realm, [row && composeUpdate('channels', row, { can_send_message_group: value })])
    expect((await toDesign(ada)).status).toBe(200)
    expect(await refusal(toDesign(grace))).toEqual(refused('You may not send messages to this channel.'))
  })

  test('A user can post without a subscription in a public channel, and only with one in a private channel.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    expect((await toDesign(alan)).status).toBe(200)
    await channel(ada, 'secret', [ada, grace], { invite_only: true })
    // For a user who cannot see the channel, the error is the same as for a channel that does not exist.
    const refusalAnswer = refused('There is no channel named “secret”.', 'STREAM_DOES_NOT_EXIST')
    expect((await toDesign(grace, { to: 'secret' })).status).toBe(200)
    expect(await refusal(toDesign(alan, { to: 'secret' }))).toEqual(refusalAnswer)
  })

  test('A guest needs a subscription to post, and no user can post in an archived channel.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const [guest] = (await realm.people({ full_name: 'Guest', role: Role.guest })) as [Person]
    const refusalAnswer = refused('You may not send messages to the channel “design”.')
    const unseen = refused('There is no channel named “design”.', 'STREAM_DOES_NOT_EXIST')
    expect(await refusal(toDesign(guest))).toEqual(unseen)
    await channel(ada, 'design', [guest])
    expect((await toDesign(guest)).status).toBe(200)
    await realm.realm.barrier()
    const row = realm.realm.state.channelByName('design')
    await commitRowChanges(realm, [row && composeUpdate('channels', row, { is_archived: true })])
    expect(await refusal(toDesign(ada))).toEqual(refusalAnswer)
  })

  test('A bot can post where its owner can, and an incoming webhook bot can send messages.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const [bot] = (await realm.people({
      full_name: 'Hook',
      bot: { type: BotType.incomingWebhook, owner_id: ada.user_id },
    })) as [Person]
    await channel(ada, 'secret', [ada], { invite_only: true })
    const { id } = (await toDesign(bot, { to: 'secret' })).body as { id: number }
    expect((await read(ada, id)).sender_id).toBe(bot.user_id)
    expect((await call(bot, 'GET', `/messages/${id}`)).status).toBe(401)
  })

  test('The owner of each bot gets one message about posts to a missing channel per five minutes.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const bots = await realm.people(
      ...['Robot', 'Droid'].map((full_name) => ({ full_name, bot: { type: BotType.generic, owner_id: ada.user_id } })),
    )
    const countNotices = async () => {
      for (const bot of [...bots, ...bots]) await toDesign(bot, { to: 'nowhere' })
      const page = { anchor: 'newest', num_before: 9, narrow: [{ operator: 'is', operand: 'dm' }] }
      return (await ok(ada, 'GET', '/messages', page)).messages.length
    }
    expect(await countNotices()).toBe(2)
    await realm.sql`update messages set timestamp = timestamp - 290 where realm_id = ${realm.realm_id}`
    expect(await countNotices()).toBe(2)
    await realm.sql`update messages set timestamp = timestamp - 11 where realm_id = ${realm.realm_id}`
    expect(await countNotices()).toBe(4)
  })

  test('A user who was removed from a private channel cannot post in it any more.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    await channel(ada, 'secret', [ada, grace], { invite_only: true })
    await ok(ada, 'DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [grace.user_id] })
    const answers = await Promise.all(Array.from({ length: 6 }, () => toDesign(grace, { to: 'secret' })))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400])
  })
})

describe('Permission to send direct messages', () => {
  test('An organization can turn off direct messages, except with bots and to oneself.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [bot] = (await realm.people({ full_name: 'Bot', bot: { type: 1, owner_id: ada.user_id } })) as [Person]
    await updateRealmSettings(realm, { direct_message_permission_group: SystemGroup.nobody })
    const direct = (by: Person, ...to: Person[]) =>
      refusal(send(by, { type: 'direct', to: to.map(({ user_id }) => user_id), content: 'x' }))
    expect(await direct(ada, grace)).toEqual(refused('This organization has turned off direct messages.'))
    expect(await direct(ada, bot, grace)).toEqual(refused('This organization has turned off direct messages.'))
    expect(await direct(ada, bot)).toMatchObject({ status: 200 })
    expect(await direct(ada, ada)).toMatchObject({ status: 200 })
    expect(await direct(bot, grace)).toMatchObject({ status: 200 })
  })

  test('Direct messages may require a participant with the permission to authorize them.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
    await updateRealmSettings(realm, { direct_message_permission_group: SystemGroup.administrators })
    expect(await refusal(send(ada, { type: 'direct', to: [grace.user_id], content: 'x' }))).toEqual(
      refused('Add a user with the permission to authorize direct messages to this conversation.'),
    )
    expect((await send(ada, { type: 'direct', to: [grace.user_id, owner.user_id], content: 'x' })).status).toBe(200)
  })

  test('A user without the permission to start a conversation can only answer in one.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
    await updateRealmSettings(realm, { direct_message_initiator_group: SystemGroup.administrators })
    const toOwner = () => send(ada, { type: 'direct', to: [owner.user_id], content: 'x' })
    const refusalAnswer = refused('You may not begin a direct message conversation: only answer in one.')
    expect(await refusal(toOwner())).toEqual(refusalAnswer)
    expect(await refusal(send(ada, { type: 'direct', to: [grace.user_id], content: 'x' }))).toEqual(refusalAnswer)
    await sent(owner, { type: 'direct', to: [ada.user_id], content: 'you may' })
    expect((await toOwner()).status).toBe(200)
  })

  test('A guest with restricted access can write only to users whom the guest can see.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [guest] = (await realm.people({ full_name: 'Guest', role: Role.guest })) as [Person]
    await channel(ada, 'meeting', [ada, guest])
    await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.members })
    const direct = (to: Person) => refusal(send(guest, { type: 'direct', to: [to.user_id], content: 'x' }))
    expect(await direct(ada)).toMatchObject({ status: 200 })
    expect(await direct(grace)).toEqual(refused('You may not send direct messages to some of these recipients.'))
    await sent(grace, { type: 'direct', to: [guest.user_id], content: 'hello' })
    expect(await direct(grace)).toMatchObject({ status: 200 })
  })
})

describe('Message events', () => {
  test('A message event goes to subscribers, and not to the sender of a channel without a subscription.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    const [forGrace, forAlan] = [await registerQueue(grace), await registerQueue(alan)]
    await toDesign(ada, { content: 'one' })
    await toDesign(alan, { content: 'two' })
    await sent(ada, { type: 'direct', to: [alan.user_id, grace.user_id], content: 'last' })
    const texts = (events: WireEvent[]) => events.map((event) => (event.message as Message).content)
    expect(texts(await eventsUntil(grace, forGrace, 'last'))).toEqual(['one', 'two', 'last'])
    expect(texts(await eventsUntil(alan, forAlan, 'last'))).toEqual(['last'])
  })

  test('The message in an event equals the fetched message, in the format of the queue.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const plain = await registerQueue(grace)
    const rich = await registerQueue(grace, {
      apply_markdown: true,
      client_gravatar: false,
      client_capabilities: { notification_settings_null: true, empty_topic_name: true },
    })
    const { id } = (await toDesign(ada, { topic: '', content: 'hello' })).body as { id: number }
    const [raw] = await eventsUntil(grace, plain, 'hello')
    const [html] = await eventsUntil(grace, rich, 'hello')
    const { flags: _flags, ...fetched } = await read(grace, id)
    expect(raw?.message).toEqual(fetched)
    const { flags, ...asked } = await read(grace, id, { apply_markdown: true, allow_empty_topic_name: true })
    expect(flags).toEqual([])
    expect(html?.message).toEqual(asked)
    expect(raw?.message).toMatchObject({
      subject: 'general chat',
      avatar_url: `/user_avatars/drawn/${ada.user_id}.41.png`,
      content_type: 'text/x-markdown',
    })
    expect(html?.message).toMatchObject({ subject: '', content_type: 'text/html', content: '<p>hello</p>' })
  })

  test('local_message_id is only in the event of the queue that the sender named.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const [one, two] = [await registerQueue(ada), await registerQueue(ada)]
    await toDesign(ada, { content: 'none', queue_id: one.queue_id })
    await toDesign(ada, { content: 'echo', queue_id: one.queue_id, local_id: '17.01' })
    const local = (events: WireEvent[]) => events.map((event) => event.local_message_id)
    expect(local(await eventsUntil(ada, one, 'echo'))).toEqual([undefined, '17.01'])
    const others = await eventsUntil(ada, two, 'echo')
    for (const event of others) expect(event).not.toHaveProperty('local_message_id')
    expect(others).toHaveLength(2)
  })

  test('A message is read by its sender if the client shows sent messages, or if read_by_sender is set.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const queue = await registerQueue(ada)
    const other = await registerQueue(grace)
    await toDesign(ada, { content: 'script' })
    await toDesign(ada, { content: 'app', client: 'ZulipMobile' })
    await toDesign(ada, { content: 'said', read_by_sender: true })
    await toDesign(ada, { content: 'denied', read_by_sender: false, client: 'website' })
    const flags = (events: WireEvent[]) => events.map((event) => event.flags)
    expect(flags(await eventsUntil(ada, queue, 'denied'))).toEqual([[], ['read'], ['read'], []])
    expect(flags(await eventsUntil(grace, other, 'denied'))).toEqual([[], [], [], []])
    const { messages } = await ok(ada, 'GET', '/messages', { anchor: 'newest', num_before: 4 })
    expect(messages.map((message) => message.flags)).toEqual([[], ['read'], ['read'], []])
    const zulip = ['Android', 'iOS', 'Desktop', 'Mobile', 'Electron', 'Terminal'].map((name) => `Zulip${name}`)
    expect([...zulip, 'snipe', 'website', 'iOS', 'Android'].filter((name) => !isReadBySender(name))).toEqual([])
    expect(['ZulipPython', 'Internal', 'curl', ''].filter(isReadBySender)).toEqual([])
  })

  test('A queue receives only the messages that match its narrow, and with all_public_streams those of all public channels.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    await channel(ada, 'secret', [ada], { invite_only: true })
    const queue = await registerQueue(alan, {
      narrow: [
        ['stream', 'Design'],
        ['topic', 'LOGO'],
      ],
    })
    const topic = await registerQueue(alan, { narrow: [['topic', 'general chat']] })
    const all = await registerQueue(alan, { all_public_streams: true })
    await toDesign(ada, { content: 'no', topic: 'other' })
    await toDesign(ada, { content: 'yes' })
    await toDesign(ada, { content: 'hidden', to: 'secret' })
    await toDesign(grace, { content: 'empty', topic: '' })
    await toDesign(grace, { content: 'last' })
    await toDesign(ada, { content: '@**all**' })
    const texts = (events: WireEvent[]) => events.map((event) => (event.message as Message).content)
    expect(texts(await eventsUntil(alan, queue, 'last'))).toEqual(['yes', 'last'])
    expect(texts(await eventsUntil(alan, topic, 'empty'))).toEqual(['empty'])
    const wide = await eventsUntil(alan, all, '@**all**')
    expect(texts(wide)).toEqual(['no', 'yes', 'empty', 'last', '@**all**'])
    // Alan is not subscribed, so @**all** does not mention him.
    expect(wide.at(-1)?.flags).toEqual([])
  })

  test('A registration with an operator that queues do not support is refused.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const narrow = (...pair: string[]) => refusal(call(ada, 'POST', '/register', { narrow: [pair] }))
    expect(await narrow('dm', ada.email)).toEqual(refused('Events cannot be narrowed by dm.'))
    expect(await narrow('is', 'followed')).toEqual(refused('Events cannot be narrowed to followed.'))
    expect(await narrow('is', 'whatever')).toMatchObject({ status: 200 })
  })
})

describe('Mentions', () => {
  const fetchFlags = async (by: Person, id: number) => (await read(by, id)).flags

  test('A mention sets the flag of a subscriber, in the event and when fetched.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    const queue = await registerQueue(grace)
    const { id } = (await toDesign(ada, { content: 'look, @**Grace**' })).body as { id: number }
    const [event] = await eventsUntil(grace, queue, 'look')
    expect(event?.flags).toEqual(['mentioned'])
    expect(await fetchFlags(grace, id)).toEqual(['mentioned'])
    expect(await fetchFlags(ada, id)).toEqual([])
    expect(await fetchFlags(alan, id)).toEqual(['read', 'historical'])
  })

  test('A silent mention and a mention in a quotation set no flag.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { id } = (await toDesign(ada, { content: '@_**Grace**\n\n> @**Grace**' })).body as { id: number }
    expect(await fetchFlags(grace, id)).toEqual([])
  })

  test('A mention of a user who is not subscribed sends no event and sets no flag.', async () => {
    const { realm, ada, alan } = await setUp()
    await using _ = realm
    const queue = await registerQueue(alan)
    const { id } = (await toDesign(ada, { content: 'where is @**Alan**?' })).body as { id: number }
    await sent(ada, { type: 'direct', to: [alan.user_id], content: 'last' })
    expect(await eventsUntil(alan, queue, 'last')).toHaveLength(1)
    expect(await fetchFlags(alan, id)).toEqual(['read', 'historical'])
  })

  test('A mention of a bot reaches it without a subscription.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const [bot] = (await realm.people({ full_name: 'Helper', bot: { type: 1, owner_id: ada.user_id } })) as [Person]
    const queue = await registerQueue(bot)
    const { id } = (await toDesign(ada, { content: '@**Helper** help' })).body as { id: number }
    const [event] = await eventsUntil(bot, queue, 'help')
    expect(event?.flags).toEqual(['mentioned'])
    expect(await fetchFlags(bot, id)).toEqual(['mentioned'])
    const { messages } = await ok(bot, 'GET', '/messages', { anchor: 'newest', num_before: 9 })
    expect(messages.map((message) => message.id)).toEqual([id])
  })

  test('A wildcard mention sets one flag for every recipient.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    const queue = await registerQueue(grace)
    const { id } = (await toDesign(ada, { content: '@**all** and @**Grace**' })).body as { id: number }
    const { id: other } = (await toDesign(ada, { content: '@**channel**' })).body as { id: number }
    const events = await eventsUntil(grace, queue, '**channel**')
    const wildcard = ['stream_wildcard_mentioned', 'wildcard_mentioned']
    expect(events.map((event) => event.flags)).toEqual([['mentioned', ...wildcard], wildcard])
    expect(await fetchFlags(grace, id)).toEqual(['mentioned', ...wildcard])
    expect(await fetchFlags(ada, other)).toEqual(wildcard)
    expect(await fetchFlags(alan, other)).toEqual(['read', 'historical'])
    const narrow = [{ operator: 'is', operand: 'mentioned' }]
    const mentionedIds = async (by: Person) =>
      (await ok(by, 'GET', '/messages', { anchor: 'newest', num_before: 9, narrow })).messages.map(
        (message) => message.id,
      )
    expect(await mentionedIds(grace)).toEqual([id, other])
    expect(await mentionedIds(alan)).toEqual([])
  })

  test('A topic mention reaches users who have posted or reacted in the topic.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    const [reader] = (await realm.people({ full_name: 'Reader' })) as [Person]
    await channel(ada, 'design', [alan, reader])
    const written = (await toDesign(grace, { topic: 'Logo' })).body as { id: number }
    await ok(reader, 'POST', `/messages/${written.id}/reactions`, { emoji_name: 'tada' })
    const { id } = (await toDesign(ada, { content: '@**topic** done' })).body as { id: number }
    expect(await fetchFlags(grace, id)).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned'])
    expect(await fetchFlags(reader, id)).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned'])
    expect(await fetchFlags(alan, id)).toEqual([])
  })

  test('A wildcard mention in a large channel or topic needs permission.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const crowd = await people(realm, ...Array.from({ length: 14 }, (_, i) => `Member ${i}`))
    const [owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
    await channel(ada, 'design', crowd.slice(0, 13))
    expect((await toDesign(ada, { content: '@**everyone**' })).status).toBe(200)
    await channel(ada, 'design', crowd)
    const errorCode = async (by: Person, content: string, topic = 'logo') =>
      (await toDesign(by, { content, topic })).body.code
    for (const everyone of ['all', 'everyone', 'stream', 'channel']) {
      expect(await errorCode(ada, `@**${everyone}**`)).toBe('STREAM_WILDCARD_MENTION_NOT_ALLOWED')
    }
    expect(await errorCode(ada, '@_**everyone**')).toBeUndefined()
    expect(await errorCode(owner, '@**everyone**')).toBeUndefined()
    for (const person of [...crowd, ada]) await toDesign(person, { topic: 'busy' })
    expect(await errorCode(ada, '@**topic**', 'busy')).toBeUndefined()
    const { id } = (await toDesign(ada, { topic: 'busy' })).body as { id: number }
    await ok(grace, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    expect(await errorCode(ada, '@**topic**', 'busy')).toBe('TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
    expect(await errorCode(ada, '@**topic**', 'quiet')).toBeUndefined()
  })
})

describe('Group mentions', () => {
  const withGroup = async (can_mention_group: number) => {
    const found = await setUp()
    const { realm, grace, alan } = found
    await realm.realm.barrier()
    const group = {
      id: realm.realm.state.nextId('groups'),
      name: 'devs',
      description: '',
      is_system_group: false,
      creator_id: null,
      date_created: 0,
      deactivated: false,
      can_add_members_group: 1,
      can_join_group: 1,
      can_leave_group: 1,
      can_manage_group: 1,
      can_mention_group,
      can_remove_members_group: 1,
    }
    const members = [grace, alan].map(({ user_id }) => composeInsert('group_members', { group_id: group.id, user_id }))
    await commitRowChanges(realm, [composeInsert('groups', group), ...members])
    return found
  }

  test('A group mention sets the flags of subscribed members.', async () => {
    const { realm, ada, grace, alan } = await withGroup(SystemGroup.everyone)
    await using _ = realm
    const { id } = (await toDesign(ada, { content: '@*devs* look' })).body as { id: number }
    expect((await read(grace, id)).flags).toEqual(['mentioned', 'group_mentioned'])
    expect((await read(alan, id)).flags).toEqual(['read', 'historical'])
  })

  test('A group mention reaches the members of subgroups.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const group = async (name: string, members: Person[], subgroups: number[] = []) => {
      const given = { name, description: '', members: members.map(({ user_id }) => user_id), subgroups }
      return (await ok(ada, 'POST', '/user_groups/create', given)).group_id
    }
    await group('outer', [], [await group('middle', [], [await group('inner', [grace])])])
    const { id } = (await toDesign(ada, { content: '@*outer* look' })).body as { id: number }
    expect((await read(grace, id)).flags).toEqual(['mentioned', 'group_mentioned'])
    expect((await read(ada, id)).flags).toEqual([])
  })

  test('A group mention without permission is refused, and a silent one is allowed.', async () => {
    const { realm, ada } = await withGroup(SystemGroup.administrators)
    await using _ = realm
    expect(await refusal(toDesign(ada, { content: '@*devs*' }))).toEqual(
      refused('You may not mention the group “devs”.'),
    )
    expect((await toDesign(ada, { content: '@_*devs*' })).status).toBe(200)
  })
})

describe('Topic links', () => {
  const html = async (by: Person, to: string, content: string) => {
    const id = await sent(by, { type: 'stream', to, topic: 'links', content })
    return (await read(by, id, { apply_markdown: true })).content
  }

  test('A topic link leads to the oldest message of the topic that the sender can read.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const { id } = (await toDesign(ada, { topic: 'Logo' })).body as { id: number }
    await toDesign(ada, { topic: 'logo' })
    expect(await html(grace, 'design', '#**design>logo**')).toContain(`/topic/logo/with/${id}"`)
    expect(await html(grace, 'design', '#**design>other**')).toContain('/topic/other"')
  })

  test("A topic link to protected history leads to the sender's first received message, and users without access get no link.", async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    await channel(ada, 'diary', [ada], { invite_only: true })
    await toDesign(ada, { to: 'diary', topic: 'day' })
    await channel(ada, 'diary', [grace])
    const { id } = (await toDesign(ada, { to: 'diary', topic: 'day' })).body as { id: number }
    expect(await html(grace, 'design', '#**diary>day**')).toContain(`/topic/day/with/${id}"`)
    expect(await html(alan, 'design', '#**diary>day**')).toBe('<p>#<strong>diary&gt;day</strong></p>')
  })

  test('An absolute link to the organization becomes relative.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const { realm_url } = await ok(ada, 'GET', '/server_settings')
    expect(await html(ada, 'design', `${realm_url}/#narrow/channel/1`)).toContain('href="#narrow/channel/1"')
  })
})

test('A guest with restricted access sees an unknown user as the sender, in events and fetched messages.', async () => {
  const { realm, ada, alan } = await setUp()
  await using _ = realm
  const [guest] = (await realm.people({ full_name: 'Guest', role: Role.guest })) as [Person]
  await channel(ada, 'design', [guest])
  await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.members })
  const queue = await registerQueue(guest)
  const { id } = (await toDesign(alan, { content: 'from outside' })).body as { id: number }
  const unknown = {
    sender_id: alan.user_id,
    sender_full_name: 'Unknown user',
    sender_email: `user${alan.user_id}@${realm.host}`,
  }
  expect((await eventsUntil(guest, queue, 'outside'))[0]?.message).toMatchObject(unknown)
  expect(await read(guest, id)).toMatchObject(unknown)
  expect(await read(ada, id)).toMatchObject({ sender_full_name: 'Alan' })
})
