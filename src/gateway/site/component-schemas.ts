/**
 * The schemas that have a name. Each one is a component of the OpenAPI document, and a type of the client library.
 *
 * 1. The document refers to the component wherever it has a schema of this list.
 * 2. An object that the document has at several places is in this list: `test/http/openapi.test.ts` finds any other
 *    with three properties.
 */
import { z } from 'zod'
import {
  createdChannels,
  deletedChannels,
  folderObject,
  updatedChannel,
} from '../../domain/channels/channel-entries.js'
import { channelObject } from '../../domain/channels/channels.js'
import { defaultChannelGroupObject } from '../../domain/channels/default-channel-group-entries.js'
import { addedSubscribers, addedSubscriptions, newSubscription } from '../../domain/channels/subscription-entries.js'
import { eventSubscriptionObject } from '../../domain/event-subscriptions/event-subscriptions.js'
import { attachmentObject } from '../../domain/files/attachment-entries.js'
import { createdGroup, updatedGroup } from '../../domain/groups/group-entries.js'
import { groupObject } from '../../domain/groups/user-groups.js'
import { snippetObject } from '../../domain/messages/draft-entries.js'
import { draftObject, draftParameter } from '../../domain/messages/drafts.js'
import {
  foundFile,
  historyItem,
  messageObject,
  participant,
  reactionObject,
  submessageObject,
  topicLink,
} from '../../domain/messages/message.js'
import { reminderObject } from '../../domain/messages/reminders.js'
import { scheduledMessageObject } from '../../domain/messages/scheduled-message-entries.js'
import { typingUser } from '../../domain/messages/typing-entries.js'
import { groupSettingUpdate } from '../../domain/permissions/group-setting-rules.js'
import { authenticationMethod } from '../../domain/realm/authentication.js'
import { customEmojiObject } from '../../domain/realm/custom-emoji-entries.js'
import { linkifierObject } from '../../domain/realm/linkifier-entries.js'
import { playgroundObject } from '../../domain/realm/playground-entries.js'
import { domainObject } from '../../domain/realm/realm-domain-entries.js'
import { realmSettingValue } from '../../domain/realm/realm-entries.js'
import { realmExport } from '../../domain/realm/realm-export-entries.js'
import { changedSetting } from '../../domain/realm/realm-updates.js'
import { listedSubscription } from '../../domain/register/channels.js'
import { emojisetChoice, settingsDefaultsObject, userSettingsObject } from '../../domain/register/settings.js'
import { permissionRule } from '../../domain/register/supported-permissions.js'
import { registeredUser } from '../../domain/register/users.js'
import { groupSettingValue } from '../../domain/settings/group-setting-values.js'
import { botObject, serviceObject } from '../../domain/users/bots/bots.js'
import { navigationViewObject } from '../../domain/users/personal/navigation-view-entries.js'
import { onboardingStep } from '../../domain/users/personal/onboarding.js'
import { mutedUser } from '../../domain/users/personal/personal-list-entries.js'
import { legacyPresence, presenceEntry, slimPresence, websitePresence } from '../../domain/users/presence/presence.js'
import { statusObject } from '../../domain/users/presence/statuses.js'
import { profileFieldObject } from '../../domain/users/profiles/profile-field-entries.js'
import { profileData, userObject } from '../../domain/users/users.js'
import { credentials, developmentAccount } from '../api/accounts/fetch-api-key.js'
import { currentSession } from '../api/accounts/sessions.js'
import { requestedChannel } from '../api/channels/channel-params.js'
import { clientCapabilities } from '../api/events/register.js'
import { begunEnrolment, sessionWithCodes } from '../api/log-in/second-factor.js'
import { narrowTerm } from '../api/messages/messages.js'
import { auditChange } from '../api/realm/audit-log.js'
import { currentPresence } from '../api/users/presence.js'
import { profileValue } from '../api/users/profile-fields.js'
import { acknowledgedEvent } from '../call/acknowledge.js'
import { mapInPieces } from './map-in-pieces.js'

type Json = Record<string, unknown>

const namedSchemas: Readonly<Record<string, z.ZodType>> = {
  Ack: acknowledgedEvent,
  AddedSubscribers: addedSubscribers,
  AddedSubscriptions: addedSubscriptions,
  Attachment: attachmentObject,
  AuditChange: auditChange,
  AuthenticationMethod: authenticationMethod,
  Bot: botObject,
  ClientCapabilities: clientCapabilities,
  EventSubscription: eventSubscriptionObject,
  BotService: serviceObject,
  ChangedRealmSetting: changedSetting,
  Channel: channelObject,
  ChannelFolder: folderObject,
  CreatedChannels: createdChannels,
  CreatedGroup: createdGroup,
  Credentials: credentials,
  CurrentPresence: currentPresence,
  CurrentSession: currentSession,
  SessionWithCodes: sessionWithCodes,
  BegunEnrolment: begunEnrolment,
  CustomEmoji: customEmojiObject,
  CustomProfileField: profileFieldObject,
  DefaultChannelGroup: defaultChannelGroupObject,
  DeletedChannels: deletedChannels,
  DevelopmentAccount: developmentAccount,
  Draft: draftObject,
  EmojisetChoice: emojisetChoice,
  FoundFile: foundFile,
  GroupSettingUpdate: groupSettingUpdate,
  GroupSettingValue: groupSettingValue,
  LegacyPresence: legacyPresence,
  Linkifier: linkifierObject,
  Message: messageObject,
  MessageEdit: historyItem,
  MutedUser: mutedUser,
  NarrowTerm: narrowTerm,
  NavigationView: navigationViewObject,
  NewDraft: draftParameter,
  NewSubscription: newSubscription,
  OnboardingStep: onboardingStep,
  Participant: participant,
  PermissionRule: permissionRule,
  Playground: playgroundObject,
  Presence: slimPresence,
  PresenceEntry: presenceEntry,
  ProfileData: profileData,
  ProfileFieldValue: profileValue,
  Reaction: reactionObject,
  RealmDomain: domainObject,
  RealmExport: realmExport,
  RealmSettingValue: realmSettingValue,
  RegisteredUser: registeredUser,
  Reminder: reminderObject,
  RequestedChannel: requestedChannel,
  SavedSnippet: snippetObject,
  ScheduledMessage: scheduledMessageObject,
  Submessage: submessageObject,
  Subscription: listedSubscription,
  TopicLink: topicLink,
  TypingUser: typingUser,
  UpdatedChannel: updatedChannel,
  UpdatedGroup: updatedGroup,
  User: userObject,
  UserGroup: groupObject,
  UserSettings: userSettingsObject,
  UserSettingsDefaults: settingsDefaultsObject,
  UserStatus: statusObject,
  WebsitePresence: websitePresence,
}

// zod makes a reference of each inner schema that has an id.
for (const [id, schema] of Object.entries(namedSchemas)) z.globalRegistry.add(schema, { ...schema.meta(), id })

/** Composes the components. */
export const composeNamedSchemas = async (): Promise<Json> =>
  Object.fromEntries(
    await mapInPieces(Object.entries(namedSchemas), ([name, schema]) => [name, convert(schema).$defs?.[name]]),
  )

/** Converts a schema to a JSON schema of what clients send. It refers to the components of the OpenAPI document. */
export const toJsonSchema = (schema: z.ZodType): Json => {
  const { $schema, $defs, ...rest } = convert(schema)
  return rest
}

interface Converted extends Json {
  $defs?: Json
}

const convert = (schema: z.ZodType): Converted => {
  const converted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
