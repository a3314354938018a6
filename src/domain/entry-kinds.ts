/**
 * Every kind of entry, by name.
 *
 * `main` passes this record to what reads the log. A new kind is a declaration in a file of its feature, and a line
 * here; the name of a kind is stored in the log and must never change.
 */
import {
  channelArchived,
  channelsCreated,
  channelsDeleted,
  channelUnarchived,
  channelUpdated,
  defaultChannelsChanged,
  folderAdded,
  foldersReordered,
  folderUpdated,
} from './channels/channel-entries.js'
import { defaultChannelGroupsChanged } from './channels/default-channel-group-entries.js'
import {
  peersAdded,
  peersRemoved,
  peersReturned,
  subscriptionsAdded,
  subscriptionsRemoved,
  subscriptionsReturned,
  subscriptionUpdated,
} from './channels/subscription-entries.js'
import { eventSubscriptionChanged } from './event-subscriptions/event-subscription-entries.js'
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from './files/attachment-entries.js'
import {
  groupAdded,
  groupDeactivated,
  groupMembersAdded,
  groupMembersRemoved,
  groupReactivated,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from './groups/group-entries.js'
import { advancedSeq } from './log/advanced-seq.js'
import { indexKinds } from './log/entry-kind.js'
import { quietEntry } from './log/silent-entry.js'
import { draftRemoved, draftsAdded, draftUpdated, snippetPut, snippetRemoved } from './messages/draft-entries.js'
import { messagesChanged } from './messages/editing/changed-messages-entry.js'
import { messageDeleted } from './messages/editing/delete-message-entry.js'
import { messagesRestored } from './messages/editing/restore-message-entry.js'
import { updateMessage } from './messages/editing/update-message-entry.js'
import { updateMessageFlags } from './messages/flag-entries.js'
import { reaction } from './messages/reaction-entries.js'
import { reminderAdded, reminderRemoved } from './messages/reminders.js'
import {
  scheduledMessageAdded,
  scheduledMessageRemoved,
  scheduledMessageUpdated,
} from './messages/scheduled-message-entries.js'
import { message } from './messages/sending/message-entry.js'
import { submessage } from './messages/submessage-entry.js'
import { editTyping, typing } from './messages/typing-entries.js'
import { mutedTopicsChanged, userTopicChanged } from './messages/user-topic-entries.js'
import { customEmojiChanged } from './realm/custom-emoji-entries.js'
import { linkifiersChanged } from './realm/linkifier-entries.js'
import { playgroundsChanged } from './realm/playground-entries.js'
import { domainAdded, domainChanged, domainRemoved } from './realm/realm-domain-entries.js'
import {
  realmDeactivated,
  realmExportConsent,
  realmUpdated,
  realmUpdatedTogether,
  restarted,
} from './realm/realm-entries.js'
import { realmExportsChanged } from './realm/realm-export-entries.js'
import { settingDefaultUpdated } from './realm/setting-default-entries.js'
import { invitesChanged } from './users/accounts/invitation-entries.js'
import { signUpsChanged } from './users/accounts/sign-up-entries.js'
import { realmBotAdded, realmBotDeleted, realmBotUpdated } from './users/bots/bot-entries.js'
import {
  navigationViewAdded,
  navigationViewRemoved,
  navigationViewUpdated,
} from './users/personal/navigation-view-entries.js'
import { onboardingSeen } from './users/personal/onboarding-entries.js'
import { alertWordsChanged, mutedUsersChanged } from './users/personal/personal-list-entries.js'
import {
  displaySettingUpdated,
  notificationSettingUpdated,
  userSettingUpdated,
} from './users/personal/setting-entries.js'
import { presence } from './users/presence/presence-entries.js'
import { userStatus } from './users/presence/status-entries.js'
import { profileFieldsChanged } from './users/profiles/profile-field-entries.js'
import { realmUserAdd, realmUserRemove, realmUserUpdate } from './users/user-entries.js'

export const entryKinds = indexKinds([
  channelsCreated,
  channelsDeleted,
  channelUpdated,
  channelArchived,
  channelUnarchived,
  defaultChannelsChanged,
  folderAdded,
  foldersReordered,
  folderUpdated,
  defaultChannelGroupsChanged,
  subscriptionsAdded,
  subscriptionsReturned,
  subscriptionsRemoved,
  subscriptionUpdated,
  peersAdded,
  peersReturned,
  peersRemoved,
  eventSubscriptionChanged,
  attachmentAdded,
  attachmentUpdated,
  attachmentRemoved,
  groupAdded,
  groupUpdated,
  groupDeactivated,
  groupReactivated,
  groupMembersAdded,
  groupMembersRemoved,
  subgroupsAdded,
  subgroupsRemoved,
  quietEntry,
  advancedSeq,
  draftsAdded,
  draftUpdated,
  draftRemoved,
  snippetPut,
  snippetRemoved,
  messageDeleted,
  messagesRestored,
  messagesChanged,
  updateMessage,
  updateMessageFlags,
  reaction,
  reminderAdded,
  reminderRemoved,
  scheduledMessageAdded,
  scheduledMessageUpdated,
  scheduledMessageRemoved,
  message,
  submessage,
  typing,
  editTyping,
  userTopicChanged,
  mutedTopicsChanged,
  customEmojiChanged,
  linkifiersChanged,
  playgroundsChanged,
  domainAdded,
  domainChanged,
  domainRemoved,
  realmExportConsent,
  realmDeactivated,
  restarted,
  realmUpdated,
  realmUpdatedTogether,
  realmExportsChanged,
  settingDefaultUpdated,
  realmBotAdded,
  realmBotUpdated,
  realmBotDeleted,
  invitesChanged,
  signUpsChanged,
  navigationViewAdded,
  navigationViewUpdated,
  navigationViewRemoved,
  onboardingSeen,
  alertWordsChanged,
  mutedUsersChanged,
  presence,
  profileFieldsChanged,
  userSettingUpdated,
  displaySettingUpdated,
  notificationSettingUpdated,
  userStatus,
  realmUserAdd,
  realmUserUpdate,
  realmUserRemove,
])
