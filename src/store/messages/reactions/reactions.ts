/**
 * Reactions: adds, removes and loads them.
 *
 * 1. An emoji keeps on a message the name of its first reaction, whatever name later reactions use.
 * 2. A user who reacts to a message they did not receive gets a flag row with `historical` for it.
 */

import { accountLimits, hasTooMany } from '../../../domain/limits/counts.js'
import type { Audience } from '../../../domain/log/entry.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { checkEmoji, type Emoji } from '../../../domain/messages/chosen-emoji.js'
import { notReceived } from '../../../domain/messages/flags.js'
import type { MessageObject } from '../../../domain/messages/message.js'
import { type Reactor, reaction } from '../../../domain/messages/reaction-entries.js'
import { unknownSender } from '../../../domain/messages/senders.js'
import { errors } from '../../../domain/protocol/errors.js'
import { lockStoredRows } from '../../limits/stored-rows.js'
import { commit } from '../../log/change.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Db, Sql } from '../../sql.js'
import { loadSubscribersWithoutAccess } from '../../users/user-access.js'
import { messageAudience } from '../audience/message-audience.js'
import { followAfterAction } from '../following/follow-topics.js'
import { lockMessagesShared } from '../message-locks.js'
import type { ReaderRow } from '../narrow/load-messages.js'

/** A request to add or remove a reaction. */
export interface ReactionRequest {
  user: UserRow
  message: ReaderRow
  emoji: Emoji
  /** the organization's host, for placeholder addresses */
  host: string
}

/**
 * Adds a reaction, for which its author may follow the topic.
 * Throws REACTION_ALREADY_EXISTS, StaleStateError, and BAD_REQUEST: the message was deleted, the emoji does not exist,
 * or the user has too many reactions on the message.
 */
export const addReaction = async (context: WriteContext, reacting: ReactionRequest): Promise<void> => {
  const { realm } = context
  const { user, message } = reacting
  const eventAudience = await buildReactionAudience(context.sql, realm.state, reacting)
  await commit(context, async (tx) => {
    await Promise.all([
      lockMessagesShared(tx, realm.id),
      lockStoredRows(tx, 'reactions', { realm_id: realm.id, user_id: user.id }),
    ])
    const followed = await followAfterAction(tx, realm.state, user, message, 'takes part')
    const emoji = await useEarlierName(tx, realm.state, message.id, reacting.emoji)
    const { emoji_name, emoji_code, reaction_type } = emoji
    const [done] = await tx<{ is_there: boolean; is_new: boolean; own: number }[]>`
        with m as (
          select id from messages where realm_id = ${realm.id} and id = ${message.id}
        ), record as (
          insert into message_flags (realm_id, user_id, message_id, flags)
          select ${realm.id}, ${user.id}, id, ${notReceived} from m where ${!message.received}
          on conflict do nothing
        ), added as (
          insert into reactions (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
          select ${realm.id}, id, ${user.id}, ${reaction_type}, ${emoji_code}, ${emoji_name} from m
          on conflict do nothing
          returning id
        )
        select exists (select from m) as is_there, exists (select from added) as is_new, (
          select count(*)::int from reactions
          where realm_id = ${realm.id} and message_id = ${message.id} and user_id = ${user.id}
        ) as own`
    if (done?.is_there !== true) throw errors.invalidMessages()
    if (!done.is_new) throw errors.reactionAlreadyExists()
    // The statement does not count the row that it adds.
    if (done.own >= accountLimits.reactions.most) throw hasTooMany(accountLimits.reactions)
    return { entries: [...followed, reaction({ ...eventAudience, ...emoji, op: 'add' })] }
  })
}

/** Removes a reaction. Throws REACTION_DOES_NOT_EXIST, and StaleStateError. */
export const removeReaction = async (context: WriteContext, reacting: ReactionRequest): Promise<void> => {
  const { realm } = context
  const { user, message, emoji } = reacting
  const eventAudience = await buildReactionAudience(context.sql, realm.state, reacting)
  await commit(context, async (tx) => {
    await lockMessagesShared(tx, realm.id)
    const [removed] = await tx<{ emoji_name: string }[]>`
        delete from reactions
        where realm_id = ${realm.id} and message_id = ${message.id} and user_id = ${user.id}
          and reaction_type = ${emoji.reaction_type} and emoji_code = ${emoji.emoji_code}
        returning emoji_name`
    if (removed === undefined) throw errors.reactionDoesNotExist()
    return { entries: [reaction({ ...eventAudience, ...emoji, ...removed, op: 'remove' })] }
  })
}

/** The reactions of these messages, oldest first. Index: key. */
export const loadReactions = async (
  sql: Db,
  realm_id: number,
  message_ids: readonly number[],
): Promise<Map<number, MessageObject['reactions']>> => {
  const byMessage = new Map<number, MessageObject['reactions']>()
  if (message_ids.length === 0) return byMessage
  const rows = await sql<(MessageObject['reactions'][number] & { message_id: number })[]>`
    select message_id, emoji_name, emoji_code, reaction_type, user_id from reactions
    where realm_id = ${realm_id} and message_id = any(${message_ids as number[]}::bigint[])
    order by id`
  for (const { message_id, ...row } of rows) {
    const known = byMessage.get(message_id)
    if (known === undefined) byMessage.set(message_id, [row])
    else known.push(row)
  }
  return byMessage
}

/** The emoji under the name it has on the message (1). Throws BAD_REQUEST for an unknown emoji or a wrong name. */
const useEarlierName = async (db: Db, state: RealmState, message_id: number, emoji: Emoji): Promise<Emoji> => {
  const [first] = await db<{ emoji_name: string }[]>`
    select emoji_name from reactions
    where realm_id = ${state.realm.id} and message_id = ${message_id}
      and reaction_type = ${emoji.reaction_type} and emoji_code = ${emoji.emoji_code}
    order by id limit 1`
  if (first !== undefined) return { ...emoji, ...first }
  checkEmoji(state, emoji)
  return emoji
}

interface ReactionAudience {
  to: Audience
  message_id: number
  user: Reactor
  masked?: { users: number[]; user: Reactor } | undefined
}

/** The audience, and what it learns of the reacting user. */
const buildReactionAudience = async (
  sql: Sql,
  state: RealmState,
  { user, message, host }: ReactionRequest,
): Promise<ReactionAudience> => {
  const { id, channel_id, user_ids } = message
  const to = await messageAudience(sql, state, { channel_id, user_ids, message_ids: [id] }, user.id)
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  const strangers = channel === undefined ? [] : await loadSubscribersWithoutAccess(sql, state, user, channel)
  const unknown = unknownSender(state, user.id, host)
  return {
    to,
    message_id: id,
    user: { user_id: user.id, email: user.email, full_name: user.full_name },
    ...(strangers.length === 0
      ? {}
      : {
          masked: {
            users: strangers,
            user: { user_id: user.id, email: unknown.sender_email, full_name: unknown.sender_full_name },
          },
        }),
  }
}
