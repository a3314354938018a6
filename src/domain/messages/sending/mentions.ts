/**
 * The mentions of a message: the permission for wildcards and groups, and the flags that mentions set.
 *
 * The cost does not depend on the size of the channel: a channel wildcard is one flag for every subscriber, and other
 * mentions affect only the mentioned users. Source: protocol/messages.md 3.5 and 3.6; protocol/permissions.md 8.1 and
 * 12.5.
 */

import { isHolder, mayInGroup, mayInRealm } from '#rules/permissions.js'
import { BotType, type ChannelRow, type GroupRow, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import type { RenderedContent } from '../../markdown/context/render-context.js'
import { errors } from '../../protocol/errors.js'
import { SystemGroup } from '../../settings/group-setting-values.js'
import { Flag } from '../flags.js'

/** The mentions of a message that notify; silent ones have no effect. */
interface Mentions {
  users: Iterable<number>
  groups: Iterable<number>
  channel_wildcard: boolean
  topic_wildcard: boolean
}

/** The most users whom any sender may mention with a wildcard. */
const MANY = 15

/**
 * The flags that the mentions set, if the sender may mention them. Throws the refusals of protocol/messages.md 3.5.
 * @param topicParticipants the ids of the participants of the topic; empty unless the message mentions them
 */
export const authorizeMentions = (
  state: RealmState,
  sender: UserRow,
  location: { channel: ChannelRow } | { participants: readonly UserRow[] },
  rendered: RenderedContent,
  topicParticipants: readonly number[],
): MentionFlags => {
  const mentions = {
    users: rendered.mentioned_users,
    groups: rendered.mentioned_groups,
    channel_wildcard: rendered.channel_wildcard,
    topic_wildcard: rendered.topic_wildcard,
  }
  if ('participants' in location) {
    checkMentions(state, sender, mentions, undefined, 0)
    return computeDirectMentions(state, mentions, new Set(location.participants.map(({ id }) => id)))
  }
  checkMentions(state, sender, mentions, location.channel, topicParticipants.length)
  return computeChannelMentions(state, mentions, location.channel, topicParticipants)
}

/**
 * Throws STREAM_WILDCARD_MENTION_NOT_ALLOWED or TOPIC_WILDCARD_MENTION_NOT_ALLOWED for a wildcard that the sender may
 * not use, and BAD_REQUEST for such a group. System bots may mention groups open to everyone.
 * @param topicParticipants the number of participants of the topic; 0 unless the message mentions them
 */
const checkMentions = (
  state: RealmState,
  sender: UserRow,
  mentions: Mentions,
  channel: ChannelRow | undefined,
  topicParticipants: number,
): void => {
  if (channel !== undefined && !sender.is_system_bot) {
    const mayMentionMany = () => mayInRealm(state, sender, 'can_mention_many_users_group')
    if (mentions.channel_wildcard && state.subscribers(channel.id).size > MANY && !mayMentionMany()) {
      throw errors.channelWildcardNotAllowed()
    }
    if (mentions.topic_wildcard && topicParticipants > MANY && !mayMentionMany()) {
      throw errors.topicWildcardNotAllowed()
    }
  }
  for (const group_id of mentions.groups) {
    const group = state.groups.get(group_id)
    if (group !== undefined && !mayMention(state, sender, group)) {
      throw errors.badRequest('You may not mention the group “{name}”.', { name: group.name })
    }
  }
}

const mayMention = (state: RealmState, sender: UserRow, group: GroupRow): boolean =>
  sender.is_system_bot
    ? group.can_mention_group === SystemGroup.everyone
    : mayInGroup(state, sender, group, 'can_mention_group')

/** The flags that the mentions of a message set. */
export interface MentionFlags {
  /** flags of every recipient */
  common: number
  /** flags by user id, of the users who have more */
  flags: Map<number, number>
  /** bots that receive the message only because it mentions them */
  also: number[]
}

/** The flags of a channel message. Of users who are not subscribed, only generic bots receive their mention. */
const computeChannelMentions = (
  state: RealmState,
  mentions: Mentions,
  channel: ChannelRow,
  topicParticipants: Iterable<number>,
): MentionFlags => {
  const receives = (user_id: number) => state.subscribers(channel.id).has(user_id)
  const found = computeMentionFlags(state, mentions, receives, state.subscribers(channel.id))
  if (mentions.topic_wildcard) {
    for (const user_id of topicParticipants) {
      if (receives(user_id)) addFlags(found, user_id, Flag.topic_wildcard_mentioned)
    }
  }
  for (const user_id of mentions.users) {
    const bot = state.users.get(user_id)
    if (bot?.bot_type !== BotType.generic || !bot.is_active || bot.is_system_bot || receives(user_id)) continue
    addFlags(found, user_id, Flag.mentioned | Flag.outside)
    found.also.push(user_id)
  }
  return found
}

/** The flags of a direct message: only its participants have any. */
const computeDirectMentions = (
  state: RealmState,
  mentions: Mentions,
  participants: ReadonlySet<number>,
): MentionFlags => computeMentionFlags(state, mentions, (user_id) => participants.has(user_id), participants)

const computeMentionFlags = (
  state: RealmState,
  mentions: Mentions,
  receives: (user_id: number) => boolean,
  receivers: ReadonlySet<number>,
): MentionFlags => {
  const everyone = mentions.channel_wildcard ? Flag.stream_wildcard_mentioned : 0
  const found: MentionFlags = { common: everyone, flags: new Map(), also: [] }
  for (const user_id of mentions.users) if (receives(user_id)) addFlags(found, user_id, Flag.mentioned)
  for (const group_id of mentions.groups) {
    const group = state.groups.get(group_id)
    if (group === undefined || group.deactivated) continue
    for (const user_id of findReceivingMembers(state, group, receives, receivers)) {
      // Clients of this feature level recognize a mention by the first flag only.
      addFlags(found, user_id, Flag.mentioned | Flag.group_mentioned)
    }
  }
  return found
}

/** A user's own row holds all flags of the user, those of every recipient included. */
const addFlags = ({ flags, common: everyone }: MentionFlags, user_id: number, bits: number): void => {
  flags.set(user_id, (flags.get(user_id) ?? everyone) | bits)
}

/** Members of the group and its subgroups who receive the message. */
const findReceivingMembers = (
  state: RealmState,
  group: GroupRow,
  receives: (user_id: number) => boolean,
  receivers: ReadonlySet<number>,
): Iterable<number> => {
  const members = new Set<number>()
  const pending = [group.id]
  const seen = new Set<number>()
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    if (state.groups.get(id)?.is_system_group === true) {
      // Membership in a system group follows from the role, without a list of members: each recipient is checked.
      return [...receivers].filter((user_id) => {
        const user = state.users.get(user_id)
        return user !== undefined && isHolder(state, user, group.id)
      })
    }
    for (const user_id of state.directMembers(id)) if (receives(user_id)) members.add(user_id)
    pending.push(...state.directSubgroups(id))
  }
  return members
}
