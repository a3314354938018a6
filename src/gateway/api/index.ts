/**
 * The registry: every endpoint of the API, under the name of its operation.
 *
 * The name labels metrics, is the operation id in the reference, and the method of the typed client in tests. Adding
 * an endpoint is a definition in a file of this folder, and one line in each list here.
 */
import type { Registry } from '../http/endpoint.js'
import { addAlertWords, getAlertWords, removeAlertWords } from './alert-words.js'
import { regenerateBotApiKey, regenerateOwnApiKey } from './api-keys.js'
import {
  deleteOwnAvatar,
  getAvatar,
  getAvatarByEmail,
  getMediumAvatar,
  getMediumAvatarByEmail,
  getPicture,
  setOwnAvatar,
} from './avatars.js'
import { deleteBotStorage, getBotStorage, updateBotStorage } from './bot-storage.js'
import { createBot, deactivateBot, getBots, updateBot } from './bots.js'
import { createBigBlueButtonCall, createZoomCall } from './calls.js'
import { createChannelFolder, getChannelFolders, updateChannelFolder } from './channel-folders.js'
import { archiveStream, updateStream } from './channel-updates.js'
import { confirmEmailChange, showEmailChange } from './confirm-email.js'
import { deactivateRealm } from './deactivate-realm.js'
import {
  createDefaultStreamGroup,
  removeDefaultStreamGroup,
  updateDefaultStreamGroup,
  updateDefaultStreamGroupStreams,
} from './default-channel-groups.js'
import { addDefaultStream, removeDefaultStream } from './default-channels.js'
import { deleteMessage } from './delete-message.js'
import { createDrafts, deleteDraft, getDrafts, updateDraft } from './drafts.js'
import { editMessage } from './edit-message.js'
import { deleteEmoji, getEmoji, uploadEmoji } from './emoji.js'
import { deleteEvents, getEvents } from './events.js'
import { getExportArchive, getExportConsents, getExports, removeExport, requestExport } from './exports.js'
import { devFetchApiKey, devListUsers, fetchApiKey, jwtFetchApiKey } from './fetch-api-key.js'
import { downloadFile, getFile, getFileLink, getTemporaryFile, getThumbnail } from './files.js'
import {
  markAllAsRead,
  markStreamAsRead,
  markTopicAsRead,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
} from './flags.js'
import { askForPassword, chooseNewPassword, showForgottenPassword, showNewPassword } from './forgotten-password.js'
import {
  getUserGroupMember,
  getUserGroupMembers,
  getUserGroupSubgroups,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from './group-members.js'
import { createInviteLink, sendInvites } from './invites.js'
import { joinByInvitation, showInvitation } from './join.js'
import {
  createLinkifier,
  deleteLinkifier,
  getFilters,
  getLinkifiers,
  reorderLinkifiers,
  updateLinkifier,
} from './linkifiers.js'
import { getMatchesNarrow } from './matches-narrow.js'
import { getMessageHistory } from './message-history.js'
import { getMessage, getMessages, sendMessage } from './messages.js'
import { muteUser, unmuteUser } from './muted-users.js'
import {
  addNavigationView,
  getNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from './navigation-views.js'
import { markOnboardingStep } from './onboarding.js'
import { getInvites, resendInvite, revokeInvite, revokeInviteLink } from './open-invites.js'
import { createPlayground, deletePlayground } from './playgrounds.js'
import { getRealmPresence, getUserPresence, updatePresence } from './presence.js'
import {
  createField,
  deleteOwnProfileData,
  getProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateOwnProfileData,
  updateProfileField,
} from './profile-fields.js'
import {
  addAndroidDevice,
  addAppleDevice,
  removeAndroidDevice,
  removeAppleDevice,
  testPushNotification,
} from './push-devices.js'
import { addReaction, removeReaction } from './reactions.js'
import { getReadReceipts } from './read-receipts.js'
import { createRealmDomain, deleteRealmDomain, getRealmDomains, updateRealmDomain } from './realm-domains.js'
import {
  deleteRealmIcon,
  deleteRealmLogo,
  getRealmIcon,
  getRealmLogo,
  uploadRealmIcon,
  uploadRealmLogo,
} from './realm-pictures.js'
import { updateRealm, updateSettingDefaults } from './realm-settings.js'
import { register } from './register.js'
import { createReminder } from './reminders.js'
import { renderMessage } from './render.js'
import { reportMessage } from './reports.js'
import { createSavedSnippet, deleteSavedSnippet, getSavedSnippets, updateSavedSnippet } from './saved-snippets.js'
import {
  createScheduledMessage,
  deleteScheduledMessage,
  getScheduledMessages,
  updateScheduledMessage,
} from './scheduled-messages.js'
import { getCompatibility, getServerSettings } from './server-settings.js'
import { updateSettings } from './settings.js'
import { getStatus, updateStatus } from './statuses.js'
import { getStream, getStreamEmailAddress, getStreamId, getStreamMembers, getStreams } from './streams.js'
import { addSubmessage } from './submessages.js'
import { subscribe } from './subscribe.js'
import { updateSubscriptionProperties, updateSubscriptionProperty } from './subscription-properties.js'
import { getSubscriptionStatus, getSubscriptions, unsubscribe, updateSubscriptions } from './subscriptions.js'
import { deleteTopic, getStreamTopics } from './topics.js'
import { addToResumable, createResumable, deleteResumable, getResumable } from './tus.js'
import { sendEditTyping, sendEditTypingOf, sendTyping } from './typing.js'
import { deleteAttachment, getAttachments, uploadFile } from './uploads.js'
import { createUserGroup, deactivateUserGroup, getUserGroups, removeUserGroup, updateUserGroup } from './user-groups.js'
import { updateMutedTopics, updateUserTopic } from './user-topics.js'
import { deactivateOwnUser, deactivateUser, reactivateUser, updateUser, updateUserByEmail } from './user-updates.js'
import { createUserAccount, getOwnUser, getUser, getUserByEmail, getUsers } from './users.js'
import { runCommand } from './zcommands.js'

export const registry = {
  getServerSettings,
  getCompatibility,
  fetchApiKey,
  jwtFetchApiKey,
  devFetchApiKey,
  devListUsers,
  register,
  getEvents,
  deleteEvents,
  getUsers,
  getOwnUser,
  getUser,
  getUserByEmail,
  createUser: createUserAccount,
  updateUser,
  updateUserByEmail,
  deactivateUser,
  deactivateOwnUser,
  reactivateUser,
  regenerateOwnApiKey,
  getBots,
  createBot,
  updateBot,
  deactivateBot,
  regenerateBotApiKey,
  updateBotStorage,
  getBotStorage,
  deleteBotStorage,
  updateSettings,
  updateRealm,
  updateSettingDefaults,
  getRealmDomains,
  createRealmDomain,
  updateRealmDomain,
  deleteRealmDomain,
  getUserGroups,
  createUserGroup,
  updateUserGroup,
  deactivateUserGroup,
  removeUserGroup,
  getUserGroupMembers,
  getUserGroupMember,
  updateUserGroupMembers,
  getUserGroupSubgroups,
  updateUserGroupSubgroups,
  sendInvites,
  createInviteLink,
  getInvites,
  revokeInvite,
  revokeInviteLink,
  resendInvite,
  showInvitation,
  joinByInvitation,
  showEmailChange,
  confirmEmailChange,
  showForgottenPassword,
  askForPassword,
  showNewPassword,
  chooseNewPassword,
  getEmoji,
  uploadEmoji,
  deleteEmoji,
  setOwnAvatar,
  deleteOwnAvatar,
  getAvatar,
  getMediumAvatar,
  getAvatarByEmail,
  getMediumAvatarByEmail,
  getPicture,
  uploadFile,
  getFileLink,
  getFile,
  downloadFile,
  getTemporaryFile,
  getThumbnail,
  deactivateRealm,
  requestExport,
  getExports,
  removeExport,
  getExportConsents,
  getExportArchive,
  createResumable,
  getResumable,
  addToResumable,
  deleteResumable,
  uploadRealmIcon,
  deleteRealmIcon,
  getRealmIcon,
  uploadRealmLogo,
  deleteRealmLogo,
  getRealmLogo,
  getAttachments,
  deleteAttachment,
  getNavigationViews,
  addNavigationView,
  updateNavigationView,
  removeNavigationView,
  getProfileFields,
  createProfileField: createField,
  updateProfileField,
  deleteProfileField: removeProfileField,
  reorderProfileFields,
  updateOwnProfileData,
  deleteOwnProfileData,
  createPlayground,
  deletePlayground,
  getLinkifiers,
  getFilters,
  createLinkifier,
  updateLinkifier,
  deleteLinkifier,
  reorderLinkifiers,
  getSubscriptions,
  subscribe,
  unsubscribe,
  updateSubscriptions,
  getSubscriptionStatus,
  updateSubscriptionProperties,
  updateSubscriptionProperty,
  getStreams,
  getStream,
  getStreamId,
  getStreamMembers,
  getStreamEmailAddress,
  updateStream,
  archiveStream,
  addDefaultStream,
  removeDefaultStream,
  createDefaultStreamGroup,
  updateDefaultStreamGroup,
  updateDefaultStreamGroupStreams,
  removeDefaultStreamGroup,
  getChannelFolders,
  createChannelFolder,
  updateChannelFolder,
  sendMessage,
  getMessages,
  getMatchesNarrow,
  getMessage,
  editMessage,
  getMessageHistory,
  renderMessage,
  getReadReceipts,
  createReminder,
  reportMessage,
  getScheduledMessages,
  createScheduledMessage,
  updateScheduledMessage,
  deleteScheduledMessage,
  addReaction,
  removeReaction,
  addSubmessage,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
  markAllAsRead,
  markStreamAsRead,
  markTopicAsRead,
  deleteMessage,
  deleteTopic,
  getStreamTopics,
  updateUserTopic,
  updateMutedTopics,
  getDrafts,
  createDrafts,
  updateDraft,
  deleteDraft,
  getSavedSnippets,
  createSavedSnippet,
  updateSavedSnippet,
  deleteSavedSnippet,
  sendTyping,
  sendEditTyping,
  sendEditTypingOf,
  updatePresence,
  getRealmPresence,
  getUserPresence,
  updateStatus,
  getStatus,
  getAlertWords,
  addAlertWords,
  removeAlertWords,
  muteUser,
  unmuteUser,
  runCommand,
  markOnboardingStep,
  addAppleDevice,
  removeAppleDevice,
  addAndroidDevice,
  removeAndroidDevice,
  testPushNotification,
  createBigBlueButtonCall,
  createZoomCall,
} as const satisfies Registry
