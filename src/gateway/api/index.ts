/**
 * The registry: every endpoint of the API, under the name of its operation.
 *
 * The name labels metrics and is the operation id in the reference. Adding an endpoint is a definition in a file of
 * this folder, and one line in each list here.
 */
import type { Registry } from '../call/endpoint.js'
import { confirmEmailChange, showEmailChange } from './accounts/confirm-email.js'
import { devFetchApiKey, devListUsers, fetchApiKey, jwtFetchApiKey } from './accounts/fetch-api-key.js'
import {
  askForPassword,
  chooseNewPassword,
  showForgottenPassword,
  showNewPassword,
} from './accounts/forgotten-password.js'
import { createInviteLink, sendInvites } from './accounts/invites.js'
import { joinByInvitation, showInvitation } from './accounts/join.js'
import { getInvites, resendInvite, revokeInvite, revokeInviteLink } from './accounts/open-invites.js'
import {
  createDemoSession,
  createSession,
  endCurrentSession,
  endOtherSession,
  getCurrentSession,
  getDemoAccounts,
  getSessionState,
  getSessions,
} from './accounts/sessions.js'
import { askToSignUp, showSignUp, showSignUpLink, signUp } from './accounts/sign-up.js'
import { approveSignUpRequest, getSignUps, refuseSignUpRequest } from './accounts/sign-up-requests.js'
import { showMailUnsubscribing, unsubscribeFromMail } from './accounts/unsubscribe.js'
import { createApiKey, endApiKey, endApiKeyOfUser, getAllApiKeys, getApiKeys } from './api-keys/api-keys.js'
import {
  createChannelFolder,
  getChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from './channels/channel-folders.js'
import { getStream, getStreamEmailAddress, getStreamId, getStreamMembers, getStreams } from './channels/channel-list.js'
import { archiveStream, updateStream } from './channels/channel-updates.js'
import { createChannel } from './channels/create-channel.js'
import {
  createDefaultStreamGroup,
  removeDefaultStreamGroup,
  updateDefaultStreamGroup,
  updateDefaultStreamGroupStreams,
} from './channels/default-channel-groups.js'
import { addDefaultStream, removeDefaultStream } from './channels/default-channels.js'
import { subscribe } from './channels/subscribe.js'
import { updateSubscriptionProperties, updateSubscriptionProperty } from './channels/subscription-properties.js'
import {
  getSubscriptionStatus,
  getSubscriptions,
  getUserChannels,
  unsubscribe,
  updateSubscriptions,
} from './channels/subscriptions.js'
import {
  createEventSubscription,
  deleteEventSubscription,
  getEventSubscription,
  getEventSubscriptions,
  pauseEventSubscription,
  replaceEventSubscriptionSecret,
  replayEventSubscription,
  resumeEventSubscription,
  testEventSubscription,
  updateEventSubscription,
} from './event-subscriptions/event-subscriptions.js'
import { deleteEvents, getEvents } from './events/events.js'
import { acknowledgeEvent, deletePosition, getPositions } from './events/positions.js'
import { register } from './events/register.js'
import { createStreamTicket } from './events/stream-tickets.js'
import { getExternalPicture } from './files/external-pictures.js'
import { downloadFile, getFile, getFileLink, getTemporaryFile, getThumbnail } from './files/files.js'
import { addToResumable, createResumable, deleteResumable, getResumable } from './files/tus.js'
import { deleteAttachment, getAttachments, uploadFile } from './files/uploads.js'
import {
  getUserGroupMember,
  getUserGroupMembers,
  getUserGroupSubgroups,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from './groups/group-members.js'
import {
  createUserGroup,
  deactivateUserGroup,
  getUserGroups,
  removeUserGroup,
  updateUserGroup,
} from './groups/user-groups.js'
import { logInForApp, showAppLogIn } from './log-in/app-log-in.js'
import { beginExternalLogIn, createSessionFromTicket, finishExternalLogIn } from './log-in/external-log-in.js'
import { getIdentities, linkIdentity, unlinkIdentity } from './log-in/identities.js'
import { createLogInMethod, deleteLogInMethod, getLogInMethods, updateLogInMethod } from './log-in/log-in-methods.js'
import { endSessionInBrowser, endSessionsByProvider } from './log-in/provider-log-out.js'
import { getSamlMetadata, logOutWithSaml, postSamlLogOut, receiveSamlAnswer } from './log-in/saml.js'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactorOfUser,
  getSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  showApiKey,
} from './log-in/second-factor.js'
import {
  beginFactorAtLogIn,
  confirmFactorAtLogIn,
  createSessionWithCode,
  finishSecondHalf,
  showSecondHalf,
} from './log-in/second-half.js'
import { deleteMessage } from './messages/delete-message.js'
import { getDeletedMessages, restoreMessages } from './messages/deleted-messages.js'
import { createDrafts, deleteDraft, getDrafts, updateDraft } from './messages/drafts.js'
import { editMessage } from './messages/edit-message.js'
import {
  markAllAsRead,
  markStreamAsRead,
  markTopicAsRead,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
} from './messages/flags.js'
import { getMatchesNarrow } from './messages/matches-narrow.js'
import { getMessageHistory } from './messages/message-history.js'
import { getMessage, getMessages, sendMessage } from './messages/messages.js'
import { addReaction, removeReaction } from './messages/reactions.js'
import { getReadReceipts } from './messages/read-receipts.js'
import { createReminder, deleteReminder, getReminders } from './messages/reminders.js'
import { renderMessage } from './messages/render.js'
import { reportMessage } from './messages/reports.js'
import {
  createSavedSnippet,
  deleteSavedSnippet,
  getSavedSnippets,
  updateSavedSnippet,
} from './messages/saved-snippets.js'
import {
  createScheduledMessage,
  deleteScheduledMessage,
  getScheduledMessages,
  updateScheduledMessage,
} from './messages/scheduled-messages.js'
import { getSearchCorrections } from './messages/search-corrections.js'
import { addSubmessage } from './messages/submessages.js'
import { deleteTopic, getMatchingTopics, getStreamTopics } from './messages/topics.js'
import { sendEditTyping, sendEditTypingOf, sendTyping } from './messages/typing.js'
import { updateMutedTopics, updateUserTopic } from './messages/user-topics.js'
import { runCommand } from './messages/zcommands.js'
import { getAuditLog } from './realm/audit-log.js'
import { deactivateRealm } from './realm/deactivate-realm.js'
import { deleteEmoji, getEmoji, uploadEmoji } from './realm/emoji.js'
import { getExportArchive, getExportConsents, getExports, removeExport, requestExport } from './realm/exports.js'
import {
  createLinkifier,
  deleteLinkifier,
  getFilters,
  getLinkifiers,
  reorderLinkifiers,
  updateLinkifier,
} from './realm/linkifiers.js'
import { createPlayground, deletePlayground } from './realm/playgrounds.js'
import { createRealmDomain, deleteRealmDomain, getRealmDomains, updateRealmDomain } from './realm/realm-domains.js'
import {
  deleteRealmIcon,
  deleteRealmLogo,
  getRealmIcon,
  getRealmLogo,
  uploadRealmIcon,
  uploadRealmLogo,
} from './realm/realm-pictures.js'
import { updateRealm, updateSettingDefaults } from './realm/realm-settings.js'
import { getCompatibility, getServerSettings } from './realm/server-settings.js'
import { getStatistics } from './realm/statistics.js'
import { getUndo, undoAct } from './realm/undo.js'
import { createBigBlueButtonCall, createZoomCall } from './realm/video-calls.js'
import { testWelcomeMessage } from './realm/welcome-message.js'
import { addAlertWords, getAlertWords, removeAlertWords } from './users/alert-words.js'
import { getBotApiKey, regenerateBotApiKey, regenerateOwnApiKey } from './users/api-keys.js'
import {
  deleteOwnAvatar,
  getAvatar,
  getAvatarByEmail,
  getMediumAvatar,
  getMediumAvatarByEmail,
  getPicture,
  setOwnAvatar,
} from './users/avatars.js'
import { deleteBotStorage, getBotStorage, updateBotStorage } from './users/bot-storage.js'
import { createBot, deactivateBot, getBots, updateBot } from './users/bots.js'
import { muteUser, unmuteUser } from './users/muted-users.js'
import {
  addNavigationView,
  getNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from './users/navigation-views.js'
import { markOnboardingStep } from './users/onboarding.js'
import { getRealmPresence, getUserPresence, updatePresence } from './users/presence.js'
import {
  createField,
  deleteOwnProfileData,
  getProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateOwnProfileData,
  updateProfileField,
} from './users/profile-fields.js'
import {
  addAndroidDevice,
  addAppleDevice,
  registerPushDevice,
  removeAndroidDevice,
  removeAppleDevice,
  testPushNotification,
} from './users/push-devices.js'
import { updateSettings } from './users/settings.js'
import { getStatus, updateStatus, updateStatusOfUser } from './users/statuses.js'
import {
  deactivateOwnUser,
  deactivateUser,
  reactivateUser,
  updateUser,
  updateUserByEmail,
} from './users/user-updates.js'
import { createUserAccount, getOwnUser, getUser, getUserByEmail, getUsers } from './users/users.js'

/** The endpoints by name. The call pipeline, the OpenAPI document and the typed test client read this list. */
export const registry = {
  getServerSettings,
  getCompatibility,
  fetchApiKey,
  jwtFetchApiKey,
  devFetchApiKey,
  devListUsers,
  createSession,
  getCurrentSession,
  endCurrentSession,
  getDemoAccounts,
  getSessionState,
  createDemoSession,
  getSessions,
  endOtherSession,
  beginExternalLogIn,
  finishExternalLogIn,
  createSessionFromTicket,
  createSessionWithCode,
  showSecondHalf,
  finishSecondHalf,
  showAppLogIn,
  logInForApp,
  getSecondFactor,
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
  showApiKey,
  endSecondFactorOfUser,
  beginFactorAtLogIn,
  confirmFactorAtLogIn,
  endSessionsByProvider,
  endSessionInBrowser,
  getSamlMetadata,
  receiveSamlAnswer,
  logOutWithSaml,
  postSamlLogOut,
  getIdentities,
  linkIdentity,
  unlinkIdentity,
  getLogInMethods,
  createLogInMethod,
  updateLogInMethod,
  deleteLogInMethod,
  register,
  getEvents,
  deleteEvents,
  createEventSubscription,
  deleteEventSubscription,
  getEventSubscription,
  getEventSubscriptions,
  pauseEventSubscription,
  replaceEventSubscriptionSecret,
  replayEventSubscription,
  resumeEventSubscription,
  testEventSubscription,
  updateEventSubscription,
  acknowledgeEvent,
  getPositions,
  deletePosition,
  createStreamTicket,
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
  getApiKeys,
  createApiKey,
  endApiKey,
  getAllApiKeys,
  endApiKeyOfUser,
  getBots,
  createBot,
  updateBot,
  deactivateBot,
  getBotApiKey,
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
  showSignUp,
  askToSignUp,
  showSignUpLink,
  signUp,
  getSignUps,
  approveSignUpRequest,
  refuseSignUpRequest,
  showEmailChange,
  confirmEmailChange,
  showMailUnsubscribing,
  unsubscribeFromMail,
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
  getExternalPicture,
  getThumbnail,
  deactivateRealm,
  getAuditLog,
  getUndo,
  undoAct,
  getStatistics,
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
  getUserChannels,
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
  reorderChannelFolders,
  createChannel,
  testWelcomeMessage,
  registerPushDevice,
  sendMessage,
  getMessages,
  getMatchesNarrow,
  getSearchCorrections,
  getMatchingTopics,
  getMessage,
  editMessage,
  getMessageHistory,
  renderMessage,
  getReadReceipts,
  createReminder,
  getReminders,
  deleteReminder,
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
  getDeletedMessages,
  restoreMessages,
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
  updateStatusOfUser,
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
