/**
 * Entry kinds for changes of uploaded files. Only the uploader receives the events.
 * Source: protocol/events.md 3.4, `attachment`.
 */
import { z } from 'zod'
import { onlyUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'

export const attachmentObject = z.object({
  id: z.int(),
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int().describe('UNIX milliseconds'),
  messages: z.array(z.object({ id: z.int(), date_sent: z.int().describe('UNIX milliseconds') })),
})

export type AttachmentObject = z.infer<typeof attachmentObject>

interface AttachmentChange {
  owner_id: number
  /** bytes of all the organization's files */
  upload_space_used: number
}

const attachmentEntry = <O extends 'add' | 'update'>(op: O, description: string) =>
  entry<AttachmentChange & { attachment: AttachmentObject }>({
    kind: `attachment/${op}`,
    type: 'attachment',
    description,
    event: z.object({
      type: z.literal('attachment'),
      op: z.literal(op),
      attachment: attachmentObject,
      upload_space_used: z.int(),
    }),
    audience: ({ owner_id }) => onlyUsers(owner_id),
    project: ({ attachment, upload_space_used }) => ({ type: 'attachment', op, attachment, upload_space_used }),
  })

/** A file was uploaded. */
export const attachmentAdded = attachmentEntry('add', 'The user uploaded a file.')

/** The set of messages that link to a file changed. */
export const attachmentUpdated = attachmentEntry('update', 'A message began or ceased to link to a file of the user.')

/** A file was deleted. */
export const attachmentRemoved = entry<AttachmentChange & { attachment_id: number }>({
  kind: 'attachment/remove',
  type: 'attachment',
  description: 'A file of the user was deleted.',
  event: z.object({
    type: z.literal('attachment'),
    op: z.literal('remove'),
    attachment: z.object({ id: z.int() }),
    upload_space_used: z.int(),
  }),
  audience: ({ owner_id }) => onlyUsers(owner_id),
  project: ({ attachment_id: id, upload_space_used }) => ({
    type: 'attachment',
    op: 'remove',
    attachment: { id },
    upload_space_used,
  }),
})
