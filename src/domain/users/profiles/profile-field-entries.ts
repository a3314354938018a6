/**
 * The profile fields changed: clients receive the whole list. Deleting a field deletes its values, without an event for
 * each value. Source: protocol/events.md 3.5.
 */
import { z } from 'zod'
import { AllUsers } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'

export const profileFieldObject = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int(),
  hint: z.string(),
  field_data: z.string(),
  order: z.int(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  display_in_profile_summary: z.literal(true).optional(),
})

export type ProfileFieldObject = z.infer<typeof profileFieldObject>

export const profileFieldsChanged = entry<{ fields: readonly ProfileFieldObject[] }>({
  kind: 'custom_profile_fields',
  type: 'custom_profile_fields',
  description: 'The profile fields of the organization changed. The list replaces the former one.',
  event: z.object({ type: z.literal('custom_profile_fields'), fields: z.array(profileFieldObject) }),
  audience: () => AllUsers,
  project: ({ fields }) => ({ type: 'custom_profile_fields', fields }),
})
