/**
 * The groups of default channels: clients get the whole list. Source: protocol/events.md 3.2, `default_stream_groups`.
 */
import { z } from 'zod'
import { NonGuests } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'

export const defaultChannelGroupObject = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  streams: z.array(z.int()),
})

type Group = z.infer<typeof defaultChannelGroupObject>

export const defaultChannelGroupsChanged = entry<{ default_stream_groups: readonly Group[] }>({
  kind: 'default_stream_groups',
  type: 'default_stream_groups',
  description: 'The groups of default channels changed. The list replaces the former one.',
  event: z.object({
    type: z.literal('default_stream_groups'),
    default_stream_groups: z.array(defaultChannelGroupObject),
  }),
  audience: () => NonGuests,
  project: ({ default_stream_groups }) => ({ type: 'default_stream_groups', default_stream_groups }),
})
