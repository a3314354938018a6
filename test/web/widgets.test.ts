/** What the web client shows of polls and to-do lists. */
import { expect, test } from 'vitest'
import { computeWidget, nextNumber } from '../../web/src/messages/widgets/widget-state.js'

const AUTHOR = 1
const OTHER = 2

const submessages = (...parts: [sender_id: number, content: unknown][]) =>
  parts.map(([sender_id, content], index) => ({
    id: index + 1,
    sender_id,
    msg_type: 'widget',
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }))

const poll = { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['Pizza', 'Soup'] } }
const todo = { widget_type: 'todo', extra_data: { task_list_title: 'Jobs', tasks: [{ task: 'One', desc: 'first' }] } }

test('A poll counts the last vote of each user for each option.', () => {
  const widget = computeWidget(
    submessages(
      [AUTHOR, poll],
      [AUTHOR, { type: 'vote', key: 'canned,0', vote: 1 }],
      [OTHER, { type: 'vote', key: 'canned,0', vote: 1 }],
      [OTHER, { type: 'vote', key: 'canned,0', vote: -1 }],
      [OTHER, { type: 'new_option', idx: 1, option: 'Rice' }],
      [AUTHOR, { type: 'vote', key: '2,1', vote: 1 }],
    ),
    AUTHOR,
  )
  expect(widget).toEqual({
    type: 'poll',
    question: 'Lunch?',
    options: [
      { key: 'canned,0', text: 'Pizza', voters: new Set([AUTHOR]) },
      { key: 'canned,1', text: 'Soup', voters: new Set() },
      { key: '2,1', text: 'Rice', voters: new Set([AUTHOR]) },
    ],
  })
})

test('Submessages that arrive out of order lead to the same poll.', () => {
  const parts = submessages(
    [AUTHOR, poll],
    [OTHER, { type: 'vote', key: 'canned,1', vote: 1 }],
    [OTHER, { type: 'vote', key: 'canned,1', vote: -1 }],
  )
  expect(computeWidget(parts.toReversed(), AUTHOR)).toEqual(computeWidget(parts, AUTHOR))
})

test('Only the author changes the title of a to-do list, and a task is struck and restored.', () => {
  const widget = computeWidget(
    submessages(
      [AUTHOR, todo],
      [OTHER, { type: 'new_task_list_title', title: 'Mine' }],
      [AUTHOR, { type: 'new_task_list_title', title: 'Work' }],
      [OTHER, { type: 'new_task', key: 1, task: 'Two', desc: '', completed: false }],
      [OTHER, { type: 'strike', key: 'canned,0' }],
      [OTHER, { type: 'strike', key: '2,1' }],
      [AUTHOR, { type: 'strike', key: '2,1' }],
    ),
    AUTHOR,
  )
  expect(widget).toEqual({
    type: 'todo',
    title: 'Work',
    tasks: [
      { key: 'canned,0', text: 'One', description: 'first', isDone: true },
      { key: '2,1', text: 'Two', description: '', isDone: false },
    ],
  })
})

test('Actions that cannot be read change nothing, and unknown widgets are not shown.', () => {
  const broken = submessages([AUTHOR, poll], [OTHER, 'no JSON'], [OTHER, 'null'], [OTHER, { type: 'vote', key: 'x' }])
  expect(computeWidget(broken, AUTHOR)).toEqual(computeWidget(submessages([AUTHOR, poll]), AUTHOR))
  expect(computeWidget(submessages([AUTHOR, { widget_type: 'zform' }]), AUTHOR)).toBeUndefined()
  expect(computeWidget([], AUTHOR)).toBeUndefined()
})

test.each([
  { widget_type: 'todo', extra_data: { tasks: [null] } },
  { widget_type: 'todo', extra_data: { task_list_title: ['x'], tasks: [] } },
  { widget_type: 'todo', extra_data: { tasks: { length: 3 } } },
  { widget_type: 'poll', extra_data: { question: { toString: 1 } } },
  { widget_type: 'poll', extra_data: { question: 'x', options: [{ valueOf: 1, toString: 1 }] } },
  { widget_type: 'poll', extra_data: [] },
  { widget_type: ['poll'], extra_data: {} },
  [null],
])('A description that is not complete makes no widget: %j', (description) => {
  expect(computeWidget(submessages([AUTHOR, description]), AUTHOR)).toBeUndefined()
})

test('Actions with odd values change nothing, and only the author describes a widget.', () => {
  const odd = { toString: 1, valueOf: 1 }
  const actions = [
    { type: 'vote', key: odd, vote: 1 },
    { type: 'vote', key: 'canned,0', vote: odd },
    { type: 'new_option', idx: odd, option: 'x' },
    { type: 'new_option', idx: 1, option: odd },
    { type: 'question', question: odd },
    { type: odd },
    [odd],
  ]
  const sent = submessages([AUTHOR, poll], ...actions.map((action): [number, unknown] => [AUTHOR, action]))
  expect(computeWidget(sent, AUTHOR)).toEqual(computeWidget(submessages([AUTHOR, poll]), AUTHOR))
  const oddTasks = [
    { type: 'new_task', key: odd, task: 'x' },
    { type: 'new_task', key: 1, task: odd },
    { type: 'strike', key: odd },
    { type: 'new_task_list_title', title: odd },
  ]
  const sentTasks = submessages([AUTHOR, todo], ...oddTasks.map((action): [number, unknown] => [AUTHOR, action]))
  expect(computeWidget(sentTasks, AUTHOR)).toEqual(computeWidget(submessages([AUTHOR, todo]), AUTHOR))
  expect(computeWidget(submessages([OTHER, poll]), AUTHOR)).toBeUndefined()
})

test('The number of a new option is one that its user has not used.', () => {
  expect(nextNumber(['canned,7', '1,2', '2,9'], 1)).toBe(3)
  expect(nextNumber([], 1)).toBe(1)
})
