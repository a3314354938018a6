/**
 * The organization as the rules of rules/ read it, from the stores of the page.
 *
 * The server reads its own state by the same rules, so the page offers what the server permits. What is not known here
 * counts as permitted to nobody.
 */
import type { Channel, Organization, User } from '@parley/client/realm'
import { realmGroupRules, SystemGroup } from '#rules/group-settings.js'
import type {
  Account,
  Channel as ChannelOfRules,
  Organization as OrganizationOfRules,
  Settings,
} from '#rules/organization.js'
import type { Chat } from './chat.js'

/** Reads the stores as the rules need them. */
export const readOrganization = (chat: Chat): OrganizationOfRules => ({
  settings: readSettings(chat.organization.value),
  users: {
    get(id) {
      const user = chat.users.value.get(id)
      return user === undefined ? undefined : readAccount(chat, user)
    },
  },
  directMembers(id) {
    const group = chat.groups.value.get(id)
    return { has: (userId) => group?.members.includes(userId) === true }
  },
  directSubgroups: (id) => chat.groups.value.get(id)?.direct_subgroup_ids ?? [],
  isSubscribed: (userId, channelId) => userId === chat.ownUserId && chat.subscriptions.value.has(channelId),
})

/** Reads the account of the user; undefined for a visitor. */
export const readOwnAccount = (chat: Chat): Account | undefined => {
  const user = chat.ownUserId === undefined ? undefined : chat.users.value.get(chat.ownUserId)
  return user === undefined ? undefined : readAccount(chat, user)
}

/** Reads an account. */
export const readAccount = (chat: Chat, user: User): Account => ({
  id: user.user_id,
  role: user.role,
  is_active: user.is_active,
  is_bot: user.is_bot,
  is_system_bot: user.is_system_bot === true,
  bot_owner_id: user.bot_owner_id ?? null,
  date_joined: readJoiningTime(chat, user),
})

/**
 * The page knows only the minute in which an account joined. The server tells exactly who is a full member, by the
 * members of the group.
 */
const readJoiningTime = (chat: Chat, { user_id }: User): number =>
  chat.groups.value.get(SystemGroup.fullmembers)?.members.includes(user_id) === true ? 0 : Number.POSITIVE_INFINITY

const channels = new WeakMap<Channel, ChannelOfRules>()

/** Reads a channel. */
export const readChannel = (channel: Channel): ChannelOfRules => {
  const known = channels.get(channel)
  if (known !== undefined) return known
  const read = { ...channel, id: channel.stream_id }
  channels.set(channel, read)
  return read
}

const settings = new WeakMap<Organization, Settings>()

const readSettings = (organization: Organization): Settings => {
  const known = settings.get(organization)
  if (known !== undefined) return known
  const fields: Readonly<Record<string, unknown>> = organization
  const permissions = Object.keys(realmGroupRules).map((name) => [name, fields[`realm_${name}`] ?? SystemGroup.nobody])
  const read: Settings = {
    ...(Object.fromEntries(permissions) as Pick<Settings, keyof typeof realmGroupRules>),
    waiting_period_threshold: organization.realm_waiting_period_threshold ?? 0,
    allow_message_editing: organization.realm_allow_message_editing ?? true,
    message_content_edit_limit_seconds: organization.realm_message_content_edit_limit_seconds ?? null,
    message_content_delete_limit_seconds: organization.realm_message_content_delete_limit_seconds ?? null,
    move_messages_within_stream_limit_seconds: organization.realm_move_messages_within_stream_limit_seconds ?? null,
    move_messages_between_streams_limit_seconds: organization.realm_move_messages_between_streams_limit_seconds ?? null,
    topics_policy: organization.realm_topics_policy ?? 'allow_empty_topic',
  }
  settings.set(organization, read)
  return read
}
