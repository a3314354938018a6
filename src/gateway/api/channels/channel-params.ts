/** Parameters that several channel endpoints share. */
import { z } from 'zod'
import {
  colorRule,
  declareGroupSettings,
  isHexColor,
  topicsPolicies,
  topicsPolicyLevel,
} from '../../../domain/channels/channels.js'
import { limits } from '../../../domain/limits/limits.js'
import type { ChannelGroupSetting } from '../../../domain/permissions/group-setting-rules.js'
import { describeLevel } from '../../../domain/protocol/later-levels.js'
import { groupSettingValue } from '../../../domain/settings/group-setting-values.js'
import { bool, either, int, json, oneOf, type Param, text } from '../../call/params.js'

/**
 * A channel by name, which the request may create. If the request creates it, it gets the description and the color.
 */
export const requestedChannel = z
  .object({
    name: z.string(),
    description: text({ max: limits.max_stream_description_length }).optional(),
    color: z.string().optional(),
  })
  .refine(({ color }) => color === undefined || isHexColor(color), colorRule)

/** The parameter with the channels of a request to subscribe. */
export const requestedChannels = () => json(z.array(requestedChannel))

/** The parameter that names users, by id or by API address. */
export const principals = () => json(z.union([z.array(z.int()), z.array(z.string())])).optional()

/** The parameter for the retention time of a channel's messages. */
export const retention = () =>
  either(z.union([z.string(), z.int()])).describe('days, or `realm_default`, or `unlimited`')

/** An optional parameter with this schema for each group setting. */
export const declareGroupParams = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(
    Object.entries(declareGroupSettings(schema)).map(([name, declared]) => [name, json(declared).optional()]),
  ) as Record<ChannelGroupSetting, Param<z.output<S> | undefined>>

/** The properties of new channels; ignored for channels that exist. */
export const creationParams = {
  invite_only: bool().default(false),
  is_web_public: bool().default(false),
  is_default_stream: bool().default(false),
  history_public_to_subscribers: bool().optional(),
  message_retention_days: retention().default('realm_default'),
  topics_policy: oneOf(...topicsPolicies)
    .default('inherit')
    .describe(topicsPolicyLevel),
  ...declareGroupParams(groupSettingValue),
  folder_id: int().optional(),
}

/**
 * Whether a list of channels has their subscribers. With `partial` existing servers may leave out subscribers of large
 * channels who are not active; this server always lists all of them.
 */
export const includeSubscribers = () =>
  either(z.union([z.boolean(), z.literal('partial')]))
    .default(false)
    .describe(`\`partial\` is the same as true. ${describeLevel(412)}`)
