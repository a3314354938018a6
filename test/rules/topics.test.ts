/** Topics: what marks one as resolved, and what mutes one. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTopicMuted, TopicPolicy } from '../../rules/src/topic-policies.js'
import { findResolution, isResolved, toggleResolved } from '../../rules/src/topics.js'

const topic = fc.array(fc.constantFrom('✔', ' ', 'plans', '✔ '), { maxLength: 6 }).map((parts) => parts.join(''))

test('A topic that is marked as resolved, or not any more, keeps its name for the server.', () => {
  fc.assert(
    fc.property(topic, (before) => {
      const after = toggleResolved(before)
      expect(findResolution(before, after)).toBe(isResolved(before) ? 'unresolved' : 'resolved')
    }),
  )
  // All marks are removed at once.
  expect(toggleResolved('✔ ✔ plans')).toBe('plans')
  expect(findResolution('✔ ✔ plans', '✔ plans')).toBe(undefined)
})

test.each([
  { policy: undefined, open: false, muted: true },
  { policy: TopicPolicy.inherit, open: false, muted: true },
  { policy: TopicPolicy.muted, open: true, muted: true },
  { policy: TopicPolicy.unmuted, open: false, muted: false },
  { policy: TopicPolicy.followed, open: false, muted: false },
])('A topic of the policy $policy is muted in an open channel: $open, in a muted one: $muted.', (given) => {
  expect(isTopicMuted(given.policy, false)).toBe(given.open)
  expect(isTopicMuted(given.policy, true)).toBe(given.muted)
})
