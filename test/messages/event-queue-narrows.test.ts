/** The narrow of a registration: which message events a queue receives. */

import { describe, expect, test } from 'vitest'
import { type Profile, plainProfile } from '../../src/domain/log/profile.js'
import { Flag } from '../../src/domain/messages/flags.js'
import { parseEventNarrow } from '../../src/domain/messages/narrow/event-narrow.js'
import { message } from '../../src/domain/messages/sending/message-entry.js'
import type { ApiError } from '../../src/domain/protocol/errors.js'
import { testDeployment } from '../setup/realm/deployment.js'

const sender = {
  sender_id: 2,
  sender_email: 'Ada@Example.com',
  sender_full_name: 'Ada',
  sender_realm_str: 'test',
  avatar_url: 'https://example.com/a.png',
  is_gravatar: true,
}

const composeEntry = (given: {
  stream_id?: number
  topic?: string
  everyone?: number
  flags?: Record<string, number>
}) => {
  const { stream_id, topic = '', everyone = 0, flags = {} } = given
  return message({
    stream_id,
    public: stream_id !== undefined,
    messageSent: {
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
const receives = (
  pairs: [string, string][],
  given: Parameters<typeof composeEntry>[0],
  over: Partial<Profile> = {},
  user_id?: number,
) => {
  const profile = { ...plainProfile, narrow: parseEventNarrow(pairs), ...over }
  const recipient = user_id === undefined ? undefined : { user_id, queue_id: 'q' }
  return kind.accepts(composeEntry(given).data, profile, { deployment: testDeployment(), recipient })
}

const channel = { stream_id: 1, topic: 'Logo' }
const direct = {}

describe('Message events of a queue with a narrow', () => {
  const cases: readonly [string, [string, string][], Parameters<typeof composeEntry>[0], boolean][] = [
    ['A queue without a narrow receives every message.', [], channel, true],
    ['A queue receives messages of its channel without regard to case.', [['stream', 'dESIGN']], channel, true],
    ['A queue receives messages of its channel by the operator channel.', [['channel', 'design']], channel, true],
    ['A queue does not receive messages of another channel.', [['stream', 'other']], channel, false],
    ['A queue with a channel receives no direct message.', [['stream', 'design']], direct, false],
    ['A queue receives messages of its topic without regard to case.', [['topic', 'LOGO']], channel, true],
    ['A queue with a topic receives no direct message.', [['topic', '']], direct, false],
    ['A queue receives messages of its sender.', [['sender', 'ada@example.COM']], direct, true],
    ['A queue does not receive messages of another sender.', [['sender', 'grace@example.com']], direct, false],
    ['A queue with is:dm receives direct messages.', [['is', 'dm']], direct, true],
    ['A queue with is:private receives direct messages.', [['is', 'private']], direct, true],
    ['A queue with is:private receives no channel message.', [['is', 'private']], channel, false],
    [
      'A queue with is:resolved receives messages of resolved topics.',
      [['is', 'resolved']],
      { ...channel, topic: '✔ Logo' },
      true,
    ],
    ['A queue with is:resolved receives no other message.', [['is', 'resolved']], channel, false],
    [
      'A queue receives only messages that match every term.',
      [
        ['stream', 'design'],
        ['topic', 'x'],
      ],
      channel,
      false,
    ],
    ['An unknown operand of is: has no effect.', [['is', 'anything']], channel, true],
  ]
  test.each(cases)('%s', (_name, pairs, given, expected) => {
    expect(receives(pairs, given)).toBe(expected)
  })

  test("Flag terms use the flags of the queue's own user.", () => {
    const given = { ...channel, flags: { 7: Flag.mentioned, 8: Flag.read } }
    for (const operand of ['mentioned', 'alerted']) {
      expect(receives([['is', operand]], given, {}, 7)).toBe(true)
      expect(receives([['is', operand]], given, {}, 8)).toBe(false)
      expect(receives([['is', operand]], given)).toBe(false)
    }
    expect(receives([['is', 'mentioned']], { ...channel, everyone: Flag.stream_wildcard_mentioned })).toBe(false)
    expect(receives([['is', 'unread']], given, {}, 7)).toBe(true)
    expect(receives([['is', 'unread']], given, {}, 8)).toBe(false)
    expect(receives([['is', 'starred']], given)).toBe(false)
  })

  test("An empty topic matches by the name that the queue's client uses for it.", () => {
    const empty = { stream_id: 1, topic: '' }
    expect(receives([['topic', 'General Chat']], empty)).toBe(true)
    expect(receives([['topic', '']], empty)).toBe(false)
    expect(receives([['topic', '']], empty, { empty_topic_name: true })).toBe(true)
    expect(receives([['topic', 'general chat']], empty, { empty_topic_name: true })).toBe(false)
  })
})

test('Equal narrows are parsed to equal values, however they are written.', () => {
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

test('An unsupported operator is refused.', () => {
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

describe('Queues with an extra audience', () => {
  const extraAudience = (given: Parameters<typeof composeEntry>[0], over: Partial<Profile>) =>
    kind.extraAudience(composeEntry(given).data, { ...plainProfile, ...over })
  test('With all_public_streams or a narrow, a queue also gets messages of public channels without a subscription, and no additional direct messages.', () => {
    expect(extraAudience(channel, {})).toBeUndefined()
    expect(extraAudience(channel, { all_public_streams: true })).toEqual({ roles: [100, 400] })
    expect(extraAudience(channel, { narrow: [['topic', 'x']] })).toEqual({ roles: [100, 400] })
    expect(extraAudience(direct, { all_public_streams: true })).toBeUndefined()
  })
})
