/**
 * A message got another text or another rendering, or messages were moved to another topic or channel.
 *
 * The event holds the recipient's own flags, so each group of recipients with equal flags gets an entry with an
 * audience of its own. Source: protocol/events.md 3.1, `update_message`; protocol/clients.md 8.5.
 */
import { z } from 'zod'
import type { Audience } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { proxyMedia } from '../../rendering/proxied-media.js'
import { flagNames } from '../flags.js'
import { displayTopic, type MessageObject, topicLink } from '../message.js'

/** The new text of an edited message. */
export interface NewContent {
  orig_content: string
  orig_rendered_content: string
  content: string
  rendered_content: string
  is_me_message: boolean
}

/** The new topic, or channel, or both. */
export interface MovedTo {
  propagate_mode: 'change_one' | 'change_later' | 'change_all'
  orig_topic: string
  /** absent when unchanged */
  topic?: string
  topic_links?: MessageObject['topic_links']
  /** absent when unchanged */
  new_stream_id?: number
}

export interface UpdateMessageData {
  to: Audience
  /** the editing user; null when only the rendering changed */
  user_id: number | null
  message_id: number
  /** all moved messages, ascending; for an edited text, the message */
  message_ids: readonly number[]
  /** the recipients' flags of `message_id`, as bits */
  flags: number
  edit_timestamp: number
  /** the channel before; undefined in direct messages */
  channel?: { stream_id: number; stream_name: string } | undefined
  edited?: NewContent | undefined
  moved?: MovedTo | undefined
  /** the same text with other HTML */
  redrawn?: Pick<NewContent, 'content' | 'rendered_content'> | undefined
}

export const updateMessage = entry<UpdateMessageData>({
  kind: 'update_message',
  type: 'update_message',
  description:
    'A message was edited, or messages were moved to another topic or channel. `message_ids` lists those that moved. With `rendering_only`, only the HTML changed, for example because a preview was added.',
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
    topic_links: z.array(topicLink).optional(),
    propagate_mode: z.enum(['change_one', 'change_later', 'change_all']).optional(),
    orig_content: z.string().optional(),
    orig_rendered_content: z.string().optional(),
    content: z.string().optional(),
    rendered_content: z.string().optional(),
    is_me_message: z.boolean().optional(),
  }),
  audience: ({ to }) => to,
  project: (
    { user_id, message_id, message_ids, flags, edit_timestamp, ...rest },
    { empty_topic_name },
    { deployment },
  ) => ({
    type: 'update_message',
    user_id,
    rendering_only: rest.redrawn !== undefined,
    message_id,
    message_ids,
    flags: flagNames(flags),
    edit_timestamp,
    ...rest.channel,
    ...(rest.moved === undefined ? {} : projectMove(rest.moved, empty_topic_name)),
    ...(rest.edited && proxyMedia(rest.edited, ['orig_rendered_content', 'rendered_content'], deployment)),
    ...(rest.redrawn && proxyMedia(rest.redrawn, ['rendered_content'], deployment)),
  }),
})

const projectMove = ({ orig_topic, topic, ...rest }: MovedTo, empty_topic_name: boolean) => ({
  ...rest,
  orig_subject: displayTopic(orig_topic, empty_topic_name),
  ...(topic === undefined ? {} : { subject: displayTopic(topic, empty_topic_name) }),
})
