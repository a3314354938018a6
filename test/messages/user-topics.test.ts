/** The topics of a channel, and the users' visibility policies of topics. */
import { expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow } from '../setup/realm/row-changes.js'

const topics = async (by: Person, stream_id: number, params: Record<string, unknown> = {}) =>
  (await ok(by, 'GET', `/users/me/${stream_id}/topics`, params)).topics

const setPolicy = (by: Person, stream_id: number, topic: string, visibility_policy: number) =>
  call(by, 'POST', '/user_topics', { stream_id, topic, visibility_policy })

const registered = (by: Person, ...fetch_event_types: string[]) => ok(by, 'POST', '/register', { fetch_event_types })

test('Topics are listed once without regard to case, latest first.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const design = await createChannel(ada, 'design', [ada])
  expect(await topics(ada, design)).toEqual([])
  await postMessage(ada, 'design', 'logo')
  const empty = await postMessage(ada, 'design', '')
  const fonts = await postMessage(ada, 'design', 'fonts')
  const logo = await postMessage(ada, 'design', 'Logo')
  const list = [
    { name: 'Logo', max_id: logo },
    { name: 'fonts', max_id: fonts },
    { name: 'general chat', max_id: empty },
  ]
  expect(await topics(ada, design)).toEqual(list)
  expect((await topics(ada, design, { allow_empty_topic_name: true })).at(-1)).toEqual({ name: '', max_id: empty })
  await updateChannelRow(realm, 'design', { is_archived: true })
  expect(await topics(ada, design)).toEqual(list)
  expect(await readRefusal(call(ada, 'GET', '/users/me/999/topics'))).toEqual(
    badRequest('There is no channel with this ID, or you may not see it.'),
  )
})

test('In a channel with protected history, topics that have no readable message are not listed.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const plans = await createChannel(ada, 'plans', [ada], { invite_only: true, history_public_to_subscribers: false })
  await postMessage(ada, 'plans', 'before')
  await postMessage(ada, 'plans', 'both')
  const [bot] = (await realm.people({ full_name: 'Robot', bot: { type: 1, owner_id: ada.user_id } })) as [Person]
  await createChannel(ada, 'plans', [grace, bot])
  const after = await postMessage(ada, 'plans', 'both')
  for (const newcomer of [grace, bot]) {
    expect(await topics(newcomer, plans)).toEqual([{ name: 'both', max_id: after }])
  }
  expect(await readRefusal(call(alan, 'GET', `/users/me/${plans}/topics`))).toEqual(
    badRequest('There is no channel with this ID, or you may not see it.'),
  )
})

test('A change of a policy sends user_topic events, and muted_topics events to clients that do not ask for user_topic.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const design = await createChannel(ada, 'design', [ada, grace])
  const [older, newer] = [await listen(ada), await listen(ada, { event_types: ['user_topic', 'muted_topics'] })]
  const graceListener = await listen(grace)
  await ok(ada, 'POST', '/user_topics', { stream_id: design, topic: 'logo', visibility_policy: 1 })
  await ok(ada, 'POST', '/user_topics', { stream_id: design, topic: 'LOGO', visibility_policy: 1 })
  const since = expect.any(Number)
  const changed = { type: 'user_topic', stream_id: design, last_updated: since }
  expect(await older.events()).toMatchObject([
    { type: 'muted_topics', muted_topics: [['design', 'logo', since]] },
    { ...changed, topic_name: 'logo', visibility_policy: 1 },
  ])
  expect(await newer.eventNames()).toEqual(['user_topic'])
  await ok(ada, 'POST', '/user_topics', { stream_id: design, topic: 'logo', visibility_policy: 3 })
  expect(await older.events()).toMatchObject([
    { type: 'muted_topics', muted_topics: [] },
    { ...changed, visibility_policy: 3 },
  ])
  await ok(ada, 'POST', '/user_topics', { stream_id: design, topic: 'Logo', visibility_policy: 0 })
  await ok(ada, 'POST', '/user_topics', { stream_id: design, topic: 'Logo', visibility_policy: 0 })
  expect(await older.eventNames()).toEqual(['muted_topics', 'user_topic'])
  expect(await graceListener.eventNames()).toEqual([])
})

test('A registration lists the visibility policies, and muted topics for clients that do not ask for user_topic.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const design = await createChannel(ada, 'design', [ada])
  await ok(ada, 'POST', '/user_topics', { stream_id: design, topic: '', visibility_policy: 2 })
  await ok(ada, 'POST', '/user_topics', { stream_id: design, topic: 'general chat', visibility_policy: 1 })
  await ok(ada, 'POST', '/user_topics', { stream_id: design, topic: 'fonts', visibility_policy: 3 })
  const time = expect.any(Number)
  expect((await registered(ada, 'user_topic', 'muted_topics')).user_topics).toEqual([
    { stream_id: design, topic_name: 'general chat', last_updated: time, visibility_policy: 1 },
    { stream_id: design, topic_name: 'fonts', last_updated: time, visibility_policy: 3 },
  ])
  expect((await registered(ada, 'user_topic', 'muted_topics')).muted_topics).toBeUndefined()
  expect((await registered(ada, 'muted_topics')).muted_topics).toEqual([['design', 'general chat', time]])
})

test('Unread messages in muted topics are not counted.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const design = await createChannel(ada, 'design', [ada, grace])
  await postMessage(ada, 'design', 'logo')
  await postMessage(ada, 'design', 'fonts')
  await ok(grace, 'POST', '/user_topics', { stream_id: design, topic: 'LOGO', visibility_policy: 1 })
  expect(await registered(grace, 'message', 'update_message_flags')).toMatchObject({ unread_msgs: { count: 1 } })
})

test('An invalid visibility policy and a policy in an inaccessible channel are refused.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const plans = await createChannel(ada, 'plans', [ada], { invite_only: true })
  expect(await readRefusal(setPolicy(grace, plans, 'x', 1))).toEqual(
    badRequest('There is no channel with this ID, or you may not see it.'),
  )
  expect(await readRefusal(setPolicy(grace, 999, 'x', 0))).toEqual(
    badRequest('There is no channel with this ID, or you may not see it.'),
  )
  expect(await readRefusal(setPolicy(grace, plans, 'x', 0))).toEqual(
    badRequest('There is no channel with this ID, or you may not see it.'),
  )
  expect(await readRefusal(setPolicy(ada, plans, 'x'.repeat(61), 1))).toEqual(
    badRequest('topic may have at most 60 characters.'),
  )
  expect(await readRefusal(setPolicy(ada, plans, 'x', 4))).toEqual(
    badRequest('visibility_policy must be one of the possible values.'),
  )
})

test('The older endpoint for muting accepts a channel by id or by name.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const design = await createChannel(ada, 'design', [ada])
  const mute = (params: Record<string, unknown>) =>
    readRefusal(call(ada, 'PATCH', '/users/me/subscriptions/muted_topics', { topic: 'logo', ...params }))
  expect((await mute({ stream: 'design', op: 'add' })).status).toBe(200)
  expect((await mute({ stream_id: design, op: 'remove' })).status).toBe(200)
  expect(await mute({ stream_id: design, op: 'remove' })).toEqual(badRequest('This topic is not muted.'))
  expect(await mute({ stream: 'none', op: 'remove' })).toEqual(badRequest('This topic is not muted.'))
  expect((await mute({ op: 'add' })).msg).toBe('The parameter stream_id is required.')
  expect((await mute({ op: 'add', stream: 'design', stream_id: design })).msg).toBe(
    'These parameters cannot be combined: stream_id, stream',
  )
  expect((await mute({ op: 'add', stream: 'none' })).msg).toBe(
    'There is no channel named “none”, or you may not see it.',
  )
  expect((await mute({ op: 'add', stream_id: 999 })).msg).toBe(
    'There is no channel with this ID, or you may not see it.',
  )
  expect((await mute({ op: 'mute', stream: 'design' })).msg).toBe('op must be one of: add, remove.')
  const topic = 'x'.repeat(61)
  expect((await mute({ op: 'add', stream: 'design', topic })).msg).toBe('topic may have at most 60 characters.')
})

test('Deleting a topic resets its visibility policy for every user.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
  const design = await createChannel(ada, 'design', [ada, grace])
  await postMessage(ada, 'design', 'logo')
  await ok(grace, 'POST', '/user_topics', { stream_id: design, topic: 'Logo', visibility_policy: 1 })
  const graceListener = await listen(grace)
  await ok(owner, 'POST', `/streams/${design}/delete_topic`, { topic_name: 'logo' })
  expect(await graceListener.eventNames()).toEqual(['stream/update', 'delete_message', 'muted_topics', 'user_topic'])
  expect((await registered(grace, 'user_topic')).user_topics).toEqual([])
})
