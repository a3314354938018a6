/**
 * The edit history of a message: inside the message, as a list of versions, and restricted by the organization's
 * policy.
 */
import { expect, test } from 'vitest'
import { htmlDiff } from '../../src/domain/messages/editing/html-diff.js'
import { measureRatio } from '../setup/processes/processor-time.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const edit = (by: Person, id: number, params: Record<string, unknown>) =>
  ok(by, 'PATCH', `/messages/${id}`, { send_notification_to_new_thread: false, ...params })
const versions = async (by: Person, id: number, params = {}) =>
  (await ok(by, 'GET', `/messages/${id}/history`, params)).message_history

/** Posts a message, edits it, renames its topic, moves it, and finally edits and renames it in one request. */
const createChangedMessage = async (ada: Person) => {
  const from = await createChannel(ada, 'design', [ada])
  const to = await createChannel(ada, 'other', [ada])
  const id = await postMessage(ada, 'design', 'logo', 'one *two* three')
  await edit(ada, id, { content: 'one *two* four' })
  await edit(ada, id, { topic: '' })
  await edit(ada, id, { stream_id: to })
  await edit(ada, id, { topic: 'last', content: 'five' })
  return { id, from, to }
}

test('A message contains its changes, the newest first.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const { id, from, to } = await createChangedMessage(ada)
  const by = { user_id: ada.user_id, timestamp: expect.any(Number) }
  expect(await fetchMessage(ada, id)).toMatchObject({
    last_edit_timestamp: expect.any(Number),
    last_moved_timestamp: expect.any(Number),
    edit_history: [
      {
        ...by,
        prev_topic: 'general chat',
        topic: 'last',
        prev_content: 'one *two* four',
        prev_rendered_content: '<p>one <em>two</em> four</p>',
      },
      { ...by, prev_stream: from, stream: to },
      { ...by, prev_topic: 'logo', topic: 'general chat' },
      { ...by, prev_content: 'one *two* three', prev_rendered_content: '<p>one <em>two</em> three</p>' },
    ],
  })
  expect(await fetchMessage(ada, await postMessage(ada, 'design', 'x'))).not.toHaveProperty('edit_history')
})

test('The history lists every version, the original first.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const { id, from, to } = await createChangedMessage(ada)
  const by = { user_id: ada.user_id, timestamp: expect.any(Number) }
  const [one, four] = ['<p>one <em>two</em> three</p>', '<p>one <em>two</em> four</p>']
  const [original, second] = [
    { content: 'one *two* three', rendered_content: one },
    { content: 'one *two* four', rendered_content: four },
  ]
  expect(await versions(ada, id, { allow_empty_topic_name: true })).toEqual([
    { ...by, topic: 'logo', ...original },
    {
      ...by,
      topic: 'logo',
      ...second,
      prev_content: original.content,
      prev_rendered_content: one,
      content_html_diff:
        '<p>one <em>two</em> <span class="highlight_text_deleted">three</span><span class="highlight_text_inserted">four</span></p>',
    },
    { ...by, topic: '', prev_topic: 'logo', ...second },
    { ...by, topic: '', ...second, prev_stream: from, stream: to },
    {
      ...by,
      topic: 'last',
      prev_topic: '',
      content: 'five',
      rendered_content: '<p>five</p>',
      prev_content: second.content,
      prev_rendered_content: four,
      content_html_diff: expect.stringContaining('<span class="highlight_text_inserted">five</span>'),
    },
  ])
})

test('The history shows "general chat" as the topic for clients that do not support empty topic names.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const { id } = await createChangedMessage(ada)
  const named = (await versions(ada, id)).map(({ topic, prev_topic }) => [topic, prev_topic])
  expect(named).toEqual([
    ['logo', undefined],
    ['logo', undefined],
    ['general chat', 'logo'],
    ['general chat', undefined],
    ['last', 'general chat'],
  ])
})

test('An organization can show only moves, or no history.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const { id, from, to } = await createChangedMessage(ada)
  await updateRealmSettings(realm, { message_edit_history_visibility_policy: 'moves' })
  const moves = [
    { prev_topic: 'general chat', topic: 'last' },
    { prev_stream: from, stream: to },
    { topic: 'general chat' },
  ]
  expect(await fetchMessage(ada, id)).toMatchObject({ edit_history: moves })
  const shown = JSON.stringify([await fetchMessage(ada, id), await versions(ada, id)])
  for (const former of ['one', 'three', 'four']) expect(shown).not.toContain(former)
  expect(await versions(ada, id)).toHaveLength(4)
  await updateRealmSettings(realm, { message_edit_history_visibility_policy: 'none' })
  expect(await fetchMessage(ada, id)).not.toHaveProperty('edit_history')
  expect(await readRefusal(call(ada, 'GET', `/messages/${id}/history`))).toEqual(
    badRequest('This organization does not show the edit history of messages.'),
  )
})

test('A user cannot read the history of a message that they cannot read.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'plans', [ada], { invite_only: true })
  const id = await postMessage(ada, 'plans', 'logo')
  expect(await readRefusal(call(grace, 'GET', `/messages/${id}/history`))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
})

test('An HTML diff keeps the tags of the new version, and only the text of the old one.', () => {
  expect(htmlDiff('<p>a &lt;b&gt; c</p>', '<p>a <strong>b</strong> c</p>')).toBe(
    '<p>a <span class="highlight_text_deleted">&lt;</span><strong>b<span class="highlight_text_deleted">&gt;</span></strong> c</p>',
  )
  expect(htmlDiff('<ul>\n<li>x</li>\n</ul>', '<p>y</p>')).toBe(
    '\n<span class="highlight_text_deleted">x</span>\n<p><span class="highlight_text_inserted">y</span></p>',
  )
})

test('Two long texts without common words are compared in a bounded processor time.', () => {
  const text = (word: string) => `<p>${Array.from({ length: 5_000 }, (_, i) => `${word}${i}`).join(' ')}</p>`
  const [old, now] = [text('a'), text('b')]
  // It takes about 40 times the fixed work.
  expect(measureRatio(() => htmlDiff(old, now), 200)).toBeLessThan(200)
})
