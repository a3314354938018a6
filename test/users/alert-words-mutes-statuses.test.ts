/** Alert words, muted users and statuses, and their effect on messages. */
import { expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, fetchMessage, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'

const changeAlertWords = (by: Person, method: string, alert_words: string[]) =>
  ok(by, method, '/users/me/alert_words', { alert_words })
const fetchSnapshot = (by: Person, ...fetch_event_types: string[]) => ok(by, 'POST', '/register', { fetch_event_types })

test('A message with an alert word of a recipient has the flag has_alert_word for that recipient.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const graceListener = await listen(grace)
  expect(await changeAlertWords(grace, 'POST', [' Lunch ', '', 'tea'])).toMatchObject({ alert_words: ['Lunch', 'tea'] })
  expect(await changeAlertWords(grace, 'POST', ['lunch'])).toMatchObject({ alert_words: ['Lunch', 'tea'] })
  await changeAlertWords(alan, 'POST', ['lunch'])
  expect(await graceListener.events()).toMatchObject([{ type: 'alert_words', alert_words: ['Lunch', 'tea'] }])
  expect((await fetchSnapshot(grace, 'alert_words')).alert_words).toEqual(['Lunch', 'tea'])
  const id = await postMessage(ada, 'design', 'logo', 'after lunch?')
  const unflagged = await postMessage(ada, 'design', 'logo', 'lunchtime')
  expect((await fetchMessage(grace, id)).flags).toEqual(['has_alert_word'])
  expect((await fetchMessage(grace, unflagged)).flags).toEqual([])
  expect((await fetchMessage(alan, id)).flags).toEqual(['read', 'historical'])
  expect((await graceListener.events()).map(({ flags }) => flags)).toEqual([['has_alert_word'], []])
  expect(await changeAlertWords(grace, 'DELETE', ['LUNCH', 'other'])).toMatchObject({ alert_words: ['tea'] })
  expect(await ok(grace, 'GET', '/users/me/alert_words')).toMatchObject({ alert_words: ['tea'] })
})

test('Messages from a muted user are marked as read for the user who muted them.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const before = await postMessage(ada, 'design', 'logo')
  const graceListener = await listen(grace)
  const path = `/users/me/muted_users/${ada.user_id}`
  await ok(grace, 'POST', path)
  const muted_users = [{ id: ada.user_id, timestamp: expect.any(Number) }]
  expect(await graceListener.events()).toMatchObject([
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: [before] },
    { type: 'muted_users', muted_users },
  ])
  expect((await fetchSnapshot(grace, 'muted_users')).muted_users).toEqual(muted_users)
  expect((await fetchMessage(grace, await sendDirectMessage(ada, [grace]))).flags).toEqual(['read'])
  expect((await graceListener.events()).map(({ flags }) => flags)).toEqual([['read']])
  expect(await readRefusal(call(grace, 'POST', path))).toEqual(badRequest('You have already muted this user.'))
  expect(await readRefusal(call(ada, 'POST', path))).toEqual(badRequest('You cannot mute yourself.'))
  expect(await readRefusal(call(ada, 'POST', '/users/me/muted_users/999'))).toEqual(
    badRequest('There is no such user.'),
  )
  await ok(grace, 'DELETE', path)
  expect(await readRefusal(call(grace, 'DELETE', path))).toEqual(badRequest('You have not muted this user.'))
  expect((await fetchMessage(grace, await postMessage(ada, 'design', 'logo'))).flags).toEqual([])
})

test('Other users receive the status of a user and see it until the user clears it.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const graceListener = await listen(grace)
  const setStatus = (params: Record<string, unknown>) => call(ada, 'POST', '/users/me/status', params)
  const smile = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' }
  expect((await setStatus({ status_text: ' out ', emoji_name: 'smile' })).status).toBe(200)
  expect(await graceListener.events()).toMatchObject([
    { type: 'user_status', user_id: ada.user_id, status_text: 'out', ...smile },
  ])
  expect((await ok(grace, 'GET', `/users/${ada.user_id}/status`)).status).toEqual({ status_text: 'out', ...smile })
  expect((await fetchSnapshot(grace, 'user_status')).user_status).toEqual({
    [ada.user_id]: { status_text: 'out', ...smile },
  })
  await setStatus({ emoji_name: '', emoji_code: '', away: true })
  expect(await graceListener.events()).toMatchObject([
    { type: 'user_status', away: true },
    { type: 'user_status', emoji_name: '', emoji_code: '' },
    // Who is away shares no presence any more, so others see the user as offline at once.
    { type: 'presence', user_id: ada.user_id },
  ])
  expect((await ok(grace, 'GET', `/users/${ada.user_id}/status`)).status).toEqual({ away: true, status_text: 'out' })
  await setStatus({ status_text: '', away: false })
  expect((await fetchSnapshot(grace, 'user_status')).user_status).toEqual({})
  expect(await readRefusal(setStatus({}))).toEqual(badRequest('Nothing to change: send at least one new value.'))
  expect(await readRefusal(setStatus({ emoji_code: '1f642' }))).toEqual(
    badRequest('With emoji_code or reaction_type, send emoji_name as well.'),
  )
  expect(await readRefusal(setStatus({ emoji_name: 'none' }))).toEqual(badRequest('There is no emoji named “none”.'))
})

test('A status ends by itself at its time, and not when another one was set meanwhile.', {
  timeout: 45_000,
}, async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const status = async () => (await ok(grace, 'GET', `/users/${ada.user_id}/status`)).status
  const setStatus = (params: Record<string, unknown>) => call(ada, 'POST', '/users/me/status', params)
  const openJobs = () => realm.sql`
    select id from jobs where realm_id = ${realm.realm_id} and kind = 'end_status' and done_at is null`
  const now = Math.floor(Date.now() / 1_000)
  const soon = now + 3
  const listener = await listen(grace)
  await setStatus({ status_text: 'lunch', scheduled_end_time: now + 3_600 })
  expect(await status()).toEqual({ status_text: 'lunch', scheduled_end_time: now + 3_600 })
  expect(await listener.events()).toMatchObject([{ status_text: 'lunch', scheduled_end_time: now + 3_600 }])
  await setStatus({ scheduled_end_time: soon })
  expect(await openJobs()).toHaveLength(1)
  await expect.poll(status, { timeout: 30_000 }).toEqual({})
  expect(await listener.events()).toMatchObject([
    { type: 'user_status', scheduled_end_time: soon },
    { type: 'user_status', user_id: ada.user_id, status_text: '', emoji_name: '', scheduled_end_time: null },
  ])
  expect(Math.floor(Date.now() / 1_000)).toBeGreaterThanOrEqual(soon)

  await setStatus({ status_text: 'lunch', scheduled_end_time: now + 3_600 })
  await setStatus({ status_text: 'back' })
  expect(await status()).toEqual({ status_text: 'back' })
  expect(await openJobs()).toEqual([])
  await setStatus({ status_text: '', scheduled_end_time: now + 3_600 })
  expect(await status()).toEqual({})
  expect(await openJobs()).toEqual([])
  expect(await readRefusal(setStatus({ status_text: 'late', scheduled_end_time: now - 1 }))).toEqual(
    badRequest('scheduled_end_time must be in the future.'),
  )
})
