/**
 * Moving messages to another topic or channel: permissions, the moved messages, the events, and who can read the
 * messages afterwards.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { makeOlder, moveMessage, moveMessageOk } from '../setup/realm/moving-messages.js'
import { call, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow, updateRealmSettings, updateUserRow } from '../setup/realm/row-changes.js'

/** The unread message ids in the user's registration, by channel id and topic. */
const fetchUnread = async (person: Person): Promise<Record<string, number[]>> => {
  const { unread_msgs } = await ok(person, 'POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags'],
    event_types: ['message', 'update_message_flags'],
  })
  return Object.fromEntries(
    unread_msgs.streams.map(({ stream_id, topic, unread_message_ids }) => [
      `${stream_id} ${topic}`,
      unread_message_ids,
    ]),
  )
}

const fetchFeed = async (person: Person): Promise<number[]> => {
  const page = { anchor: 'newest', num_before: 100 }
  const { messages } = await ok(person, 'GET', '/messages', page)
  return messages.map(({ id }) => id)
}

/** The message ids in the view of everything with the flag. */
const fetchFlagged = async (person: Person, flag: string): Promise<number[]> => {
  const page = { anchor: 'newest', num_before: 100, narrow: [{ operator: 'is', operand: flag }] }
  const { messages } = await ok(person, 'GET', '/messages', page)
  return messages.map(({ id }) => id)
}

/** The messages of the Notification Bot in a topic, after its jobs are done. */
const notices = async (realm: TestRealm, by: Person, stream: string, topic: string): Promise<string[]> => {
  await waitForJobs(realm)
  const narrow = [
    { operator: 'channel', operand: stream },
    { operator: 'topic', operand: topic },
    { operator: 'sender', operand: 'notification-bot@localhost' },
  ]
  const asked = { anchor: 'oldest', num_after: 50, apply_markdown: false, narrow: narrow.slice(0, 2) }
  const { messages } = await ok(by, 'GET', '/messages', asked)
  return messages.filter(({ client }) => client === 'Internal').map(({ content }) => content)
}

test('A topic is renamed for one message, for it and the later ones, or for all.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const stream_id = await createChannel(ada, 'design', [ada, grace])
  const ids = [
    await postMessage(ada, 'design', 'logo'),
    await postMessage(ada, 'design', 'Logo'),
    await postMessage(ada, 'design', 'logo'),
  ]
  const [first, second, third] = ids as [number, number, number]
  const graceListener = await listen(grace, { client_capabilities: { notification_settings_null: true } })
  await moveMessageOk(grace, second, { topic: 'one' })
  await moveMessageOk(grace, first, { topic: 'later', propagate_mode: 'change_later' })
  await moveMessageOk(grace, third, { topic: 'all', propagate_mode: 'change_all' })
  const events = await graceListener.events()
  expect(events[0]).toEqual({
    id: expect.any(Number),
    type: 'update_message',
    user_id: grace.user_id,
    rendering_only: false,
    message_id: second,
    message_ids: [second],
    flags: [],
    edit_timestamp: expect.any(Number),
    stream_name: 'design',
    stream_id,
    orig_subject: 'Logo',
    subject: 'one',
    topic_links: [],
    propagate_mode: 'change_one',
  })
  expect(events.map(({ message_ids }) => message_ids)).toEqual([[second], [first, third], [first, third]])
  expect(events.map(({ propagate_mode }) => propagate_mode)).toEqual(['change_one', 'change_later', 'change_all'])
  const topics = await Promise.all(ids.map(async (id) => (await fetchMessage(ada, id)).subject))
  expect(topics).toEqual(['all', 'one', 'all'])
  expect(await fetchMessage(ada, first)).toMatchObject({ last_moved_timestamp: expect.any(Number) })
  expect(await fetchMessage(ada, first)).not.toHaveProperty('last_edit_timestamp')
})

test('Content and topic can change in one request.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo')
  const adaListener = await listen(ada)
  await moveMessageOk(ada, id, { topic: '', content: 'other' })
  expect(await adaListener.events()).toMatchObject([
    { orig_subject: 'logo', subject: 'general chat', orig_content: 'hello', content: 'other' },
  ])
})

test('Only users with permission can move messages, until the time limit of their role and channel.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const other = await createChannel(ada, 'other', [ada, grace])
  const id = await postMessage(ada, 'design', 'logo')
  await updateRealmSettings(realm, {
    can_move_messages_between_topics_group: 3,
    can_move_messages_between_channels_group: 3,
  })
  expect(await readRefusal(moveMessage(grace, id, { topic: 'x' }))).toEqual(
    badRequest('You may not edit this message.'),
  )
  expect(await readRefusal(moveMessage(grace, id, { stream_id: other }))).toEqual(
    badRequest('You may not move this message.'),
  )
  await updateChannelRow(realm, 'design', {
    can_move_messages_within_channel_group: { direct_members: [grace.user_id], direct_subgroups: [] },
    can_move_messages_out_of_channel_group: { direct_members: [grace.user_id], direct_subgroups: [] },
  })
  await moveMessageOk(grace, id, { topic: 'x' })
  await updateChannelRow(realm, 'other', { can_send_message_group: 3 })
  expect(await readRefusal(moveMessage(grace, id, { stream_id: other }))).toEqual(
    badRequest('You may not send messages to this channel.'),
  )
  await updateChannelRow(realm, 'other', { can_send_message_group: 7 })
  await makeOlder(realm, id, 604_800 + 60)
  expect(await readRefusal(moveMessage(grace, id, { topic: 'y' }))).toEqual(
    badRequest('This message is too old to get another topic.'),
  )
  expect(await readRefusal(moveMessage(grace, id, { stream_id: other }))).toEqual(
    badRequest('This message is too old to move to another channel.'),
  )
  await updateUserRow(realm, grace.user_id, { role: 300 })
  await moveMessageOk(grace, id, { topic: 'y', stream_id: other })
})

test('If a topic is partly too old, the error says which messages the user may move.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const [old, young, last] = [
    await postMessage(ada, 'design', 'logo'),
    await postMessage(ada, 'design', 'logo'),
    await postMessage(ada, 'design', 'logo'),
  ]
  await makeOlder(realm, old, 604_800 + 60)
  const { status, body } = await moveMessage(ada, last, { topic: 'x', propagate_mode: 'change_all' })
  expect({ status, ...body }).toMatchObject({
    status: 400,
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    first_message_id_allowed_to_move: young,
    total_messages_in_topic: 3,
    total_messages_allowed_to_move: 2,
  })
  await moveMessageOk(ada, young, { topic: 'x', propagate_mode: 'change_later' })
  await moveMessageOk(ada, old, { topic: '✔ logo', propagate_mode: 'change_all' })
})

test('A user with permission can resolve a topic without a time limit, and the message does not count as moved.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const id = await postMessage(ada, 'design', 'logo')
  await updateRealmSettings(realm, { can_move_messages_between_topics_group: 3 })
  await moveMessageOk(grace, id, { topic: '✔ logo', propagate_mode: 'change_all' })
  expect(await fetchMessage(ada, id)).not.toHaveProperty('last_moved_timestamp')
  expect(await notices(realm, ada, 'design', '✔ logo')).toEqual([
    `@_**Grace|${grace.user_id}** has marked this topic as resolved.`,
  ])
  await updateRealmSettings(realm, { can_resolve_topics_group: 3 })
  expect(await readRefusal(moveMessage(grace, id, { topic: 'logo' }))).toEqual(
    badRequest('You may not resolve topics.'),
  )
})

test('The notice about a resolved topic is unread for its participants only, and unresolving within a minute deletes it.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan', 'Edsger')
  await using _ = realm
  const [ada, grace, alan, edsger] = people as [Person, Person, Person, Person]
  const stream_id = await createChannel(ada, 'design', people)
  const id = await postMessage(ada, 'design', 'logo')
  await ok(alan, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  await postMessage(edsger, 'design', 'logo')
  const policy = (by: Person, value: string) =>
    ok(by, 'PATCH', '/settings', { resolved_topic_notice_auto_read_policy: value })
  await policy(ada, 'never')
  await policy(grace, 'never')
  await ok(alan, 'POST', '/user_topics', { stream_id, topic: 'logo', visibility_policy: 3 })
  for (const one of people) await ok(one, 'POST', '/mark_stream_as_read', { stream_id })
  const listeners = await Promise.all(people.map((one) => listen(one, { event_types: ['message', 'delete_message'] })))
  await moveMessageOk(grace, id, { topic: '✔ logo', propagate_mode: 'change_all' })
  expect(await notices(realm, ada, 'design', '✔ logo')).toHaveLength(1)
  const unread = async () => (await Promise.all(people.map(fetchUnread))).map((one) => Object.keys(one))
  const [here, nothing] = [[`${stream_id} ✔ logo`], []]
  // Ada turned the automatic reading off and Alan follows the topic. Grace takes no part, and Edsger does not follow.
  expect(await unread()).toEqual([here, nothing, here, nothing])
  const events = await Promise.all(listeners.map((listener) => listener.events()))
  expect(events.map(([event]) => event?.flags)).toEqual([[], ['read'], [], ['read']])
  // Only users for whom the notice is unread get a flag row, however many users have it as read.
  const noticeId = (events[0]?.[0]?.message as { id: number } | undefined)?.id ?? 0
  const rows = () =>
    realm.sql<{ user_id: number }[]>`
      select user_id from message_flags where realm_id = ${realm.realm_id} and message_id = ${noticeId} order by user_id`
  expect((await rows()).map(({ user_id }) => user_id)).toEqual([ada.user_id, alan.user_id])
  const flag = (by: Person, op: string) => ok(by, 'POST', '/messages/flags', { messages: [noticeId], op, flag: 'read' })
  await flag(edsger, 'remove')
  await flag(alan, 'add')
  expect(await unread()).toEqual([here, nothing, nothing, here])
  await flag(edsger, 'add')
  expect(await unread()).toEqual([here, nothing, nothing, nothing])
  expect((await rows()).map(({ user_id }) => user_id)).toEqual([ada.user_id])
  await realm.sql`update messages set timestamp = timestamp - 55 where realm_id = ${realm.realm_id}`
  await moveMessageOk(ada, id, { topic: 'logo', propagate_mode: 'change_all' })
  expect(await notices(realm, ada, 'design', 'logo')).toEqual([])
  expect(await unread()).toEqual([nothing, nothing, nothing, nothing])
  await moveMessageOk(ada, id, { topic: '✔ logo', propagate_mode: 'change_all' })
  expect(await notices(realm, ada, 'design', '✔ logo')).toHaveLength(1)
  await realm.sql`update messages set timestamp = timestamp - 61 where realm_id = ${realm.realm_id}`
  await moveMessageOk(ada, id, { topic: 'logo', propagate_mode: 'change_all' })
  expect(await notices(realm, ada, 'design', 'logo')).toHaveLength(2)
})

test('Messages cannot be moved to an empty topic in a channel that forbids it.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const other = await createChannel(ada, 'other', [ada])
  const id = await postMessage(ada, 'design', '')
  const emptyTopicRefusal = badRequest('Messages in this channel need a topic: general chat is not accepted.')
  await updateChannelRow(realm, 'other', { topics_policy: 'disable_empty_topic' })
  expect(await readRefusal(moveMessage(ada, id, { stream_id: other }))).toEqual(emptyTopicRefusal)
  expect(await readRefusal(moveMessage(ada, id, { stream_id: other, topic: '(no topic)' }))).toEqual(emptyTopicRefusal)
  await moveMessageOk(ada, id, { stream_id: other, topic: 'a topic' })
})

test('Users who received the messages keep their flags and feed when the messages move to another channel.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Both', 'Only Here', 'Only There')
  await using _ = realm
  const [ada, both, here, there] = people as [Person, Person, Person, Person]
  const from = await createChannel(ada, 'design', [ada, both, here])
  const to = await createChannel(ada, 'other', [ada, both, there])
  const ids = [await postMessage(ada, 'design', 'logo'), await postMessage(ada, 'design', 'logo')]
  const [first, second] = ids as [number, number]
  const after = await postMessage(ada, 'other', 'x')
  for (const person of [both, there]) {
    await ok(person, 'POST', '/messages/flags', { messages: [after], op: 'add', flag: 'read' })
  }
  await ok(both, 'POST', '/messages/flags', { messages: [first], op: 'add', flag: 'read' })
  const listeners = await Promise.all([both, here, there].map((person) => listen(person)))
  await moveMessageOk(ada, second, { stream_id: to, propagate_mode: 'change_all' })
  const [bothEvents, hereEvents, thereEvents] = await Promise.all(listeners.map(({ events }) => events()))
  expect(bothEvents?.map(({ type }) => type)).toEqual(['stream', 'stream', 'update_message'])
  expect(bothEvents?.[2]).toMatchObject({
    message_id: second,
    message_ids: ids,
    stream_id: from,
    stream_name: 'design',
    new_stream_id: to,
    orig_subject: 'logo',
    propagate_mode: 'change_all',
    flags: [],
  })
  expect(bothEvents?.[2]).not.toHaveProperty('subject')
  expect(hereEvents?.slice(2)).toMatchObject([
    { type: 'update_message', flags: ['read'] },
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: ids },
  ])
  expect(thereEvents?.map(({ type }) => type)).toEqual(['stream', 'stream', 'update_message'])
  expect(await fetchUnread(both)).toEqual({ [`${to} logo`]: [second] })
  expect(await fetchUnread(here)).toEqual({})
  expect(await fetchUnread(there)).toEqual({})
  expect(await fetchFeed(both)).toEqual([first, second, after])
  expect(await fetchFeed(here)).toEqual([first, second])
  expect(await fetchFeed(there)).toEqual([after])
  expect((await fetchMessage(there, second)).flags).toEqual(['read', 'historical'])
  await ok(both, 'POST', '/mark_stream_as_read', { stream_id: to })
  expect(await fetchUnread(both)).toEqual({})
})

test('Moving messages between channels never makes read messages unread.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const channels = []
  for (const name of ['one', 'two', 'three']) channels.push(await createChannel(ada, name, [ada, grace, alan]))
  const [one, two, three] = channels as [number, number, number]
  const id = await postMessage(ada, 'one', 'logo')
  await moveMessageOk(ada, id, { stream_id: two })
  expect(await fetchUnread(grace)).toEqual({ [`${two} logo`]: [id] })
  await ok(grace, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await moveMessageOk(ada, id, { stream_id: three })
  expect([await fetchUnread(grace), await fetchUnread(alan)]).toEqual([{}, { [`${three} logo`]: [id] }])
  await moveMessageOk(ada, id, { stream_id: one })
  expect([await fetchUnread(grace), await fetchUnread(alan)]).toEqual([{}, { [`${one} logo`]: [id] }])
  await ok(alan, 'DELETE', '/users/me/subscriptions', { subscriptions: ['one'] })
  await ok(grace, 'POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
  expect(await fetchUnread(grace)).toEqual({ [`${one} logo`]: [id] })
})

test('A user without access to the target channel loses the moved messages.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const stream_id = await createChannel(ada, 'design', [ada, grace, alan])
  const to = await createChannel(ada, 'inside', [ada, grace], {
    invite_only: true,
    history_public_to_subscribers: true,
  })
  const id = await postMessage(ada, 'design', 'logo', 'hello @**Alan**')
  await ok(alan, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const bulk = { notification_settings_null: true, bulk_message_deletion: true }
  const [graceListener, alanListener, plain] = [
    await listen(grace, { event_types: ['update_message', 'delete_message'] }),
    await listen(alan, { event_types: ['update_message', 'delete_message'], client_capabilities: bulk }),
    await listen(alan, { event_types: ['update_message', 'delete_message'] }),
  ]
  await moveMessageOk(ada, id, { stream_id: to, topic: 'secret' })
  expect(await graceListener.eventNames()).toEqual(['update_message'])
  const gone = { id: expect.any(Number), type: 'delete_message', message_type: 'stream', stream_id, topic: 'logo' }
  expect(await alanListener.events()).toEqual([{ ...gone, message_ids: [id] }])
  expect(await plain.events()).toEqual([{ ...gone, message_id: id }])
  expect(await readRefusal(call(alan, 'GET', `/messages/${id}`))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
  expect(await fetchFeed(alan)).toEqual([])
  expect(await fetchUnread(alan)).toEqual({})
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'inside' }], principals: [alan.user_id] })
  expect((await fetchMessage(alan, id)).flags).not.toContain('starred')
})

test('A user who lost messages by a move does not get them back when the history of their new channel is protected.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan', 'Lin', 'Guest')
  await using _ = realm
  const [ada, grace, alan, lin, guest] = people as [Person, Person, Person, Person, Person]
  await updateUserRow(realm, guest.user_id, { role: 600 })
  await createChannel(ada, 'design', [ada, grace, alan, lin, guest])
  const shared = { history_public_to_subscribers: true }
  const inside = await createChannel(ada, 'inside', [ada, grace, lin], { invite_only: true, ...shared })
  const open = await createChannel(ada, 'open', [ada])
  const hidden = { is_private: true, history_public_to_subscribers: false }
  const subscribe = (name: string, ...whom: Person[]) =>
    ok(ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: whom.map(({ user_id }) => user_id),
      send_new_subscription_messages: false,
    })
  const statuses = async (id: number) => {
    const answers = await Promise.all(people.map((person) => call(person, 'GET', `/messages/${id}`)))
    return answers.map(({ status }) => status)
  }

  const moved = await postMessage(ada, 'design', 'logo', '@**all**')
  const opened = await postMessage(ada, 'design', 'colors')
  const twice = await postMessage(ada, 'design', 'fonts')
  await moveMessageOk(ada, moved, { stream_id: inside })
  await moveMessageOk(ada, opened, { stream_id: open })
  await moveMessageOk(ada, twice, { stream_id: open })
  await moveMessageOk(ada, twice, { stream_id: inside })
  expect(await statuses(moved)).toEqual([200, 200, 400, 200, 400])
  expect(await statuses(opened)).toEqual([200, 200, 200, 200, 400])
  expect(await statuses(twice)).toEqual([200, 200, 400, 200, 400])

  // With access to the whole history, Alan and the guest read the messages as users who never received them.
  await subscribe('inside', alan)
  await subscribe('open', guest)
  expect((await fetchMessage(alan, moved)).flags).toEqual(['read', 'historical'])
  expect((await fetchMessage(guest, opened)).flags).toEqual(['read', 'historical'])
  expect((await fetchMessage(grace, moved)).flags).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned'])
  expect(await fetchFeed(alan)).toEqual([opened])
  expect(await fetchFeed(guest)).toEqual([])
  expect(await fetchFeed(grace)).toEqual([moved, opened, twice])
  expect(await fetchFlagged(alan, 'mentioned')).toEqual([])
  expect(await fetchFlagged(grace, 'mentioned')).toEqual([moved])

  await ok(ada, 'PATCH', `/streams/${inside}`, hidden)
  await ok(ada, 'PATCH', `/streams/${open}`, hidden)
  await subscribe('open', grace, alan, lin)
  expect(await statuses(moved)).toEqual([200, 200, 400, 200, 400])
  expect(await statuses(opened)).toEqual([200, 200, 200, 200, 400])
  expect(await statuses(twice)).toEqual([200, 200, 400, 200, 400])

  const listeners = await Promise.all(people.map((person) => listen(person, { event_types: ['reaction'] })))
  for (const id of [moved, opened, twice]) await ok(ada, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  const received = await Promise.all(listeners.map((listener) => listener.eventNames()))
  expect(received.map((names) => names.length)).toEqual([3, 3, 1, 3, 0])

  // After a move to a public channel, Alan reads the message as history.
  const back = await createChannel(ada, 'back', [ada, alan, lin])
  await moveMessageOk(ada, moved, { stream_id: back })
  expect((await fetchMessage(alan, moved)).flags).toEqual(['read', 'historical'])
  expect((await fetchMessage(lin, moved)).flags).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned'])
})

test('In a channel with protected history, moved messages are readable for its current subscribers and not for later ones.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan', 'Late')
  await using _ = realm
  const [ada, grace, alan, late] = people as [Person, Person, Person, Person]
  await createChannel(ada, 'design', [ada, grace, late])
  const hidden = { invite_only: true, history_public_to_subscribers: false }
  const to = await createChannel(ada, 'inside', [ada, grace, alan], hidden)
  const id = await postMessage(ada, 'design', 'logo', 'hello @**Grace**')
  await moveMessageOk(ada, id, { stream_id: to })
  expect((await fetchMessage(grace, id)).flags).toEqual(['mentioned'])
  expect((await fetchMessage(alan, id)).flags).toEqual(['read'])
  expect(await fetchUnread(grace)).toEqual({ [`${to} logo`]: [id] })
  expect(await fetchUnread(alan)).toEqual({})
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'inside' }], principals: [late.user_id] })
  expect(await readRefusal(call(late, 'GET', `/messages/${id}`))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
  const listeners = await Promise.all(
    [grace, alan, late].map((person) => listen(person, { event_types: ['reaction'] })),
  )
  await ok(ada, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  expect(await Promise.all(listeners.map((listener) => listener.eventNames()))).toEqual([
    ['reaction/add'],
    ['reaction/add'],
    [],
  ])
  await ok(grace, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  expect(await fetchUnread(grace)).toEqual({})
  await postMessage(ada, 'inside', 'logo')
  await moveMessageOk(ada, id, { topic: 'other', send_notification_to_new_thread: true })
  // The notice names no message, because Late can read the notice too.
  expect(await notices(realm, late, 'inside', 'other')).toEqual([
    `A message was moved here from #**inside>logo** by @_**Ada|${ada.user_id}**.`,
  ])
})

test('A user who moves a topic out of protected history moves only the messages that they can read.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const hidden = { invite_only: true, history_public_to_subscribers: false }
  const inside = await createChannel(ada, 'inside', [ada], hidden)
  const to = await createChannel(ada, 'design', [ada, grace])
  const before = await postMessage(ada, 'inside', 'logo')
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'inside' }], principals: [grace.user_id] })
  const after = await postMessage(ada, 'inside', 'logo')
  const latest = await postMessage(ada, 'inside', 'logo')
  for (const one of [ada, grace]) {
    await ok(one, 'POST', '/user_topics', { stream_id: inside, topic: 'logo', visibility_policy: 3 })
  }
  const graceListener = await listen(grace, { event_types: ['user_topic'] })
  const loudly = { send_notification_to_old_thread: true, propagate_mode: 'change_later' }
  await moveMessageOk(grace, latest, { stream_id: to, ...loudly })
  expect(await graceListener.eventNames()).toEqual([])
  const by = `#**design>logo** by @_**Grace|${grace.user_id}**.`
  expect(await notices(realm, ada, 'inside', 'logo')).toEqual([`A message was moved from this topic to ${by}`])
  await moveMessageOk(grace, after, { stream_id: to, ...loudly })
  expect(await graceListener.events()).toMatchObject([{ stream_id: inside, visibility_policy: 0 }])
  expect(await notices(realm, ada, 'inside', 'logo')).toEqual([`This topic was moved to ${by}`])
  expect(await readRefusal(call(grace, 'GET', `/messages/${before}`))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
  expect((await fetchMessage(grace, after)).flags).toEqual([])
})

test('Events about a topic with protected history contain only the messages that each recipient can read.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  await createChannel(ada, 'inside', [ada, grace], { invite_only: true, history_public_to_subscribers: false })
  const before = await postMessage(ada, 'inside', 'logo')
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'inside' }], principals: [alan.user_id] })
  const after = await postMessage(ada, 'inside', 'logo')
  const bulk = { notification_settings_null: true, bulk_message_deletion: true }
  const asked = { client_capabilities: bulk, event_types: ['update_message', 'delete_message'] }
  const [graceListener, alanListener] = [await listen(grace, asked), await listen(alan, asked)]
  await moveMessageOk(ada, before, { topic: 'other', propagate_mode: 'change_all', content: 'anew' })
  expect(await graceListener.events()).toMatchObject([
    { message_id: before, message_ids: [before, after], content: 'anew' },
  ])
  const [event] = await alanListener.events()
  expect(event).toMatchObject({ message_id: after, message_ids: [after], subject: 'other' })
  expect(event).not.toHaveProperty('content')
  await updateUserRow(realm, ada.user_id, { role: 200 })
  const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: 'inside' })
  await ok(ada, 'POST', `/streams/${stream_id}/delete_topic`, { topic_name: 'other' })
  expect(await graceListener.events()).toMatchObject([{ message_ids: [before, after] }])
  expect(await alanListener.events()).toMatchObject([{ message_ids: [after] }])
})

test('Moving a message updates first_message_id of both channels.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const from = await createChannel(ada, 'design', [ada])
  const to = await createChannel(ada, 'other', [ada])
  const id = await postMessage(ada, 'design', 'logo')
  await postMessage(ada, 'other', 'x')
  await moveMessageOk(ada, id, { stream_id: to })
  const firsts = async () => {
    const { streams } = await ok(ada, 'GET', '/streams')
    return Object.fromEntries(streams.map(({ stream_id, first_message_id }) => [stream_id, first_message_id]))
  }
  expect(await firsts()).toMatchObject({ [from]: null, [to]: id })
})

test('Notices in the old and the new topic follow the parameters of the move.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const from = await createChannel(ada, 'design', [ada])
  const to = await createChannel(ada, 'other', [ada])
  const by = `@_**Ada|${ada.user_id}**`
  const [first, second, third] = [
    await postMessage(ada, 'design', 'logo'),
    await postMessage(ada, 'design', 'logo'),
    await postMessage(ada, 'design', 'logo'),
  ]
  const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
  await ok(ada, 'PATCH', `/messages/${first}`, { topic: 'one', ...both })
  expect(await notices(realm, ada, 'design', 'logo')).toEqual([
    `A message was moved from this topic to #**design>one** by ${by}.`,
  ])
  expect(await notices(realm, ada, 'design', 'one')).toEqual([
    `[A message](#narrow/channel/${from}-design/topic/one/near/${first}) was moved here from #**design>logo** by ${by}.`,
  ])
  await ok(ada, 'PATCH', `/messages/${second}`, { stream_id: to, propagate_mode: 'change_all' })
  expect(await notices(realm, ada, 'other', 'logo')).toContain(
    `This topic was moved here from #**design>logo** by ${by}.`,
  )
  expect(await fetchMessage(ada, third)).toMatchObject({ subject: 'logo', stream_id: to })
})

/** The addresses in the HTML of a notice. */
const linksOf = async (by: Person, stream: string, topic: string): Promise<string[]> => {
  const narrow = [
    { operator: 'channel', operand: stream },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = await ok(by, 'GET', '/messages', { anchor: 'oldest', num_after: 50, narrow })
  return messages
    .filter(({ client }) => client === 'Internal')
    .flatMap(({ content }) => [...content.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href))
}

test('The notices of a move link topics and channels with every name.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const names = ['a **b** c', 'x*y', '`code`', 'a > b', '<b>', '$$x$$', '&lt;', '[a](b)', '@**Ada**']
  const topics = [...names, 'f@95', 'test ` one ` two', '#**x**', '***']
  const encode = (text: string) =>
    encodeURIComponent(text)
      .replace(/[.!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%', '.')
  await createChannel(ada, 'plain', [ada])
  const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
  const moved: { topic: string; name: string; id: number }[] = []
  for (const [i, topic] of topics.entries()) {
    const name = names[i] ?? `c${i}`
    const id = await createChannel(ada, name, [ada])
    const first = await postMessage(ada, 'plain', topic)
    await postMessage(ada, 'plain', topic)
    await ok(ada, 'PATCH', `/messages/${first}`, {
      stream_id: id,
      topic: `to ${topic}`,
      propagate_mode: 'change_all',
      ...both,
    })
    moved.push({ topic, name, id })
  }
  await waitForJobs(realm)
  for (const { topic, name, id } of moved) {
    const place = `#narrow/channel/${id}-${encode(name.replaceAll(' ', '-'))}/topic/${encode(`to ${topic}`)}`
    expect(await linksOf(ada, 'plain', topic), topic).toEqual([expect.stringContaining(place)])
    expect(await linksOf(ada, name, `to ${topic}`), topic).toEqual([expect.stringContaining(`/topic/${encode(topic)}`)])
  }
})

test('A change of the case of a topic is no move: no notice reports it.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo Ä')
  const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
  await ok(ada, 'PATCH', `/messages/${id}`, { topic: 'Logo ä', propagate_mode: 'change_all', ...both })
  expect(await fetchMessage(ada, id)).toMatchObject({ subject: 'Logo ä' })
  expect(await fetchMessage(ada, id)).not.toHaveProperty('last_moved_timestamp')
  await ok(ada, 'PATCH', `/messages/${id}`, { topic: 'Logo', propagate_mode: 'change_all', ...both })
  expect(await notices(realm, ada, 'design', 'logo ä')).toEqual([
    expect.stringMatching(/^This topic was moved to #\*\*design>Logo\*\* by/),
  ])
})

test('Subscribers of the channel to which messages move receive an event, unless it would name a channel that they do not see.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const from = await createChannel(ada, 'design', [ada, alan])
  const hidden = await createChannel(ada, 'hidden', [ada], { invite_only: true })
  const to = await createChannel(ada, 'other', [ada, grace, alan])
  const shown = await postMessage(ada, 'design', 'logo')
  const secret = await postMessage(ada, 'hidden', 'secret')
  const listeners = [await listen(grace), await listen(alan)] as const
  await moveMessageOk(ada, secret, { stream_id: to })
  await moveMessageOk(ada, shown, { stream_id: to, topic: 'new' })
  const update = {
    type: 'update_message',
    message_ids: [shown],
    stream_id: from,
    new_stream_id: to,
    orig_subject: 'logo',
    subject: 'new',
  }
  const [toGrace, toAlan] = [await listeners[0].events(), await listeners[1].events()]
  expect(toGrace.filter(({ type }) => type === 'update_message')).toMatchObject([{ ...update, flags: ['read'] }])
  expect(toAlan.filter(({ type }) => type === 'update_message')).toMatchObject([{ ...update, flags: [] }])
  expect(JSON.stringify(toGrace)).not.toContain(`"stream_id":${hidden}`)
})

test('Visibility policies of a topic move along with all of its messages.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const stream_id = await createChannel(ada, 'design', [ada, grace, alan])
  const to = await createChannel(ada, 'inside', [ada, grace], {
    invite_only: true,
    history_public_to_subscribers: true,
  })
  const policy = (by: Person, topic: string, visibility_policy: number, channel_id = stream_id) =>
    ok(by, 'POST', '/user_topics', { stream_id: channel_id, topic, visibility_policy })
  const id = await postMessage(ada, 'design', 'logo')
  await policy(grace, 'logo', 3)
  await policy(alan, 'logo', 1)
  const listeners = await Promise.all(
    [grace, alan].map((one) => listen(one, { event_types: ['user_topic', 'update_message', 'delete_message'] })),
  )
  await moveMessageOk(ada, id, { topic: 'other', propagate_mode: 'change_all' })
  const [graceEvents, alanEvents] = await Promise.all(listeners.map(({ events }) => events()))
  expect(graceEvents).toMatchObject([
    { type: 'user_topic', stream_id, topic_name: 'logo', visibility_policy: 0 },
    { type: 'user_topic', stream_id, topic_name: 'other', visibility_policy: 3 },
    { type: 'update_message' },
  ])
  expect(alanEvents?.slice(0, 2)).toMatchObject([
    { visibility_policy: 0 },
    { topic_name: 'other', visibility_policy: 1 },
  ])
  await postMessage(ada, 'inside', 'Third')
  await policy(grace, 'third', 2, to)
  await moveMessageOk(ada, id, { stream_id: to, topic: 'third', propagate_mode: 'change_all' })
  const rows = await realm.sql`
    select user_id, channel_id, topic, visibility_policy from user_topics where realm_id = ${realm.realm_id}`
  expect(rows).toMatchObject([{ user_id: grace.user_id, channel_id: to, visibility_policy: 2 }])
  const kinds = await Promise.all(listeners.map((listener) => listener.eventNames()))
  expect(kinds[1]).toEqual(['delete_message', 'user_topic'])
})

/** Operations on three channels and their messages. `id` is the position of a message in the order of sending. */
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('post' as const), who: fc.nat(3), channel: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      id: fc.nat(9),
      channel: fc.nat(2),
      mode: fc.constantFrom('change_one', 'change_later', 'change_all'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('flag' as const),
      who: fc.nat(3),
      ids: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
      op: fc.constantFrom('add', 'add', 'remove'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const), who: fc.nat(3), channel: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('join' as const, 'leave' as const),
      who: fc.nat(3),
      channel: fc.nat(2),
    }),
  },
)
type Operation = typeof operation extends fc.Arbitrary<infer D> ? D : never

/** Compares the server with a model that keeps one set of unread message ids per user. */
const compareWithModel = async (members: number[][], steps: Operation[]): Promise<void> => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan', 'Edsger')
  await using _ = realm
  const ada = people[0] as Person
  const channels: number[] = []
  for (const [i, some] of members.entries()) {
    channels.push(await createChannel(ada, `channel ${i}`, [ada, ...some.map((who) => people[who] as Person)]))
  }
  const inside = members.map((some) => new Set([0, ...some]))
  const unread = people.map(() => new Set<number>())
  const place = new Map<number, number>()
  const ids = () => [...place.keys()]
  const perform = async (step: Operation): Promise<void> => {
    const by = 'who' in step ? (people[step.who] as Person) : ada
    if (step.do === 'flag') {
      const messages = [...new Set(step.ids.flatMap((id) => ids()[id] ?? []))]
      if (messages.length > 0) await ok(by, 'POST', '/messages/flags', { messages, op: step.op, flag: 'read' })
      for (const id of messages) {
        if (step.op === 'add') unread[step.who]?.delete(id)
        else if (inside[place.get(id) ?? 0]?.has(step.who)) unread[step.who]?.add(id)
      }
      return
    }
    const to = channels[step.channel] as number
    const subscribers = inside[step.channel] as Set<number>
    const there = () => ids().filter((id) => place.get(id) === step.channel)
    if (step.do === 'post') {
      const asked = { type: 'stream', to, topic: 't', content: 'hello', read_by_sender: true }
      const { id } = await ok(by, 'POST', '/messages', asked)
      place.set(id, step.channel)
      for (const who of subscribers) if (who !== step.who) unread[who]?.add(id)
    } else if (step.do === 'read') {
      await ok(by, 'POST', '/mark_stream_as_read', { stream_id: to })
      for (const id of there()) unread[step.who]?.delete(id)
    } else if (step.do === 'join') {
      await ok(by, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: `channel ${step.channel}` }] })
      subscribers.add(step.who)
    } else if (step.do === 'leave') {
      await ok(by, 'DELETE', '/users/me/subscriptions', { subscriptions: [`channel ${step.channel}`] })
      if (subscribers.delete(step.who)) for (const id of there()) unread[step.who]?.delete(id)
    } else if (step.do === 'move') {
      const target = ids()[step.id]
      const from = target === undefined ? undefined : place.get(target)
      if (target === undefined || from === step.channel) return
      await moveMessageOk(ada, target, { stream_id: to, propagate_mode: step.mode })
      const movedIds = { change_one: [target], change_later: ids().filter((id) => id >= target), change_all: ids() }
      for (const id of movedIds[step.mode as keyof typeof movedIds].filter((id) => place.get(id) === from)) {
        place.set(id, step.channel)
        for (const [who, mine] of unread.entries()) if (!subscribers.has(who)) mine.delete(id)
      }
    }
  }
  for (const step of steps) await perform(step)
  for (const [who, mine] of unread.entries()) {
    const expected: Record<string, number[]> = {}
    for (const id of [...mine].sort((a, b) => a - b)) {
      const key = `${channels[place.get(id) as number]} t`
      expected[key] = [...(expected[key] ?? []), id]
    }
    expect(await fetchUnread(people[who] as Person), `of person ${who}`).toEqual(expected)
  }
}

test('After random moves, every user has exactly the unread messages of the model.', { timeout: 300_000 }, async () => {
  const members = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 3 })), { minLength: 3, maxLength: 3 })
  const steps = fc.array(operation, { minLength: 10, maxLength: 40 })
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 10)
  await fc.assert(fc.asyncProperty(members, steps, compareWithModel), {
    numRuns,
    endOnFailure: true,
    interruptAfterTimeLimit: 240_000,
  })
})
