/** Connects the page to the organization. */
import { createClient, type Store } from '@parley/client'
import { openRealm } from '@parley/client/realm'
import type { ReadonlySignal } from '@preact/signals'
import type { Chat } from './chat.js'
import { followPresence } from './presence.js'
import { followStore } from './store-signals.js'

/** A visitor may read web-public channels, and must say so. */
const publicChannels = { operator: 'channels', operand: 'web-public' }

/**
 * Opens the live organization for the user of the session, or for a visitor. Throws ApiError when the session has
 * ended.
 * @param onEnd is called with the reason when the events have ended for good, such as the end of the session
 */
export const openChat = async (as: 'user' | 'visitor', onEnd: (reason: Error) => void): Promise<Chat> => {
  const client = createClient({ url: location.origin, credentials: as === 'user' ? 'session' : 'none' })
  const realm = await openRealm(client, { isPaused: () => document.hidden, isShared: true })
  realm.ended.catch(onEnd)
  const stops: (() => void)[] = []
  const follow = <T>(store: Store<T>): ReadonlySignal<T> => {
    const { signal, stop } = followStore(store)
    stops.push(stop)
    return signal
  }
  const organization = follow(realm.organization)
  const presence = followPresence(realm, follow(realm.presence), as === 'user')
  stops.push(presence.stop)
  return {
    realm,
    client,
    ownUserId: as === 'user' ? realm.self.get().user_id : undefined,
    organization,
    settings: follow(realm.settings),
    settingDefaults: follow(realm.settingDefaults),
    users: follow(realm.users),
    groups: follow(realm.groups),
    channels: follow(realm.channels),
    subscriptions: follow(realm.subscriptions),
    folders: follow(realm.folders),
    topicPolicies: follow(realm.topicPolicies),
    userTopics: follow(realm.userTopics),
    unread: follow(realm.unread),
    starred: follow(realm.starred),
    directConversations: follow(realm.directConversations),
    presence: presence.signal,
    emoji: follow(realm.emoji),
    drafts: follow(realm.drafts),
    scheduledMessages: follow(realm.scheduledMessages),
    savedSnippets: follow(realm.savedSnippets),
    alertWords: follow(realm.alertWords),
    navigationViews: follow(realm.navigationViews),
    onboardingSteps: follow(realm.onboardingSteps),
    statuses: follow(realm.statuses),
    mutedUsers: follow(realm.mutedUsers),
    typing: follow(realm.typing),
    connection: follow(realm.connection.state),
    topics: followEach((channelId) => follow(realm.topics(channelId))),
    members: followEach((channelId) => follow(realm.members(channelId))),
    messages(narrow, options) {
      const window = realm.messages(as === 'user' ? narrow : [...narrow, publicChannels], options)
      const { signal: view, stop } = followStore(window)
      return {
        view,
        get: window.get,
        loadOlder: window.loadOlder,
        loadNewer: window.loadNewer,
        jumpTo: window.jumpTo,
        setReading: window.setReading,
        close() {
          stop()
          window.close()
        },
      }
    },
    close() {
      for (const stop of stops) stop()
      realm.close()
    },
  }
}

/** Follows the store of each channel once. */
const followEach = <T>(followOne: (channelId: number) => T): ((channelId: number) => T) => {
  const followed = new Map<number, T>()
  return (channelId) => {
    const known = followed.get(channelId)
    if (known !== undefined) return known
    const opened = followOne(channelId)
    followed.set(channelId, opened)
    return opened
  }
}
