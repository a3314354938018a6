/** Typing events, which are sent at once and never stored. */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { channelTypingAudience, filterTypingRecipients } from '../../src/domain/messages/typing.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { readEvents, type WireEvent } from '../setup/realm/event-reader.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, gateways, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow, updateRealmSettings, updateUserRow } from '../setup/realm/row-changes.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

/** Repeats `act` until the user's queue has received an event, and returns that event. */
const waitForEvent = async (by: Person, act: () => Promise<unknown>, asked: Record<string, unknown> = {}) => {
  const [url = '', otherUrl = ''] = gateways()
  const cursor = await ok(by, 'POST', '/register', { fetch_event_types: [], ...asked }, { url })
  let events: WireEvent[] | undefined
  const reading = readEvents('poll', otherUrl, by, cursor, 10_000).then((some) => {
    events = some
  })
  while (events === undefined) {
    await act()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await reading
  return events[0]
}

const capable = { client_capabilities: { notification_settings_null: true, stream_typing_notifications: true } }
const sendTyping = (by: Person, params: Record<string, unknown>) =>
  call(by, 'POST', '/typing', { op: 'start', ...params })

const invalid = badRequest('There is no such message, or you may not read it.')

test('Both participants of a conversation get the typing event, also on another gateway than the one they registered at.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const [one, other] = [ada, grace].map(({ user_id, email }) => ({ user_id, email }))
  for (const hearing of [grace, ada]) {
    expect(await waitForEvent(hearing, () => sendTyping(ada, { to: [grace.user_id] }))).toEqual({
      id: expect.any(Number),
      type: 'typing',
      op: 'start',
      message_type: 'direct',
      sender: one,
      recipients: [one, other],
    })
  }
})

test("A channel's typing events go to active subscribers with the setting, if the channel has at most 100 subscribers.", () => {
  const world = new StateBuilder()
  const { id } = world.channel()
  const join = (given = {}) => world.subscribe(world.user(given), world.state.channels.get(id) as never)
  for (let i = 0; i < 99; i++) join()
  join({ settings: { receives_typing_notifications: false } })
  const { users } = channelTypingAudience(world.state, id)
  expect(users).toEqual(Array.from({ length: 99 }, (_, i) => i + 1))
  join()
  expect(channelTypingAudience(world.state, id)).toEqual({})
  const [gone, here] = [world.user({ is_active: false }), world.user()]
  expect(filterTypingRecipients(world.state, [gone.id, here.id])).toEqual([here.id])
})

test('Subscribers get typing events of a channel if their client supports them.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const stream_id = await createChannel(ada, 'design', [ada, grace])
  const write = () => sendTyping(ada, { op: 'stop', type: 'channel', stream_id, topic: '' })
  expect(await waitForEvent(grace, write, capable)).toMatchObject({
    type: 'typing',
    op: 'stop',
    message_type: 'stream',
    stream_id,
    topic: 'general chat',
  })
  const typeWithoutTopic = () => sendTyping(ada, { type: 'stream', stream_id, topic: '(no topic)' })
  const withEmptyTopics = { client_capabilities: { ...capable.client_capabilities, empty_topic_name: true } }
  expect(await waitForEvent(grace, typeWithoutTopic, withEmptyTopics)).toMatchObject({ op: 'start', topic: '' })
  let times = 0
  const later = async () => {
    await write()
    if (++times === 10) await postMessage(ada, 'design', 'logo')
  }
  expect(await waitForEvent(grace, later)).toMatchObject({ type: 'message' })
})

test('Editing a message sends typing events, by the old and the new endpoint, and is refused without permission to edit.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const channel_id = await createChannel(ada, 'design', [ada, grace])
  const [inChannel, direct] = [await postMessage(ada, 'design', 'logo'), await sendDirectMessage(ada, [grace])]
  const rewrite = { type: 'typing_edit_message', op: 'start', sender_id: ada.user_id }
  const old = () => ok(ada, 'POST', `/messages/${inChannel}/typing`, { op: 'start' })
  expect(await waitForEvent(grace, old)).toMatchObject({
    ...rewrite,
    message_id: inChannel,
    recipient: { type: 'channel', channel_id, topic: 'logo' },
  })
  const current = () => ok(ada, 'POST', '/message_edit_typing', { message_id: direct, op: 'start' })
  expect(await waitForEvent(grace, current)).toMatchObject({
    ...rewrite,
    message_id: direct,
    recipient: { type: 'direct', user_ids: [ada.user_id, grace.user_id] },
  })
  const nameless = await postMessage(ada, 'design', '')
  const stopped = () => ok(ada, 'POST', '/message_edit_typing', { message_id: nameless, op: 'stop' })
  expect(await waitForEvent(grace, stopped)).toMatchObject({
    op: 'stop',
    recipient: { type: 'channel', topic: 'general chat' },
  })
  const rewriting = (by: Person, message_id: number, op = 'start') =>
    readRefusal(call(by, 'POST', '/message_edit_typing', { message_id, op }))
  expect(await rewriting(grace, direct)).toEqual(badRequest('You may not edit this message.'))
  expect(await rewriting(ada, direct, 'pause')).toEqual(badRequest('op must be start or stop.'))
  expect(await rewriting(ada, 4711)).toEqual(invalid)
  // The tolerance after the edit limit allows finishing an edit, but not starting one.
  await realm.sql`
    update messages set timestamp = timestamp - 605 where realm_id = ${realm.realm_id} and id = ${direct}`
  expect(await rewriting(ada, direct)).toEqual(badRequest('This message is too old to be edited.'))
  await updateUserRow(realm, ada.user_id, { settings: { send_stream_typing_notifications: false } })
  expect(await rewriting(ada, inChannel)).toEqual(
    badRequest('Your settings turn off typing notifications for channel messages.'),
  )
  await updateChannelRow(realm, 'design', { is_archived: true })
  expect(await rewriting(ada, inChannel)).toEqual(invalid)
})

test('A subscriber who does not have a message, because history is protected, does not learn that it is edited.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const kind = { invite_only: true, history_public_to_subscribers: false }
  await createChannel(ada, 'design', [ada], kind)
  const early = await postMessage(ada, 'design', 'logo')
  await createChannel(ada, 'design', [grace])
  const late = await postMessage(ada, 'design', 'logo')
  const edit = async () => {
    for (const message_id of [early, late]) await ok(ada, 'POST', `/messages/${message_id}/typing`, { op: 'start' })
  }
  expect(await waitForEvent(ada, edit)).toMatchObject({ type: 'typing_edit_message', message_id: early })
  expect(await waitForEvent(grace, edit)).toMatchObject({ type: 'typing_edit_message', message_id: late })
})

test('A client that does not know the empty topic gets its display name in typing events of an edit.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const message_id = await postMessage(ada, 'design', '')
  const edit = () => ok(ada, 'POST', `/messages/${message_id}/typing`, { op: 'start' })
  const topicFor = async (empty_topic_name: boolean) => {
    const client_capabilities = { empty_topic_name, notification_settings_null: true }
    const event = await waitForEvent(ada, edit, { client_capabilities })
    return (event?.recipient as { topic: string } | undefined)?.topic
  }
  expect(await topicFor(true)).toBe('')
  expect(await topicFor(false)).toBe('general chat')
})

test('A user cannot send typing events to users to whom they cannot write.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const [guest] = (await realm.people({ full_name: 'Guest', role: Role.guest })) as [Person]
  await createChannel(ada, 'meeting', [ada, guest])
  await updateRealmSettings(realm, { can_access_all_users_group: SystemGroup.members })
  const to = ({ user_id }: Person) => ({ to: [user_id] })
  expect(await readRefusal(sendTyping(guest, to(grace)))).toEqual(
    badRequest(`There is no user with ID ${grace.user_id} to send to.`),
  )
  expect(await readRefusal(sendTyping(guest, to(ada)))).toMatchObject({ status: 200 })
  await updateRealmSettings(realm, { direct_message_permission_group: SystemGroup.nobody })
  expect(await readRefusal(sendTyping(guest, to(ada)))).toEqual(
    badRequest('This organization has turned off direct messages.'),
  )
  await updateUserRow(realm, grace.user_id, { is_active: false })
  expect(await readRefusal(sendTyping(ada, to(grace)))).toEqual(
    badRequest(`There is no user with ID ${grace.user_id} to send to.`),
  )
})

test('An invalid typing request is refused.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const to = [grace.user_id]
  const wrong = async (params: Record<string, unknown>) => (await sendTyping(ada, params)).body.msg
  expect(await wrong({ op: 'pause', to })).toBe('op must be start or stop.')
  expect(await wrong({ type: 'other', to })).toBe('type must be direct or channel.')
  expect(await readRefusal(sendTyping(ada, {}))).toEqual(
    badRequest('A typing notification for a direct message needs to.'),
  )
  expect(await wrong({ to: [] })).toBe('to must contain at least one user ID.')
  // Formats of older clients.
  expect(await wrong({ to: [grace.email] })).toBe('to[0] must be an integer.')
  expect(await wrong({ type: 'stream', stream_id: [1], topic: 'x' })).toBe('stream_id must be an integer.')
  expect(await wrong({ to: [999] })).toBe('There is no user with ID 999 to send to.')
  expect(await readRefusal(sendTyping(ada, { type: 'stream', topic: 'x' }))).toEqual(
    badRequest('A typing notification for a channel needs stream_id.'),
  )
  expect(await wrong({ type: 'stream', stream_id: 1 })).toBe('A channel message needs a topic.')
  await updateUserRow(realm, ada.user_id, { settings: { send_private_typing_notifications: false } })
  expect(await wrong({ to })).toBe('Your settings turn off typing notifications for direct messages.')
  const stream_id = await createChannel(ada, 'design', [ada])
  const inDesign = { type: 'stream', stream_id, subject: 'logo' }
  expect(await wrong(inDesign)).toBe('')
  await updateUserRow(realm, ada.user_id, { settings: { send_stream_typing_notifications: false } })
  expect(await wrong(inDesign)).toBe('Your settings turn off typing notifications for channel messages.')
})
