/** What the live realm holds. Rows have the fields of the API; the comments say what the API calls them. */
import type { TopicPolicy } from '#rules/topic-policies.js'
import type { Client } from '../client.js'
import type { EventStream } from '../events/stream/event-stream.js'
import type { Event, Message, Narrow, Reset, Snapshot } from '../kernel/api.js'
import type {
  Channel,
  ChannelFolder,
  CustomEmoji,
  CustomProfileField,
  Draft,
  Linkifier,
  NavigationView,
  Reaction,
  RegisteredUser,
  Reminder,
  SavedSnippet,
  ScheduledMessage,
  Subscription,
  UserGroup,
  UserStatus,
} from '../kernel/api-types.js'
import type { Store } from '../kernel/store.js'

export type {
  Channel,
  CustomEmoji,
  CustomProfileField,
  Draft,
  Linkifier,
  NavigationView,
  Reaction,
  Reminder,
  SavedSnippet,
  ScheduledMessage,
  Subscription,
  UserGroup,
  UserStatus,
}

/** An account, also one that was deactivated. */
export type User = RegisteredUser & { is_active: boolean }
/** A folder of channels. */
export type Folder = ChannelFolder
export type UserSettings = NonNullable<Snapshot['user_settings']>
/** The settings that a new account begins with. */
export type SettingDefaults = NonNullable<Snapshot['realm_user_settings_defaults']>

/** The fields of the registration that begin with `realm_`, `server_` or `max_`, under their names there. */
export type Organization = {
  readonly [K in keyof Snapshot as K extends `realm_${string}` | `server_${string}` | `max_${string}`
    ? K
    : never]: Snapshot[K]
} & Pick<Snapshot, 'custom_profile_fields'>

/** The user whose account the client uses. */
export interface Self {
  readonly user_id: number
  readonly email: string
  readonly full_name: string
  readonly avatar_url: string
  readonly role: number
  /** owners are administrators too, and administrators are moderators too */
  readonly is_owner: boolean
  readonly is_admin: boolean
  readonly is_moderator: boolean
  readonly is_guest: boolean
}

/** 0: as in the channel, 1: muted, 2: unmuted in a muted channel, 3: followed */
export type { TopicPolicy } from '#rules/topic-policies.js'

/** A topic for which the user has a policy. */
export interface UserTopic {
  readonly stream_id: number
  /** as written */
  readonly topic_name: string
  readonly visibility_policy: TopicPolicy
  /** when the user chose it, in seconds since 1970 */
  readonly last_updated: number
}

/** A topic of a channel, with the id of its newest message. */
export interface Topic {
  readonly name: string
  readonly max_id: number
}

/** The unread messages. The lists of ids are ascending. */
export interface Unread {
  /** channel id → topic, as written → ids */
  readonly channels: ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>
  /** the ids of all participants, ascending and with commas, such as `'5,7'` → ids */
  readonly direct: ReadonlyMap<string, readonly number[]>
  /** the unread messages that mention the user */
  readonly mentions: ReadonlySet<number>
  /** Whether there are so many that the registration left out old ones. */
  readonly isIncomplete: boolean
}

/** When an account was last seen, in seconds since 1970. */
export interface Presence {
  readonly active_timestamp: number
  readonly idle_timestamp: number
}

/** A conversation in which a user types: `'channel:3:greetings'` or `'direct:5,7'`. See `conversationKey`. */
export type ConversationKey = string

/**
 * An organization as one user sees it, kept up to date by events.
 *
 * Each store has one part. Its value is replaced when the part changes, and never changed in place.
 */
export interface Realm {
  readonly client: Client
  /** the state of the connection, and how to switch it; the realm reads the events itself */
  readonly connection: Pick<EventStream, 'state' | 'switchTransport' | 'switchGateway' | 'retryNow' | 'queueId'>
  readonly self: Store<Self>
  readonly organization: Store<Organization>
  readonly settings: Store<UserSettings>
  readonly settingDefaults: Store<SettingDefaults>
  /** by user id; includes system bots, deactivated accounts and the user */
  readonly users: Store<ReadonlyMap<number, User>>
  /** by channel id; all channels that the user may see */
  readonly channels: Store<ReadonlyMap<number, Channel>>
  /** by channel id; the channels to which the user is subscribed */
  readonly subscriptions: Store<ReadonlyMap<number, Subscription>>
  readonly folders: Store<ReadonlyMap<number, Folder>>
  readonly groups: Store<ReadonlyMap<number, UserGroup>>
  /** the user's policies other than 0: channel id → topic in lower case → policy. See `topicPolicy`. */
  readonly topicPolicies: Store<ReadonlyMap<number, ReadonlyMap<string, TopicPolicy>>>
  /** the same policies, with the topics as written: channel id → topic in lower case → row */
  readonly userTopics: Store<ReadonlyMap<number, ReadonlyMap<string, UserTopic>>>
  readonly unread: Store<Unread>
  readonly starred: Store<ReadonlySet<number>>
  /** the ids of users whom the user muted */
  readonly mutedUsers: Store<ReadonlySet<number>>
  /** conversation such as `'5,7'` → the id of its newest message that is known */
  readonly directConversations: Store<ReadonlyMap<string, number>>
  readonly presence: Store<ReadonlyMap<number, Presence>>
  readonly statuses: Store<ReadonlyMap<number, UserStatus>>
  /** the ids of other users who type now */
  readonly typing: Store<ReadonlyMap<ConversationKey, ReadonlySet<number>>>
  readonly drafts: Store<ReadonlyMap<number, Draft>>
  readonly scheduledMessages: Store<ReadonlyMap<number, ScheduledMessage>>
  readonly savedSnippets: Store<ReadonlyMap<number, SavedSnippet>>
  readonly alertWords: Store<readonly string[]>
  /** by fragment; the views that the user added, and built-in views of which the user chose where they are shown */
  readonly navigationViews: Store<ReadonlyMap<string, NavigationView>>
  /** the names of the onboarding steps that the user has not seen */
  readonly onboardingSteps: Store<ReadonlySet<string>>
  /** by id; also deactivated ones */
  readonly emoji: Store<ReadonlyMap<string, CustomEmoji>>
  /** The topics of a channel, newest first; undefined until they are fetched, which the first call begins. */
  topics(channelId: number): Store<readonly Topic[] | undefined>
  /** The ids of the subscribers of a channel; undefined until they are fetched. */
  members(channelId: number): Store<ReadonlySet<number> | undefined>
  /** Opens a window of the messages of a narrow. Close it when it is not shown any more. */
  messages(narrow: Narrow, options?: WindowOptions): MessageWindow
  /** Tells the server that the user is here, and updates the presence of all users. Call it every minute. */
  reportPresence(status: 'active' | 'idle', newUserInput?: boolean): Promise<void>
  /** The greatest id of all messages of which the realm knows: a message that is sent later has a greater one. */
  readonly newestMessageId: number
  /** Calls `listener` with every event, after the stores have it. Returns a function that ends this. */
  onEvent(listener: (event: Event | Reset) => void): () => void
  /** Rejects with the error when the events end for good, for example because the session was ended. */
  readonly ended: Promise<void>
  close(): void
}

/** Where a window of messages is, and whether it is complete at its ends. */
export interface MessagesView {
  /** what the window shows: the narrow with which it was opened, unless it followed a move */
  readonly narrow: Narrow
  /** in the order of their ids; HTML content, and the user's flags */
  readonly messages: readonly Message[]
  /** Whether there is no older message in the narrow. */
  readonly hasOldest: boolean
  /** Whether there is no newer message: new ones are added as they arrive. */
  readonly hasNewest: boolean
  readonly status: 'loading' | 'ready' | 'failed'
  readonly error?: Error
  /** the message to which the last jump led; for `first_unread`, the oldest unread message */
  readonly anchor?: number
}

export interface WindowOptions {
  /** Whether a window of a topic shows another topic when the conversation is moved there. */
  followsMoves?: boolean
}

/** The messages of a narrow around a place, kept up to date by events. */
export interface MessageWindow extends Store<MessagesView> {
  /** Adds older messages. Throws ApiError and ConnectionError. @param count at most 1,000; 100 by default */
  loadOlder(count?: number): Promise<void>
  /** Adds newer messages. Throws ApiError and ConnectionError. */
  loadNewer(count?: number): Promise<void>
  /**
   * Shows another place. A new window begins at `first_unread`, unless something else was called first. Throws ApiError
   * and ConnectionError.
   */
  jumpTo(target: number | 'first_unread' | 'newest' | 'oldest'): Promise<void>
  /**
   * Tells which message the user reads, for example the first one on the screen; undefined: the newest ones. A window
   * has at most `MAX_MESSAGES`, and drops those that are furthest from it.
   */
  setReading(messageId: number | undefined): void
  close(): void
}
