/** Widgets (polls and to-do lists) and the submessages that change them. */
import { expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, fetchMessage, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'

interface Submessage {
  id: number
  message_id: number
  sender_id: number
  msg_type: string
  content: string
}

const submessages = async (by: Person, id: number): Promise<Submessage[]> =>
  ((await fetchMessage(by, id)) as unknown as { submessages: Submessage[] }).submessages
const sendSubmessage = (by: Person, message_id: number, content: object | string) =>
  call(by, 'POST', '/submessage', {
    message_id,
    msg_type: 'widget',
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })
const vote = { type: 'vote', key: 'canned,0', vote: 1 }

test("A message that begins with /poll has the poll's submessage in its first event.", async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const graceListener = await listen(grace)
  const id = await postMessage(ada, 'design', 'lunch', '/poll Where to?\n- Pizza\n* Soup\n\nStay')
  const [event] = (await graceListener.events()).filter(({ type }) => type === 'message')
  const [first] = await submessages(grace, id)
  expect(first).toEqual({
    id: expect.any(Number),
    message_id: id,
    sender_id: ada.user_id,
    msg_type: 'widget',
    content: JSON.stringify({
      widget_type: 'poll',
      extra_data: { question: 'Where to?', options: ['Pizza', 'Soup', 'Stay'] },
    }),
  })
  expect(event).toMatchObject({ message: { submessages: [first] } })
  const { messages } = await ok(grace, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
  })
  expect(messages[0]?.submessages).toEqual([first])
})

test('A to-do list has tasks, and the text after a colon is the description of the task.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await sendDirectMessage(ada, [grace], '/todo\nBuy: milk: two\n- Sleep')
  const [first] = await submessages(grace, id)
  expect(JSON.parse(first?.content ?? '')).toEqual({
    widget_type: 'todo',
    extra_data: {
      task_list_title: '',
      tasks: [
        { task: 'Buy', desc: 'milk: two' },
        { task: 'Sleep', desc: '' },
      ],
    },
  })
  const [titled] = await submessages(grace, await sendDirectMessage(ada, [grace], '/todo  Today \n'))
  expect(JSON.parse(titled?.content ?? '').extra_data).toEqual({ task_list_title: 'Today', tasks: [] })
  expect(await submessages(grace, await sendDirectMessage(ada, [grace], '/pollute'))).toEqual([])
  expect(await submessages(grace, await sendDirectMessage(ada, [grace], '/poll: what?'))).toEqual([])
  expect(await submessages(grace, await sendDirectMessage(ada, [grace], 'a /poll'))).toEqual([])
})

test('A vote reaches every subscriber and is listed in the message.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const id = await postMessage(ada, 'design', 'lunch', '/poll Where to?')
  const [adaListener, alanListener] = [await listen(ada), await listen(alan)]
  expect((await sendSubmessage(grace, id, vote)).status).toBe(200)
  const event = (await adaListener.events()).at(-1)
  const [, second] = await submessages(alan, id)
  expect(second).toMatchObject({ sender_id: grace.user_id, msg_type: 'widget', content: JSON.stringify(vote) })
  expect(event).toEqual({
    id: expect.any(Number),
    type: 'submessage',
    message_id: id,
    submessage_id: second?.id,
    sender_id: grace.user_id,
    msg_type: 'widget',
    content: JSON.stringify(vote),
  })
  expect(await alanListener.eventNames()).toEqual([])
})

test('Only the sender can start a widget on a message, and only the author can change its title.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const plain = await sendDirectMessage(ada, [grace])
  expect(await readRefusal(sendSubmessage(grace, plain, vote))).toEqual(
    badRequest('Only the sender may begin a widget on this message.'),
  )
  const description = { widget_type: 'poll', extra_data: { question: 'Late?', options: [] } }
  expect(await readRefusal(sendSubmessage(grace, plain, description))).toEqual(
    badRequest('Only the sender may begin a widget on this message.'),
  )
  expect((await sendSubmessage(ada, plain, description)).status).toBe(200)
  expect((await sendSubmessage(grace, plain, { type: 'new_option', idx: 1, option: 'Yes' })).status).toBe(200)
  const poll = await sendDirectMessage(ada, [grace], '/poll Tea?')
  const rename = { type: 'question', question: 'Coffee?' }
  expect((await sendSubmessage(grace, poll, rename)).status).toBe(400)
  expect((await sendSubmessage(ada, poll, rename)).status).toBe(200)
  expect((await sendSubmessage(grace, poll, { type: 'new_option', idx: 1, option: 'Both' })).status).toBe(200)
  const todo = await sendDirectMessage(ada, [grace], '/todo Today')
  const retitle = { type: 'new_task_list_title', title: 'Tomorrow' }
  expect(await readRefusal(sendSubmessage(grace, todo, retitle))).toEqual(
    badRequest('Only the author of a widget can change its title.'),
  )
  expect((await sendSubmessage(ada, todo, retitle)).status).toBe(200)
  const task = { type: 'new_task', key: 1, task: 'Tea', desc: '', completed: false }
  expect((await sendSubmessage(grace, todo, task)).status).toBe(200)
  expect((await sendSubmessage(grace, todo, { ...task, key: '1' })).status).toBe(400)
})

test.each([
  { widget_type: 'todo', extra_data: { tasks: [null] } },
  { widget_type: 'poll', extra_data: { question: { toString: 1 }, options: [] } },
  { widget_type: 'poll', extra_data: { question: 'x', options: [{ valueOf: 1 }] } },
  { widget_type: 'clock', extra_data: {} },
  { type: 'vote', key: 'canned,0', vote: 1 },
  [null],
  {},
])('The first submessage of an ordinary message is refused unless it describes a widget: %j', async (content) => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await sendDirectMessage(ada, [grace])
  const refusal = await sendSubmessage(ada, id, content)
  expect(refusal.status).toBe(400)
  expect(refusal.body.msg).toMatch(/^The first submessage must describe a widget: /)
  expect(await submessages(grace, id)).toEqual([])
})

test('A submessage is stored without what no check has read.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await sendDirectMessage(ada, [grace])
  const extra = '"__proto__":{"toString":1},"tasks":[null],"constructor":null'
  const listener = await listen(grace)
  const sent = [
    [ada, `{"widget_type":"poll",${extra},"extra_data":{"question":7,"question":"Tea?","options":[],${extra}}}`],
    [grace, `{"type":"new_option","idx":1,"option":"Yes",${extra}}`],
    [grace, `{"type":"vote","vote":"9","key":"canned,0","vote":1,${extra}}`],
  ] as const
  for (const [by, content] of sent) expect((await sendSubmessage(by, id, content)).status).toBe(200)
  const stored = [
    { widget_type: 'poll', extra_data: { question: 'Tea?', options: [] } },
    { type: 'new_option', idx: 1, option: 'Yes' },
    { type: 'vote', key: 'canned,0', vote: 1 },
  ].map((value) => JSON.stringify(value))
  expect((await submessages(grace, id)).map(({ content }) => content)).toEqual(stored)
  expect((await listener.events()).map(({ content }) => content)).toEqual(stored)
  for (const idx of [1.5, 1e308, '1', null, -(2 ** 60)]) {
    expect((await sendSubmessage(grace, id, { type: 'new_option', idx, option: 'x' })).status).toBe(400)
  }
})

test('A widget that is no poll and no to-do list takes no submessages, and no other kind of submessage exists.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const extra_data = { type: 'choices', heading: 'Ready?', choices: [] }
  const widget_content = JSON.stringify({ widget_type: 'zform', extra_data })
  const { id } = await ok(ada, 'POST', '/messages', {
    type: 'direct',
    to: [grace.user_id],
    content: 'x',
    widget_content,
  })
  expect(await readRefusal(sendSubmessage(grace, id, vote))).toEqual(
    badRequest('This message has neither a poll nor a to-do list.'),
  )
  const other = { message_id: id, msg_type: 'gadget', content: '{}' }
  expect((await call(ada, 'POST', '/submessage', other)).status).toBe(400)
})

test('A submessage must be JSON that is valid for its widget, on a message that the user can read.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const poll = await sendDirectMessage(ada, [grace], '/poll Tea?')
  const todo = await sendDirectMessage(ada, [grace], '/todo Today')
  expect(await readRefusal(sendSubmessage(grace, poll, 'tea'))).toEqual(
    badRequest('The content of a submessage must be JSON.'),
  )
  expect((await sendSubmessage(grace, poll, { ...vote, vote: 2 })).status).toBe(400)
  expect((await sendSubmessage(grace, poll, { type: 'strike', key: '1' })).status).toBe(400)
  expect((await sendSubmessage(grace, todo, { type: 'strike', key: '1,0' })).status).toBe(200)
  expect((await sendSubmessage(grace, todo, vote)).status).toBe(400)
  expect(await readRefusal(sendSubmessage(alan, poll, vote))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
})

test('A widget cannot be edited, and its submessages are deleted with it.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const id = await sendDirectMessage(ada, [grace], '/poll Tea?')
  await sendSubmessage(grace, id, vote)
  const edit = call(ada, 'PATCH', `/messages/${id}`, { content: '/poll Coffee?' })
  expect(await readRefusal(edit)).toEqual(badRequest('Polls and to-do lists cannot be edited.'))
  const count = async () =>
    (await realm.sql`select from submessages where realm_id = ${realm.realm_id} and message_id = ${id}`).length
  expect(await count()).toBe(2)
  const owner = (await realm.people({ full_name: 'Owner', role: 100 }))[0] as Person
  const doomed = await sendDirectMessage(owner, [ada], '/poll Gone?')
  await ok(owner, 'DELETE', `/messages/${doomed}`)
  expect((await call(owner, 'GET', `/messages/${doomed}`)).status).toBe(400)
  const left = await realm.sql`select from submessages where realm_id = ${realm.realm_id} and message_id = ${doomed}`
  expect(left).toHaveLength(0)
})

test("A client can send the widget's definition as widget_content.", async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const form = {
    widget_type: 'zform',
    extra_data: {
      type: 'choices',
      heading: 'Ready?',
      choices: [{ type: 'multiple_choice', short_name: 'A', long_name: 'Yes', reply: 'yes' }],
    },
  }
  const say = (widget_content: string) =>
    call(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content: 'Ready?', widget_content })
  const { body } = await say(JSON.stringify(form))
  const [first] = await submessages(grace, body.id as number)
  expect(JSON.parse(first?.content ?? '')).toEqual(form)
  expect((await say('no')).body.msg).toMatch(/^Invalid widget_content: /)
  expect((await say('{"widget_type":"clock","extra_data":{}}')).body.msg).toMatch(/^Invalid widget_content: /)
})

test('A command changes a setting of its sender, and an unknown command is refused.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const adaListener = await listen(ada, {
    client_capabilities: { notification_settings_null: true, user_settings_object: true },
  })
  await ok(ada, 'POST', '/zcommand', { command: '/ping' })
  await ok(ada, 'POST', '/zcommand', { command: '/night' })
  expect((await adaListener.events()).at(-1)).toMatchObject({
    type: 'user_settings',
    property: 'color_scheme',
    value: 2,
  })
  expect((await call(ada, 'POST', '/zcommand', { command: 'night' })).status).toBe(400)
  expect((await call(ada, 'POST', '/zcommand', { command: '/constructor' })).status).toBe(400)
})
