/** Opens the live realm of a client. */

import type { Client } from '../client.js'
import type { Transport } from '../events/connection.js'
import { capabilities } from '../events/stream/registering.js'
import type { Event, Narrow, Reset } from '../kernel/api.js'
import { createChannels } from './channels.js'
import { isTopicMuted } from './conversations.js'
import { createFetchedLists } from './fetched.js'
import { createGroups } from './groups.js'
import type { DatedEvent } from './message-changes.js'
import { type OpenWindow, openMessageWindow } from './message-window.js'
import { channelOfNarrow, showsAllPublic } from './narrow.js'
import { createOrganization, createPersonal } from './organization.js'
import { keepRefreshing } from './refreshing.js'
import type { Section } from './section.js'
import type { MessageWindow, Presence, Realm, WindowOptions } from './types.js'
import { createTyping } from './typing.js'
import { createUnread } from './unread.js'
import { createUsers } from './users.js'

/** How the events of a realm are read. */
export interface RealmOptions {
  transports?: readonly Transport[]
  /** see EventsOptions */
  isShared?: boolean
  signal?: AbortSignal
  /** Whether nobody reads now: then the library does not ask for the messages of which no events tell. */
  isPaused?: () => boolean
}

/** The sections of a registration that the stores need. */
const sectionNames = [
  ...['realm', 'realm_user', 'realm_user_groups', 'realm_emoji', 'realm_linkifiers', 'realm_playgrounds'],
  ...['custom_profile_fields', 'stream', 'subscription', 'channel_folders', 'default_streams', 'message'],
  ...['update_message_flags', 'starred_messages', 'recent_private_conversations', 'user_topic', 'muted_users'],
  ...['realm_domains', 'default_stream_groups', 'realm_user_settings_defaults', 'onboarding_steps'],
  ...['presence', 'user_status', 'user_settings', 'drafts', 'scheduled_messages', 'saved_snippets', 'alert_words'],
  'navigation_views',
]

/**
 * Registers for events, and returns the realm when its stores have the snapshot. Throws ApiError when the credentials
 * are refused, and TypeError when none of the transports can be used here.
 */
export const openRealm = async (
  client: Client,
  { isPaused = () => false, ...options }: RealmOptions = {},
): Promise<Realm> => {
  const events = client.events({ ...options, ...registration })
  const sections = createSections(client)
  const parts: readonly Section[] = Object.values(sections).map(({ section }) => section)
  const windows = openWindows(client, sections.fetched, isPaused, () => realm)
  const listeners = new Set<(event: Event | Reset) => void>()

  let newestId = 0
  const apply = (event: Event | Reset) => {
    if (event.type === 'reset') for (const part of parts) part.load(event.snapshot)
    else for (const { handlers } of parts) (handlers[event.type] as Handler | undefined)?.(event)
    if (event.type === 'reset') newestId = event.snapshot.max_message_id ?? 0
    else if (event.type === 'message') newestId = Math.max(newestId, event.message.id)
    windows.receive(event.type === 'reset' ? event : { ...event, newestId })
    for (const listener of [...listeners]) listener(event)
  }

  const snapshot = await events.snapshot
  for (const part of parts) part.load(snapshot)
  newestId = snapshot.max_message_id ?? 0

  const read = async () => {
    for await (const event of events) apply(event)
  }
  const ended = read()
  ended.catch(() => {})

  const realm: Realm = {
    client,
    connection: events,
    ...collectStores(sections),
    topics: sections.fetched.topics,
    members: sections.fetched.members,
    messages: windows.open,
    reportPresence: openPresence(client, sections.users.presence, snapshot.presence_last_update_id),
    get newestMessageId() {
      return newestId
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    ended,
    close() {
      events.close()
      sections.typing.clear()
      windows.close()
    },
  }
  return realm
}

/** Creates the sections. That of users is loaded first: others need to know who the user is. */
const createSections = (client: Client) => {
  const users = createUsers()
  const selfId = () => users.self.get().user_id
  const channels = createChannels()
  return {
    users,
    channels,
    groups: createGroups(),
    organization: createOrganization(),
    personal: createPersonal(),
    unread: createUnread(selfId, (channelId, topic) => isTopicMuted(channels, channelId, topic)),
    typing: createTyping(selfId),
    fetched: createFetchedLists(client, selfId),
  }
}
type Sections = ReturnType<typeof createSections>

const collectStores = ({ users, channels, groups, organization, personal, unread, typing }: Sections) => ({
  self: users.self,
  organization: organization.organization,
  settings: personal.settings,
  settingDefaults: organization.settingDefaults,
  users: users.users,
  channels: channels.channels,
  subscriptions: channels.subscriptions,
  folders: channels.folders,
  groups: groups.groups,
  topicPolicies: channels.topicPolicies,
  userTopics: channels.userTopics,
  unread: unread.unread,
  starred: unread.starred,
  mutedUsers: users.mutedUsers,
  directConversations: unread.directConversations,
  presence: users.presence,
  statuses: users.statuses,
  typing: typing.typing,
  drafts: personal.drafts,
  scheduledMessages: personal.scheduledMessages,
  savedSnippets: personal.savedSnippets,
  alertWords: personal.alertWords,
  navigationViews: personal.navigationViews,
  onboardingSteps: personal.onboardingSteps,
  emoji: organization.emoji,
})

/** Opens the windows of a realm. */
const openWindows = (client: Client, fetched: Sections['fetched'], isPaused: () => boolean, realm: () => Realm) => {
  const isAccount = client.credentials !== 'none'
  const windows = new Set<OpenWindow>()
  return {
    open(narrow: Narrow, options: WindowOptions = {}): MessageWindow {
      const window = openMessageWindow(client, realm(), narrow, options, (closed) => {
        windows.delete(closed)
        stopRefreshing()
      })
      windows.add(window)
      const channelId = () => channelOfNarrow(realm(), window.get().narrow)
      const stopRefreshing = keepRefreshing(window, {
        hasNoEvents() {
          const id = channelId()
          if (!isAccount || (id === undefined && showsAllPublic(window.get().narrow))) return true
          return id !== undefined && realm().channels.get().has(id) && !realm().subscriptions.get().has(id)
        },
        isPaused,
        note: fetched.note,
        refreshTopics: () => fetched.refreshTopics(channelId() ?? 0),
      })
      return window
    },
    receive(event: DatedEvent | Reset): void {
      for (const window of [...windows]) window.receive(event)
    },
    close(): void {
      for (const window of [...windows]) window.close()
    },
  }
}

/** Returns the function that reports the presence of the user. @param lastId the newest presence that is known */
const openPresence = (client: Client, store: Sections['users']['presence'], lastId = -1): Realm['reportPresence'] => {
  let lastPresenceId = lastId
  return async (status, new_user_input = false) => {
    if (client.credentials === 'none') return
    const answer = await client.call('POST /users/me/presence', {
      status,
      new_user_input,
      slim_presence: true,
      last_update_id: lastPresenceId,
    })
    lastPresenceId = answer.presence_last_update_id ?? lastPresenceId
    const changed = Object.entries((answer.presences ?? {}) as Record<string, Presence>)
    if (changed.length === 0) return
    const all = new Map(store.get())
    for (const [id, presence] of changed) all.set(Number(id), presence)
    store.set(all)
  }
}

type Handler = (event: Event) => void

/** `user_list_incomplete`: accounts that the user may not see are left out, and have no placeholder. */
const realmCapabilities = { ...capabilities, user_list_incomplete: true }

const registration = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  fetch_event_types: sectionNames,
  client_capabilities: realmCapabilities,
}
