/** What all parts of the page read and change: the live organization, with its stores as signals. */
import type { Client, ConnectionState } from '@parley/client'
import type {
  Channel,
  CustomEmoji,
  Draft,
  Folder,
  MessagesView,
  MessageWindow,
  NavigationView,
  Organization,
  Realm,
  SavedSnippet,
  ScheduledMessage,
  SettingDefaults,
  Subscription,
  Topic,
  TopicPolicy,
  Unread,
  User,
  UserGroup,
  UserSettings,
  UserStatus,
  UserTopic,
} from '@parley/client/realm'
import type { ReadonlySignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** Whether a user is at a computer. */
export type PresenceWord = 'active' | 'idle' | 'offline'

/** A window of messages, with what it holds as a signal. */
export interface OpenWindow extends Omit<MessageWindow, 'subscribe'> {
  readonly view: ReadonlySignal<MessagesView>
}

/** The live organization. Each signal has the state after the last event. */
export interface Chat {
  readonly realm: Realm
  readonly client: Client
  /** undefined for a visitor */
  readonly ownUserId: number | undefined
  readonly organization: ReadonlySignal<Organization>
  readonly settings: ReadonlySignal<UserSettings>
  /** the settings that a new account begins with */
  readonly settingDefaults: ReadonlySignal<SettingDefaults>
  readonly users: ReadonlySignal<ReadonlyMap<number, User>>
  readonly groups: ReadonlySignal<ReadonlyMap<number, UserGroup>>
  /** all channels that the user may see, also those without a subscription */
  readonly channels: ReadonlySignal<ReadonlyMap<number, Channel>>
  readonly subscriptions: ReadonlySignal<ReadonlyMap<number, Subscription>>
  readonly folders: ReadonlySignal<ReadonlyMap<number, Folder>>
  readonly topicPolicies: ReadonlySignal<ReadonlyMap<number, ReadonlyMap<string, TopicPolicy>>>
  /** channel id → topic in lower case → the policy, and the topic as written */
  readonly userTopics: ReadonlySignal<ReadonlyMap<number, ReadonlyMap<string, UserTopic>>>
  readonly unread: ReadonlySignal<Unread>
  readonly starred: ReadonlySignal<ReadonlySet<number>>
  /** conversation, such as `'5,7'`, to the id of its newest message */
  readonly directConversations: ReadonlySignal<ReadonlyMap<string, number>>
  /** only users who are not offline */
  readonly presence: ReadonlySignal<ReadonlyMap<number, PresenceWord>>
  /** by id; also deactivated ones */
  readonly emoji: ReadonlySignal<ReadonlyMap<string, CustomEmoji>>
  readonly drafts: ReadonlySignal<ReadonlyMap<number, Draft>>
  readonly scheduledMessages: ReadonlySignal<ReadonlyMap<number, ScheduledMessage>>
  readonly savedSnippets: ReadonlySignal<ReadonlyMap<number, SavedSnippet>>
  readonly alertWords: ReadonlySignal<readonly string[]>
  /** by fragment; a built-in view is in it when the user chose where it is shown */
  readonly navigationViews: ReadonlySignal<ReadonlyMap<string, NavigationView>>
  /** the names of the onboarding steps that the user has not seen */
  readonly onboardingSteps: ReadonlySignal<ReadonlySet<string>>
  readonly statuses: ReadonlySignal<ReadonlyMap<number, UserStatus>>
  /** the ids of users whom the user muted */
  readonly mutedUsers: ReadonlySignal<ReadonlySet<number>>
  readonly typing: ReadonlySignal<ReadonlyMap<string, ReadonlySet<number>>>
  readonly connection: ReadonlySignal<ConnectionState>
  /** The topics of a channel, newest first; undefined until they are fetched. */
  topics(channelId: number): ReadonlySignal<readonly Topic[] | undefined>
  /** The ids of the subscribers of a channel; undefined until they are fetched. */
  members(channelId: number): ReadonlySignal<ReadonlySet<number> | undefined>
  /** Opens a window of the messages of a narrow. */
  messages(...input: Parameters<Realm['messages']>): OpenWindow
  close(): void
}

/** Gives the chat to all parts of the page. */
export const ChatContext = createContext<Chat | undefined>(undefined)

/** The live organization. Throws an Error outside of ChatContext. */
export const useChat = (): Chat => {
  const chat = useContext(ChatContext)
  if (chat === undefined) throw new Error('useChat is used outside of ChatContext.')
  return chat
}
