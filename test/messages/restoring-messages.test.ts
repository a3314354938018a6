/** Restoring deleted messages: what comes back, who restores which ones, for how long, and what clients are told. */
import { describe, expect, test } from 'vitest'
import { secondsNow } from '../../rules/src/time.js'
import { cli, runCli } from '../setup/processes/cli.js'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, fetchMessage, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, gateways, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow, updateRealmSettings } from '../setup/realm/row-changes.js'
import { fetchFile, upload } from '../setup/requests/files.js'

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  const [ada, grace] = people as [Person, Person]
  const [owner, admin] = (await realm.people({ full_name: 'Owner', role: 100 }, { full_name: 'Admin', role: 200 })) as [
    Person,
    Person,
  ]
  const design = await createChannel(ada, 'design', [ada, grace])
  return { realm, ada, grace, owner, admin, design, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const gone = badRequest('There is no such deleted message any more, or you may not restore it.')
const restore = (by: Person, message_ids: number[]) => ok(by, 'POST', '/deleted_messages/restore', { message_ids })
const refuse = (by: Person, params: Record<string, unknown>) =>
  readRefusal(call(by, 'POST', '/deleted_messages/restore', params))
const list = async (by: Person, params: Record<string, unknown> = {}) =>
  (await ok(by, 'GET', '/deleted_messages', params)).deleted_messages
const listIds = async (by: Person, params: Record<string, unknown> = {}) => (await list(by, params)).map(({ id }) => id)
const readTopic = async (by: Person, topic: string, url?: string) => {
  const narrow = [
    { operator: 'channel', operand: 'design' },
    { operator: 'topic', operand: topic },
  ]
  const page = { anchor: 'newest', num_before: 100, narrow, apply_markdown: false }
  return (await ok(by, 'GET', '/messages', page, url === undefined ? {} : { url })).messages
}

describe('A restored message', () => {
  test('A restored message is as before: text, history, reactions, stars, mentions, votes and files.', async () => {
    await using s = await setUp()
    const { ada, grace, owner, admin, design, realm } = s
    const { url } = JSON.parse(
      (await upload(ada, '/user_uploads', { filename: 'plan.txt', type: 'text/plain', data: 'Seats: 12' })).text,
    ) as { url: string }
    const first = await postMessage(ada, 'design', 'logo', 'A first draft')
    const id = await postMessage(ada, 'design', 'logo', `Hello @**Grace**, a zeppelin is in [the plan](${url})`)
    const poll = await postMessage(ada, 'design', 'logo', '/poll Where?\nHere\nThere')
    await ok(ada, 'PATCH', `/messages/${first}`, { content: 'A second draft' })
    for (const [by, emoji_name] of [
      [grace, 'tada'],
      [ada, 'octopus'],
      [ada, 'tada'],
    ] as const)
      await ok(by, 'POST', `/messages/${id}/reactions`, { emoji_name })
    await ok(grace, 'POST', '/messages/flags', { messages: [first, id], op: 'add', flag: 'starred' })
    const vote = { message_id: poll, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' }
    await ok(grace, 'POST', '/submessage', vote)
    await ok(grace, 'POST', '/messages/flags', { messages: [first, id, poll], op: 'add', flag: 'read' })
    const ids = [first, id, poll]
    const readAll = () => Promise.all(ids.map((message_id) => fetchMessage(grace, message_id)))
    const before = await readAll()
    expect(before[1]?.flags).toContain('mentioned')
    for (const message_id of ids) await ok(admin, 'DELETE', `/messages/${message_id}`)
    expect((await fetchFile(grace.host, url, grace)).status).toBe(403)

    const listeners = [await listen(grace), await listen(ada)] as const
    expect(await restore(owner, ids)).toMatchObject({ message_ids: ids, complete: true })
    expect(await readAll()).toEqual(before)
    expect((await ok(grace, 'GET', `/messages/${first}/history`)).message_history).toHaveLength(2)
    expect((await fetchFile(grace.host, url, grace)).text).toBe('Seats: 12')
    const restored = { type: 'restore_message', message_type: 'stream', stream_id: design, topic: 'logo' }
    expect(await listeners[0].events()).toMatchObject([
      { type: 'stream', property: 'first_message_id', value: first },
      { ...restored, message_ids: ids },
      { type: 'update_message_flags', op: 'add', flag: 'starred', messages: [first, id] },
    ])
    expect(await listeners[1].events()).toMatchObject([
      { type: 'stream' },
      { ...restored, message_ids: ids },
      { type: 'attachment', op: 'update', attachment: { messages: [{ id }] } },
    ])
    const search = { anchor: 'newest', num_before: 9, narrow: [{ operator: 'search', operand: 'zeppelin' }] }
    expect((await ok(grace, 'GET', '/messages', search)).messages.map((message) => message.id)).toEqual([id])
    const wanted = ['starred_messages', 'message', 'update_message_flags']
    const registered = await ok(grace, 'POST', '/register', { fetch_event_types: wanted })
    expect(registered).toMatchObject({ starred_messages: [first, id], unread_msgs: { count: 0, mentions: [] } })
    expect((await ok(grace, 'GET', `/streams/${design}`)).stream.first_message_id).toBe(first)
    expect(await listIds(owner)).toEqual([])
    const kept = await realm.sql`select from deleted_messages where realm_id = ${realm.realm_id}`
    expect(kept).toHaveLength(0)
  })

  test('Every gateway shows it at once, read for everyone, also for users who had it unread or starred nothing.', async () => {
    await using s = await setUp()
    const { ada, grace, admin } = s
    const [one = '', other = ''] = [gateways()[0], gateways().at(-1)]
    const ids = [await postMessage(ada, 'design', 'logo'), await postMessage(ada, 'design', 'logo', '@**all** hi')]
    const kept = await postMessage(ada, 'design', 'logo')
    for (const id of ids) await ok(ada, 'DELETE', `/messages/${id}`, {}, { url: one })
    const unread = { fetch_event_types: ['message', 'update_message_flags'] }
    for (let i = 0; i < 2; i++) {
      await ok(admin, 'POST', '/deleted_messages/restore', { message_ids: ids }, { url: one })
      const messages = await readTopic(grace, 'logo', other)
      expect(messages.map(({ id, flags }) => [id, flags?.includes('read')])).toEqual([
        [ids[0], true],
        [ids[1], true],
        [kept, false],
      ])
      expect(messages[1]?.flags).toContain('stream_wildcard_mentioned')
      const { unread_msgs } = await ok(grace, 'POST', '/register', unread, { url: other })
      expect(unread_msgs).toMatchObject({ count: 1, streams: [{ unread_message_ids: [kept] }] })
      // A message can be deleted and restored again.
      if (i === 0) for (const id of ids) await ok(admin, 'DELETE', `/messages/${id}`, {}, { url: other })
    }
  })

  test('Concurrent requests restore it once, and a deletion at the same time leaves it whole or deleted.', async () => {
    await using s = await setUp()
    const { ada, admin, owner, realm } = s
    const id = await postMessage(ada, 'design', 'logo')
    await ok(ada, 'DELETE', `/messages/${id}`)
    const attempt = (by: Person) => call(by, 'POST', '/deleted_messages/restore', { message_ids: [id] })
    const answers = await Promise.all([admin, owner, admin, owner, admin].map(attempt))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await Promise.all([call(ada, 'DELETE', `/messages/${id}`), attempt(admin), attempt(owner)])
    const [row] = await realm.sql<{ count: number }[]>`
      select (select count(*)::int from messages where realm_id = ${realm.realm_id} and id = ${id})
        + (select count(*)::int from deleted_messages where realm_id = ${realm.realm_id} and id = ${id}) as count`
    expect(row?.count).toBe(1)
  })

  test('A deleted topic is restored as one deletion, also in a channel that was renamed meanwhile.', async () => {
    await using s = await setUp()
    const { ada, admin, design, grace } = s
    const ids = []
    for (let i = 0; i < 120; i++) ids.push(await postMessage(ada, design, 'logo', `${i}`))
    const other = await postMessage(ada, design, 'fonts')
    await ok(admin, 'DELETE', `/messages/${other}`)
    await ok(admin, 'POST', `/streams/${design}/delete_topic`, { topic_name: 'logo' })
    const [newest] = await list(admin, { topic: 'LOGO' })
    expect(newest).toMatchObject({ deleted_by: admin.user_id, stream_id: design, sender_id: ada.user_id })
    await ok(admin, 'PATCH', `/streams/${design}`, { new_name: 'drawings' })
    const { deletion_id } = newest as { deletion_id: string }
    const answer = await ok(admin, 'POST', '/deleted_messages/restore', { deletion_id })
    expect(answer).toMatchObject({ message_ids: ids, complete: true })
    expect((await ok(grace, 'GET', `/streams/${design}`)).stream.first_message_id).toBe(ids[0])
    const { topics } = await ok(grace, 'GET', `/users/me/${design}/topics` as '/users/me/{stream_id}/topics')
    expect(topics).toEqual([{ name: 'logo', max_id: ids.at(-1) }])
    expect(await listIds(admin)).toEqual([other])
  })

  test('A message that a former release deleted is restored without what that release did not keep.', async () => {
    await using s = await setUp()
    const { ada, admin, realm } = s
    const id = await postMessage(ada, 'design', 'logo', 'An old text')
    await ok(ada, 'DELETE', `/messages/${id}`)
    await realm.sql`
      update deleted_messages set actor_id = null, deletion_id = null, belongings = null
      where realm_id = ${realm.realm_id}`
    expect(await list(admin)).toMatchObject([{ id, deleted_by: null, deletion_id: null }])
    await restore(admin, [id])
    expect(await readTopic(ada, 'logo')).toMatchObject([{ id, content: 'An old text' }])
  })
})

describe('Who restores which messages', () => {
  test('Administrators list and restore only channel messages that they could read.', async () => {
    await using s = await setUp()
    const { ada, grace, admin, realm } = s
    await createChannel(ada, 'secret', [ada, grace], { invite_only: true })
    await createChannel(ada, 'late', [ada], { invite_only: true, history_public_to_subscribers: false })
    const hidden = [
      await postMessage(ada, 'secret', 't', 'Our plan'),
      await postMessage(ada, 'late', 't', 'Before the administrator'),
      await sendDirectMessage(ada, [grace], 'Between us'),
      await sendDirectMessage(ada, [admin], 'For you'),
    ]
    const subscriptions = [{ name: 'late' }]
    await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions, principals: [admin.user_id] })
    const [shown, open] = [await postMessage(ada, 'late', 't', 'After'), await postMessage(ada, 'design', 't')]
    await updateRealmSettings(realm, { message_content_delete_limit_seconds: null })
    for (const id of [...hidden, shown, open]) await ok(ada, 'DELETE', `/messages/${id}`)
    expect(await listIds(admin)).toEqual([open, shown])
    expect(await refuse(admin, { message_ids: hidden })).toEqual(gone)
    const [{ deletion_id }] = (await realm.sql`
      select deletion_id from deleted_messages where realm_id = ${realm.realm_id} and id = ${hidden[0] ?? 0}`) as [
      { deletion_id: string },
    ]
    expect(await listIds(admin, { deletion_id })).toEqual([])
    expect(await refuse(admin, { deletion_id })).toEqual(gone)
    expect(await refuse(admin, { message_ids: [999_999] })).toEqual(gone)
    expect((await restore(admin, [...hidden, shown, open])).message_ids).toEqual([shown, open])
    const forAdministrators = badRequest(
      'Only administrators of the organization may do this.',
      'UNAUTHORIZED_PRINCIPAL',
    )
    expect(await refuse(ada, { message_ids: hidden })).toEqual(forAdministrators)
    expect(await readRefusal(call(ada, 'GET', '/deleted_messages'))).toEqual(forAdministrators)
    for (const params of [{}, { message_ids: hidden, deletion_id }])
      expect(await refuse(admin, params)).toMatchObject({ status: 400 })
  })

  test('Users who did not have a message in a channel with protected history are not told that it is back.', async () => {
    await using s = await setUp()
    const { ada, grace, admin } = s
    const params = { invite_only: true, history_public_to_subscribers: false }
    await createChannel(ada, 'late', [ada, admin], params)
    const early = await postMessage(ada, 'late', 't')
    await ok(ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'late' }],
      principals: [grace.user_id],
    })
    const late = await postMessage(ada, 'late', 't')
    for (const id of [early, late]) await ok(ada, 'DELETE', `/messages/${id}`)
    const wanted = { event_types: ['restore_message'] }
    const listeners = [await listen(ada, wanted), await listen(grace, wanted)]
    await restore(admin, [early, late])
    const told = await Promise.all(listeners.map((listener) => listener.events()))
    expect(told).toMatchObject([[{ message_ids: [early, late] }], [{ message_ids: [late] }]])
    expect((await call(grace, 'GET', `/messages/${early}`)).status).toBe(400)
    expect((await fetchMessage(grace, late)).id).toBe(late)
  })

  test('An operator lists and restores direct messages on the command line, and a guest sees the partner again.', async () => {
    await using s = await setUp()
    const { ada, owner, realm } = s
    const [guest] = (await realm.people({ full_name: 'Guest', role: 600 })) as [Person]
    await ok(owner, 'PATCH', '/realm', { can_access_all_users_group: { new: await membersGroup(owner) } })
    const id = await sendDirectMessage(ada, [guest], 'Between us')
    await ok(ada, 'DELETE', `/messages/${id}`)
    const [name = ''] = realm.host.split('.')
    const listener = await listen(guest)
    const { deleted_messages } = (await cli('deleted-messages', name, '--sender', ada.email)) as {
      deleted_messages: object[]
    }
    expect(deleted_messages).toMatchObject([
      { id, content: 'Between us', sender: ada.email, deleted_by: ada.email, stream_id: null },
    ])
    expect(await cli('restore-messages', name, '--ids', String(id))).toEqual({ realm: name, restored: [id] })
    expect((await fetchMessage(guest, id)).content).toContain('Between us')
    const events = await listener.events()
    expect(events.find(({ type }) => type === 'restore_message')).toMatchObject({
      message_type: 'private',
      message_ids: [id],
    })
    expect(events.find(({ type, op }) => type === 'realm_user' && op === 'add')).toMatchObject({
      person: { user_id: ada.user_id },
    })
    const again = await runCli(['restore-messages', name, '--ids', String(id)])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('no such deleted message') })
    for (const args of [[], ['--ids', '1', '--deletion', 'x'], ['--ids', '1,x']])
      expect((await runCli(['restore-messages', name, ...args])).code).toBe(1)
  })

  test('Each restoration is in the audit log, without texts.', async () => {
    await using s = await setUp()
    const { ada, admin, owner, design } = s
    const id = await postMessage(ada, 'design', 'logo', 'A secret text')
    await ok(ada, 'DELETE', `/messages/${id}`)
    await restore(admin, [id])
    const { acts } = await ok(owner, 'GET', '/realm/audit_log', { limit: 1 })
    expect(acts).toMatchObject([
      {
        user_id: admin.user_id,
        action: 'POST /deleted_messages/restore',
        changes: [{ table: 'messages', key: { channel_id: design, topic: 'logo' }, after: { message_ids: [id] } }],
      },
    ])
    expect(JSON.stringify(acts)).not.toContain('A secret text')
  })
})

describe('Limits of restoring', () => {
  test('After 30 days a message is neither listed nor restored, also before it is purged.', async () => {
    await using s = await setUp()
    const { ada, admin, realm } = s
    const ids = [await postMessage(ada, 'design', 'logo'), await postMessage(ada, 'design', 'logo')]
    for (const id of ids) await ok(ada, 'DELETE', `/messages/${id}`)
    const [young = 0, old = 0] = ids
    const age = (id: number, days: number) => realm.sql`
      update deleted_messages set deleted_at = now() - make_interval(days => ${days})
      where realm_id = ${realm.realm_id} and id = ${id}`
    await age(young, 29)
    await age(old, 31)
    expect(await listIds(admin)).toEqual([young])
    expect(await refuse(admin, { message_ids: [old] })).toEqual(gone)
    expect((await restore(admin, [young])).message_ids).toEqual([young])
  })

  test('A message whose retention time is over is not restored, until the time is longer.', async () => {
    await using s = await setUp()
    const { ada, admin, realm } = s
    const id = await postMessage(ada, 'design', 'logo')
    await realm.sql`
      update messages set timestamp = ${secondsNow() - 10 * 86_400} where realm_id = ${realm.realm_id} and id = ${id}`
    await ok(admin, 'DELETE', `/messages/${id}`)
    await updateRealmSettings(realm, { message_retention_days: 5 })
    expect(await listIds(admin)).toEqual([])
    expect(await refuse(admin, { message_ids: [id] })).toEqual(gone)
    await updateChannelRow(realm, 'design', { message_retention_days: 20 })
    expect((await restore(admin, [id])).message_ids).toEqual([id])
  })

  test('No message is restored in an archived channel, before it is taken out of the archive.', async () => {
    await using s = await setUp()
    const { ada, admin, design } = s
    const id = await postMessage(ada, 'design', 'logo')
    await ok(ada, 'DELETE', `/messages/${id}`)
    await ok(admin, 'DELETE', `/streams/${design}` as '/streams/{stream_id}')
    expect(await refuse(admin, { message_ids: [id] })).toEqual(
      badRequest('#design is archived: take it out of the archive before you restore messages.'),
    )
    await ok(admin, 'PATCH', `/streams/${design}`, { is_archived: false })
    expect((await restore(admin, [id])).message_ids).toEqual([id])
  })

  test('An organization at its quota of messages restores none.', async () => {
    await using s = await setUp()
    const { ada, admin, realm } = s
    const id = await postMessage(ada, 'design', 'logo')
    await ok(ada, 'DELETE', `/messages/${id}`)
    const [name = ''] = realm.host.split('.')
    await cli('quota', name, '--messages', '0')
    expect(await refuse(admin, { message_ids: [id] })).toMatchObject({
      msg: expect.stringContaining('permits the organization 0 messages'),
    })
  })

  test('The list is in pages and has filters, and a page of many messages of others is short but not the last.', async () => {
    await using s = await setUp()
    const { ada, grace, admin, design, realm } = s
    const ids = [
      await postMessage(ada, 'design', 'logo', '100% of a Zeppelin'),
      await postMessage(grace, 'design', 'Logo', 'a balloon'),
      await postMessage(ada, 'design', '', 'a kite'),
    ]
    for (const id of ids) await ok(admin, 'DELETE', `/messages/${id}`)
    const [zeppelin = 0, balloon = 0, kite = 0] = ids
    const pages: number[][] = []
    let before: string | null | undefined
    do {
      const params = before === undefined ? { limit: 2 } : { limit: 2, before }
      const page = await ok(admin, 'GET', '/deleted_messages', params)
      pages.push(page.deleted_messages.map(({ id }) => id))
      before = page.next
    } while (before !== null)
    expect(pages).toEqual([[kite, balloon], [zeppelin]])
    expect(await listIds(admin, { topic: 'logo' })).toEqual([balloon, zeppelin])
    expect(await listIds(admin, { topic: '' })).toEqual([kite])
    expect(await listIds(admin, { sender_id: grace.user_id })).toEqual([balloon])
    expect(await listIds(admin, { text: 'zeppelin' })).toEqual([zeppelin])
    expect(await listIds(admin, { text: '0%' })).toEqual([zeppelin])
    expect(await listIds(admin, { stream_id: design })).toEqual([kite, balloon, zeppelin])
    expect(await listIds(admin, { stream_id: 999 })).toEqual([])
    expect((await call(admin, 'GET', '/deleted_messages', { before: "1'" })).status).toBe(400)
    await realm.sql`
      insert into deleted_messages (realm_id, id, deleted_at, message)
      select realm_id, 1000000 + n, now() + interval '1 second', message || jsonb_build_object('id', 1000000 + n)
      from deleted_messages, generate_series(1, 5000) n where realm_id = ${realm.realm_id} and id = ${kite}`
    const page = await ok(admin, 'GET', '/deleted_messages', { text: 'zeppelin' })
    expect(page.deleted_messages).toEqual([])
    expect(await listIds(admin, { text: 'zeppelin', before: page.next })).toEqual([zeppelin])
  })
})

const membersGroup = async (by: Person): Promise<number> => {
  const { user_groups } = await ok(by, 'GET', '/user_groups')
  return user_groups.find(({ name }) => name === 'role:members')?.id as number
}
