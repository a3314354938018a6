/**
 * Whether a message is in a narrow, as far as it shows by the message itself.
 *
 * Only the server knows the words of a message, its parts and whom it mentions. The server finds all messages of a
 * narrow by SQL (store/messages/narrow/conditions.ts); test/messages/narrow-pages.test.ts compares both.
 */
import { readMention } from './mentions.js'
import type { Condition, Problem, Test } from './narrow.js'
import { isTopicMuted, TopicPolicy } from './topic-policies.js'
import { isResolved } from './topics.js'

/** What a message says about itself and about its reader. */
export interface NarrowedMessage {
  readonly id: number
  readonly sender_id: number
  /** undefined: a direct message */
  readonly channel_id: number | undefined
  readonly topic: string
  /** the participants of a direct message, ids ascending */
  readonly user_ids: readonly number[]
  /** the reader's flags, as clients get them */
  readonly flags: readonly string[]
  /** the reader's policy for the topic; undefined: none */
  readonly policy: number | undefined
  /** whether the reader is subscribed to the channel and has muted it */
  readonly isChannelMuted: boolean
}

/** A test that a message decides, with what its reader knows. */
export type DecidableTest = Exclude<Test, { test: 'has' | 'mentions' | 'search' }>

const isDecidable = (condition: Condition): condition is DecidableTest & Condition =>
  !['has', 'mentions', 'search'].includes(condition.test)

/** The server refuses a channel or user that does not exist for the reader, so no message is in such a narrow. */
const isRefused = (problem: Problem): boolean => ['channel', 'user', 'users'].includes(problem)

/**
 * Whether a message is in a narrow. Returns undefined where only the server can tell. It may know more operators and
 * operands than this program.
 * @param conditions what `resolveTerm` returns for the terms
 */
export const matchesAll = (
  conditions: readonly (Condition | Problem)[],
  message: NarrowedMessage,
): boolean | undefined => {
  let isCertain = true
  for (const condition of conditions) {
    if (typeof condition === 'string') {
      if (isRefused(condition)) return false
      isCertain = false
    } else if (!isDecidable(condition)) {
      isCertain = false
    } else if (passesTest(condition, message) === condition.negated) {
      return false
    }
  }
  return isCertain ? true : undefined
}

/** Whether only the server can tell which messages fulfil a condition. */
export const isOnlyForServer = (condition: Condition | Problem): boolean =>
  typeof condition === 'string' ? !isRefused(condition) : !isDecidable(condition)

/** Whether a message passes a test. */
export const passesTest = (test: DecidableTest, message: NarrowedMessage): boolean => {
  const { channel_id, topic, user_ids, flags, policy } = message
  const isDirect = channel_id === undefined
  switch (test.test) {
    case 'channel':
      return !isDirect && test.channel_ids.includes(channel_id)
    case 'topic':
      return !isDirect && topic.toLowerCase() === test.topic.toLowerCase()
    case 'resolved':
      return !isDirect && isResolved(topic)
    case 'direct':
      return isDirect
    case 'conversation':
      return isDirect && user_ids.join() === test.user_ids?.join()
    case 'direct-with':
      return isDirect && user_ids.includes(test.user_id) && (!test.groupsOnly || user_ids.length > 2)
    case 'sender':
      return message.sender_id === test.user_id
    case 'id':
      return message.id === test.message_id
    case 'flag':
      return test.flag === 'mentioned' ? isMentioned(flags) : flags.includes(test.flag)
    case 'unread':
      return !flags.includes('read')
    case 'muted':
      return !isDirect && isTopicMuted(policy, !test.inChannel && message.isChannelMuted)
    case 'followed':
      return !isDirect && policy === TopicPolicy.followed
  }
}

const isMentioned = (flags: readonly string[]): boolean => {
  const { isNamed, isWildcard } = readMention(flags)
  return isNamed || isWildcard
}
