/** Messages that were moved to another topic or channel, as the events tell. */
import { canonicalOperator } from '#rules/narrow.js'
import { findResolution } from '#rules/topics.js'
import type { EventOf, Narrow } from '../kernel/api.js'
import { channelOfNarrow, type NarrowContext } from './narrow.js'

/** A topic of a channel. */
export interface TopicPlace {
  readonly channelId: number
  readonly topic: string
}

/** Messages that a user moved. Users who may not read them at their new place get no such event. */
export interface Move {
  readonly from: TopicPlace
  readonly to: TopicPlace
  /** ascending */
  readonly messageIds: readonly number[]
  /** `one`: a single message, `later`: a message and all later ones of the topic, `all`: the whole topic */
  readonly scope: 'one' | 'later' | 'all'
  /** the user who moved the messages */
  readonly userId: number | undefined
}

const scopes = { change_one: 'one', change_later: 'later', change_all: 'all' } as const

/** The move of which an event tells; undefined if it moved nothing. */
export const readMove = (event: EventOf<'update_message'>): Move | undefined => {
  const { stream_id, new_stream_id = stream_id, orig_subject, subject = orig_subject, propagate_mode } = event
  if (stream_id === undefined || new_stream_id === undefined) return undefined
  if (orig_subject === undefined || subject === undefined || propagate_mode === undefined) return undefined
  return {
    from: { channelId: stream_id, topic: orig_subject },
    to: { channelId: new_stream_id, topic: subject },
    messageIds: event.message_ids,
    scope: scopes[propagate_mode],
    userId: event.user_id ?? undefined,
  }
}

/** Whether a topic was only marked as resolved, or as not resolved. */
export const isResolution = ({ from, to }: Move): boolean =>
  from.channelId === to.channelId && findResolution(from.topic, to.topic) !== undefined

/** Whether two places are the same topic. Topics are compared without case. */
export const isSameTopic = (one: TopicPlace, other: TopicPlace): boolean =>
  one.channelId === other.channelId && one.topic.toLowerCase() === other.topic.toLowerCase()

/**
 * Finds the topic of which a narrow shows all messages. Returns undefined if the narrow shows other messages, or only
 * some of the messages of a topic.
 */
export const topicOfNarrow = (context: NarrowContext, narrow: Narrow): TopicPlace | undefined => {
  const isTopic = narrow.every(({ operator, negated }) => !negated && placeOperators.has(canonicalOperator(operator)))
  const topic = narrow.find(({ operator }) => operator === 'topic')?.operand
  const channelId = channelOfNarrow(context, narrow)
  return isTopic && channelId !== undefined && topic !== undefined ? { channelId, topic: String(topic) } : undefined
}

/** The narrow of another topic, with the other terms of this one. */
export const moveNarrow = (narrow: Narrow, { channelId, topic }: TopicPlace): Narrow =>
  narrow.map((term) => {
    if (term.operator === 'topic') return { ...term, operand: topic }
    return canonicalOperator(term.operator) === 'channel' ? { ...term, operand: channelId } : term
  })

/** `channels`: visitors add it to each narrow. It leaves out no message that a visitor may read. */
const placeOperators = new Set(['channel', 'topic', 'channels'])
