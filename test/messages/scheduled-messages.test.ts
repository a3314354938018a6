/** Scheduled messages: creating, changing and sending them, and failed deliveries. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { commit } from '../../src/store/log/change.js'
import type { JobContext } from '../../src/workers/jobs/job-handler.js'
import { scheduledMessage } from '../../src/workers/messages/scheduled-message.js'
import { listen } from '../setup/realm/event-listener.js'
import { makeScheduledDue } from '../setup/realm/jobs.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow, updateUserRow, withWriteContext } from '../setup/realm/row-changes.js'

const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

const schedule = async (by: Person, params: Record<string, unknown>) =>
  (await ok(by, 'POST', '/scheduled_messages', params)).scheduled_message_id

const fetchScheduled = async (by: Person) => (await ok(by, 'GET', '/scheduled_messages')).scheduled_messages

const fetchRegistered = async (by: Person) => {
  const asked = { fetch_event_types: ['scheduled_messages'], event_types: ['scheduled_messages'] }
  return (await ok(by, 'POST', '/register', asked)).scheduled_messages
}

const unknown = { status: 400, code: 'BAD_REQUEST', msg: 'You have no scheduled message with this ID.' }

type Events = Awaited<ReturnType<Awaited<ReturnType<typeof listen>>['events']>>

/** Reads `count` events of a queue, waiting for them. */
const readEvents = async ({ events }: Awaited<ReturnType<typeof listen>>, count: number): Promise<Events> => {
  const all: Events = []
  while (all.length < count) {
    all.push(...(await events()))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return all
}

test('Scheduled messages are listed by delivery time, only for their sender, and each change sends an event.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const to = await createChannel(ada, 'design', [ada, grace])
  const adaListener = await listen(ada, { event_types: ['scheduled_messages'] })
  const [late, early] = [soon(900), soon(600)]
  const first = await schedule(ada, {
    type: 'channel',
    to,
    topic: 'logo',
    content: 'a *draft*',
    scheduled_delivery_timestamp: late,
  })
  const people_ = { type: 'direct', to: [grace.user_id, ada.user_id], content: 'hi' }
  const second = await schedule(ada, { ...people_, scheduled_delivery_timestamp: early })
  const kept = [
    {
      scheduled_message_id: second,
      type: 'private',
      to: [grace.user_id],
      content: 'hi',
      rendered_content: '<p>hi</p>',
      scheduled_delivery_timestamp: early,
      failed: false,
    },
    {
      scheduled_message_id: first,
      type: 'stream',
      to,
      topic: 'logo',
      content: 'a *draft*',
      rendered_content: '<p>a <em>draft</em></p>',
      scheduled_delivery_timestamp: late,
      failed: false,
    },
  ]
  expect(await fetchScheduled(ada)).toEqual(kept)
  expect(await fetchRegistered(ada)).toEqual(kept)
  expect(await fetchScheduled(grace)).toEqual([])
  await ok(ada, 'PATCH', `/scheduled_messages/${second}`, { content: 'hello', scheduled_delivery_timestamp: late })
  await ok(ada, 'DELETE', `/scheduled_messages/${first}`)
  const events = await adaListener.events()
  expect(events.map(({ op }) => op)).toEqual(['add', 'add', 'update', 'remove'])
  expect(events[0]).toMatchObject({ scheduled_messages: [kept[1]] })
  expect(events[2]).toMatchObject({
    scheduled_message: {
      ...kept[0],
      content: 'hello',
      rendered_content: '<p>hello</p>',
      scheduled_delivery_timestamp: late,
    },
  })
  expect(events[3]).toMatchObject({ scheduled_message_id: first })
})

test('A scheduled message is sent exactly once at its time and is then no longer listed.', {
  timeout: 30_000,
}, async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const to = await createChannel(ada, 'design', [ada, grace])
  const graceListener = await listen(grace, { event_types: ['message'] })
  const adaListener = await listen(ada, { event_types: ['scheduled_messages'] })
  const logo = { type: 'stream', to, topic: 'logo', content: 'now' }
  const id = await schedule(ada, { ...logo, scheduled_delivery_timestamp: soon(900) })
  await ok(ada, 'PATCH', `/scheduled_messages/${id}`, { read_by_sender: true })
  await ok(ada, 'PATCH', `/scheduled_messages/${id}`, { scheduled_delivery_timestamp: soon(5) })
  const [{ message }] = (await readEvents(graceListener, 1)) as unknown as [{ message: { id: number } }]
  expect(message).toMatchObject({ subject: 'logo', content: 'now', sender_id: ada.user_id })
  const events = await readEvents(adaListener, 3)
  expect(events.at(-1)).toMatchObject({ op: 'remove', scheduled_message_id: id })
  expect(await fetchScheduled(ada)).toEqual([])
  expect(await graceListener.events()).toEqual([])
  expect((await fetchMessage(ada, message.id)).flags).toEqual(['read'])
  expect(await readRefusal(call(ada, 'PATCH', `/scheduled_messages/${id}`, { content: 'x' }))).toEqual(unknown)
})

test('A scheduled message fails if its time passed long ago or if a recipient was deactivated.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const to = await createChannel(ada, 'design', [ada])
  const logo = { type: 'stream', to, topic: 'logo', content: 'now', read_by_sender: true }
  const adaListener = await listen(ada, { event_types: ['message'] })
  const id = await schedule(ada, { ...logo, scheduled_delivery_timestamp: soon(900) })
  /** Sets the delivery time and runs the job of the worker once. */
  const deliver = async (deliver_at: number) => {
    await realm.sql`
      update scheduled_messages set deliver_at = ${deliver_at} where realm_id = ${realm.realm_id} and id = ${id}`
    await withWriteContext(realm, async (context) => {
      const assignment = { write: context, realm: realm.realm, payload: { id, deliver_at } }
      const effect = await scheduledMessage(assignment as JobContext<'scheduled_message'>)
      if ('change' in effect) await commit(context, effect.change)
    })
    return (await fetchScheduled(ada)).map(({ failed }) => failed)
  }
  expect(await deliver(soon(-605))).toEqual([true])
  const again = { scheduled_delivery_timestamp: soon(900) }
  await ok(ada, 'PATCH', `/scheduled_messages/${id}`, { ...again, type: 'direct', to: [grace.user_id] })
  await updateUserRow(realm, grace.user_id, { is_active: false })
  expect(await deliver(soon(-300))).toEqual([true])
  await ok(ada, 'PATCH', `/scheduled_messages/${id}`, { ...again, type: 'stream', to, topic: 'logo' })
  expect(await deliver(soon(-300))).toEqual([])
  expect((await adaListener.events()).map(({ flags }) => flags)).toEqual([['read']])
})

test('A worker whose clock is an hour ahead sends a scheduled message that is due.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const to = await createChannel(ada, 'design', [ada])
  const logo = { type: 'stream', to, topic: 'logo', content: 'now' }
  const id = await schedule(ada, { ...logo, scheduled_delivery_timestamp: soon(900) })
  const deliver_at = soon(-1)
  await realm.sql`
    update scheduled_messages set deliver_at = ${deliver_at} where realm_id = ${realm.realm_id} and id = ${id}`
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  await withWriteContext(realm, async (context) => {
    const job = { write: context, realm: realm.realm, payload: { id, deliver_at } }
    const effect = await scheduledMessage(job as JobContext<'scheduled_message'>)
    if ('change' in effect) await commit(context, effect.change)
  })
  expect(await fetchScheduled(ada)).toEqual([])
})

test('A scheduled message that cannot be sent is marked as failed until it gets a new delivery time.', {
  timeout: 30_000,
}, async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const to = await createChannel(ada, 'design', [ada])
  const adaListener = await listen(ada, { event_types: ['scheduled_messages'] })
  const logo = { type: 'stream', to, topic: 'logo', content: 'now' }
  const id = await schedule(ada, { ...logo, scheduled_delivery_timestamp: soon(900) })
  await updateChannelRow(realm, 'design', { can_send_message_group: 1 })
  await makeScheduledDue(realm)
  const events = await readEvents(adaListener, 2)
  expect(events[1]).toMatchObject({ op: 'update', scheduled_message: { scheduled_message_id: id, failed: true } })
  await updateChannelRow(realm, 'design', { can_send_message_group: 7 })
  expect(await readRefusal(call(ada, 'PATCH', `/scheduled_messages/${id}`, { content: 'x' }))).toEqual(
    badRequest('scheduled_delivery_timestamp must be in the future.'),
  )
  await ok(ada, 'PATCH', `/scheduled_messages/${id}`, { scheduled_delivery_timestamp: soon(600) })
  expect(await fetchScheduled(ada)).toMatchObject([{ failed: false }])
})

test('A message that could not be sent now cannot be scheduled, and an invalid change is refused.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const to = await createChannel(ada, 'design', [ada])
  const logo = { type: 'channel', to, topic: 'logo', content: 'x', scheduled_delivery_timestamp: soon(600) }
  const wrong = async (params: Record<string, unknown>) =>
    (await call(ada, 'POST', '/scheduled_messages', { ...logo, ...params })).body.msg
  expect(await wrong({ scheduled_delivery_timestamp: soon(-1) })).toBe(
    'scheduled_delivery_timestamp must be in the future.',
  )
  expect(await wrong({ to: [to] })).toBe('to must be the ID of a channel.')
  expect(await wrong({ type: 'direct' })).toBe('to must be a list of user IDs.')
  expect(await wrong({ type: 'direct', to: [] })).toBe('Send at least one recipient in the parameter to.')
  expect(await wrong({ type: 'direct', to: [99] })).toBe('There is no user with ID 99 to send to.')
  expect(await wrong({ type: 'letter' })).toBe('type must be one of: stream, channel, private, direct.')
  expect(await wrong({ topic: undefined })).toBe('A channel message needs a topic.')
  expect(await wrong({ to: 99 })).toBe('There is no channel with ID 99.')
  expect(await wrong({ content: ' ' })).toBe('A message needs a text.')
  const id = await schedule(ada, { ...logo, topic: undefined, subject: 'logo' })
  expect(await fetchScheduled(ada)).toMatchObject([{ topic: 'logo' }])
  const change = (by: Person, params: Record<string, unknown>) =>
    readRefusal(call(by, 'PATCH', `/scheduled_messages/${id}`, params))
  expect(await change(ada, {})).toEqual(badRequest('Nothing to change'))
  expect(await change(ada, { type: 'direct' })).toEqual(badRequest('A new type needs new recipients: send to as well.'))
  expect(await change(grace, { content: 'x' })).toEqual(unknown)
  expect(await readRefusal(call(grace, 'DELETE', `/scheduled_messages/${id}`))).toEqual(unknown)
  await ok(ada, 'PATCH', `/scheduled_messages/${id}`, { type: 'private', to: [ada.user_id] })
  expect(await fetchScheduled(ada)).toMatchObject([{ type: 'private', to: [ada.user_id] }])
  await ok(ada, 'PATCH', `/scheduled_messages/${id}`, { type: 'direct', to: [grace.user_id] })
  expect(await change(ada, { type: 'channel', to })).toEqual(
    badRequest('A channel message needs a topic: send topic as well.'),
  )
})

test('A time that no clock will show is refused: of scheduled messages, reminders and drafts.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const to = await createChannel(ada, 'design', [ada])
  const message_id = await postMessage(ada, 'design', 'logo')
  const logo = { type: 'channel', to, topic: 'logo', content: 'x' }
  for (const time of [253_402_300_800, 2 ** 53 - 1]) {
    const scheduled = { ...logo, scheduled_delivery_timestamp: time }
    expect((await call(ada, 'POST', '/scheduled_messages', scheduled)).status).toBe(400)
    const reminder = { message_id, scheduled_delivery_timestamp: time }
    expect((await call(ada, 'POST', '/reminders', reminder)).status).toBe(400)
  }
  for (const timestamp of [253_402_300_800, 1e308]) {
    const drafts = [{ type: 'stream', to: [to], topic: 't', content: 'x', timestamp }]
    expect((await call(ada, 'POST', '/drafts', { drafts })).status).toBe(400)
  }
})
