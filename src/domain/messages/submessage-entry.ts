/**
 * A user changed a widget: voted in a poll, completed a task. Source: protocol/events.md 3.1.
 */
import { z } from 'zod'
import type { Audience } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'

interface SubmessageData {
  /** the users who may read the message */
  to: Audience
  message_id: number
  submessage_id: number
  sender_id: number
  msg_type: string
  content: string
}

export const submessage = entry<SubmessageData>({
  kind: 'submessage',
  type: 'submessage',
  description: 'A part of a widget (a poll, a to-do list) was added to a message.',
  content: true,
  event: z.object({
    type: z.literal('submessage'),
    message_id: z.int(),
    submessage_id: z.int(),
    sender_id: z.int(),
    msg_type: z.string(),
    content: z.string(),
  }),
  audience: ({ to }) => to,
  project: ({ to: _, ...act }) => ({ type: 'submessage', ...act }),
})
