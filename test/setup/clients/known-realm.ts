/** What a live realm knows, in a form in which an old one and a new one are compared. */
import type { Message } from '../../../client/src/index.js'
import type { MessageWindow, Realm } from '../../../client/src/realm/index.js'

/** The stores of a realm as plain values. Lists whose order has no meaning are sorted. */
export const knownRealm = (realm: Realm): Record<string, unknown> => ({
  self: realm.self.get(),
  organization: plain(withoutDerived(realm.organization.get())),
  settings: realm.settings.get(),
  settingDefaults: realm.settingDefaults.get(),
  users: plain(realm.users.get()),
  // Only subscribers are told a channel's first message.
  channels: plain(hide(realm.channels.get(), 'first_message_id')),
  subscriptions: plain(hide(realm.subscriptions.get(), 'first_message_id')),
  folders: plain(realm.folders.get()),
  groups: plain(realm.groups.get()),
  topicPolicies: plain(shownPolicies(realm, realm.topicPolicies.get())),
  userTopics: plain(shownPolicies(realm, realm.userTopics.get())),
  unread: plain(realm.unread.get()),
  starred: plain(realm.starred.get()),
  mutedUsers: plain(realm.mutedUsers.get()),
  statuses: plain(realm.statuses.get()),
  drafts: plain(realm.drafts.get()),
  savedSnippets: plain(realm.savedSnippets.get()),
  alertWords: realm.alertWords.get(),
  navigationViews: plain(realm.navigationViews.get()),
  onboardingSteps: plain(realm.onboardingSteps.get()),
  emoji: plain(realm.emoji.get()),
})

/**
 * Lists the messages of a window, without what no event changes. That is: names and pictures, the history of edits, and
 * `recipient_id`.
 */
export const knownMessages = (window: MessageWindow): unknown[] =>
  window.get().messages.map(({ edit_history: _, recipient_id: __, ...message }) => ({
    ...message,
    // The store of users has the sender's present name, and the picture that is drawn of it.
    sender_full_name: undefined,
    avatar_url: undefined,
    flags: [...(message.flags ?? [])].filter((flag) => flag !== 'historical').sort(),
    reactions: message.reactions.map(({ user: _, ...reaction }) => reaction),
    display_recipient: recipient(message),
  }))

const recipient = ({ display_recipient }: Pick<Message, 'display_recipient'>) =>
  typeof display_recipient === 'string' ? display_recipient : display_recipient.map(({ id }) => id).sort()

/** Values that clients compute from others, or of an older form that no event updates. */
const derived =
  /^(server_timestamp|realm_((email|password)_auth_enabled|allow_edit_history|create_.*_stream_policy|wildcard_mention_policy))$/

const withoutDerived = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !derived.test(key)))

/** A registration has no policies for topics of channels that are archived, or that the user cannot see. */
const shownPolicies = <T>({ channels }: Realm, policies: ReadonlyMap<number, ReadonlyMap<string, T>>) =>
  new Map([...policies].filter(([id, topics]) => topics.size > 0 && channels.get().get(id)?.is_archived === false))

const hide = <K>(map: ReadonlyMap<K, object>, field: string) =>
  new Map([...map].map(([key, row]) => [key, { ...row, [field]: undefined }]))

/** Converts maps and sets to objects and sorted lists, and sorts lists of numbers. */
const plain = (value: unknown): unknown => {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, inner]) => [String(key), plain(inner)]).sort())
  }
  if (value instanceof Set) return [...value].sort()
  if (Array.isArray(value)) {
    return typeof value[0] === 'number' ? [...value].sort((a, b) => a - b) : value.map(plain)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}
