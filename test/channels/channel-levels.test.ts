/** Policies and permissions of channels that are of later levels than the announced one: topics, and deletion. */
import { expect, test } from 'vitest'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const setUp = async () => {
  const s = await newRealmWith('Owner', 'Moderator', 'Ada', 'Grace')
  await updateRealmSettings(s.realm, { send_channel_events_messages: false })
  return s
}

const only = (...people: Person[]) => ({ direct_members: people.map(({ user_id }) => user_id), direct_subgroups: [] })
const send = (by: Person, to: number, topic: string) =>
  readRefusal(call(by, 'POST', '/messages', { type: 'stream', to, topic, content: 'hello' }))
const edit = (by: Person, id: number, params: object) =>
  readRefusal(call(by, 'PATCH', `/messages/${id}`, { ...params }))
const done = { status: 200, code: undefined, msg: '' }
const insufficient = badRequest('Insufficient permission: ask an administrator of the organization.')

test('In a channel with the policy empty_topic_only, messages have no topic.', async () => {
  await using s = await setUp()
  const people = [s.ada, s.grace]
  const id = await createChannel(s.ada, 'chat', people, { topics_policy: 'empty_topic_only' })
  const { stream } = await ok(s.ada, 'GET', `/streams/${id}`)
  expect(stream.topics_policy).toBe('empty_topic_only')
  const refused = badRequest('Messages in this channel have no topic: only general chat is accepted.')
  expect(await send(s.grace, id, 'lunch')).toEqual(refused)
  for (const topic of ['', 'general chat', '(no topic)']) expect(await send(s.grace, id, topic)).toEqual(done)
  const message = await postMessage(s.grace, 'chat', '')
  expect(await edit(s.grace, message, { topic: 'lunch' })).toEqual(refused)
  expect(await edit(s.grace, message, { content: 'other words' })).toEqual(done)
  await createChannel(s.ada, 'design', people)
  const logo = await postMessage(s.grace, 'design', 'logo')
  expect(await edit(s.grace, logo, { stream_id: id })).toEqual(refused)
  expect(await edit(s.grace, logo, { stream_id: id, topic: '' })).toEqual(done)
  expect(await fetchMessage(s.grace, logo)).toMatchObject({ stream_id: id })
})

test('A channel in which a message has a topic cannot get the policy empty_topic_only.', async () => {
  await using s = await setUp()
  const id = await createChannel(s.ada, 'chat', [s.ada, s.grace])
  const listener = await listen(s.grace, { event_types: ['stream'] })
  const named = await postMessage(s.ada, 'chat', 'lunch')
  await postMessage(s.ada, 'chat', '')
  const change = () => readRefusal(call(s.ada, 'PATCH', `/streams/${id}`, { topics_policy: 'empty_topic_only' }))
  expect(await change()).toEqual(
    badRequest('Some messages of this channel have a topic: rename these topics to general chat first.'),
  )
  await ok(s.ada, 'PATCH', `/messages/${named}`, { topic: '', propagate_mode: 'change_all' })
  expect(await change()).toEqual(done)
  expect(await listener.events()).toMatchObject([
    { op: 'update', property: 'topics_policy', value: 'empty_topic_only' },
  ])
})

test('The Notification Bot writes without a topic in a channel with the policy empty_topic_only.', async () => {
  await using s = await newRealmWith('Owner', 'Ada')
  const id = await createChannel(s.ada, 'chat', [s.ada], { topics_policy: 'empty_topic_only' })
  const listener = await listen(s.ada, {
    event_types: ['message'],
    client_capabilities: { notification_settings_null: true, empty_topic_name: true },
  })
  await ok(s.ada, 'PATCH', `/streams/${id}`, { description: 'What we say' })
  let events: { message?: { subject: string; sender_full_name: string } }[] = []
  while (events.length === 0) events = (await listener.events()) as typeof events
  expect(events).toMatchObject([{ message: { subject: '', sender_full_name: 'Notification Bot' } }])
  const { topics } = await ok(s.ada, 'GET', `/users/me/${id}/topics`, { allow_empty_topic_name: true })
  expect(topics.map(({ name }) => name)).toEqual([''])
})

test('Only members of can_create_topic_group begin topics, and all users who may post answer in them.', async () => {
  await using s = await setUp()
  const people = [s.ada, s.grace]
  const id = await createChannel(s.ada, 'news', people, { can_create_topic_group: only(s.ada) })
  const refused = badRequest('You may not begin topics in this channel: write in one that has messages.')
  expect(await send(s.grace, id, 'lunch')).toEqual(refused)
  expect(await send(s.ada, id, 'lunch')).toEqual(done)
  expect(await send(s.grace, id, 'Lunch')).toEqual(done)
  const own = await postMessage(s.grace, 'news', 'lunch')
  expect(await edit(s.grace, own, { topic: 'dinner' })).toEqual(refused)
  expect(await edit(s.grace, own, { topic: 'LUNCH' })).toEqual(done)
  expect(await edit(s.grace, own, { topic: '✔ LUNCH', propagate_mode: 'change_all' })).toEqual(done)
  expect(await edit(s.ada, own, { topic: 'dinner' })).toEqual(done)
  // A bot may do what its owner may.
  const made = await ok(s.ada, 'POST', '/bots', { full_name: 'Helper', short_name: 'helper' })
  const bot: Person = { ...s.ada, ...made, full_name: 'Helper' }
  expect(await send(bot, id, 'by the bot')).toEqual(done)
  await createChannel(s.ada, 'design', people)
  const elsewhere = await postMessage(s.grace, 'design', 'logo')
  expect(await edit(s.grace, elsewhere, { stream_id: id })).toEqual(refused)
  await ok(s.ada, 'PATCH', `/streams/${id}`, { can_create_topic_group: { new: SystemGroup.everyone } })
  expect(await edit(s.grace, elsewhere, { stream_id: id })).toEqual(done)
})

test('In a private channel with protected history, everyone may begin topics.', async () => {
  await using s = await setUp()
  const msg = 'In a private channel with protected history, everyone must be allowed to begin topics.'
  const params = { invite_only: true, can_create_topic_group: only(s.ada) }
  const subscribers = [s.ada.user_id]
  const given = { name: 'secret', subscribers, ...params }
  expect(await readRefusal(call(s.ada, 'POST', '/channels/create', given))).toEqual(badRequest(msg))
  const id = await createChannel(s.ada, 'secret', [s.ada], { ...params, history_public_to_subscribers: true })
  const update = (change: object) => readRefusal(call(s.ada, 'PATCH', `/streams/${id}`, { ...change }))
  expect(await update({ history_public_to_subscribers: false })).toEqual(badRequest(msg))
  const everyone = { can_create_topic_group: { new: SystemGroup.everyone } }
  expect(await update({ history_public_to_subscribers: false, ...everyone })).toEqual(done)
  expect(await update({ can_create_topic_group: { new: only(s.ada) } })).toEqual(badRequest(msg))
})

test('A channel permits its topics to be resolved by more users than the organization does.', async () => {
  await using s = await setUp()
  await updateRealmSettings(s.realm, {
    can_resolve_topics_group: SystemGroup.nobody,
    can_move_messages_between_topics_group: SystemGroup.nobody,
  })
  await createChannel(s.ada, 'design', [s.ada, s.grace], { can_resolve_topics_group: only(s.grace) })
  await createChannel(s.ada, 'other', [s.ada, s.grace])
  const [logo, same] = [await postMessage(s.ada, 'design', 'logo'), await postMessage(s.ada, 'other', 'logo')]
  expect(await edit(s.grace, logo, { topic: '✔ logo' })).toEqual(done)
  expect(await edit(s.grace, logo, { topic: 'logo' })).toEqual(done)
  expect(await edit(s.grace, same, { topic: '✔ logo' })).toEqual(badRequest('You may not resolve topics.'))
})

test('A channel permits its messages to be deleted by more users than the organization does.', async () => {
  await using s = await setUp()
  const { nobody } = SystemGroup
  await updateRealmSettings(s.realm, { can_delete_any_message_group: nobody, can_delete_own_message_group: nobody })
  const id = await createChannel(s.owner, 'design', [s.ada, s.grace], {
    can_delete_own_message_group: SystemGroup.everyone,
  })
  await createChannel(s.owner, 'other', [s.ada, s.grace])
  const remove = (by: Person, message: number) => readRefusal(call(by, 'DELETE', `/messages/${message}`))
  const refused = badRequest('You may not delete this message.')
  expect(await remove(s.ada, await postMessage(s.ada, 'other', 't'))).toEqual(refused)
  expect(await remove(s.ada, await postMessage(s.ada, 'design', 't'))).toEqual(done)
  expect(await remove(s.ada, await postMessage(s.grace, 'design', 't'))).toEqual(refused)
  const old = await postMessage(s.ada, 'design', 't')
  await updateRealmSettings(s.realm, { message_content_delete_limit_seconds: 1 })
  await s.realm.sql`
    update messages set timestamp = timestamp - 60 where realm_id = ${s.realm.realm_id} and id = ${old}`
  expect(await remove(s.ada, old)).toEqual(badRequest('This message is too old to be deleted by you.'))
  await ok(s.owner, 'PATCH', `/streams/${id}`, { can_delete_any_message_group: { new: only(s.grace) } })
  expect(await remove(s.grace, old)).toEqual(done)
})

test('Who may delete messages in a channel is chosen by administrators and by can_set_delete_message_policy_group.', async () => {
  await using s = await setUp()
  const id = await createChannel(s.ada, 'design', [s.ada, s.moderator])
  const change = (by: Person, name: string) =>
    readRefusal(call(by, 'PATCH', `/streams/${id}`, { [name]: { new: only(s.grace) } }))
  await ok(s.owner, 'PATCH', `/streams/${id}`, { can_administer_channel_group: { new: only(s.ada, s.moderator) } })
  expect(await change(s.ada, 'can_delete_any_message_group')).toEqual(insufficient)
  expect(await change(s.ada, 'can_resolve_topics_group')).toEqual(done)
  expect(await change(s.moderator, 'can_delete_any_message_group')).toEqual(done)
  await updateRealmSettings(s.realm, { can_set_delete_message_policy_group: SystemGroup.nobody })
  expect(await change(s.moderator, 'can_delete_own_message_group')).toEqual(insufficient)
  expect(await change(s.owner, 'can_delete_own_message_group')).toEqual(done)
  const given = { name: 'new', subscribers: [], can_delete_own_message_group: SystemGroup.everyone }
  expect(await readRefusal(call(s.ada, 'POST', '/channels/create', given))).toEqual(insufficient)
  expect(
    await readRefusal(call(s.ada, 'POST', '/channels/create', { ...given, can_delete_own_message_group: 1 })),
  ).toEqual(done)
})
