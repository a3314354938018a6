/**
 * The channel and subscription objects of the protocol, and the defaults of new ones.
 *
 * Source: protocol/events.md 2.1 and 2.2, protocol/endpoints.md 1.1 and 1.18, protocol/permissions.md 4.1 and 5.1.
 */

import { z } from 'zod'
import { channelGroupRules } from '#rules/group-settings.js'
import type { Texts } from '#rules/texts.js'
import { msg } from '../languages/texts.js'
import type { ChannelRow, SubscriptionRow, UserRow } from '../log/rows.js'
import type { RealmState, SubscriptionSettings } from '../log/state.js'
import { type ChannelGroupSetting, wireValue } from '../permissions/group-setting-rules.js'
import { describeLevel, since } from '../protocol/later-levels.js'
import { type GroupSettingValue, groupSettingValue, SystemGroup } from '../settings/group-setting-values.js'

/**
 * What a channel decides about messages without a topic. With `inherit`, the organization decides. With
 * `empty_topic_only`, no message may have a topic.
 */
export const topicsPolicies = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const

/** What the OpenAPI document says about the policy that has a later level. */
export const topicsPolicyLevel = `empty_topic_only: ${describeLevel(404)}`

const topicsPolicy = z.enum(topicsPolicies).describe(topicsPolicyLevel)

/** Names of the group settings, in the order of the channel object. */
export const channelGroupSettings = Object.keys(channelGroupRules) as ChannelGroupSetting[]

/** The settings of later levels than the announced one. */
const laterGroupSettings: Partial<Record<ChannelGroupSetting, number>> = {
  can_create_topic_group: 441,
  can_delete_any_message_group: 407,
  can_delete_own_message_group: 407,
  can_resolve_topics_group: 402,
}

/** The same schema for each group setting, with the level of those of later levels. */
export const declareGroupSettings = <S extends z.ZodType>(schema: S): Record<ChannelGroupSetting, S> =>
  Object.fromEntries(
    channelGroupSettings.map((name) => {
      const level = laterGroupSettings[name]
      return [name, level === undefined ? schema : since(level, schema)]
    }),
  ) as Record<ChannelGroupSetting, S>

/** The channel object of answers and events. */
export const channelObject = z.object({
  stream_id: z.int(),
  name: z.string(),
  is_archived: z.boolean(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  message_retention_days: z.int().nullable(),
  first_message_id: z.int().nullable(),
  is_recently_active: z.boolean(),
  folder_id: z.int().nullable(),
  topics_policy: topicsPolicy,
  stream_post_policy: z.int(),
  is_announcement_only: z.boolean(),
  ...declareGroupSettings(groupSettingValue),
  subscriber_count: z.int(),
  stream_weekly_traffic: z.int().nullable(),
})

export type ChannelObject = z.infer<typeof channelObject>

/** The fields that a subscription object has beside those of its channel: the user's own settings. */
const subscriptionSettings = z.object({
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: z.boolean().nullable(),
  audible_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
})

export const subscriptionObject = channelObject.extend(subscriptionSettings.shape)

export type SubscriptionObject = z.infer<typeof subscriptionObject>

/**
 * The channel object.
 * @param subscriber_count given where the state does not hold the subscribers yet: in the change that adds them
 */
export const channelOnWire = (
  state: RealmState,
  channel: ChannelRow,
  subscriber_count = state.subscribers(channel.id).size,
): ChannelObject => {
  const stream_post_policy = toPostPolicy(channel.can_send_message_group)
  return {
    stream_id: channel.id,
    name: channel.name,
    is_archived: channel.is_archived,
    description: channel.description,
    rendered_description: channel.rendered_description,
    date_created: channel.date_created,
    creator_id: channel.creator_id,
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    message_retention_days: channel.message_retention_days,
    first_message_id: state.firstMessage.get(channel.id) ?? null,
    is_recently_active: channel.is_recently_active,
    folder_id: channel.folder_id,
    topics_policy: channel.topics_policy,
    stream_post_policy,
    is_announcement_only: stream_post_policy === PostPolicy.administrators,
    can_add_subscribers_group: wireValue(state, channel.can_add_subscribers_group),
    can_administer_channel_group: wireValue(state, channel.can_administer_channel_group),
    can_create_topic_group: wireValue(state, channel.can_create_topic_group),
    can_delete_any_message_group: wireValue(state, channel.can_delete_any_message_group),
    can_delete_own_message_group: wireValue(state, channel.can_delete_own_message_group),
    can_move_messages_out_of_channel_group: wireValue(state, channel.can_move_messages_out_of_channel_group),
    can_move_messages_within_channel_group: wireValue(state, channel.can_move_messages_within_channel_group),
    can_remove_subscribers_group: wireValue(state, channel.can_remove_subscribers_group),
    can_resolve_topics_group: wireValue(state, channel.can_resolve_topics_group),
    can_send_message_group: wireValue(state, channel.can_send_message_group),
    can_subscribe_group: wireValue(state, channel.can_subscribe_group),
    subscriber_count,
    stream_weekly_traffic: channel.stream_weekly_traffic,
  }
}

/** The user's own settings of a subscription, as the protocol names them. */
export const settingsOnWire = (settings: SubscriptionSettings): z.infer<typeof subscriptionSettings> => ({
  color: settings.color,
  is_muted: settings.is_muted,
  in_home_view: !settings.is_muted,
  pin_to_top: settings.pin_to_top,
  desktop_notifications: settings.desktop_notifications,
  audible_notifications: settings.audible_notifications,
  push_notifications: settings.push_notifications,
  email_notifications: settings.email_notifications,
  wildcard_mentions_notify: settings.wildcard_mentions_notify,
})

/** The order of lists of channels. */
export const compareByName = (a: ChannelRow, b: ChannelRow): number => (a.name < b.name ? -1 : Number(a.name > b.name))

/** Values of `stream_post_policy`. Old clients read it instead of `can_send_message_group`. */
export const PostPolicy = { everyone: 1, administrators: 2, fullMembers: 3, moderators: 4 } as const

/** The policy that is nearest to `can_send_message_group`. A narrower group is shown as administrators only. */
export const toPostPolicy = (can_send_message_group: GroupSettingValue): number => {
  switch (can_send_message_group) {
    case SystemGroup.nobody:
    case SystemGroup.owners:
    case SystemGroup.administrators:
      return PostPolicy.administrators
    case SystemGroup.moderators:
      return PostPolicy.moderators
    case SystemGroup.fullmembers:
      return PostPolicy.fullMembers
    default:
      return PostPolicy.everyone
  }
}

/** The name of this kind of channel for users. @param t the texts in the language of the users */
export const policyName = (t: Texts, channel: ChannelRow): string => {
  if (channel.is_web_public) return t('Web-public')
  if (!channel.invite_only) return t('Public')
  return channel.history_public_to_subscribers ? t('Private, shared history') : t('Private, protected history')
}

/** The group settings of a new channel for which the request gives no value. */
export const defaultChannelGroups = (creator: UserRow | undefined): Record<ChannelGroupSetting, GroupSettingValue> => ({
  can_add_subscribers_group: SystemGroup.nobody,
  can_administer_channel_group:
    creator === undefined ? SystemGroup.nobody : { direct_members: [creator.id], direct_subgroups: [] },
  can_create_topic_group: SystemGroup.everyone,
  can_delete_any_message_group: SystemGroup.nobody,
  can_delete_own_message_group: SystemGroup.nobody,
  can_move_messages_out_of_channel_group: SystemGroup.nobody,
  can_move_messages_within_channel_group: SystemGroup.nobody,
  can_remove_subscribers_group: SystemGroup.administrators,
  can_resolve_topics_group: SystemGroup.nobody,
  can_send_message_group: SystemGroup.everyone,
  can_subscribe_group: SystemGroup.nobody,
})

// Neighbors differ clearly: the hue turns by the golden angle, and the lightness alternates.
const palette = [
  ...['#da6262', '#40bf65', '#c48eeb', '#dacb62', '#40aabf', '#eb8ec1', '#80da62', '#4540bf'],
  ...['#ebad8e', '#62daad', '#b540bf', '#d8eb8e', '#629eda', '#bf405a', '#8eeb96', '#8f62da'],
  ...['#bf9540', '#8eebe7', '#da62bc', '#7abf40', '#8e9eeb', '#da7162', '#40bf75', '#d08eeb'],
] as const

/**
 * Chooses a color for a new subscription. It is the channel's own, or the next one that none of the user's
 * subscriptions has.
 * Most users who subscribe in one change get the same color, so they share one event.
 */
export const chooseColor = (channel_id: number, used: ReadonlySet<string>): string => {
  for (let i = 0; i < palette.length; i++) {
    const color = palette[(channel_id + i) % palette.length]
    if (color !== undefined && !used.has(color)) return color
  }
  return palette[channel_id % palette.length] ?? palette[0]
}

const hexColor = /^#[0-9a-f]{3,6}$/i

/** What an object of a request must be: the end of a sentence of a parameter error. */
export const colorRule = msg('{name} must be an object whose color is a hex color, such as #76ce90.')

/** Whether the text is a color with 3 to 6 hex digits, such as `#76ce90`. */
export const isHexColor = (input: string): boolean => hexColor.test(input)

/** The color in the form `#rrggbb`, lower case: some clients accept no other. */
export const normalizeColor = (input: string): string => {
  const digits = input.slice(1).toLowerCase()
  if (digits.length === 6) return `#${digits}`
  return `#${[...digits.slice(0, 3)].map((digit) => digit + digit).join('')}`
}

/** A new subscription's row. */
export const composeSubscription = (user_id: number, channel_id: number, color: string): SubscriptionRow => ({
  user_id,
  channel_id,
  active: true,
  color,
  is_muted: false,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
})
