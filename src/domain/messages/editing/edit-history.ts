/**
 * The edit history of a message, as far as the organization's policy shows it.
 *
 * A message stores an item per change, newest first, each with the values that it replaced. Every earlier version is
 * computed from the items and the current version. Where the policy shows only moves, no earlier text may be shown.
 * Source: protocol/messages.md 4.7; the API document, "Edit-history entry fields".
 */
import { z } from 'zod'
import type { RealmSettings } from '../../settings/realm-settings.js'
import { displayTopic, type HistoryItem } from '../message.js'
import { htmlDiff } from './html-diff.js'

export type HistoryPolicy = RealmSettings['message_edit_history_visibility_policy']

/** The history in the message object; undefined when the policy hides it. */
export const filterHistory = (
  items: readonly HistoryItem[] | null,
  policy: HistoryPolicy,
  empty_topic_name: boolean,
): HistoryItem[] | undefined => {
  if (items === null || policy === 'none') return undefined
  const shown = policy === 'moves' ? items.filter(isMove).map(withoutText) : items
  return shown.map(({ prev_topic, topic, ...item }) => ({
    ...item,
    ...(prev_topic === undefined ? {} : { prev_topic: displayTopic(prev_topic, empty_topic_name) }),
    ...(topic === undefined ? {} : { topic: displayTopic(topic, empty_topic_name) }),
  }))
}

const isMove = ({ stream, topic }: HistoryItem): boolean => stream !== undefined || topic !== undefined

const withoutText = ({ prev_content: _, prev_rendered_content: __, ...item }: HistoryItem): HistoryItem => item

/** One version of the message, with the change that led to it. */
export const version = z.object({
  user_id: z.int().nullable(),
  timestamp: z.int(),
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  prev_topic: z.string().optional(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  content_html_diff: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
})

export type Version = z.infer<typeof version>

/** The current version. */
export interface CurrentVersion {
  sender_id: number
  timestamp: number
  topic: string
  content: string
  rendered_content: string
}

/** The versions of a message, the original first. */
export const buildVersions = (
  message: CurrentVersion,
  items: readonly HistoryItem[] | null,
  policy: HistoryPolicy,
  empty_topic_name: boolean,
): Version[] => {
  let { topic, content, rendered_content } = message
  const versions: Version[] = []
  // Where only moves are shown, every version has the current text.
  for (const item of (policy === 'moves' ? items?.filter(isMove).map(withoutText) : items) ?? []) {
    const { user_id, timestamp, prev_topic, prev_content, prev_rendered_content, prev_stream, stream } = item
    versions.push({
      user_id,
      timestamp,
      topic: displayTopic(topic, empty_topic_name),
      content,
      rendered_content,
      ...(prev_topic === undefined ? {} : { prev_topic: displayTopic(prev_topic, empty_topic_name) }),
      ...(prev_content === undefined || prev_rendered_content === undefined
        ? {}
        : {
            prev_content,
            prev_rendered_content,
            content_html_diff: htmlDiff(prev_rendered_content, rendered_content),
          }),
      ...(stream === undefined ? {} : { prev_stream, stream }),
    })
    topic = prev_topic ?? topic
    content = prev_content ?? content
    rendered_content = prev_rendered_content ?? rendered_content
  }
  const { sender_id: user_id, timestamp } = message
  versions.push({ user_id, timestamp, topic: displayTopic(topic, empty_topic_name), content, rendered_content })
  return versions.reverse()
}
