/** How the web client arranges messages, unread counts, the inbox and the sidebar. */

import type { User } from '@parley/client/realm'
import { describe, expect, test } from 'vitest'
import { type Muting, TopicPolicy } from '../../rules/src/topic-policies.js'
import { arrangeInbox, nextUnreadTopic } from '../../web/src/inbox/inbox-rows.js'
import { arrangeMembers, filterByName, sortByName } from '../../web/src/members/member-rows.js'
import { arrangeMessages } from '../../web/src/messages/message-rows.js'
import { countAll, countChannel } from '../../web/src/realm/unread.js'

const message = (id: number, changes: Partial<Parameters<typeof arrangeMessages>[0][number]> = {}) => ({
  id,
  type: 'stream' as const,
  stream_id: 1,
  subject: 'lunch',
  recipient_id: 1,
  sender_id: 7,
  timestamp: 1_700_000_000 + id,
  ...changes,
})

describe('Messages', () => {
  test('of one sender within minutes share a name.', () => {
    const rows = arrangeMessages([message(1), message(2), message(3, { sender_id: 8 }), message(4)], undefined)
    expect(rows.map(({ startsSender }) => startsSender)).toEqual([true, false, true, true])
  })

  test('have a bar where the conversation changes; topics that differ in case are one.', () => {
    const rows = arrangeMessages(
      [message(1), message(2, { subject: 'LUNCH' }), message(3, { subject: 'x' })],
      undefined,
    )
    expect(rows.map(({ startsConversation }) => startsConversation)).toEqual([true, false, true])
  })

  test('have a line where the day changes and at the first unread one.', () => {
    const rows = arrangeMessages([message(1), message(2), message(3, { timestamp: 1_700_100_000 })], 2)
    expect(rows.map(({ startsDay }) => startsDay)).toEqual([true, false, true])
    expect(rows.map(({ isFirstUnread }) => isFirstUnread)).toEqual([false, true, false])
    expect(rows[1]?.startsSender).toBe(true)
  })
})

describe('Unread messages', () => {
  const unread = {
    channels: new Map([
      [
        1,
        new Map([
          ['lunch', [1, 2]],
          ['Noise', [3, 9]],
        ]),
      ],
      [
        2,
        new Map([
          ['builds', [4]],
          ['followed', [5, 6]],
        ]),
      ],
      [3, new Map([['left', [7]]])],
    ]),
    direct: new Map([['5,7', [8]]]),
    mentions: new Set([3]),
    isIncomplete: false,
  }
  const muting: Muting = {
    subscriptions: new Map([
      [1, { is_muted: false }],
      [2, { is_muted: true }],
    ]),
    policies: new Map([
      [1, new Map([['noise', TopicPolicy.muted]])],
      [2, new Map([['followed', TopicPolicy.followed]])],
    ] as [number, Map<string, TopicPolicy>][]),
  }

  test('of muted topics and channels do not count, but mentions in them do.', () => {
    expect(countChannel(1, unread, muting)).toEqual({ unread: 2, mentions: 1 })
    expect(countChannel(2, unread, muting)).toEqual({ unread: 2, mentions: 0 })
    expect(countChannel(3, unread, muting)).toEqual({ unread: 0, mentions: 0 })
    expect(countAll(unread, muting)).toEqual({ unread: 5, mentions: 1 })
  })

  test('are in the inbox by channel, the newest conversation first.', () => {
    const { direct, channels } = arrangeInbox(unread, muting)
    expect(direct).toEqual([{ key: '5,7', ids: [8] }])
    expect(channels.map(({ channelId, topics }) => [channelId, topics.map(({ topic }) => topic)])).toEqual([
      [1, ['Noise', 'lunch']],
      [2, ['followed']],
    ])
  })

  test('lead from one topic to the next, and from the last to the first.', () => {
    const content = arrangeInbox(unread, muting)
    expect(nextUnreadTopic(content, { channelId: 1, topic: 'lunch' })).toEqual({ channelId: 2, topic: 'followed' })
    expect(nextUnreadTopic(content, { channelId: 2, topic: 'followed' })).toEqual({ channelId: 1, topic: 'Noise' })
    expect(nextUnreadTopic({ direct: [], channels: [] })).toBeUndefined()
  })
})

describe('Members', () => {
  const user = (user_id: number, full_name: string, changes: Partial<User> = {}) =>
    [user_id, { user_id, full_name, is_bot: false, is_active: true, ...changes } as User] as const
  const users = new Map([
    user(1, 'Zoë Çelik'),
    user(2, 'Ada Low'),
    user(3, 'Build Bot', { is_bot: true }),
    user(4, 'Gone Person', { is_active: false }),
    user(5, 'Mia Ng'),
  ])

  test('who are active come first, then those who are away, the others by name, and bots.', () => {
    const presence = new Map([
      [5, 'idle'],
      [1, 'active'],
    ] as const)
    expect(arrangeMembers(sortByName(users), presence).map(({ user_id }) => user_id)).toEqual([1, 5, 2, 3])
  })

  test('are found by the begin of each part of their name, without accents.', () => {
    expect(filterByName(sortByName(users), 'cel ZO').map(({ user_id }) => user_id)).toEqual([1])
    expect(filterByName(sortByName(users), 'elik')).toEqual([])
  })
})
