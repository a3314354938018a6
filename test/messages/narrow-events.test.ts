/**
 * The narrow of a registration: which message events a queue takes.
 */
import { describe, expect, test } from 'vitest'
import { type Profile, plainProfile } from '../../src/domain/log/profile.js'
import { Flag } from '../../src/domain/messages/flags.js'
import { parseEventNarrow } from '../../src/domain/messages/narrow/event-narrow.js'
import { message } from '../../src/domain/messages/sending/message-entry.js'
import type { ApiError } from '../../src/domain/protocol/errors.js'

const sender = {
  sender_id: 2,
  sender_email: 'Ada@Example.com',
  sender_full_name: 'Ada',
  sender_realm_str: 'test',
  avatar_url: 'https://example.com/a.png',
  is_gravatar: true,
}

const entryOf = (given: { stream_id?: number; topic?: string; everyone?: number; flags?: Record<string, number> }) => {
  const { stream_id, topic = '', everyone = 0, flags = {} } = given
  return message({
    stream_id,
    public: stream_id !== undefined,
    message: {
      sender,
      topic,
      topic_links: [],
      display_recipient:
        stream_id === undefined ? [{ id: 2, email: 'a', full_name: 'b', is_mirror_dummy: false }] : 'Design',
      recipient_id: 2,
      client: 'test',
      content: 'x',
      rendered_content: '<p>x</p>',
      is_me_message: false,
      timestamp: 1,
      reactions: [],
      submessages: [],
    },
    everyone,
    flags,
  })
}

const { kind } = message
const takes = (
  pairs: [string, string][],
  given: Parameters<typeof entryOf>[0],
  over: Partial<Profile> = {},
  user_id?: number,
) => {
  const profile = { ...plainProfile, narrow: parseEventNarrow(pairs), ...over }
  const recipient = user_id === undefined ? undefined : { user_id, queue_id: 'q' }
  return kind.project(entryOf(given).data, profile, recipient) !== null
}

const channel = { stream_id: 1, topic: 'Logo' }
const direct = {}

describe('a queue takes', () => {
  const cases: readonly [string, [string, string][], Parameters<typeof entryOf>[0], boolean][] = [
    ['everything without a narrow', [], channel, true],
    ['its channel, whatever the case', [['stream', 'dESIGN']], channel, true],
    ['its channel by the newer name', [['channel', 'design']], channel, true],
    ['no other channel', [['stream', 'other']], channel, false],
    ['no direct message for a channel', [['stream', 'design']], direct, false],
    ['its topic, whatever the case', [['topic', 'LOGO']], channel, true],
    ['no direct message for a topic', [['topic', '']], direct, false],
    ['its sender', [['sender', 'ada@example.COM']], direct, true],
    ['no other sender', [['sender', 'grace@example.com']], direct, false],
    ['direct messages', [['is', 'dm']], direct, true],
    ['direct messages by their old name', [['is', 'private']], direct, true],
    ['no channel message for a direct one', [['is', 'private']], channel, false],
    ['resolved topics', [['is', 'resolved']], { ...channel, topic: '✔ Logo' }, true],
    ['no topic that is not resolved', [['is', 'resolved']], channel, false],
    [
      'only what passes all of it',
      [
        ['stream', 'design'],
        ['topic', 'x'],
      ],
      channel,
      false,
    ],
    ['everything for a word that it does not know', [['is', 'anything']], channel, true],
  ]
  test.each(cases)('%s', (_name, pairs, given, expected) => {
    expect(takes(pairs, given)).toBe(expected)
  })

  test('by the flags of its own user', () => {
    const given = { ...channel, flags: { 7: Flag.mentioned, 8: Flag.read } }
    for (const operand of ['mentioned', 'alerted']) {
      expect(takes([['is', operand]], given, {}, 7)).toBe(true)
      expect(takes([['is', operand]], given, {}, 8)).toBe(false)
      expect(takes([['is', operand]], given)).toBe(false)
    }
    expect(takes([['is', 'mentioned']], { ...channel, everyone: Flag.stream_wildcard_mentioned })).toBe(false)
    expect(takes([['is', 'unread']], given, {}, 7)).toBe(true)
    expect(takes([['is', 'unread']], given, {}, 8)).toBe(false)
    expect(takes([['is', 'starred']], given)).toBe(false)
  })

  test('an empty topic under the name that its client sees', () => {
    const empty = { stream_id: 1, topic: '' }
    expect(takes([['topic', 'General Chat']], empty)).toBe(true)
    expect(takes([['topic', '']], empty)).toBe(false)
    expect(takes([['topic', '']], empty, { empty_topic_name: true })).toBe(true)
    expect(takes([['topic', 'general chat']], empty, { empty_topic_name: true })).toBe(false)
  })
})

test('equal narrows are one, however they are written', () => {
  expect(
    parseEventNarrow([
      ['stream', 'Design'],
      ['is', 'dm'],
    ]),
  ).toEqual(
    parseEventNarrow([
      ['channel', 'design'],
      ['is', 'dm'],
    ]),
  )
})

test('what a queue does not know is refused', () => {
  const refusal = (operator: string, operand: string) => {
    try {
      parseEventNarrow([[operator, operand]])
    } catch (error) {
      return (error as ApiError).body
    }
    return undefined
  }
  expect(refusal('dm', 'x')).toEqual({ code: 'BAD_REQUEST', msg: 'Events cannot be narrowed by dm.' })
  expect(refusal('toString', 'x')).toEqual({ code: 'BAD_REQUEST', msg: 'Events cannot be narrowed by toString.' })
  expect(refusal('is', 'followed')).toEqual({ code: 'BAD_REQUEST', msg: 'Events cannot be narrowed to followed.' })
})

describe('queues that listen widely', () => {
  const widened = (given: Parameters<typeof entryOf>[0], over: Partial<Profile>) =>
    kind.extraAudience(entryOf(given).data, { ...plainProfile, ...over })
  test('hear public channels, and nothing private', () => {
    expect(widened(channel, {})).toBeUndefined()
    expect(widened(channel, { all_public_streams: true })).toEqual({ roles: [100, 400] })
    expect(widened(channel, { narrow: [['topic', 'x']] })).toEqual({ roles: [100, 400] })
    expect(widened(direct, { all_public_streams: true })).toBeUndefined()
  })
})
