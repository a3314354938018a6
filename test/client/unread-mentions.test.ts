/** The live realm counts mentions as the registration does (protocol/register.md 5.6). */
import { expect, test } from 'vitest'
import { createUnread } from '../../client/src/realm/unread.js'

const MUTED = 'noise'

/** The unread messages of user 1, after a registration without any. */
const openUnread = () => {
  const { section, unread } = createUnread(
    () => 1,
    (_channelId, topic) => topic === MUTED,
  )
  section.load({ starred_messages: [] } as never)
  return {
    receive: (id: number, subject: string, ...flags: string[]) =>
      section.handlers.message?.({ message: { id, type: 'stream', stream_id: 7, subject }, flags } as never),
    edit: (message_id: number, ...flags: string[]) =>
      section.handlers.update_message?.({ message_id, message_ids: [message_id], content: 'new', flags } as never),
    mentions: () => [...unread.get().mentions],
  }
}

test('A mention of all does not count in a muted topic, a mention by name does.', () => {
  const { receive, mentions } = openUnread()
  receive(1, 'plans', 'stream_wildcard_mentioned', 'wildcard_mentioned')
  receive(2, MUTED, 'stream_wildcard_mentioned', 'wildcard_mentioned')
  receive(3, MUTED, 'topic_wildcard_mentioned', 'wildcard_mentioned')
  receive(4, MUTED, 'mentioned', 'group_mentioned')
  receive(5, 'plans')
  expect(mentions()).toEqual([1, 4])
})

test('An edit of an unread message counts its mentions again, by the same rule.', () => {
  const { receive, edit, mentions } = openUnread()
  receive(1, MUTED, 'mentioned')
  receive(2, 'plans')
  edit(1, 'stream_wildcard_mentioned', 'wildcard_mentioned')
  edit(2, 'stream_wildcard_mentioned', 'wildcard_mentioned')
  edit(9, 'mentioned')
  expect(mentions()).toEqual([2])
})
