/** Deleting messages and topics: permissions, what is deleted with a message, and which clients get events. */
import { describe, expect, test } from 'vitest'
import { secondsNow } from '../../rules/src/time.js'
import type { UserRow } from '../../src/domain/log/rows.js'
import { deleteMessage } from '../../src/store/messages/editing/delete-messages.js'
import { purgeDeletedMessages } from '../../src/store/messages/editing/deleted-messages.js'
import { requireChangeableMessage } from '../../src/store/messages/narrow/load-messages.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow, updateRealmSettings, withWriteContext } from '../setup/realm/row-changes.js'

const remove = (by: Person, id: number) => call(by, 'DELETE', `/messages/${id}`)
const bulkDeletion = { client_capabilities: { notification_settings_null: true, bulk_message_deletion: true } }

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  const [ada, grace, alan] = people as [Person, Person, Person]
  const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
  const design = await createChannel(ada, 'design', [ada, grace])
  return { realm, ada, grace, alan, owner, design }
}

/** The channel's first message id, read from any gateway after it has applied every earlier change. */
const firstMessageId = async (by: Person, stream_id: number) =>
  (await ok(by, 'GET', `/streams/${stream_id}`)).stream.first_message_id

describe('Deleting a message', () => {
  test('A deleted message is kept for 30 days in a table that no client can read.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const { sql, realm_id } = realm
    const [young, old] = [await postMessage(ada, 'design', ''), await postMessage(ada, 'design', '', 'an old text')]
    for (const id of [young, old]) await ok(ada, 'DELETE', `/messages/${id}`)
    const kept = () => sql<{ id: number; message: { content: string } }[]>`
      select id, message from deleted_messages where realm_id = ${realm_id} order by id`
    expect(await kept()).toMatchObject([{ id: young }, { id: old, message: { content: 'an old text' } }])
    expect(await readRefusal(call(ada, 'GET', `/messages/${old}`))).toEqual(
      badRequest('There is no such message, or you may not read it.'),
    )
    for (const [id, days] of [
      [young, 29],
      [old, 31],
    ] as const) {
      await sql`
        update deleted_messages set deleted_at = now() - make_interval(days => ${days})
        where realm_id = ${realm_id} and id = ${id}`
    }
    await purgeDeletedMessages(sql)
    expect(await kept()).toMatchObject([{ id: young }])
  })

  test('Deleting a message deletes its reactions and flags, and each queue gets the event in the form it supports.', async () => {
    const { realm, ada, grace, owner, design } = await setUp()
    await using _ = realm
    const first = await postMessage(ada, 'design', '')
    const second = await postMessage(ada, 'design', '')
    await ok(grace, 'POST', `/messages/${second}/reactions`, { emoji_name: 'tada' })
    await ok(grace, 'POST', '/messages/flags', { messages: [second], op: 'add', flag: 'starred' })
    const [plain, bulky, ownerListener] = [await listen(grace), await listen(grace, bulkDeletion), await listen(owner)]
    await ok(ada, 'DELETE', `/messages/${second}`)
    const shape = { type: 'delete_message', message_type: 'stream', stream_id: design, topic: 'general chat' }
    expect(await plain.events()).toEqual([{ id: expect.any(Number), ...shape, message_id: second }])
    expect(await bulky.events()).toEqual([{ id: expect.any(Number), ...shape, message_ids: [second] }])
    expect(await ownerListener.eventNames()).toEqual([])
    expect(await readRefusal(call(grace, 'GET', `/messages/${second}`))).toEqual(
      badRequest('There is no such message, or you may not read it.'),
    )
    const { starred_messages } = await ok(grace, 'POST', '/register', { fetch_event_types: ['starred_messages'] })
    expect(starred_messages).toEqual([])
    const left = await realm.sql`select from reactions where realm_id = ${realm.realm_id}`
    expect(left).toHaveLength(0)
    expect(await firstMessageId(ada, design)).toBe(first)
  })

  test('Deleting the first message of a channel updates first_message_id.', async () => {
    const { realm, ada, grace, design } = await setUp()
    await using _ = realm
    const [first, second] = [await postMessage(ada, 'design', 'logo'), await postMessage(ada, 'design', 'logo')]
    const graceListener = await listen(grace)
    await ok(ada, 'DELETE', `/messages/${first}`)
    await ok(ada, 'DELETE', `/messages/${second}`)
    const update = { type: 'stream', op: 'update', stream_id: design, name: 'design', property: 'first_message_id' }
    expect(await graceListener.events()).toMatchObject([
      { ...update, value: second },
      { type: 'delete_message', message_id: first },
      { ...update, value: null },
      { type: 'delete_message', message_id: second },
    ])
    expect(await firstMessageId(ada, design)).toBe(null)
    const third = await postMessage(ada, 'design', 'logo')
    expect(await firstMessageId(grace, design)).toBe(third)
  })

  test("A sender can delete a message within the time limit, a bot's owner the bot's message, and an administrator any readable message at any time.", async () => {
    const { realm, ada, grace, owner, design } = await setUp()
    await using _ = realm
    const old = await postMessage(ada, 'design', 'logo')
    const direct = await sendDirectMessage(ada, [grace])
    await realm.sql`
      update messages set timestamp = ${secondsNow() - 605} where realm_id = ${realm.realm_id} and id = ${old}`
    expect(await readRefusal(remove(ada, old))).toEqual(badRequest('This message is too old to be deleted by you.'))
    expect(await readRefusal(remove(grace, old))).toEqual(badRequest('You may not delete this message.'))
    const [robot] = (await realm.people({ full_name: 'Robot', bot: { type: 1, owner_id: ada.user_id } })) as [Person]
    const said = await postMessage(robot, 'design', 'logo')
    expect(await readRefusal(remove(grace, said))).toEqual(badRequest('You may not delete this message.'))
    await ok(ada, 'DELETE', `/messages/${said}`)
    expect(await readRefusal(remove(owner, direct))).toEqual(
      badRequest('There is no such message, or you may not read it.'),
    )
    await ok(owner, 'DELETE', `/messages/${old}`)
    expect(await readRefusal(remove(owner, old))).toEqual(
      badRequest('There is no such message, or you may not read it.'),
    )
    await updateRealmSettings(realm, { message_content_delete_limit_seconds: null })
    const graceListener = await listen(grace, bulkDeletion)
    await ok(ada, 'DELETE', `/messages/${direct}`)
    expect(await graceListener.events()).toEqual([
      { id: expect.any(Number), type: 'delete_message', message_type: 'private', message_ids: [direct] },
    ])
    const archived = await postMessage(ada, 'design', 'logo')
    await updateChannelRow(realm, 'design', { is_archived: true })
    expect(await readRefusal(remove(ada, archived))).toEqual(
      badRequest('There is no such message, or you may not read it.'),
    )
    expect(design).toBeGreaterThan(0)
  })

  test('A user who deletes a message in a channel without being subscribed receives the event.', async () => {
    const { realm, ada, owner } = await setUp()
    await using _ = realm
    const id = await postMessage(ada, 'design', 'logo')
    const ownerListener = await listen(owner)
    await ok(owner, 'DELETE', `/messages/${id}`)
    expect(await ownerListener.eventNames()).toEqual(['stream/update', 'delete_message'])
  })

  test('A message is deleted exactly once by concurrent deletes, and concurrent reactions and stars leave no rows.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const id = await sendDirectMessage(ada, [grace])
    const graceListener = await listen(grace, { event_types: ['reaction', 'delete_message', 'update_message_flags'] })
    const star = { messages: [id], op: 'add', flag: 'starred' }
    const answers = await Promise.all([
      remove(ada, id),
      call(grace, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }),
      call(grace, 'POST', '/messages/flags', star),
      remove(ada, id),
      call(ada, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }),
      remove(ada, id),
    ])
    const [a, , , b, , c] = answers
    expect([a, b, c].filter((answer) => answer?.status === 200)).toHaveLength(1)
    expect((await graceListener.eventNames()).at(-1)).toBe('delete_message')
    const rows = await realm.sql`select from message_flags where realm_id = ${realm.realm_id} and message_id = ${id}`
    expect(rows).toHaveLength(0)
  })
})

test('A deletion fails if another request deleted the message after it was read.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const id = await postMessage(ada, 'design', 'logo')
  const late = withWriteContext(realm, async (context) => {
    const { state } = realm.realm
    const actor = state.users.get(ada.user_id) as UserRow
    const message = await requireChangeableMessage({ sql: realm.sql, state, reader: actor }, id)
    await ok(ada, 'DELETE', `/messages/${id}`)
    await deleteMessage(context, actor, message)
  })
  await expect(late).rejects.toThrow('This message is deleted already.')
})

describe('Deleting a topic', () => {
  const many = async (by: Person, topic: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => postMessage(by, 'design', topic)))

  test('A topic is deleted in batches of 100, newest messages first.', { timeout: 60_000 }, async () => {
    const { realm, ada, grace, owner, design } = await setUp()
    await using _ = realm
    const ids = (await many(ada, 'logo', 230)).sort((a, b) => a - b)
    const kept = await postMessage(ada, 'design', 'fonts')
    const [plain, bulky] = [await listen(grace), await listen(grace, bulkDeletion)]
    const path = `/streams/${design}/delete_topic`
    expect(await ok(owner, 'POST', path, { topic_name: 'LOGO' })).toMatchObject({ complete: true })
    const update = { type: 'stream', property: 'first_message_id', value: kept }
    const batch = (message_ids: number[]) => ({ type: 'delete_message', topic: 'logo', message_ids })
    const events = await bulky.events()
    expect(events).toMatchObject([
      { ...batch(ids.slice(130)) },
      { ...batch(ids.slice(30, 130)) },
      update,
      { ...batch(ids.slice(0, 30)) },
    ])
    const single = (await plain.events()).filter(({ type }) => type === 'delete_message')
    expect(single.map(({ message_id }) => message_id).sort((a, b) => (a as number) - (b as number))).toEqual(ids)
    expect(await ok(owner, 'POST', path, { topic_name: 'logo' })).toMatchObject({ complete: true })
    expect(await bulky.eventNames()).toEqual([])
    const nameless = await postMessage(ada, 'design', '')
    expect(await ok(owner, 'POST', path, { topic_name: 'general chat' })).toMatchObject({ complete: true })
    expect(await readRefusal(call(ada, 'GET', `/messages/${nameless}`))).toMatchObject({ status: 400 })
  })

  test('Only an administrator who can read the channel can delete a topic.', async () => {
    const { realm, ada, owner, design } = await setUp()
    await using _ = realm
    const plans = await createChannel(ada, 'plans', [ada], { invite_only: true })
    const deleteTopic = (by: Person, stream_id: number) =>
      readRefusal(call(by, 'POST', `/streams/${stream_id}/delete_topic`, { topic_name: 'logo' }))
    expect(await deleteTopic(ada, design)).toEqual(
      badRequest('Only administrators of the organization may do this.', 'UNAUTHORIZED_PRINCIPAL'),
    )
    expect(await deleteTopic(owner, plans)).toEqual(
      badRequest('There is no channel with this ID, or you may not see it.'),
    )
    expect(await deleteTopic(owner, 999)).toEqual(
      badRequest('There is no channel with this ID, or you may not see it.'),
    )
  })

  test('A topic deletion that takes too long is answered as incomplete, and a repeated request joins the same job.', async () => {
    await using fleet = await startOwnFleet({ LONG_WORK_WAIT_MS: '200' })
    const { realm, gateway } = fleet
    const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    const at = { url: gateway.url }
    await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] }, at)
    const { stream_id } = await ok(owner, 'GET', '/get_stream_id', { stream: 'design' }, at)
    await ok(owner, 'POST', '/messages', { type: 'stream', to: 'design', topic: 'logo', content: 'hi' }, at)
    const ask = () => ok(owner, 'POST', `/streams/${stream_id}/delete_topic`, { topic_name: 'logo' }, at)
    expect(await ask()).toMatchObject({ complete: false })
    expect(await ask()).toMatchObject({ complete: false })
    const jobs = await realm.sql`select from jobs where kind = 'delete_topic'`
    expect(jobs).toHaveLength(1)
    // A topic without messages is gone, whether a worker runs or not.
    const other = () => ok(owner, 'POST', `/streams/${stream_id}/delete_topic`, { topic_name: 'none' }, at)
    expect(await other()).toMatchObject({ complete: true })
    // A job that ended without its effect completes nothing.
    await realm.sql`update jobs set done_at = now() where kind = 'delete_topic'`
    await ok(owner, 'POST', '/messages', { type: 'stream', to: 'design', topic: 'none', content: 'hi' }, at)
    expect(await ask()).toMatchObject({ complete: false })
    await using _worker = await fleet.worker()
    const answers = []
    while (answers.at(-1)?.complete !== true && answers.length < 50) answers.push(await ask())
    expect(answers.at(-1)).toMatchObject({ complete: true })
  })
})
