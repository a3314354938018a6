/**
 * Changing the topic or channel of messages: valid topics, permissions, time limits, edit history, and what happens
 * to the topics' visibility policies.
 */
import { expect, test } from 'vitest'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { makeOlder, moveMessage, moveMessageOk } from '../setup/realm/moving-messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateChannelRow, updateRealmSettings, updateUserRow } from '../setup/realm/row-changes.js'

const WEEK_IN_SECONDS = 604_800

/** The messages of the Notification Bot in a channel, with their topics, after its jobs are done. */
const notices = async (realm: TestRealm, channel_id: number) => {
  await waitForJobs(realm)
  const rows = await realm.sql<{ topic: string; content: string }[]>`
    select topic, content from messages
    where realm_id = ${realm.realm_id} and channel_id = ${channel_id} and client = 'Internal' order by id`
  return rows.map(({ topic, content }) => [topic, content])
}

/** The topic as it is stored. */
const storedTopic = async ({ sql, realm_id }: TestRealm, id: number) => {
  const [row] = await sql<{ topic: string }[]>`select topic from messages where realm_id = ${realm_id} and id = ${id}`
  return row?.topic
}

test('A new topic is normalized as when sending, except that "(no topic)" is kept.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo')
  const named = async (params: Record<string, unknown>) => {
    await moveMessageOk(ada, id, params)
    return storedTopic(realm, id)
  }
  expect(await named({ topic: '  fonts ' })).toBe('fonts')
  expect(await named({ topic: ' general chat ' })).toBe('')
  expect(await named({ topic: '(no topic)' })).toBe('(no topic)')
  expect(await named({ subject: 'x'.repeat(61) })).toBe(`${'x'.repeat(57)}...`)
  expect(await named({ topic: 'Fonts' })).toBe('Fonts')
  expect(await named({ topic: 'fonts' })).toBe('fonts')
  expect(await readRefusal(moveMessage(ada, id, { topic: 'fonts', subject: 'a' }))).toMatchObject({
    code: 'REQUEST_CONFUSING_VAR',
  })
})

test('Adding or removing the resolved mark needs no permission to move, even for a truncated topic and repeated marks.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  await updateChannelRow(realm, 'design', { can_administer_channel_group: SystemGroup.nobody })
  const long = 'x'.repeat(60)
  const [id, other] = [await postMessage(ada, 'design', long), await postMessage(ada, 'design', '✔ ✔✔ logo')]
  await updateRealmSettings(realm, { can_move_messages_between_topics_group: SystemGroup.nobody })
  await moveMessageOk(ada, id, { topic: `✔ ${long}` })
  expect(await storedTopic(realm, id)).toBe(`✔ ${'x'.repeat(55)}...`)
  await moveMessageOk(ada, other, { topic: 'logo' })
  for (const topic of ['✔ Logo', '✔  logo', '✔logo', 'log']) {
    expect(await readRefusal(moveMessage(ada, other, { topic }))).toEqual(badRequest('You may not edit this message.'))
  }
})

test('A user with the permission to move topics within the target channel can rename the topic while moving there.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const other = await createChannel(ada, 'other', [ada, grace])
  const id = await postMessage(ada, 'design', 'logo')
  await updateRealmSettings(realm, { can_move_messages_between_topics_group: SystemGroup.nobody })
  const there = { stream_id: other, topic: 'x' }
  expect(await readRefusal(moveMessage(grace, id, there))).toEqual(badRequest('You may not edit this message.'))
  const onlyGrace = { direct_members: [grace.user_id], direct_subgroups: [] }
  await updateChannelRow(realm, 'other', { can_move_messages_within_channel_group: onlyGrace })
  expect(await readRefusal(moveMessage(grace, id, { topic: 'x' }))).toEqual(
    badRequest('You may not edit this message.'),
  )
  await moveMessageOk(grace, id, there)
})

test('Each time limit has a tolerance of seconds, does not apply to moderators, and can be turned off.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const from = await createChannel(ada, 'design', [ada])
  const other = await createChannel(ada, 'other', [ada])
  const id = await postMessage(ada, 'design', 'logo')
  await makeOlder(realm, id, WEEK_IN_SECONDS + 10)
  await moveMessageOk(ada, id, { topic: 'x', stream_id: other })
  await moveMessageOk(ada, id, { topic: 'x', stream_id: from })
  await makeOlder(realm, id, 15)
  expect((await moveMessage(ada, id, { topic: 'y' })).status).toBe(400)
  expect((await moveMessage(ada, id, { stream_id: other })).status).toBe(400)
  await updateRealmSettings(realm, { move_messages_within_stream_limit_seconds: null })
  await moveMessageOk(ada, id, { topic: 'y' })
  expect((await moveMessage(ada, id, { stream_id: other })).status).toBe(400)
  await updateRealmSettings(realm, { move_messages_between_streams_limit_seconds: null })
  await moveMessageOk(ada, id, { stream_id: other })
  await updateRealmSettings(realm, { move_messages_within_stream_limit_seconds: WEEK_IN_SECONDS })
  const young = await postMessage(ada, 'other', 'y')
  const all = { topic: 'z', propagate_mode: 'change_all' }
  expect((await moveMessage(ada, young, all)).body.code).toBe('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED')
  await updateUserRow(realm, ada.user_id, { role: 300 })
  await moveMessageOk(ada, young, all)
  expect(await storedTopic(realm, id)).toBe('z')
})

test('When topic and channel change together, the shorter limit applies to the other messages of the topic.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const stream_id = await createChannel(ada, 'other', [ada])
  const [old, young] = [await postMessage(ada, 'design', 'logo'), await postMessage(ada, 'design', 'logo')]
  await makeOlder(realm, old, 1_000)
  const limits = [
    { move_messages_within_stream_limit_seconds: 600, move_messages_between_streams_limit_seconds: WEEK_IN_SECONDS },
    { move_messages_within_stream_limit_seconds: WEEK_IN_SECONDS, move_messages_between_streams_limit_seconds: 600 },
    { move_messages_within_stream_limit_seconds: null, move_messages_between_streams_limit_seconds: 600 },
    { move_messages_within_stream_limit_seconds: 600, move_messages_between_streams_limit_seconds: null },
  ]
  const both = { topic: 'fonts', stream_id, propagate_mode: 'change_all' }
  for (const limit of limits) {
    await updateRealmSettings(realm, limit)
    expect((await moveMessage(ada, young, both)).body).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: young,
    })
  }
  await updateRealmSettings(realm, { ...limits[0], move_messages_within_stream_limit_seconds: null })
  await moveMessageOk(ada, young, both)
  expect(await storedTopic(realm, old)).toBe('fonts')
})

test('Moving to a channel that the user cannot see gives the same errors as moving to one that does not exist.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const id = await postMessage(grace, 'design', '')
  const hidden = await createChannel(ada, 'secret', [ada], { invite_only: true })
  await updateChannelRow(realm, 'secret', { topics_policy: 'disable_empty_topic' })
  const gone = badRequest('There is no channel with this ID, or you may not see it.')
  const unresolvable = badRequest('Only a topic with a name can be resolved.')
  for (const stream_id of [hidden, 4711]) {
    expect(await readRefusal(moveMessage(grace, id, { stream_id }))).toEqual(gone)
    expect(await readRefusal(moveMessage(grace, id, { stream_id, topic: '✔' }))).toEqual(unresolvable)
  }
})

test('Every moved message has the move in its history, and only the edited one has its earlier content.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const [first, second] = [
    await postMessage(ada, 'design', 'logo', 'one'),
    await postMessage(ada, 'design', 'Logo', 'two'),
  ]
  await moveMessageOk(ada, first, { topic: 'fonts', content: 'uno', propagate_mode: 'change_all' })
  const by = { user_id: ada.user_id, timestamp: expect.any(Number), topic: 'fonts' }
  const text = { prev_content: 'one', prev_rendered_content: '<p>one</p>' }
  const historyOf = async (id: number) => (await fetchMessage(ada, id)) as unknown as Record<string, unknown>
  expect((await historyOf(first)).edit_history).toEqual([{ ...by, prev_topic: 'logo', ...text }])
  expect((await historyOf(second)).edit_history).toEqual([{ ...by, prev_topic: 'Logo' }])
  expect(await historyOf(first)).toHaveProperty('last_edit_timestamp')
  expect(await historyOf(second)).not.toHaveProperty('last_edit_timestamp')
})

test('When two topics merge, a visibility policy is kept if both are equal or one is unmuted.', async () => {
  const [none, muted, unmuted, followed] = [0, 1, 2, 3]
  const merged: [old: number, now: number, together: number][] = [
    [muted, muted, muted],
    [followed, followed, followed],
    [unmuted, muted, unmuted],
    [none, unmuted, unmuted],
    [followed, unmuted, unmuted],
    [followed, muted, none],
    [muted, followed, none],
    [followed, none, none],
    [none, followed, none],
    [none, muted, none],
  ]
  const { realm, people } = await newQuietRealm('Ada', ...merged.map((_, i) => `Reader ${i}`))
  await using _ = realm
  const [ada, ...readers] = people as [Person, ...Person[]]
  const stream_id = await createChannel(ada, 'design', people)
  const id = await postMessage(ada, 'design', 'logo')
  await postMessage(ada, 'design', 'fonts')
  const follow = (by: Person, topic: string, visibility_policy: number) =>
    ok(by, 'POST', '/user_topics', { stream_id, topic, visibility_policy })
  for (const [i, [old, now]] of merged.entries()) {
    await follow(readers[i] as Person, 'logo', old)
    await follow(readers[i] as Person, 'fonts', now)
  }
  await moveMessageOk(ada, id, { topic: 'Fonts', propagate_mode: 'change_all' })
  const rows = await realm.sql<{ user_id: number; topic: string; visibility_policy: number }[]>`
    select user_id, lower(topic) as topic, visibility_policy from user_topics where realm_id = ${realm.realm_id}`
  expect(rows.filter(({ topic }) => topic !== 'fonts')).toEqual([])
  const policyOf = ({ user_id }: Person) => rows.find((row) => row.user_id === user_id)?.visibility_policy ?? none
  expect(merged.map(([old, now], i) => [old, now, policyOf(readers[i] as Person)])).toEqual(merged)
})

test('Notices say how many messages were moved, and the old topic gets one only on request.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const channel_id = await createChannel(ada, 'design', [ada])
  const several = async (count: number) => {
    const ids: number[] = []
    for (let i = 0; i < count; i++) ids.push(await postMessage(ada, 'design', 'logo'))
    return ids
  }
  const [, second = 0] = await several(4)
  const later = { topic: 'fonts', propagate_mode: 'change_later' }
  await ok(ada, 'PATCH', `/messages/${second}`, later)
  const by = `by @_**Ada|${ada.user_id}**.`
  const come = ['fonts', `3 messages were moved here from #**design>logo** ${by}`]
  expect(await notices(realm, channel_id)).toEqual([come])
  const [next = 0] = await several(2)
  await moveMessageOk(ada, next, { ...later, send_notification_to_old_thread: true })
  expect(await notices(realm, channel_id)).toEqual([
    come,
    ['logo', `2 messages were moved from this topic to #**design>fonts** ${by}`],
  ])
})

test('A notice about resolving or unresolving a topic is sent only if nothing else changes.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const channel_id = await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', '✔ logo')
  await ok(ada, 'PATCH', `/messages/${id}`, { topic: 'logo' })
  const by = `@_**Ada|${ada.user_id}**`
  const said = [['logo', `${by} has marked this topic as unresolved.`]]
  expect(await notices(realm, channel_id)).toEqual(said)
  const other = await postMessage(ada, 'design', 'fonts')
  await ok(ada, 'PATCH', `/messages/${other}`, { topic: '✔ fonts', content: 'done' })
  expect(await notices(realm, channel_id)).toEqual(said)
})
