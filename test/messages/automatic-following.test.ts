/** Automatic following of topics in which a user participates, by the user's settings. */
import { expect, test } from 'vitest'
import { composeSubscription } from '../../src/domain/channels/channels.js'
import { automaticPolicy } from '../../src/domain/messages/sending/following.js'
import type { UserSettings } from '../../src/domain/settings/user-settings.js'
import { listen } from '../setup/realm/event-listener.js'
import { makeScheduledDue } from '../setup/realm/jobs.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { anyGateway, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const Participation = { takingPart: 1, sending: 2, starting: 3, never: 4 }

const logo = { type: 'stream', to: 'design', topic: 'logo', content: 'hello' }

const send = (by: Person, topic: string, content = 'hello') => ok(by, 'POST', '/messages', { ...logo, topic, content })

const set = (by: Person, settings: Record<string, unknown>) => ok(by, 'PATCH', '/settings', settings)

const topicPolicies = async (by: Person) => {
  const { user_topics } = await ok(by, 'POST', '/register', { fetch_event_types: ['user_topic'] })
  return Object.fromEntries(user_topics.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]))
}

const setUp = async () => {
  const realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  const stream_id = await createChannel(ada, 'design', [ada, grace])
  return { realm, ada, grace, stream_id }
}

test('A user who starts a topic follows it and receives the event; a user who answers in it does not.', async () => {
  const { realm, ada, grace, stream_id } = await setUp()
  await using _ = realm
  const adaListener = await listen(ada, { event_types: ['message', 'user_topic'] })
  expect(await send(ada, 'logo')).toMatchObject({ automatic_new_visibility_policy: 3 })
  expect(await send(grace, 'Logo')).not.toHaveProperty('automatic_new_visibility_policy')
  expect(await send(ada, 'logo')).not.toHaveProperty('automatic_new_visibility_policy')
  const [followed, ...rest] = await adaListener.events()
  expect(followed).toEqual({
    id: expect.any(Number),
    type: 'user_topic',
    stream_id,
    topic_name: 'logo',
    last_updated: expect.any(Number),
    visibility_policy: 3,
  })
  expect(rest.map(({ type }) => type)).toEqual(['message', 'message', 'message'])
  expect(await topicPolicies(grace)).toEqual({})
})

test('A setting applies to its level of participation and to every stronger one.', () => {
  const world = new StateBuilder()
  const { id: channel_id } = world.channel()
  /** The visibility policies after participating, sending and starting a topic. */
  const policies = (follow: number, unmute: number, where: { is_muted?: boolean; is_bot?: boolean } = {}) => {
    const settings: Partial<UserSettings> = {
      automatically_follow_topics_policy: follow,
      automatically_unmute_topics_in_muted_streams_policy: unmute,
    }
    const user = world.user({ settings, is_bot: where.is_bot ?? false })
    world.put('subscriptions', {
      ...composeSubscription(user.id, channel_id, '#c2c2c2'),
      is_muted: where.is_muted ?? false,
    })
    const parts = ['takes part', 'sends', 'starts'] as const
    return parts.map((part) => automaticPolicy(world.state, user, channel_id, part) ?? 0)
  }
  const { takingPart, sending, starting, never } = Participation
  const choices = [takingPart, sending, starting, never]
  const muted = { is_muted: true }
  const expectedPolicies = (policy: number) => [
    [policy, policy, policy],
    [0, policy, policy],
    [0, 0, policy],
    [0, 0, 0],
  ]
  expect(choices.map((follow) => policies(follow, never))).toEqual(expectedPolicies(3))
  expect(choices.map((unmute) => policies(never, unmute, muted))).toEqual(expectedPolicies(2))
  expect(choices.map((unmute) => policies(never, unmute))).toEqual(choices.map(() => [0, 0, 0]))
  expect(policies(starting, takingPart, muted)).toEqual([2, 2, 3])
  expect(policies(takingPart, takingPart, { ...muted, is_bot: true })).toEqual([0, 0, 0])
})

test('One of several users who start a topic concurrently follows it.', async () => {
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  const sent = await Promise.all([ada, grace, ada, grace].map((one) => send(one, 'logo')))
  const first = sent.toSorted((a, b) => a.id - b.id).findIndex((one) => one.automatic_new_visibility_policy === 3)
  expect(first).toBe(0)
  const followers = await Promise.all([ada, grace].map(topicPolicies))
  expect(followers.filter((topics) => topics.logo === 3)).toHaveLength(1)
})

test('A user who posts in a topic whose messages were all moved or deleted starts the topic again.', async () => {
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  await updateRealmSettings(realm, { can_delete_own_message_group: 5 })
  const url = anyGateway()
  const follows = async (topic: string) => {
    await ok(grace, 'GET', '/users/me', {}, { url })
    const sent = await ok(grace, 'POST', '/messages', { ...logo, topic }, { url })
    return { id: sent.id, follows: sent.automatic_new_visibility_policy === 3 }
  }
  const [moved, first] = [await send(ada, 'moved'), await send(ada, 'deleted')]
  const [, second] = [await follows('moved'), await follows('deleted')]
  expect(second.follows).toBe(false)
  await ok(ada, 'PATCH', `/messages/${moved.id}`, { topic: 'elsewhere', propagate_mode: 'change_all' })
  await ok(ada, 'DELETE', `/messages/${first.id}`)
  expect(await follows('moved')).toMatchObject({ follows: true })
  const third = await follows('deleted')
  expect(third.follows).toBe(false)
  for (const { id } of [second, third]) await ok(grace, 'DELETE', `/messages/${id}`)
  expect(await follows('deleted')).toMatchObject({ follows: true })
})

test('A scheduled message counts as participation of its sender and of the mentioned users.', async () => {
  const { realm, ada, grace, stream_id } = await setUp()
  await using _ = realm
  const adaListener = await listen(ada, { event_types: ['user_topic', 'message'] })
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 3_600
  const content = `@**Grace|${grace.user_id}** look`
  await ok(ada, 'POST', '/scheduled_messages', { ...logo, to: stream_id, content, scheduled_delivery_timestamp })
  await makeScheduledDue(realm)
  await expect.poll(() => topicPolicies(ada), { timeout: 15_000, interval: 50 }).toEqual({ logo: 3 })
  expect(await adaListener.eventNames()).toEqual(['user_topic', 'message'])
  expect(await topicPolicies(grace)).toEqual({ logo: 3 })
})

test('A sent message makes a user follow the topic if the setting says so, and not otherwise.', async () => {
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  await set(ada, { automatically_follow_topics_policy: Participation.sending })
  await set(grace, { automatically_follow_topics_policy: Participation.never })
  await send(grace, 'logo')
  expect(await send(ada, 'logo')).toMatchObject({ automatic_new_visibility_policy: 3 })
  expect(await topicPolicies(ada)).toEqual({ logo: 3 })
  expect(await topicPolicies(grace)).toEqual({})
})

test('A reaction or a vote makes a user follow the topic if the setting says so.', async () => {
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  const { id } = await send(ada, 'logo')
  const react = (emoji_name: string) => ok(grace, 'POST', `/messages/${id}/reactions`, { emoji_name })
  await react('tada')
  expect(await topicPolicies(grace)).toEqual({})
  await set(grace, { automatically_follow_topics_policy: Participation.takingPart })
  const graceListener = await listen(grace)
  await react('smile')
  expect(await graceListener.eventNames()).toEqual(['user_topic', 'reaction/add'])
  expect(await topicPolicies(grace)).toEqual({ logo: 3 })
  const poll = await send(ada, 'food', '/poll Pizza?')
  const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  await graceListener.eventNames()
  await ok(grace, 'POST', '/submessage', { message_id: poll.id, msg_type: 'widget', content })
  expect(await graceListener.eventNames()).toEqual(['user_topic', 'submessage'])
})

test('A sent message unmutes the topic in a muted channel, unless the setting is never.', async () => {
  const { realm, ada, grace, stream_id } = await setUp()
  await using _ = realm
  await send(grace, 'logo')
  const subscription_data = [{ stream_id, property: 'is_muted', value: true }]
  await ok(ada, 'POST', '/users/me/subscriptions/properties', { subscription_data })
  expect(await send(ada, 'logo')).toMatchObject({ automatic_new_visibility_policy: 2 })
  await set(ada, { automatically_unmute_topics_in_muted_streams_policy: Participation.never })
  await send(grace, 'other')
  expect(await send(ada, 'other')).not.toHaveProperty('automatic_new_visibility_policy')
})

test('A mentioned subscriber follows the topic, unless the topic is muted or the setting is off.', async () => {
  const { realm, ada, grace, stream_id } = await setUp()
  await using _ = realm
  const [outsider] = (await realm.people({ full_name: 'Outsider' })) as [Person]
  const mention = `@**Grace|${grace.user_id}** and @**Outsider|${outsider.user_id}** look`
  await ok(grace, 'POST', '/user_topics', { stream_id, topic: 'noise', visibility_policy: 1 })
  await send(ada, 'noise', mention)
  await send(ada, 'logo', mention)
  await send(ada, 'silence', mention.replace('@', '@_'))
  expect(await topicPolicies(grace)).toEqual({ noise: 1, logo: 3 })
  expect(await topicPolicies(outsider)).toEqual({})
  await set(grace, { automatically_follow_topics_where_mentioned: false })
  await send(ada, 'other', mention)
  expect(await topicPolicies(grace)).toEqual({ noise: 1, logo: 3 })
})

test("A user's own message makes a muted topic followed, and never lowers the policy of a topic.", async () => {
  const { realm, ada, grace, stream_id } = await setUp()
  await using _ = realm
  await postMessage(grace, 'design', 'logo')
  await set(ada, { automatically_follow_topics_policy: Participation.sending })
  await ok(ada, 'POST', '/user_topics', { stream_id, topic: 'logo', visibility_policy: 1 })
  const adaListener = await listen(ada)
  expect(await send(ada, 'logo')).toMatchObject({ automatic_new_visibility_policy: 3 })
  expect(await adaListener.eventNames()).toEqual(['muted_topics', 'user_topic', 'message'])
  await set(ada, { automatically_follow_topics_policy: Participation.never })
  await send(ada, 'logo')
  expect(await topicPolicies(ada)).toEqual({ logo: 3 })
})
