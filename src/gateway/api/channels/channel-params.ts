/** Parameters that several channel endpoints take, and how their values are read. */
import { z } from 'zod'
import { isHexColor, topicsPolicies } from '../../../domain/channels/channels.js'
import { limits } from '../../../domain/limits/limits.js'
import { groupSettingValue } from '../../../domain/settings/group-setting-values.js'
import { bool, either, int, json, oneOf, text } from '../../http/params.js'

/** A channel by name, with what it starts with if it has to be created. */
const wantedChannel = z
  .object({
    name: z.string(),
    description: text({ max: limits.max_stream_description_length }).optional(),
    color: z.string().optional(),
  })
  .refine(({ color }) => color === undefined || isHexColor(color), 'with a hex color as color')

export type WantedChannel = z.infer<typeof wantedChannel>

export const wantedChannels = () => json(z.array(wantedChannel))

/** People by id, or by API address. */
export const principals = () => json(z.union([z.array(z.int()), z.array(z.string())])).optional()

const group = () => json(groupSettingValue).optional()

export const retention = () =>
  either(z.union([z.string(), z.int()])).describe('days, or `realm_default`, or `unlimited`')

/** What a new channel starts with; ignored for channels that exist. */
export const creationParams = {
  invite_only: bool().default(false),
  is_web_public: bool().default(false),
  is_default_stream: bool().default(false),
  history_public_to_subscribers: bool().optional(),
  message_retention_days: retention().default('realm_default'),
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
