/** Parameters that several channel endpoints take, and how their values are read. */
import { z } from 'zod'
import { topicsPolicies } from '../../domain/channels.js'
import { errors } from '../../domain/errors.js'
import { groupSettingValue } from '../../domain/groups.js'
import { limits } from '../../domain/limits.js'
import type { ChannelOptions } from '../../domain/new-channels.js'
import { bool, either, int, json, oneOf, text } from '../http/params.js'

const hexColor = /^#[0-9a-f]{3,6}$/i

/** A channel by name, with what it starts with if it has to be created. */
const wantedChannel = z
  .object({
    name: z.string(),
    description: text({ max: limits.max_stream_description_length }).optional(),
    color: z.string().optional(),
  })
  .refine(({ color }) => color === undefined || hexColor.test(color), 'add.color is not a valid hex color code')

export type WantedChannel = z.infer<typeof wantedChannel>

export const wantedChannels = () => json(z.array(wantedChannel))

/** People by id, or by API address. */
export const principals = () => json(z.union([z.array(z.int()), z.array(z.string())])).optional()

const group = () => json(groupSettingValue).optional()

/** What a new channel starts with; ignored for channels that exist. */
export const creationParams = {
  invite_only: bool().default(false),
  is_web_public: bool().default(false),
  is_default_stream: bool().default(false),
  history_public_to_subscribers: bool().optional(),
  message_retention_days: either(z.union([z.string(), z.int()]))
    .default('realm_default')
    .describe('days, or `realm_default`, or `unlimited`'),
  topics_policy: oneOf(...topicsPolicies).default('inherit'),
  can_add_subscribers_group: group(),
  can_remove_subscribers_group: group(),
  can_administer_channel_group: group(),
  can_move_messages_out_of_channel_group: group(),
  can_move_messages_within_channel_group: group(),
  can_send_message_group: group(),
  can_subscribe_group: group(),
  folder_id: int().optional(),
}

/** The days of a retention, or one of its words, plain or in quotes. Throws REQUEST_VARIABLE_INVALID. */
export const retention = (given: string | number): ChannelOptions['message_retention_days'] => {
  const value = typeof given === 'string' ? given.replace(/^"(.*)"$/, '$1') : given
  if (value === 'realm_default' || value === 'unlimited') return value
  const days = /^\d+$/.test(String(value)) ? Number(value) : 0
  if (days < 1 || days > MOST_DAYS) throw errors.badValue({ var_name: 'message_retention_days', bad_value: value })
  return days
}

/** What the column holds. */
const MOST_DAYS = 2_147_483_647

/** The colour in its one form, `#rrggbb` in lower case: some clients accept no other. */
export const fullColor = (given: string): string => {
  const digits = given.slice(1).toLowerCase()
  if (digits.length === 6) return `#${digits}`
  return `#${[...digits.slice(0, 3)].map((digit) => digit + digit).join('')}`
}
