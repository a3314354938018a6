/** How often the JSON of an event is built, for profiles and recipients whose events are equal. */
import { beforeEach, expect, test } from 'vitest'
import type { Entry } from '../../src/domain/log/entry.js'
import type { EntryKind } from '../../src/domain/log/entry-kind.js'
import { type Profile, plainProfile } from '../../src/domain/log/profile.js'
import { Flag } from '../../src/domain/messages/flags.js'
import { parseEventNarrow } from '../../src/domain/messages/narrow/event-narrow.js'
import { type MessageData, message } from '../../src/domain/messages/sending/message-entry.js'
import { encodeEntry, encodeShared, type ProjectedRealm } from '../../src/store/events/event-json.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

let builds = 0
const counted = {
  ...message.kind,
  project(...args: Parameters<typeof message.kind.project>) {
    builds += 1
    return message.kind.project(...args)
  },
} as EntryKind
const { state } = new StateBuilder()
const realm: ProjectedRealm = { kinds: new Map([['message', counted]]), state }

let seq = 0
const composeEntry = (data: Partial<MessageData>): Entry =>
  ({
    ...message({
      id: 7,
      stream_id: 1,
      public: true,
      messageSent: {
        sender: { sender_id: 2, sender_email: 'a', sender_full_name: 'A', sender_realm_str: 't', avatar_url: null },
        topic: 'Logo',
        topic_links: [],
        display_recipient: 'Design',
        recipient_id: 2,
        client: 'test',
        content: 'x',
        rendered_content: '<p>x</p>',
        is_me_message: false,
        timestamp: 1,
        reactions: [],
        submessages: [],
      } as unknown as MessageData['messageSent'],
      everyone: 0,
      flags: {},
      ...data,
    }),
    seq: ++seq,
  }) as Entry

beforeEach(() => {
  builds = 0
})

const narrowed = (...pairs: [string, string][]): Profile => ({ ...plainProfile, narrow: parseEventNarrow(pairs) })

test('Profiles that differ only in their filters share the JSON of an event, which is built once.', () => {
  const entry = composeEntry({})
  const profiles = Array.from({ length: 50 }, (_, i) => narrowed(...Array(i).fill(['topic', 'Logo'])))
  const all = [...profiles, { ...plainProfile, event_types: ['message'] }]
  expect(new Set(all.map((profile) => encodeShared(realm, entry, profile))).size).toBe(1)
  expect(builds).toBe(1)
  expect(encodeShared(realm, entry, { ...plainProfile, apply_markdown: true })).toContain('<p>x</p>')
  expect(builds).toBe(2)
})

test('A profile whose narrow does not match gets no event from the JSON that another one built.', () => {
  const entry = composeEntry({})
  expect(encodeShared(realm, entry, plainProfile)).not.toBeNull()
  expect(encodeShared(realm, entry, narrowed(['topic', 'Other']))).toBeNull()
})

test('Recipients with the same flags share their copy; the queue that sent the message has its own.', () => {
  const flags = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [i + 10, Flag.mentioned]))
  const entry = composeEntry({ flags, echo: { user_id: 10, queue_id: 'sent', local_id: '5.01' } })
  const copies = Object.keys(flags).map((id) =>
    encodeEntry(realm, entry, plainProfile, { user_id: Number(id), queue_id: `of ${id}` }),
  )
  expect(new Set(copies).size).toBe(1)
  expect(copies[0]).toContain('"flags":["mentioned"]')
  expect(builds).toBe(1)
  const echo = encodeEntry(realm, entry, plainProfile, { user_id: 10, queue_id: 'sent' })
  expect(JSON.parse(echo ?? '')).toMatchObject({ flags: ['mentioned'], local_message_id: '5.01' })
  expect(encodeEntry(realm, entry, plainProfile, { user_id: 99_999, queue_id: 'b' })).toContain('"flags":[]')
})

test('A recipient who may not know the sender gets another copy than one who may.', () => {
  const sender = { sender_id: 2, sender_email: 'u', sender_full_name: 'Unknown user' } as never
  const entry = composeEntry({ masked: { users: [4], sender }, flags: { 3: 0, 4: 0 } })
  expect(encodeEntry(realm, entry, plainProfile, { user_id: 3, queue_id: 'a' })).not.toContain('Unknown user')
  expect(encodeEntry(realm, entry, plainProfile, { user_id: 4, queue_id: 'b' })).toContain('Unknown user')
})
