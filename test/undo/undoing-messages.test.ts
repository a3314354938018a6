/** Undoing moves and deletions of messages. */
import { expect, test } from 'vitest'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { call, gateways, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { newestAct, planUndo, readActs, undo } from '../setup/realm/undoing.js'

const setUp = async () => {
  const world = await newRealmWith('Owner', 'Admin', 'Mia', 'Ned')
  const { owner, mia, ned } = world
  const team = await createChannel(owner, 'team', [owner, mia, ned])
  const other = await createChannel(owner, 'other', [owner, mia])
  const ids = [await postMessage(mia, team, 'plans'), await postMessage(ned, team, 'plans')]
  const kept = await postMessage(mia, team, 'kept', 'of the other topic')
  return { ...world, team, other, ids, kept }
}

const history = async (by: Person, channel: string) =>
  (
    await ok(by, 'GET', '/messages', {
      narrow: [{ operator: 'channel', operand: channel }],
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      apply_markdown: false,
    })
  ).messages
    .filter(({ sender_email }) => !sender_email.startsWith('notification-bot'))
    .map(({ id, subject, content }) => ({ id, subject, content }))

const move = (by: Person, id: number, params: Record<string, unknown>) =>
  ok(by, 'PATCH', `/messages/${id}` as '/messages/{message_id}', { propagate_mode: 'change_all', ...params })

test('A topic that was merged into another one comes out of it again, and nothing else.', async () => {
  await using world = await setUp()
  const { realm, owner, mia, ids } = world
  const before = await history(mia, 'team')
  await move(owner, ids[0] as number, { topic: 'kept' })
  await waitForJobs(realm)
  const act = await newestAct(owner)
  expect(act).toMatchObject({
    can_undo: true,
    changes: [{ table: 'messages', key: { count: 2 }, before: { topic: 'plans' }, after: { topic: 'kept' } }],
  })
  expect(await planUndo(owner, act.id)).toMatchObject({ can_undo: true, remains: ['delivered', 'notices', 'history'] })
  expect((await undo(owner, act.id)).body).toMatchObject({ act_ids: [act.id] })
  expect(await history(mia, 'team')).toEqual(before)
  expect(await newestAct(owner)).toMatchObject({ undoes: act.id, can_undo: true })
})

test('A topic that was moved to another channel comes back, also for users who had lost it.', async () => {
  await using world = await setUp()
  const { realm, owner, mia, ned, ids, team, other } = world
  const before = await history(ned, 'team')
  await move(owner, ids[0] as number, { stream_id: other, topic: 'elsewhere' })
  await waitForJobs(realm)
  expect(await history(mia, 'other')).toHaveLength(2)
  const act = await newestAct(owner)
  expect((await undo(owner, act.id)).status).toBe(200)
  expect(await history(ned, 'team')).toEqual(before)
  expect(await history(mia, 'other')).toEqual([])
  expect(await fetchMessage(ned, ids[1] as number)).toMatchObject({ stream_id: team, subject: 'plans' })
})

test('A moved message that was deleted or moved since is listed, and none is moved back.', async () => {
  await using world = await setUp()
  const { owner, mia, ids, team } = world
  const [first, second] = ids as [number, number]
  await move(owner, first, { topic: 'moved' })
  const act = await newestAct(owner)
  await move(owner, second, { topic: 'further', propagate_mode: 'change_one' })
  await ok(owner, 'DELETE', `/messages/${first}` as '/messages/{message_id}')
  const before = await history(mia, 'team')
  const { status, body } = await undo(owner, act.id)
  expect(status).toBe(409)
  expect(body).toMatchObject({
    code: 'CHANGED_SINCE_ACT',
    changed_since: [
      { table: 'messages', key: { id: first }, column: null, left: true, now: false },
      { table: 'messages', key: { id: second }, column: 'topic', left: 'moved', now: 'further' },
    ],
  })
  expect(await history(mia, 'team')).toEqual(before)
  expect(await fetchMessage(mia, second)).toMatchObject({ stream_id: team, subject: 'further' })
})

test('What users do to single messages of their own, and resolved topics, are no acts.', async () => {
  await using world = await setUp()
  const { owner, mia, ids, kept } = world
  const before = (await readActs(owner)).length
  await move(mia, kept, { topic: 'renamed', propagate_mode: 'change_one' })
  await move(mia, ids[0] as number, { topic: '✔ plans' })
  await ok(mia, 'DELETE', `/messages/${kept}` as '/messages/{message_id}')
  expect(await readActs(owner)).toHaveLength(before)
})

test('A deleted message of another user is restored, with its reactions.', async () => {
  await using world = await setUp()
  const { owner, admin, mia, ned, ids, team } = world
  const [first] = ids as [number, number]
  await ok(ned, 'POST', `/messages/${first}/reactions` as '/messages/{message_id}/reactions', { emoji_name: 'tada' })
  const before = await history(mia, 'team')
  await ok(owner, 'DELETE', `/messages/${first}` as '/messages/{message_id}')
  const act = await newestAct(owner)
  expect(act).toMatchObject({ can_undo: true, changes: [{ table: 'messages', before: { message_ids: [first] } }] })
  expect(JSON.stringify(act)).not.toContain('hello')
  // An administrator does not undo the act of another one, who is no owner.
  expect((await undo(admin, act.id)).status).toBe(400)
  expect(await planUndo(owner, act.id)).toMatchObject({ can_undo: true })
  expect((await undo(owner, act.id)).body).toMatchObject({ act_ids: [act.id] })
  expect(await history(mia, 'team')).toEqual(before)
  expect((await fetchMessage(mia, first)).reactions).toMatchObject([{ emoji_name: 'tada', user_id: ned.user_id }])
  expect(await fetchMessage(mia, first)).toMatchObject({ stream_id: team })
  expect((await undo(owner, act.id)).body).toMatchObject({ code: 'ACT_ALREADY_UNDONE' })
})

test('A deleted topic of many messages is restored by one call, of several callers by one.', async () => {
  await using world = await setUp()
  const { realm, owner, mia, team } = world
  for (let i = 0; i < 120; i++) await postMessage(mia, team, 'long', `message ${i}`)
  const before = await history(mia, 'team')
  await ok(owner, 'POST', `/streams/${team}/delete_topic` as '/streams/{stream_id}/delete_topic', {
    topic_name: 'long',
  })
  await waitForJobs(realm)
  const act = await newestAct(owner)
  expect(act).toMatchObject({ can_undo: true, changes: [{ key: { channel_id: team, topic: 'long' } }] })
  const answers = await Promise.all(gateways().map((url) => undo(owner, act.id, url)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status, body } of answers) if (status !== 200) expect(body).toMatchObject({ code: 'ACT_ALREADY_UNDONE' })
  expect(await history(mia, 'team')).toEqual(before)
})

test('Messages that were restored since are listed.', async () => {
  await using world = await setUp()
  const { owner, ids } = world
  const [first] = ids as [number, number]
  await ok(owner, 'DELETE', `/messages/${first}` as '/messages/{message_id}')
  const act = await newestAct(owner)
  await ok(owner, 'POST', '/deleted_messages/restore', { message_ids: [first] })
  expect((await undo(owner, act.id)).body).toMatchObject({
    code: 'CHANGED_SINCE_ACT',
    changed_since: [{ table: 'messages', key: { id: first }, column: null }],
  })
  expect((await call(owner, 'GET', `/realm/audit_log/${act.id}/undo`)).body).toMatchObject({ can_undo: false })
})
