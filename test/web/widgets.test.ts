/** What the web client shows of polls and to-do lists. */
import { expect, test } from 'vitest'
import { computeWidget, nextNumber } from '../../web/src/messages/widgets/widget-state.js'

const AUTHOR = 1
const OTHER = 2

const submessages = (...parts: [sender_id: number, content: unknown][]) =>
  parts.map(([sender_id, content], index) => ({
    id: index + 1,
    sender_id,
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

test('The number of a new option is one that its user has not used.', () => {
  expect(nextNumber(['canned,7', '1,2', '2,9'], 1)).toBe(3)
  expect(nextNumber([], 1)).toBe(1)
})
