/** Message flags: read, starred, and marking messages as unread. */
import { describe, expect, test } from 'vitest'
import { flagNames } from '../../src/domain/messages/flags.js'
import { limitPage } from '../../src/domain/messages/narrow/anchors.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { commit } from '../../src/store/log/change.js'
import { markLeftAsRead } from '../../src/store/messages/flags/left-channels.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { listen } from '../setup/realm/event-listener.js'
import { readUntil } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, fetchMessage, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { withWriteContext } from '../setup/realm/row-changes.js'

const flag = (by: Person, messages: number[], op: string, name: string) =>
  ok(by, 'POST', '/messages/flags', {
    messages,
    op,
    flag: name,
  })

const registered = (by: Person) =>
  ok(by, 'POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags', 'starred_messages'],
  })

const unread = async (by: Person): Promise<number[]> => {
  const { unread_msgs } = await registered(by)
  const places = [...unread_msgs.streams, ...unread_msgs.pms]
  return places.flatMap(({ unread_message_ids }) => unread_message_ids).sort((a, b) => a - b)
}

/** The number of flag rows that the user has. */
const countFlagRows = async ({ sql, realm_id }: TestRealm, { user_id }: Person): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from message_flags where realm_id = ${realm_id} and user_id = ${user_id}`
  return row?.n ?? 0
}

/** Sets the rows as if the worker had not handled the end of the user's subscription yet. */
const undoMarking = async ({ sql, realm_id }: TestRealm, channel_id: number, { user_id }: Person): Promise<void> => {
  await sql`
    update membership_spans set read_up_to = 0
    where realm_id = ${realm_id} and user_id = ${user_id} and channel_id = ${channel_id} and to_message is not null`
  await sql`
    update channel_reads set read_up_to = 0
    where realm_id = ${realm_id} and user_id = ${user_id} and channel_id = ${channel_id}`
}

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  const [ada, grace, alan] = people as [Person, Person, Person]
  const design = await createChannel(ada, 'design', [ada, grace])
  return { realm, ada, grace, alan, design }
}

const postSeveral = async (by: Person, count: number, topic = 'logo') => {
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push(await postMessage(by, 'design', topic))
  return ids as [number, number, number, number, number]
}

describe('Read flags', () => {
  test('Marking messages as read sends one event with the messages that changed, to the user only.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [first, second] = await postSeveral(ada, 2)
    const [graceListener, adaListener] = [await listen(grace), await listen(ada)]
    expect((await flag(grace, [first], 'add', 'read')).messages).toEqual([first])
    await flag(grace, [second, first], 'add', 'read')
    expect((await flag(grace, [second, 999, first], 'add', 'read')).messages).toEqual([second, 999, first])
    const shape = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', all: false }
    expect(await graceListener.events()).toEqual([
      { id: expect.any(Number), ...shape, messages: [first] },
      { id: expect.any(Number), ...shape, messages: [second] },
    ])
    expect(await adaListener.eventNames()).toEqual([])
  })

  test('No flag rows remain when all messages are read, in whatever order.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [a, b, c, d, e] = await postSeveral(ada, 5)
    await flag(grace, [e, c], 'add', 'read')
    expect(await unread(grace)).toEqual([a, b, d])
    expect(await countFlagRows(realm, grace)).toBe(2)
    await flag(grace, [a, b], 'add', 'read')
    expect(await unread(grace)).toEqual([d])
    expect(await countFlagRows(realm, grace)).toBe(1)
    await flag(grace, [d], 'add', 'read')
    expect(await unread(grace)).toEqual([])
    expect(await countFlagRows(realm, grace)).toBe(0)
  })

  test('Messages are marked as unread individually, and the event contains the message_details that a client needs to count them.', async () => {
    const { realm, ada, grace, design } = await setUp()
    await using _ = realm
    const [a, b] = await postSeveral(ada, 2)
    const named = await postMessage(ada, 'design', '', 'hello @**Grace**')
    const direct = await sendDirectMessage(ada, [grace])
    await ok(grace, 'POST', '/mark_all_as_read')
    const graceListener = await listen(grace)
    await flag(grace, [b, direct, named], 'remove', 'read')
    expect(await graceListener.events()).toEqual([
      {
        id: expect.any(Number),
        type: 'update_message_flags',
        op: 'remove',
        operation: 'remove',
        flag: 'read',
        messages: [b, named, direct],
        all: false,
        message_details: {
          [b]: { type: 'stream', stream_id: design, topic: 'logo', unmuted_stream_msg: true },
          [named]: {
            type: 'stream',
            stream_id: design,
            topic: 'general chat',
            mentioned: true,
            unmuted_stream_msg: true,
          },
          [direct]: { type: 'private', user_ids: [ada.user_id] },
        },
      },
    ])
    expect(await unread(grace)).toEqual([b, named, direct])
    expect((await registered(grace)).unread_msgs.mentions).toEqual([named])
    expect((await fetchMessage(grace, a)).flags).toContain('read')
    await ok(grace, 'POST', '/mark_stream_as_read', { stream_id: design })
    expect(await unread(grace)).toEqual([direct])
  })

  test('The message_details of unread messages say whether the topic is muted, and list no other user for a message to oneself.', async () => {
    const { realm, ada, grace, design } = await setUp()
    await using _ = realm
    const note = await sendDirectMessage(grace, [grace])
    const [quiet, loud] = [
      await postMessage(ada, 'design', 'logo'),
      await postMessage(ada, 'design', 'fonts', '@**all**'),
    ]
    const named = await postMessage(ada, 'design', 'logo', '@**Grace**')
    const all = [note, quiet, loud, named]
    await ok(grace, 'POST', '/mark_all_as_read')
    const fetchDetails = async () => {
      const graceListener = await listen(grace)
      await flag(grace, all, 'remove', 'read')
      const [event] = await graceListener.events()
      await flag(grace, all, 'add', 'read')
      return event?.message_details as Record<number, Record<string, unknown>>
    }
    const mutedAndMentioned = ({ mentioned, unmuted_stream_msg }: Record<string, unknown> = {}) => [
      unmuted_stream_msg,
      mentioned,
    ]
    const fetchMutings = async () => {
      const found = await fetchDetails()
      expect(found[note]).toEqual({ type: 'private', user_ids: [] })
      return [quiet, loud, named].map((id) => mutedAndMentioned(found[id]))
    }
    expect(await fetchMutings()).toEqual([
      [true, undefined],
      [true, true],
      [true, true],
    ])
    const mute = { stream_id: design, property: 'is_muted', value: true }
    await ok(grace, 'POST', '/users/me/subscriptions/properties', { subscription_data: [mute] })
    await ok(grace, 'POST', '/user_topics', { stream_id: design, topic: 'LOGO', visibility_policy: 2 })
    expect(await fetchMutings()).toEqual([
      [true, undefined],
      [false, undefined],
      [true, true],
    ])
    await ok(grace, 'POST', '/user_topics', { stream_id: design, topic: 'Logo', visibility_policy: 1 })
    expect(await fetchMutings()).toEqual([
      [false, undefined],
      [false, undefined],
      [false, true],
    ])
  })

  test('Messages in a channel without a subscription cannot be marked as unread.', async () => {
    const { realm, ada, grace, alan, design } = await setUp()
    await using _ = realm
    const [a] = await postSeveral(ada, 1)
    const direct = await sendDirectMessage(ada, [alan])
    await flag(alan, [direct], 'add', 'read')
    const alanListener = await listen(alan)
    const answer = await flag(alan, [a, direct], 'remove', 'read')
    expect(answer.ignored_because_not_subscribed_channels).toEqual([design])
    expect((await alanListener.events()).map(({ messages }) => messages)).toEqual([[direct]])
    await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
    expect((await flag(grace, [a], 'remove', 'read')).ignored_because_not_subscribed_channels).toEqual([design])
  })

  test('Marking everything as read sends one event and leaves no read rows.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [a, b] = await postSeveral(ada, 3)
    await sendDirectMessage(ada, [grace])
    await flag(grace, [b], 'add', 'read')
    await flag(grace, [a], 'add', 'starred')
    const graceListener = await listen(grace)
    expect(await ok(grace, 'POST', '/mark_all_as_read')).toMatchObject({ complete: true })
    expect(await graceListener.events()).toMatchObject([{ op: 'add', flag: 'read', messages: [], all: true }])
    expect(await unread(grace)).toEqual([])
    expect(await countFlagRows(realm, grace)).toBe(1)
    const later = await postMessage(ada, 'design', 'logo')
    expect(await unread(grace)).toEqual([later])
  })

  test('Marking a topic as read leaves other topics unread, and an unknown topic or channel is refused.', async () => {
    const { realm, ada, grace, alan, design } = await setUp()
    await using _ = realm
    const [a] = await postSeveral(ada, 1, 'logo')
    const [b] = await postSeveral(ada, 1, 'fonts')
    const topic = (topic_name: string) => ({ stream_id: design, topic_name })
    await ok(grace, 'POST', '/mark_topic_as_read', topic('LOGO'))
    expect(await unread(grace)).toEqual([b])
    expect(b).toBeGreaterThan(a)
    expect(await readRefusal(call(grace, 'POST', '/mark_topic_as_read', topic('none')))).toEqual(
      badRequest('You can read no topic “none” in this channel.'),
    )
    expect(await readRefusal(call(alan, 'POST', '/mark_topic_as_read', topic('logo')))).toEqual(
      badRequest('You can read no topic “logo” in this channel.'),
    )
    const unseen = badRequest('There is no channel with this ID, or you may not see it.')
    expect(await readRefusal(call(alan, 'POST', '/mark_stream_as_read', { stream_id: 99 }))).toEqual(unseen)
    const inUnknownChannel = { ...topic('logo'), stream_id: 99 }
    expect(await readRefusal(call(alan, 'POST', '/mark_topic_as_read', inUnknownChannel))).toEqual(unseen)
  })

  test('Marking more messages than fit one transaction continues in jobs, up to the newest message at the time of the request.', {
    timeout: 60_000,
  }, async () => {
    await using fleet = await startOwnFleet({ LONG_WORK_WAIT_MS: '200' })
    const { realm, gateway } = fleet
    const at = { url: gateway.url }
    const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
    const both = { subscriptions: [{ name: 'design' }], principals: [ada.user_id, grace.user_id] }
    await ok(ada, 'POST', '/users/me/subscriptions', both, at)
    const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: 'design' }, at)
    const say = async (topic: string): Promise<number> =>
      (await ok(ada, 'POST', '/messages', { type: 'stream', to: 'design', topic, content: 'hi' }, at)).id
    const many = async (topic: string, count: number) =>
      (await Promise.all(Array.from({ length: count }, () => say(topic)))).sort((a, b) => a - b)
    const state = () => {
      const asked = { fetch_event_types: ['message', 'update_message_flags'] }
      return ok(grace, 'POST', '/register', asked, at)
    }
    const unread = async () => {
      const { streams } = (await state()).unread_msgs
      return streams.flatMap(({ topic, unread_message_ids }) =>
        ['logo', 'fonts'].includes(topic) ? unread_message_ids : [],
      )
    }
    const logo = await many('logo', 2_100)
    const fonts = await many('fonts', 2_100)
    const { queue_id, last_event_id } = await state()

    const topic = { stream_id, topic_name: 'LOGO' }
    expect(await ok(grace, 'POST', '/mark_topic_as_read', topic, at)).toMatchObject({ complete: false })
    const later = await say('logo')
    expect(await ok(grace, 'POST', '/mark_topic_as_read', topic, at)).toMatchObject({ complete: false })
    expect((await unread()).sort((a, b) => a - b)).toEqual([...logo.slice(2_000), ...fonts, later])
    expect(await realm.sql`select from jobs where kind = 'mark_read' and done_at is null`).toHaveLength(1)

    await using _worker = await fleet.worker()
    await waitForJobs(realm)
    expect((await unread()).sort((a, b) => a - b)).toEqual([...fonts, later])
    const ask = (path: string, params: object) => ok(grace, 'POST', path, { ...params }, at)
    const complete = async (path: string, params: object) => {
      for (let tries = 0; tries < 50; tries++) if ((await ask(path, params)).complete) return
      throw new Error(`${path} does not come to an end`)
    }
    await complete('/mark_topic_as_read', topic)
    expect((await unread()).sort((a, b) => a - b)).toEqual(fonts)
    await complete('/mark_stream_as_read', { stream_id })
    expect(await unread()).toEqual([])
    const readUp = await readUntil(
      'poll',
      gateway.url,
      grace,
      { queue_id, last_event_id },
      (event) => (event.messages as number[] | undefined)?.includes(fonts.at(-1) ?? 0) === true,
    )
    const marked = readUp.flatMap(({ type, messages }) =>
      type === 'update_message_flags' ? (messages as number[]) : [],
    )
    expect(marked.filter((id) => [...logo, later, ...fonts].includes(id))).toEqual([...logo, later, ...fonts])
  })

  test('Concurrent read and unread requests end in the state that the events describe.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const ids = await postSeveral(ada, 5)
    const graceListener = await listen(grace, { event_types: ['update_message_flags'] })
    const known = new Set<number>(ids)
    const steps = Array.from({ length: 30 }, (_, i) =>
      flag(grace, [ids[i % 5] as number, ids[(i * 3) % 5] as number], i % 3 === 0 ? 'remove' : 'add', 'read'),
    )
    await Promise.all(steps)
    for (const { op, messages } of await graceListener.events()) {
      for (const id of messages as number[]) {
        expect(known.has(id), `${op} ${id}`).toBe(op === 'add')
        if (op === 'add') known.delete(id)
        else known.add(id)
      }
    }
    expect(await unread(grace)).toEqual([...known].sort((a, b) => a - b))
  })
})

describe('Starring', () => {
  test('A starred message is listed and reported in one event, and unstarring removes its row.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [a, b] = await postSeveral(ada, 2)
    const graceListener = await listen(grace)
    await flag(grace, [b, a, b], 'add', 'starred')
    expect((await graceListener.events()).map(({ flag, messages }) => [flag, messages])).toEqual([['starred', [a, b]]])
    expect((await registered(grace)).starred_messages).toEqual([a, b])
    expect(await unread(grace)).toEqual([a, b])
    await flag(grace, [a, b], 'remove', 'starred')
    expect((await registered(grace)).starred_messages).toEqual([])
    expect(await countFlagRows(realm, grace)).toBe(0)
  })

  test('Starring a message that the user never received marks it as historical.', async () => {
    const { realm, ada, alan } = await setUp()
    await using _ = realm
    const [a] = await postSeveral(ada, 1)
    await flag(alan, [a], 'add', 'starred')
    expect((await fetchMessage(alan, a)).flags).toEqual(['read', 'starred', 'historical'])
    await flag(alan, [a], 'remove', 'starred')
    expect((await fetchMessage(alan, a)).flags).toEqual(['read', 'historical'])
    await createChannel(ada, 'design', [alan])
    await flag(alan, [a], 'remove', 'read')
    expect((await fetchMessage(alan, a)).flags).toEqual(['historical'])
    expect(await unread(alan)).toEqual([a])
  })

  test('Starring is refused as a whole if one of the messages cannot be read.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    const [a] = await postSeveral(ada, 1)
    const direct = await sendDirectMessage(ada, [grace])
    const star = { messages: [a, direct], op: 'add', flag: 'starred' }
    expect(await readRefusal(call(alan, 'POST', '/messages/flags', star))).toEqual(
      badRequest('There is no such message, or you may not read it.'),
    )
    expect((await registered(alan)).starred_messages).toEqual([])
    await flag(alan, [a, direct, 999], 'add', 'read')
    expect(await countFlagRows(realm, alan)).toBe(0)
    const inside = await createChannel(ada, 'inside', [ada], { invite_only: true })
    await ok(ada, 'PATCH', `/messages/${a}`, { stream_id: inside })
    // Grace received the message and lost access to it when it was moved.
    expect(await readRefusal(call(grace, 'POST', '/messages/flags', { ...star, messages: [a] }))).toEqual(
      badRequest('There is no such message, or you may not read it.'),
    )
  })
})

/** All flags in the order of the protocol (protocol/messages.md 5.1). */
const own = ['read', 'starred', 'collapsed']
const mentions = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'group_mentioned']
const catalogue = [...own, ...mentions, 'force_expand', 'force_collapse', 'has_alert_word', 'historical']
const deprecated = 'wildcard_mentioned'

test('Flags have one order, in events and in messages.', async () => {
  expect(flagNames(~0)).toEqual([...catalogue, deprecated])
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  const group = { name: 'devs', description: '', members: [grace.user_id], can_mention_group: SystemGroup.everyone }
  await ok(ada, 'POST', '/user_groups/create', group)
  await ok(grace, 'POST', '/users/me/alert_words', { alert_words: ['lunch'] })
  await ok(grace, 'POST', `/users/me/muted_users/${ada.user_id}`)
  await postMessage(grace, 'design', 'logo')
  const graceListener = await listen(grace, { event_types: ['message'] })
  const id = await postMessage(ada, 'design', 'logo', 'lunch @*devs* @**topic** @**all** @**Grace**')
  expect((await graceListener.events())[0]?.flags).toEqual(['read', ...mentions, 'has_alert_word', deprecated])
  for (const name of ['collapsed', 'starred']) await flag(grace, [id], 'add', name)
  expect((await fetchMessage(grace, id)).flags).toEqual([...own, ...mentions, 'has_alert_word', deprecated])
})

test('Unknown flags and operations and flags that only the server sets are refused, in the order of the checks.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [] }
  const said = async (op: string, name: string) => {
    const asked = { messages: [], op, flag: name }
    const { status, code, msg } = await readRefusal(call(ada, 'POST', '/messages/flags', asked))
    const inNarrow = await readRefusal(call(ada, 'POST', '/messages/flags/narrow', { ...page, ...asked }))
    expect(inNarrow).toEqual({ status, code, msg })
    return msg
  }
  expect(await said('put', 'invented')).toBe('There is no flag “invented”.')
  for (const name of [...catalogue, deprecated]) {
    const isOwn = own.includes(name)
    const refused = `The flag “${name}” is set by the server only.`
    expect(await said('put', name)).toBe(isOwn ? 'op must be add or remove, not “put”.' : refused)
    for (const op of ['add', 'remove']) expect(await said(op, name)).toBe(isOwn ? '' : refused)
  }
})

test('A narrow can be flagged page by page.', async () => {
  const { realm, ada, grace, design } = await setUp()
  await using _ = realm
  const [a, b, c, d, e] = await postSeveral(ada, 5)
  const narrow = [{ operator: 'channel', operand: design }]
  const page = (params: Record<string, unknown>) =>
    ok(grace, 'POST', '/messages/flags/narrow', { narrow, op: 'add', flag: 'read', num_before: 0, ...params })
  const nothing = { ignored_because_not_subscribed_channels: [] }
  expect(await page({ anchor: 'oldest', num_after: 2 })).toMatchObject({
    processed_count: 2,
    updated_count: 2,
    first_processed_id: a,
    last_processed_id: b,
    found_oldest: true,
    found_newest: false,
    ...nothing,
  })
  const rest = { anchor: String(b), include_anchor: false, num_after: 9_000 }
  expect(await page(rest)).toMatchObject({ processed_count: 3, first_processed_id: c, found_newest: true })
  expect(d).toBeLessThan(e)
  expect(await unread(grace)).toEqual([])
  expect(await page({ anchor: 'oldest', num_after: 9 })).toMatchObject({ processed_count: 5, updated_count: 0 })
  const none = await page({ anchor: 'first_unread', num_after: 9, narrow: [{ operator: 'is', operand: 'unread' }] })
  expect(none).toMatchObject({ processed_count: 0, updated_count: 0, first_processed_id: null })
})

test('Flagging a narrow requires an anchor and a page size, and a null narrow means all messages.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const [a] = await postSeveral(ada, 1)
  const page = { anchor: String(a), num_before: 0, num_after: 0, narrow: null, op: 'add', flag: 'starred' }
  const flagged = (params: Record<string, unknown>) =>
    call(ada, 'POST', '/messages/flags/narrow', { ...page, ...params })
  for (const var_name of ['anchor', 'num_before', 'num_after', 'op', 'flag']) {
    const { code, ...body } = (await flagged({ [var_name]: undefined })).body
    expect([code, body.var_name]).toEqual(['REQUEST_VARIABLE_MISSING', var_name])
  }
  expect((await flagged({ num_before: -1 })).body.msg).toBe('num_before is too small.')
  expect((await flagged({})).body).toMatchObject({ processed_count: 1, updated_count: 1, last_processed_id: a })
  expect((await flagged({ include_anchor: false })).body).toMatchObject({ processed_count: 0 })
})

test('A page of more than 5,000 messages is cut to 5,000, and each side keeps at least its half.', async () => {
  const cut = (num_before: number, num_after: number) => {
    const page = limitPage({ num_before, num_after, include_anchor: true })
    return [page.num_before, page.num_after]
  }
  expect(cut(10, 20)).toEqual([10, 20])
  expect(cut(5_000, 0)).toEqual([5_000, 0])
  expect(cut(9_000, 9_000)).toEqual([2_500, 2_500])
  expect(cut(9_000, 1_000)).toEqual([4_000, 1_000])
  expect(cut(1_000, 9_000)).toEqual([1_000, 4_000])
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  const { sql, realm_id } = realm
  const [first] = await postSeveral(ada, 1)
  await sql`
    insert into messages
    select (jsonb_populate_record(m, jsonb_build_object('id', m.id + n))).*
    from messages m, generate_series(1, 5001) n where realm_id = ${realm_id} and id = ${first}`
  await sql`update log_heads set last_message_id = ${first + 5_001} where realm_id = ${realm_id}`
  const asked = { anchor: 'oldest', num_before: 0, num_after: 9_000, narrow: [], op: 'add', flag: 'read' }
  expect(await ok(grace, 'POST', '/messages/flags/narrow', asked)).toMatchObject({
    processed_count: 5_000,
    updated_count: 5_000,
    first_processed_id: first,
    found_newest: false,
  })
  expect(await unread(grace)).toEqual([first + 5_000, first + 5_001])
})

test('A message marked as unread stays unread when the delayed job marks the messages of an ended subscription as read.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const { sql, realm_id } = realm
  const channel_id = await createChannel(ada, 'design', [ada, grace])
  const id = await postMessage(ada, 'design', 'logo', 'a first draft')
  await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
  const pending = () => sql`
    select from membership_spans
    where realm_id = ${realm_id} and user_id = ${grace.user_id} and to_message is not null and read_up_to is not null`
  await expect.poll(async () => (await pending()).length, { timeout: 15_000 }).toBe(0)
  await ok(grace, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
  await undoMarking(realm, channel_id, grace)
  expect((await flag(grace, [id], 'remove', 'read')).messages).toEqual([id])
  const late = markLeftAsRead(realm_id, channel_id, [grace.user_id])
  await withWriteContext(realm, (context) => commit(context, late))
  expect(await unread(grace)).toEqual([id])
})

test('A user who left a private channel learns that its messages are read, before one of them is deleted.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const channel_id = await createChannel(ada, 'design', [ada, grace], { invite_only: true })
  const gone = await postMessage(ada, 'design', 'logo', 'a first draft')
  const kept = await postMessage(ada, 'design', 'logo', 'a second draft')
  await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
  await waitForJobs(realm)
  await undoMarking(realm, channel_id, grace)
  const listener = await listen(grace, { event_types: ['update_message_flags', 'delete_message'] })
  await ok(ada, 'DELETE', `/messages/${gone}`)
  const read = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', all: false }
  expect(await listener.events()).toEqual([{ id: expect.any(Number), ...read, messages: [gone, kept] }])
})

test('Of two jobs that mark the same left messages as read at once, the later one finds nothing.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const { sql, realm_id } = realm
  const channel_id = await createChannel(ada, 'design', [ada, grace])
  await postMessage(ada, 'design', 'logo', 'a first draft')
  await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
  await waitForJobs(realm)
  await undoMarking(realm, channel_id, grace)
  const mark = markLeftAsRead(realm_id, channel_id, [grace.user_id])
  let later: Promise<{ entries: readonly unknown[] }> | undefined
  const { entries } = await sql.begin(async (tx) => {
    const marked = await mark(tx)
    let waiting = 0
    later = sql.begin(async (other) => {
      const [row] = await other<{ pid: number }[]>`select pg_backend_pid() as pid`
      waiting = row?.pid ?? 0
      return mark(other)
    })
    const blockers = async () => (await sql`select from unnest(pg_blocking_pids(${waiting})) as pid`).count
    await expect.poll(blockers, { timeout: 15_000 }).toBe(1)
    return marked
  })
  expect(entries).toHaveLength(1)
  expect((await later)?.entries).toEqual([])
})
