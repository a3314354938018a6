/** Following topics by taking part in them, as each person has set it up. */
import { expect, test } from 'vitest'
import { listen } from './setup/listener.js'
import { channel, post } from './setup/office.js'
import { newRealm, ok, type Person } from './setup/realm.js'
import { configure } from './setup/structure.js'

const Participation = { takingPart: 1, sending: 2, starting: 3, never: 4 }

const send = (by: Person, topic: string, content = 'hello') =>
  ok<{ id: number; automatic_new_visibility_policy?: number }>(by, 'POST', '/messages', {
    type: 'stream',
    to: 'design',
    topic,
    content,
  })

const set = (by: Person, settings: Record<string, unknown>) => ok(by, 'PATCH', '/settings', settings)

const topicsOf = async (by: Person) => {
  const { user_topics } = await ok<{ user_topics: { topic_name: string; visibility_policy: number }[] }>(
    by,
    'POST',
    '/register',
    { fetch_event_types: ['user_topic'] },
  )
  return Object.fromEntries(user_topics.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]))
}

const stage = async () => {
  const realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  await configure(realm, { send_channel_events_messages: false })
  const stream_id = await channel(ada, 'design', [ada, grace])
  return { realm, ada, grace, stream_id }
}

test('who starts a topic follows it, and is told; who answers does not', async () => {
  const { realm, ada, grace, stream_id } = await stage()
  await using _ = realm
  const hers = await listen(ada, { event_types: ['message', 'user_topic'] })
  expect(await send(ada, 'logo')).toMatchObject({ automatic_new_visibility_policy: 3 })
  expect(await send(grace, 'Logo')).not.toHaveProperty('automatic_new_visibility_policy')
  expect(await send(ada, 'logo')).not.toHaveProperty('automatic_new_visibility_policy')
  const [first, followed, ...rest] = await hers.events()
  expect(first?.type).toBe('message')
  expect(followed).toEqual({
    id: expect.any(Number),
    type: 'user_topic',
    stream_id,
    topic_name: 'logo',
    last_updated: expect.any(Number),
    visibility_policy: 3,
  })
  expect(rest.map(({ type }) => type)).toEqual(['message', 'message'])
  expect(await topicsOf(grace)).toEqual({})
})

test('every send follows where that was chosen, and none where it was not', async () => {
  const { realm, ada, grace } = await stage()
  await using _ = realm
  await set(ada, { automatically_follow_topics_policy: Participation.sending })
  await set(grace, { automatically_follow_topics_policy: Participation.never })
  await send(grace, 'logo')
  expect(await send(ada, 'logo')).toMatchObject({ automatic_new_visibility_policy: 3 })
  expect(await topicsOf(ada)).toEqual({ logo: 3 })
  expect(await topicsOf(grace)).toEqual({})
})

test('a reaction is part enough where that was chosen', async () => {
  const { realm, ada, grace } = await stage()
  await using _ = realm
  const { id } = await send(ada, 'logo')
  const react = (emoji_name: string) => ok(grace, 'POST', `/messages/${id}/reactions`, { emoji_name })
  await react('tada')
  expect(await topicsOf(grace)).toEqual({})
  await set(grace, { automatically_follow_topics_policy: Participation.takingPart })
  await react('smile')
  expect(await topicsOf(grace)).toEqual({ logo: 3 })
})

test('in a muted channel a send unmutes the topic', async () => {
  const { realm, ada, grace, stream_id } = await stage()
  await using _ = realm
  await send(grace, 'logo')
  const subscription_data = [{ stream_id, property: 'is_muted', value: true }]
  await ok(ada, 'POST', '/users/me/subscriptions/properties', { subscription_data })
  expect(await send(ada, 'logo')).toMatchObject({ automatic_new_visibility_policy: 2 })
  await set(ada, { automatically_unmute_topics_in_muted_streams_policy: Participation.never })
  await send(grace, 'other')
  expect(await send(ada, 'other')).not.toHaveProperty('automatic_new_visibility_policy')
})

test('who is mentioned follows the topic, but for muted ones, and for those who do not want to', async () => {
  const { realm, ada, grace, stream_id } = await stage()
  await using _ = realm
  const mention = `@**Grace|${grace.user_id}** look`
  await ok(grace, 'POST', '/user_topics', { stream_id, topic: 'noise', visibility_policy: 1 })
  await send(ada, 'noise', mention)
  await send(ada, 'logo', mention)
  await send(ada, 'silence', mention.replace('@', '@_'))
  expect(await topicsOf(grace)).toEqual({ noise: 1, logo: 3 })
  await set(grace, { automatically_follow_topics_where_mentioned: false })
  await send(ada, 'other', mention)
  expect(await topicsOf(grace)).toEqual({ noise: 1, logo: 3 })
})

test("one's own message raises even a topic that one muted, and lowers none", async () => {
  const { realm, ada, grace, stream_id } = await stage()
  await using _ = realm
  await post(grace, 'design', 'logo')
  await set(ada, { automatically_follow_topics_policy: Participation.sending })
  await ok(ada, 'POST', '/user_topics', { stream_id, topic: 'logo', visibility_policy: 1 })
  const hers = await listen(ada)
  expect(await send(ada, 'logo')).toMatchObject({ automatic_new_visibility_policy: 3 })
  expect(await hers.told()).toEqual(['message', 'muted_topics', 'user_topic'])
  await set(ada, { automatically_follow_topics_policy: Participation.never })
  await send(ada, 'logo')
  expect(await topicsOf(ada)).toEqual({ logo: 3 })
})
