/**
 * The conditions of a narrow as SQL: each is true or false of a message `m`, and never null.
 *
 * There is no row per recipient. Whether a reader received `m` and has read it follows from membership spans,
 * conversations, read pointers and flag rows (decisions/002-sparse-flags.md, domain/messages/flags.ts).
 *
 * Subqueries about a message end in `offset 0`, which makes the planner run one look-up per message. Without it, the
 * planner may first read all flags or reactions of a reader to save the look-ups of a page.
 */

import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { mentionTag } from '../../../domain/markdown/inline/mentions.js'
import { everySubscriber, Flag } from '../../../domain/messages/flags.js'
import type { Condition, Narrow } from '../../../domain/messages/narrow/narrow.js'
import { mutedChannels } from '../../../domain/messages/reading.js'
import type { Db, Fragment, Sql } from '../../sql.js'
import { decideCondition, decision } from './search-index.js'

/** The reader of a query (undefined: a spectator), the state and the connection. */
export interface ReadContext {
  sql: Sql
  state: RealmState
  reader: UserRow | undefined
}

/** A narrow, or the part of the given ids that matches it. */
export interface NarrowQuery extends ReadContext {
  narrow: Narrow
  ids?: readonly number[]
}

/** The last `limit` ids below an id, or the first `limit` ids from an id on. */
export type IdWindow = { below: number; limit: number } | { from: number; limit: number }

/** The conditions, each beginning with `and`. */
export const matchesAll = (context: ReadContext, conditions: readonly Condition[]): Fragment => {
  const { sql } = context
  return conditions.reduce((before, condition) => {
    const holds = matchesCondition(context, condition)
    return condition.negated ? sql`${before} and not (${holds})` : sql`${before} and ${holds}`
  }, sql``)
}

const matchesCondition = (context: ReadContext, condition: Condition): Fragment => {
  const { sql, state, reader } = context
  const { realm_id, user_id } = readerKey(context)
  switch (condition.test) {
    case 'channel':
      return isInChannels(sql, condition.channel_ids)
    case 'topic':
      return sql`m.channel_id is not null and lower(m.topic) = lower(${condition.topic})`
    case 'resolved':
      // Resolved topics begin with resolvedPrefix, here as migration 0007 spells it for its index.
      return sql`m.channel_id is not null and starts_with(m.topic, '✔ ')`
    case 'direct':
      return sql`m.dm_id is not null`
    case 'conversation':
      return sql`coalesce(m.dm_id = (${selectConversationId(context, condition.user_ids)}), false)`
    case 'direct-with':
      return sql`m.dm_id is not null and exists (
        select from dm_members d join dm_conversations c on c.realm_id = d.realm_id and c.id = d.dm_id
        where d.realm_id = ${realm_id} and d.user_id = ${condition.user_id} and d.dm_id = m.dm_id
          and cardinality(c.user_ids) > ${condition.groupsOnly ? 2 : 0}
        offset 0
      )`
    case 'sender':
      return sql`m.sender_id = ${condition.user_id}`
    case 'mentions':
      // A mention of a group sets the same flag, so the message itself is read too.
      return sql`exists (
        select from message_flags f
        where f.realm_id = ${realm_id} and f.user_id = ${condition.user_id} and f.message_id = m.id
          and f.flags & ${Flag.mentioned} <> 0
        offset 0
      ) and strpos(m.rendered_content, ${mentionTag(condition.user_id)}) > 0`
    case 'id':
      return sql`m.id = ${condition.message_id}`
    case 'flag':
      return sql`exists (
        select from message_flags f
        where f.realm_id = ${realm_id} and f.user_id in (${user_id}, ${everySubscriber}) and f.message_id = m.id
          and f.flags & ${condition.flags} <> 0 and (f.user_id = ${user_id} or ${wasReaderRecipient(context)})
        offset 0
      )`
    case 'unread':
      return isUnread(context)
    case 'muted':
      return sql`coalesce(
        case ${topicPolicy(context)} when 1 then true when 2 then false when 3 then false end,
        ${condition.inChannel || reader === undefined ? sql`false` : isInChannels(sql, mutedChannels(state, reader))}
      )`
    case 'followed':
      return sql`coalesce(${topicPolicy(context)} = 3, false)`
    case 'search':
      // What the index does not know is kept, and then decided by its text (undecided.ts).
      return condition.negated
        ? sql`${decideCondition(sql, realm_id, condition)} = ${decision.isHit}`
        : sql`${decideCondition(sql, realm_id, condition)} <> ${decision.isMiss}`
    case 'has':
      return {
        link: sql`m.has_link`,
        image: sql`m.has_image`,
        attachment: sql`m.has_attachment`,
        reaction: sql`exists (
          select from reactions r where r.realm_id = ${realm_id} and r.message_id = m.id offset 0
        )`,
      }[condition.what]
  }
}

/** The reader's policy of the topic of `m`; null: none. */
const topicPolicy = (context: ReadContext): Fragment => {
  const { realm_id, user_id } = readerKey(context)
  return context.sql`(
    select t.visibility_policy from user_topics t
    where t.realm_id = ${realm_id} and t.user_id = ${user_id} and t.channel_id = m.channel_id
      and lower(t.topic) = lower(m.topic)
  )`
}

const isInChannels = (sql: Sql, channel_ids: readonly number[]): Fragment =>
  sql`coalesce(m.channel_id = any(${channel_ids as number[]}::int[]), false)`

/** Selects the id of the conversation of exactly these users. */
export const selectConversationId = (context: ReadContext, user_ids: readonly number[] | null): Fragment => {
  const { realm_id } = readerKey(context)
  return context.sql`
    select id from dm_conversations
    where realm_id = ${realm_id} and user_ids = ${(user_ids ?? []) as number[]}::int[]`
}

/** The first columns of every key: the realm and the user. A spectator has no rows. */
export const readerKey = ({ state, reader }: ReadContext) => ({
  realm_id: state.realm.id,
  user_id: reader?.id ?? everySubscriber,
})

/** Whether the reader was a participant, or a subscriber when `m` was sent. */
export const wasReaderRecipient = (context: ReadContext): Fragment => wasUserRecipient(context.sql, readerKey(context))

/**
 * The user of a condition: an id, or an SQL expression. The expression must not begin with a table alias of the
 * conditions below (party, span, pointer, here).
 */
export interface UserKey {
  realm_id: number
  user_id: number | Fragment
}

/**
 * Whether this user was a recipient of `m` when it was sent. The user was a participant, or a subscriber of the channel
 * to which `m` was sent (moved-flag-rows.ts).
 */
export const wasUserRecipient = (sql: Db, { realm_id, user_id }: UserKey): Fragment => sql`(
  exists (
    select from dm_members party
    where party.realm_id = ${realm_id} and party.user_id = ${user_id} and party.dm_id = m.dm_id
    offset 0
  ) or (${keptMessage(sql, user_id)} and exists (
    select from membership_spans span
    where span.realm_id = ${realm_id} and span.user_id = ${user_id}
      and span.channel_id = coalesce(m.origin_channel_id, m.channel_id)
      and m.id >= span.from_message and (span.to_message is null or m.id < span.to_message)
    offset 0
  ))
)`

/** Whether this user did not lose `m` by a move (moving/lost-access.ts). It assumes that `m` was sent to the user. */
export const keptMessage = (sql: Db, user_id: number | Fragment): Fragment => sql`(
  (m.kept_by is null or ${user_id} = any(m.kept_by)) and (m.lost_by is null or ${user_id} <> all(m.lost_by))
)`

/**
 * Whether the reader received `m` or gained it later, and may still read it. `readable`: the channels they may read.
 */
export const isReceivedAndReadable = (context: ReadContext, readable: readonly number[]): Fragment =>
  context.sql`${isDirectOrInChannels(context, readable)} and (${wasReaderRecipient(context)} or ${hasOwnRow(context)})`

/** Whether `m` is in one of these channels, or a direct message. */
export const isDirectOrInChannels = ({ sql }: ReadContext, channel_ids: readonly number[]): Fragment =>
  sql`(m.dm_id is not null or m.channel_id = any(${channel_ids as number[]}::int[]))`

/** Whether the reader has a flag row for `m`. */
export const hasOwnRow = (context: ReadContext): Fragment => {
  const { realm_id, user_id } = readerKey(context)
  return context.sql`exists (
    select from message_flags f
    where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id = m.id
    offset 0
  )`
}

/** The reader's pointer in the channel or conversation of `m`; 0 without one. */
export const readerReadUpTo = (context: ReadContext): Fragment => userReadUpTo(context.sql, readerKey(context))

/** The same for this user. */
export const userReadUpTo = (sql: Db, whose: UserKey): Fragment => {
  const { realm_id, user_id } = whose
  return sql`case when ${isReadByMove(sql, whose)} then m.id else coalesce(
    (
      select pointer.read_up_to from channel_reads pointer
      where pointer.realm_id = ${realm_id} and pointer.user_id = ${user_id} and pointer.channel_id = m.channel_id
    ),
    (
      select party.read_up_to from dm_members party
      where party.realm_id = ${realm_id} and party.user_id = ${user_id} and party.dm_id = m.dm_id
    ),
    0
  ) end`
}

/**
 * Whether `m` was moved here and counts as read for a user without a flag row. The user's pointer here does not matter.
 */
export const isReadByMove = (sql: Db, whose: UserKey): Fragment => sql`(
  m.origin_channel_id is not null and (
    ${isReadAtOrigin(sql, whose)}
    or not exists (
      select from subscriptions here
      where here.realm_id = ${whose.realm_id} and here.user_id = ${whose.user_id}
        and here.channel_id = m.channel_id and here.active
    )
  )
)`

/**
 * Whether a moved `m` counts as read at its origin (moved-flag-rows.ts, 2). It was not sent to this user, or their
 * pointer at its origin passed it.
 */
export const isReadAtOrigin = (sql: Db, whose: UserKey): Fragment => sql`(
  not ${wasUserRecipient(sql, whose)} or exists (
    select from channel_reads pointer
    where pointer.realm_id = ${whose.realm_id} and pointer.user_id = ${whose.user_id}
      and pointer.channel_id = m.origin_channel_id and pointer.read_up_to >= m.id
  )
)`

/** Whether `m` was read for this user when it was sent. Their flag row overrides this (domain/messages/flags.ts, 1). */
export const wasReadWhenSent = (sql: Db, user_id: number | Fragment): Fragment =>
  sql`(m.read_by_all or (m.sender_id = ${user_id} and m.sender_read))`

/** Whether `m`, which the reader received, is unread (domain/messages/flags.ts, 1). */
const isUnread = (context: ReadContext): Fragment => {
  const { realm_id, user_id } = readerKey(context)
  return context.sql`coalesce(
    (
      select case when f.flags & ${Flag.unread} <> 0 then true when f.flags & ${Flag.read} <> 0 then false end
      from message_flags f where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id = m.id
    ),
    case when ${wasReadWhenSent(context.sql, user_id)} then false end,
    m.id > ${readerReadUpTo(context)}
  )`
}
