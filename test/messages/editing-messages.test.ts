/** Editing the content of a message: permission, time limit, the event, and the mentions of the new content. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, fetchMessage, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow, updateRealmSettings } from '../setup/realm/row-changes.js'

const edit = (by: Person, id: number, params: Record<string, unknown>) => call(by, 'PATCH', `/messages/${id}`, params)
const age = async (realm: Awaited<ReturnType<typeof newQuietRealm>>['realm'], id: number, seconds: number) =>
  realm.sql`
    update messages set timestamp = timestamp - ${seconds} where realm_id = ${realm.realm_id} and id = ${id}`

test('An edit reaches every recipient with the raw and the rendered content.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const stream_id = await createChannel(ada, 'design', [ada, grace])
  const id = await postMessage(ada, 'design', 'logo', 'a *draft*')
  await ok(grace, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  const [graceListener, alanListener] = [await listen(grace), await listen(alan)]
  const { detached_uploads } = await ok(ada, 'PATCH', `/messages/${id}`, { content: '/me waves' })
  expect(detached_uploads).toEqual([])
  expect(await graceListener.events()).toEqual([
    {
      id: expect.any(Number),
      type: 'update_message',
      user_id: ada.user_id,
      rendering_only: false,
      message_id: id,
      message_ids: [id],
      flags: ['read'],
      edit_timestamp: expect.any(Number),
      stream_name: 'design',
      stream_id,
      orig_content: 'a *draft*',
      orig_rendered_content: '<p>a <em>draft</em></p>',
      content: '/me waves',
      rendered_content: '<p>/me waves</p>',
      is_me_message: true,
    },
  ])
  expect(await alanListener.eventNames()).toEqual([])
  expect(await fetchMessage(alan, id)).toMatchObject({
    content: '<p>/me waves</p>',
    is_me_message: true,
    last_edit_timestamp: expect.any(Number),
  })
  // A user who has a flag row for the message (here: starred) receives its events from then on.
  await ok(alan, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'sits' })
  expect((await alanListener.events()).at(-1)).toMatchObject({
    type: 'update_message',
    flags: ['read', 'starred', 'historical'],
    is_me_message: false,
  })
  expect(await readRefusal(edit(ada, id, { content: '🎄'.repeat(10_000) }))).toEqual(
    badRequest('This message is too long once rendered: shorten it.'),
  )
})

test('Each recipient of an edit event gets their own flags of the message.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan', 'Edsger')
  await using _ = realm
  const [ada, grace, alan, edsger] = people as [Person, Person, Person, Person]
  await createChannel(ada, 'design', [ada, grace, alan])
  const id = await postMessage(ada, 'design', 'logo', 'hello @**Grace**')
  await ok(alan, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await ok(ada, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'design' }],
    principals: [edsger.user_id],
    send_new_subscription_messages: false,
  })
  const listeners = await Promise.all([grace, alan, edsger].map((person) => listen(person)))
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'hello @**Grace** and @**Alan** and @**Edsger**' })
  const flags = await Promise.all(listeners.map(async ({ events }) => (await events()).map(({ flags }) => flags)))
  expect(flags).toEqual([[['mentioned']], [['starred', 'mentioned']], [['read']]])
  expect((await fetchMessage(edsger, id)).flags).toEqual(['read', 'historical'])
})

/** The ids of the messages that the user finds with `is:mentioned`. */
const mentionedIds = async (by: Person): Promise<number[]> => {
  const asked = { anchor: 'newest', num_before: 10, narrow: [{ operator: 'is', operand: 'mentioned' }] }
  return (await ok(by, 'GET', '/messages', asked)).messages.map(({ id }) => id)
}

test('Mention flags follow the edited content.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  await createChannel(ada, 'design', [ada, grace, alan])
  const id = await postMessage(ada, 'design', 'logo', 'hello @**Grace**')
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'hello @**all**' })
  expect((await fetchMessage(grace, id)).flags).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned'])
  expect(await mentionedIds(grace)).toEqual([id])
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'hello @**Alan**' })
  expect((await fetchMessage(grace, id)).flags).toEqual([])
  expect(await mentionedIds(grace)).toEqual([])
  expect((await fetchMessage(alan, id)).flags).toEqual(['mentioned'])
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'hello' })
  const left = await realm.sql`select from message_flags where realm_id = ${realm.realm_id} and message_id = ${id}`
  expect(left).toHaveLength(0)
})

test('Alert word flags follow the edited content.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  for (const person of [grace, alan]) await ok(person, 'POST', '/users/me/alert_words', { alert_words: ['lunch'] })
  const id = await postMessage(ada, 'design', 'logo', 'hello')
  const graceListener = await listen(grace)
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'hello, lunch!' })
  expect(await graceListener.events()).toMatchObject([{ flags: ['has_alert_word'] }])
  expect((await fetchMessage(alan, id)).flags).toEqual(['read', 'historical'])
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'hello' })
  expect((await fetchMessage(grace, id)).flags).toEqual([])
})

test('An edit of a direct message reaches the recipient, and a direct message cannot get a topic or a channel.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await sendDirectMessage(ada, [grace], 'hello')
  const graceListener = await listen(grace)
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'hello @**Grace**' })
  const [event] = await graceListener.events()
  expect(event).toMatchObject({ message_ids: [id], flags: ['mentioned'], content: 'hello @**Grace**' })
  for (const key of ['stream_id', 'stream_name', 'orig_subject', 'propagate_mode'])
    expect(event).not.toHaveProperty(key)
  expect(await readRefusal(edit(ada, id, { topic: 'x' }))).toEqual(badRequest('A direct message has no topic.'))
  expect(await readRefusal(edit(ada, id, { stream_id: 1 }))).toEqual(
    badRequest('A direct message cannot move to a channel.'),
  )
})

test('Only the sender can edit the content, within the time limit and if the organization allows editing.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const id = await postMessage(ada, 'design', 'logo')
  const content = 'other'
  expect(await readRefusal(edit(grace, id, { content }))).toEqual(badRequest('You may not edit this message.'))
  await age(realm, id, 615)
  await ok(ada, 'PATCH', `/messages/${id}`, { content })
  await age(realm, id, 10)
  expect(await readRefusal(edit(ada, id, { content }))).toEqual(badRequest('This message is too old to be edited.'))
  await updateRealmSettings(realm, { message_content_edit_limit_seconds: null })
  await ok(ada, 'PATCH', `/messages/${id}`, { content })
  await updateRealmSettings(realm, { allow_message_editing: false })
  expect(await readRefusal(edit(ada, id, { content }))).toEqual(badRequest('This organization has turned off editing.'))
  await updateChannelRow(realm, 'design', { is_archived: true })
  expect(await readRefusal(edit(ada, id, { content }))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
  expect(await readRefusal(edit(ada, id + 100, { content }))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
})

test('An edit without a change, with conflicting parameters or with invalid values is refused, and empty content becomes "(deleted)".', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const other = await createChannel(ada, 'other', [ada])
  const stream_id = await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo')
  const wrong = async (params: Record<string, unknown>) => (await edit(ada, id, params)).body.msg
  expect(await wrong({})).toBe('Nothing to change')
  expect(await wrong({ topic: ' logo ', stream_id })).toBe('Nothing to change')
  expect(await wrong({ content: 'x', propagate_mode: 'change_all' })).toBe(
    'propagate_mode is for moves only: send it with a new topic or channel.',
  )
  expect(await wrong({ topic: 'x', propagate_mode: 'change_some' })).toBe(
    'propagate_mode must be one of: change_one, change_later, change_all.',
  )
  expect(await wrong({ content: 'x', stream_id: other })).toBe('Change the text and the channel in two calls.')
  expect(await wrong({ topic: 'a\u0007b' })).toBe('The topic contains a character that is not allowed, at position 2.')
  expect(await wrong({ topic: '✔ ' })).toBe('Only a topic with a name can be resolved.')
  expect(await wrong({ stream_id: 99 })).toBe('There is no channel with this ID, or you may not see it.')
  expect(await wrong({ content: 'x\0y' })).toBe('A message must not contain the NUL character.')
  await ok(ada, 'PATCH', `/messages/${id}`, { content: ' \n ' })
  expect(await fetchMessage(ada, id)).toMatchObject({ content: '<p>(deleted)</p>' })
})

test('An edit with prev_content_sha256 is refused if the content has changed since.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo', 'première')
  const prev_content_sha256 = createHash('sha256').update('première').digest('hex')
  const loud = { content: 'second', prev_content_sha256: prev_content_sha256.toUpperCase() }
  expect((await edit(ada, id, loud)).body.code).toBe('EXPECTATION_MISMATCH')
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'second', prev_content_sha256 })
  expect(await readRefusal(edit(ada, id, { content: 'third', prev_content_sha256 }))).toEqual(
    badRequest('The message was changed in the meantime: fetch it again before you edit it.', 'EXPECTATION_MISMATCH'),
  )
})

test('Concurrent edits of one message are all applied, one after the other.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo', 'n')
  const adaListener = await listen(ada)
  await Promise.all(Array.from({ length: 6 }, (_, n) => ok(ada, 'PATCH', `/messages/${id}`, { content: `n${n}` })))
  const events = await adaListener.events()
  expect(events).toHaveLength(6)
  for (const [i, event] of events.entries()) expect(event.orig_content).toBe(i === 0 ? 'n' : events[i - 1]?.content)
})
