/** The text of searches in the web client. */
import { expect, test } from 'vitest'
import type { Chat } from '../../web/src/realm/chat.js'
import { formatSearch, parseSearch, splitSearch } from '../../web/src/search/search-terms.js'

const user = (user_id: number, full_name: string) => ({ user_id, full_name, email: `user${user_id}@chat.example` })

/** The part of the chat that searches read. */
const chat = {
  ownUserId: 1,
  users: {
    value: new Map(
      [user(1, 'Ada'), user(2, 'Grace Hopper'), user(3, 'Sam'), user(4, 'Sam')].map((u) => [u.user_id, u]),
    ),
  },
  channels: { value: new Map([[3, { stream_id: 3, name: 'design team' }]]) },
} as unknown as Chat

const search = (text: string) => {
  const result = parseSearch(chat, text)
  return 'view' in result ? result.view : result.problem
}

test('Operators, names with spaces and plain words become the terms of a narrow.', () => {
  expect(search('channel:"design team" -is:starred from:me two words near:12')).toEqual({
    name: 'messages',
    terms: [
      { operator: 'channel', operand: 3, negated: false },
      { operator: 'is', operand: 'starred', negated: true },
      { operator: 'sender', operand: 1, negated: false },
      { operator: 'search', operand: 'two words', negated: false },
    ],
    near: 12,
  })
})

test('A search that is written from a view means the same view.', () => {
  for (const text of [
    'channel:"design team" topic:"release plan"',
    'sender:"Grace Hopper" has:link',
    'sender:Sam|4',
    'dm:"Grace Hopper,Sam|3"',
    'dm-including:me dm-including:"Grace Hopper"',
    '-sender:me "an exact phrase" near:7',
  ]) {
    const view = search(text)
    if (typeof view === 'string') throw new Error(view)
    expect(search(formatSearch(chat, view))).toEqual(view)
  }
})

test('A search for direct messages that include several people has a term for each of them.', () => {
  expect(search('dm-including:"Grace Hopper, Sam|3"')).toEqual({
    name: 'messages',
    terms: [
      { operator: 'dm-including', operand: 2, negated: false },
      { operator: 'dm-including', operand: 3, negated: false },
    ],
  })
  expect(search('dm-including:Nobody')).toBe('Nothing here is called “Nobody”.')
})

test('A name that nobody has, and an operand that is missing, are said in words.', () => {
  expect(search('sender:Nobody')).toBe('Nothing here is called “Nobody”.')
  expect(search('channel:')).toBe('Write what comes after channel:')
  expect(search('is:green')).toBe('Nothing here is called “green”.')
})

test('An address with a colon is a plain word.', () => {
  expect(splitSearch('see https://chat.example')).toMatchObject([
    { operator: undefined, operand: 'see' },
    { operator: undefined, operand: 'https://chat.example' },
  ])
})
