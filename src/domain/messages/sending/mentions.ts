/**
 * Whom a message mentions, and what that does: who may mention so many, and whose flags it sets.
 *
 * Nothing here costs more in a larger channel: a channel wildcard is one flag for everybody, and the others reach
 * only the people named. Source: messages.md 3.5 and 3.6; permissions.md 8.1 and 12.5.
 */

import { BotType, type ChannelRow, type GroupRow, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { isIn, mayInGroup, mayInRealm } from '../../permissions/permissions.js'
import { errors } from '../../protocol/errors.js'
import { SystemGroup } from '../../settings/group-setting-values.js'
import { Flag } from '../flags.js'

/** The loud mentions of a message; silent ones do nothing. */
export interface Mentions {
  users: Iterable<number>
  groups: Iterable<number>
  channel_wildcard: boolean
  topic_wildcard: boolean
}

/** Up to how many people anyone may mention with a wildcard. */
const MANY = 15

/**
 * Refuses wildcards and groups that the sender may not mention. System accounts may mention what is open to everyone.
 * @param topicParticipants how many have taken part in the topic; asked for only when the message mentions them
 */
export const checkMentions = (
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
      throw errors.badRequest(`You may not mention the group '${group.name}'.`)
    }
  }
}

const mayMention = (state: RealmState, sender: UserRow, group: GroupRow): boolean =>
  sender.is_system_bot
    ? group.can_mention_group === SystemGroup.everyone
    : mayInGroup(state, sender, group, 'can_mention_group')

/** What the mentions of a message do. */
export interface MentionFlags {
  /** flags of everyone who receives it */
  everyone: number
  /** flags by user id, of those who have more */
  flags: Map<number, number>
  /** bots that receive it because it mentions them */
  also: number[]
}

/** The flags in a channel. Who is not subscribed is not told, but for bots that a person made for such calls. */
export const mentionsInChannel = (
  state: RealmState,
  mentions: Mentions,
  channel: ChannelRow,
  topicParticipants: Iterable<number>,
): MentionFlags => {
  const receives = (user_id: number) => state.subscribers(channel.id).has(user_id)
  const found = flagsOf(state, mentions, receives, state.subscribers(channel.id))
  if (mentions.topic_wildcard) {
    for (const user_id of topicParticipants) {
      if (receives(user_id)) add(found, user_id, Flag.topic_wildcard_mentioned)
    }
  }
  for (const user_id of mentions.users) {
    const bot = state.users.get(user_id)
    if (bot?.bot_type !== BotType.generic || !bot.is_active || bot.is_system_bot || receives(user_id)) continue
    add(found, user_id, Flag.mentioned | Flag.outside)
    found.also.push(user_id)
  }
  return found
}

/** The flags in a direct message: its participants have them, and nobody else. */
export const mentionsAmong = (state: RealmState, mentions: Mentions, participants: ReadonlySet<number>): MentionFlags =>
  flagsOf(state, mentions, (user_id) => participants.has(user_id), participants)

const flagsOf = (
  state: RealmState,
  mentions: Mentions,
  receives: (user_id: number) => boolean,
  receivers: ReadonlySet<number>,
): MentionFlags => {
  const everyone = mentions.channel_wildcard ? Flag.stream_wildcard_mentioned : 0
  const found: MentionFlags = { everyone, flags: new Map(), also: [] }
  for (const user_id of mentions.users) if (receives(user_id)) add(found, user_id, Flag.mentioned)
  for (const group_id of mentions.groups) {
    const group = state.groups.get(group_id)
    if (group === undefined || group.deactivated) continue
    for (const user_id of membersAmong(state, group, receives, receivers)) {
      // Clients of this level know a mention by the first flag only.
      add(found, user_id, Flag.mentioned | Flag.group_mentioned)
    }
  }
  return found
}

/** A row of one's own holds all of one's flags, those of everyone included. */
const add = ({ flags, everyone }: MentionFlags, user_id: number, bits: number): void => {
  flags.set(user_id, (flags.get(user_id) ?? everyone) | bits)
}

/** Members of the group and its subgroups who receive the message. */
const membersAmong = (
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
      // Roles decide here, and there are no lists of members: each receiver is asked.
      return [...receivers].filter((user_id) => {
        const user = state.users.get(user_id)
        return user !== undefined && isIn(state, user, group.id)
      })
    }
    for (const user_id of state.directMembers(id)) if (receives(user_id)) members.add(user_id)
    pending.push(...state.directSubgroups(id))
  }
  return members
}
