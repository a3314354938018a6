/** Reactions: valid emoji, permission, and the users who get the events. */
import { expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, fetchMessage, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow } from '../setup/realm/row-changes.js'

const react = (by: Person, id: number, params: Record<string, unknown>) =>
  call(by, 'POST', `/messages/${id}/reactions`, params)
const unreact = (by: Person, id: number, params: Record<string, unknown>) =>
  call(by, 'DELETE', `/messages/${id}/reactions`, params)
const smile = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' }

test('A reaction reaches every subscriber, and the message lists its reactions oldest first.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const id = await postMessage(ada, 'design', 'logo')
  const [graceListener, alanListener] = [await listen(grace), await listen(alan)]
  await ok(grace, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  await ok(ada, 'POST', `/messages/${id}/reactions`, smile)
  const user = { user_id: ada.user_id, email: ada.email, full_name: 'Ada' }
  expect((await graceListener.events()).at(-1)).toEqual({
    id: expect.any(Number),
    type: 'reaction',
    op: 'add',
    message_id: id,
    ...smile,
    user_id: ada.user_id,
    user,
  })
  expect(await alanListener.eventNames()).toEqual([])
  expect((await fetchMessage(alan, id)).reactions).toEqual([
    { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: grace.user_id },
    { ...smile, user_id: ada.user_id },
  ])
  await ok(ada, 'DELETE', `/messages/${id}/reactions`, { emoji_name: 'smile' })
  expect((await graceListener.events()).at(-1)).toMatchObject({
    type: 'reaction',
    op: 'remove',
    message_id: id,
    ...smile,
  })
  expect((await fetchMessage(alan, id)).reactions).toHaveLength(1)
})

test('A user can react once with each emoji and can remove only their own reactions.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await sendDirectMessage(ada, [grace])
  await ok(grace, 'POST', `/messages/${id}/reactions`, smile)
  expect(await readRefusal(react(grace, id, smile))).toEqual(
    badRequest('You have already added this reaction.', 'REACTION_ALREADY_EXISTS'),
  )
  expect(await readRefusal(unreact(ada, id, smile))).toEqual(
    badRequest('You have not added this reaction.', 'REACTION_DOES_NOT_EXIST'),
  )
  expect(await readRefusal(unreact(grace, id, {}))).toEqual(
    badRequest('Missing parameter: send emoji_name or emoji_code.'),
  )
  await ok(grace, 'DELETE', `/messages/${id}/reactions`, { emoji_code: smile.emoji_code })
})

test('The name, code and type of an emoji must match, unless the message already has the reaction under that emoji.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await sendDirectMessage(ada, [grace])
  const wrong = async (params: Record<string, unknown>) => (await react(ada, id, params)).body.msg
  expect(await wrong({ emoji_name: 'no_such' })).toBe('There is no emoji named “no_such”.')
  expect(await wrong({ ...smile, emoji_code: 'zzz' })).toBe('There is no emoji with this code.')
  expect(await wrong({ ...smile, emoji_name: 'tada' })).toBe('emoji_name is not a name of this emoji.')
  expect(await wrong({ ...smile, reaction_type: 'something' })).toBe(
    'reaction_type must be unicode_emoji, realm_emoji or service_extra_emoji.',
  )
  expect(await wrong({ ...smile, reaction_type: 'realm_emoji' })).toBe('There is no custom emoji with this code.')
  await ok(ada, 'POST', `/messages/${id}/reactions`, smile)
  await ok(grace, 'POST', `/messages/${id}/reactions`, { ...smile, emoji_name: 'an_older_name' })
  expect((await fetchMessage(ada, id)).reactions.map(({ emoji_name }) => emoji_name)).toEqual(['smile', 'smile'])
})

test('The extra emoji is accepted by both names of its type, and answers use the name of the API document.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await sendDirectMessage(ada, [grace])
  const extra = { emoji_name: 'zulip', emoji_code: 'zulip' }
  await ok(ada, 'POST', `/messages/${id}/reactions`, { ...extra, reaction_type: 'service_extra_emoji' })
  await ok(grace, 'POST', `/messages/${id}/reactions`, { ...extra, reaction_type: 'zulip_extra_emoji' })
  const { reactions } = await fetchMessage(ada, id)
  expect(reactions.map(({ reaction_type }) => reaction_type)).toEqual(['service_extra_emoji', 'service_extra_emoji'])
  const service = { ...extra, reaction_type: 'service_extra_emoji' }
  await ok(ada, 'DELETE', `/messages/${id}/reactions`, service)
})

test('A user who reacts to a message they never received gets its later events.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const id = await postMessage(ada, 'design', 'logo')
  expect((await fetchMessage(alan, id)).flags).toEqual(['read', 'historical'])
  const alanListener = await listen(alan)
  await ok(alan, 'POST', `/messages/${id}/reactions`, smile)
  await ok(grace, 'POST', `/messages/${id}/reactions`, smile)
  expect(await alanListener.eventNames()).toEqual(['reaction/add', 'reaction/add'])
  const { messages } = await ok(alan, 'GET', '/messages', { anchor: 'newest', num_before: 9 })
  expect(messages).toHaveLength(1)
})

test('A user who left a public channel gets events for the messages they received there, and not for later ones.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const before = await postMessage(ada, 'design', 'logo')
  await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
  const after = await postMessage(ada, 'design', 'logo')
  const graceListener = await listen(grace, { event_types: ['reaction'] })
  await ok(ada, 'POST', `/messages/${after}/reactions`, smile)
  await ok(ada, 'POST', `/messages/${before}/reactions`, smile)
  expect((await graceListener.events()).map(({ message_id }) => message_id)).toEqual([before])
})

test('In a channel with protected history, a later subscriber gets no event for earlier messages and cannot react to them.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const hidden = { invite_only: true, history_public_to_subscribers: false }
  await createChannel(ada, 'plans', [ada, grace], hidden)
  const id = await postMessage(ada, 'plans', 'logo')
  await ok(ada, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'plans' }],
    principals: [alan.user_id],
    send_new_subscription_messages: false,
  })
  const [graceListener, alanListener] = [await listen(grace), await listen(alan)]
  await ok(ada, 'POST', `/messages/${id}/reactions`, smile)
  expect(await graceListener.eventNames()).toEqual(['reaction/add'])
  expect(await alanListener.eventNames()).toEqual([])
  expect(await readRefusal(react(alan, id, smile))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
})

test('A user cannot react in an archived channel or to a message that does not exist.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo')
  await updateChannelRow(realm, 'design', { is_archived: true })
  expect(await readRefusal(react(ada, id, smile))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
  expect(await readRefusal(react(ada, id + 1, smile))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
})

test('Concurrent requests with the same emoji create one reaction.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await sendDirectMessage(ada, [grace])
  const answers = await Promise.all(Array.from({ length: 10 }, () => react(ada, id, smile)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await fetchMessage(ada, id)).reactions).toHaveLength(1)
})
