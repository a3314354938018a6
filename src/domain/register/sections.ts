/**
 * The table of a registration: each fetch name, and the keys that it adds (protocol/register.md 4).
 *
 * A new resource needs only a section here.
 */

import {
  channelSection,
  defaultChannelGroupSection,
  defaultChannelSection,
  folderSection,
  subscriptionSection,
} from './channels.js'
import { groupSection } from './groups.js'
import { messageSection, recentConversationsSection, starredSection } from './messages.js'
import {
  billingSection,
  domainSection,
  embeddedBotSection,
  emojiSection,
  filterSection,
  gifSection,
  linkifierSection,
  playgroundSection,
  profileFieldSection,
  stopWordSection,
  videoCallSection,
  webhookBotSection,
} from './organization.js'
import {
  alertWordSection,
  draftSection,
  mutedTopicSection,
  mutedUserSection,
  navigationViewSection,
  onboardingSection,
  presenceSection,
  savedSnippetSection,
  scheduledMessageSection,
  userStatusSection,
  userTopicSection,
} from './personal.js'
import { realmSection } from './realm.js'
import {
  displaySettingsSection,
  notificationSettingsSection,
  settingsDefaultsSection,
  userSettingsSection,
} from './settings.js'
import type { Section } from './snapshot-request.js'
import { botSection, userSection } from './users.js'

export const sections = {
  alert_words: alertWordSection,
  channel_folders: folderSection,
  custom_profile_fields: profileFieldSection,
  default_stream_groups: defaultChannelGroupSection,
  default_streams: defaultChannelSection,
  drafts: draftSection,
  giphy: gifSection,
  message: messageSection,
  muted_topics: mutedTopicSection,
  muted_users: mutedUserSection,
  navigation_views: navigationViewSection,
  onboarding_steps: onboardingSection,
  presence: presenceSection,
  realm: realmSection,
  realm_billing: billingSection,
  realm_bot: botSection,
  realm_domains: domainSection,
  realm_embedded_bots: embeddedBotSection,
  realm_emoji: emojiSection,
  realm_filters: filterSection,
  realm_incoming_webhook_bots: webhookBotSection,
  realm_linkifiers: linkifierSection,
  realm_playgrounds: playgroundSection,
  realm_user: userSection,
  realm_user_groups: groupSection,
  realm_user_settings_defaults: settingsDefaultsSection,
  recent_private_conversations: recentConversationsSection,
  saved_snippets: savedSnippetSection,
  scheduled_messages: scheduledMessageSection,
  starred_messages: starredSection,
  stop_words: stopWordSection,
  stream: channelSection,
  subscription: subscriptionSection,
  update_display_settings: displaySettingsSection,
  update_global_notifications: notificationSettingsSection,
  user_settings: userSettingsSection,
  user_status: userStatusSection,
  user_topic: userTopicSection,
  video_calls: videoCallSection,
} as const satisfies Record<string, Section>

export type FetchName = keyof typeof sections
