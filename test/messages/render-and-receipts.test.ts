/** Rendering content without sending it, and read receipts. */
import { expect, test } from 'vitest'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateRealmSettings, updateUserRow } from '../setup/realm/row-changes.js'

const rendered = async (by: Person, content: string) => (await ok(by, 'POST', '/messages/render', { content })).rendered

const readers = async (by: Person, id: number) => (await ok(by, 'GET', `/messages/${id}/read_receipts`)).user_ids

test('Content is rendered with the permissions of the caller and is not stored.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await createChannel(ada, 'plans', [ada], { invite_only: true })
  expect(await rendered(ada, 'see #**plans**')).toBe(
    `<p>see <a class="stream" data-stream-id="${id}" href="/#narrow/channel/${id}-plans">#plans</a></p>`,
  )
  expect(await rendered(grace, 'see #**plans**')).toBe('<p>see #<strong>plans</strong></p>')
  expect(await rendered(grace, '  \n')).toBe('')
  expect(await rendered(grace, 'test  ')).toBe('<p>test  </p>')
  expect(await rendered(grace, '# ')).toBe('<h1></h1>')
  expect(await rendered(grace, '* ')).toBe('<ul>\n<li></li>\n</ul>')
  const all = { anchor: 'newest', num_before: 9 }
  expect(await ok(ada, 'GET', '/messages', { ...all, narrow: [['channel', 'plans']] })).toMatchObject({ messages: [] })
})

test('Content whose HTML is too long can be neither rendered nor sent nor stored by an edit.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const tooLong = badRequest('This message is too long once rendered: shorten it.')
  const trees = '🎄'.repeat(10_000)
  expect(await readRefusal(call(ada, 'POST', '/messages/render', { content: trees }))).toEqual(tooLong)
  const to = [grace.user_id]
  expect(await readRefusal(call(ada, 'POST', '/messages', { type: 'direct', to, content: trees }))).toEqual(tooLong)
  const id = await sendDirectMessage(ada, [grace])
  expect(await readRefusal(call(ada, 'PATCH', `/messages/${id}`, { content: trees }))).toEqual(tooLong)
  expect((await ok(grace, 'GET', `/messages/${id}`)).raw_content).toBe('hello')
  expect(await rendered(ada, '🎄'.repeat(1_000))).toMatch(/^<p>(?:<span [^>]*>:holiday_tree:<\/span>){1000}<\/p>$/)
})

test('Read receipts list the users who have read a message, without the sender, muted and deactivated users and users who turned receipts off.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan', 'Edsger')
  await using _ = realm
  const [ada, grace, alan, edsger] = people as [Person, Person, Person, Person]
  await createChannel(ada, 'design', [ada, grace, alan])
  const id = await postMessage(ada, 'design', 'logo')
  expect(await readers(edsger, id)).toEqual([])
  for (const person of [ada, grace, alan]) {
    await ok(person, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  }
  expect(await readers(ada, id)).toEqual([grace.user_id, alan.user_id])
  await updateUserRow(realm, grace.user_id, { settings: { send_read_receipts: false } })
  expect(await readers(ada, id)).toEqual([alan.user_id])
  await ok(alan, 'POST', `/users/me/muted_users/${edsger.user_id}`)
  expect([await readers(ada, id), await readers(edsger, id)]).toEqual([[alan.user_id], []])
  await ok(ada, 'POST', `/users/me/muted_users/${alan.user_id}`)
  expect(await readers(ada, id)).toEqual([])
  await ok(ada, 'DELETE', `/users/me/muted_users/${alan.user_id}`)
  await updateUserRow(realm, alan.user_id, { is_active: false })
  expect(await readers(ada, id)).toEqual([])
})

test('Only users who can read the message get its receipts, and only if the organization has turned them on.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const id = await sendDirectMessage(ada, [grace])
  await ok(grace, 'POST', '/mark_all_as_read')
  expect(await readers(ada, id)).toEqual([grace.user_id])
  const receiptsRefusal = (by: Person) => readRefusal(call(by, 'GET', `/messages/${id}/read_receipts`))
  expect(await receiptsRefusal(alan)).toEqual(badRequest('There is no such message, or you may not read it.'))
  await updateRealmSettings(realm, { enable_read_receipts: false })
  expect(await receiptsRefusal(ada)).toEqual(badRequest('Read receipts are disabled in this organization.'))
})
