/** The custom emoji changed: clients get all of them, deactivated ones included. Source: protocol/events.md 3.5. */
import { z } from 'zod'
import { AllUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'

export const customEmojiObject = z.object({
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: z.int().nullable(),
})

/** By id. */
export const customEmojiTable = z.record(z.string(), customEmojiObject)

export const customEmojiChanged = entry<{ realm_emoji: z.infer<typeof customEmojiTable> }>({
  kind: 'realm_emoji/update',
  type: 'realm_emoji',
  description: 'The custom emoji of the organization changed. The list replaces the former one.',
  event: z.object({ type: z.literal('realm_emoji'), op: z.literal('update'), realm_emoji: customEmojiTable }),
  audience: () => AllUsers,
  project: ({ realm_emoji }) => ({ type: 'realm_emoji', op: 'update', realm_emoji }),
})
