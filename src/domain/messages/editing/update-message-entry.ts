/**
 * A message has another text, or is shown otherwise, or messages have another topic or channel.
 *
 * The flags in the event are the receiver's own, so people with different flags get entries of their own, each with
 * its audience. Source: events.md 3.1, `update_message`; clients.md 8.5.
 */
import { z } from 'zod'
import type { Audience } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { flagNames } from '../flags.js'
import { type MessageObject, topicFor } from '../message.js'

/** Another text. */
export interface NewContent {
  orig_content: string
  orig_rendered_content: string
  content: string
  rendered_content: string
  is_me_message: boolean
}

/** Another topic, or another channel, or both. */
export interface NewPlace {
  propagate_mode: 'change_one' | 'change_later' | 'change_all'
  orig_topic: string
  /** absent when it stays */
  topic?: string
  topic_links?: MessageObject['topic_links']
  /** absent when it stays */
  new_stream_id?: number
}

export interface UpdateMessageData {
  to: Audience
  /** who did it; null: nobody, it is only shown otherwise */
  user_id: number | null
  message_id: number
  /** all that are moved, ascending; of another text, the one */
  message_ids: readonly number[]
  /** the receivers' flags of `message_id`, as bits */
  flags: number
  edit_timestamp: number
  /** the channel before; undefined in direct messages */
  channel?: { stream_id: number; stream_name: string } | undefined
  edited?: NewContent | undefined
  moved?: NewPlace | undefined
  /** the same text in other HTML */
  redrawn?: Pick<NewContent, 'content' | 'rendered_content'> | undefined
}

export const updateMessage = entry<UpdateMessageData>({
  kind: 'update_message',
  type: 'update_message',
  content: true,
  event: z.object({
    type: z.literal('update_message'),
    user_id: z.int().nullable(),
    rendering_only: z.boolean(),
    message_id: z.int(),
    message_ids: z.array(z.int()),
    flags: z.array(z.string()),
    edit_timestamp: z.int(),
    stream_name: z.string().optional(),
    stream_id: z.int().optional(),
    new_stream_id: z.int().optional(),
    orig_subject: z.string().optional(),
    subject: z.string().optional(),
    topic_links: z.array(z.object({ text: z.string(), url: z.string() })).optional(),
    propagate_mode: z.enum(['change_one', 'change_later', 'change_all']).optional(),
    orig_content: z.string().optional(),
    orig_rendered_content: z.string().optional(),
    content: z.string().optional(),
    rendered_content: z.string().optional(),
    is_me_message: z.boolean().optional(),
  }),
  audience: ({ to }) => to,
  project: ({ user_id, message_id, message_ids, flags, edit_timestamp, ...rest }, { empty_topic_name }) => ({
    type: 'update_message',
    user_id,
    rendering_only: rest.redrawn !== undefined,
    message_id,
    message_ids,
    flags: flagNames(flags),
    edit_timestamp,
    ...rest.channel,
    ...(rest.moved === undefined ? {} : placeOf(rest.moved, empty_topic_name)),
    ...rest.edited,
    ...rest.redrawn,
  }),
})

const placeOf = ({ orig_topic, topic, ...rest }: NewPlace, empty_topic_name: boolean) => ({
  ...rest,
  orig_subject: topicFor(orig_topic, empty_topic_name),
  ...(topic === undefined ? {} : { subject: topicFor(topic, empty_topic_name) }),
})
