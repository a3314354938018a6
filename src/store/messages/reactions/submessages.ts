/**
 * Submessages: the widget of a message and the actions of users on it. The first submessage is the widget itself.
 *
 * 1. The first submessage is stored with the message (send-combiner.ts);
 *    its id is allocated before, because the message's event contains it.
 * 2. Only the sender may add the first submessage to a message without one, and it describes a widget.
 */

import { limits } from '../../../domain/limits/limits.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { MessageObject } from '../../../domain/messages/message.js'
import { submessage } from '../../../domain/messages/submessage-entry.js'
import { checkSubmessage } from '../../../domain/messages/widgets.js'
import { errors } from '../../../domain/protocol/errors.js'
import { commit } from '../../log/change.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Db } from '../../sql.js'
import { messageAudience } from '../audience/message-audience.js'
import { followAfterAction } from '../following/follow-topics.js'
import { lockMessagesShared } from '../message-locks.js'
import type { ReaderRow } from '../narrow/load-messages.js'

/** An action on a widget. */
export interface WidgetAction {
  user: UserRow
  message: ReaderRow
  msg_type: string
  content: string
}

/**
 * Adds a submessage to a message, for which its author may follow the topic.
 * Throws BAD_REQUEST for a submessage that the widget does not allow or has no space for, and when the message was
 * deleted. Throws StaleStateError.
 */
export const addSubmessage = async (context: WriteContext, acting: WidgetAction): Promise<void> => {
  const { realm } = context
  const { user, message, msg_type } = acting
  const { channel_id, user_ids, id: message_id } = message
  const to = await messageAudience(
    context.sql,
    realm.state,
    { channel_id, user_ids, message_ids: [message_id] },
    user.id,
  )
  await commit(context, async (tx) => {
    await lockMessagesShared(tx, realm.id)
    const followed = await followAfterAction(tx, realm.state, user, message, 'takes part')
    const content = await checkAction(tx, realm.id, acting)
    const [added] = await tx<{ id: number }[]>`
        insert into submessages (realm_id, message_id, sender_id, msg_type, content)
        select ${realm.id}, id, ${user.id}, ${msg_type}, ${content} from messages
        where realm_id = ${realm.id} and id = ${message_id}
        returning id`
    if (added === undefined) throw errors.invalidMessages()
    await checkWidgetSize(tx, realm.id, message_id)
    const entry = submessage({ to, message_id, submessage_id: added.id, sender_id: user.id, msg_type, content })
    return { entries: [...followed, entry] }
  })
}

/** Checks the permission (2) and the action's content. Index: key. @returns the content as it is stored */
const checkAction = async (db: Db, realm_id: number, { user, message, content }: WidgetAction): Promise<string> => {
  const isAuthor = message.sender_id === user.id
  const [first] = await db<{ content: string }[]>`
    select content from submessages
    where realm_id = ${realm_id} and message_id = ${message.id} and sender_id = ${message.sender_id}
    order by id limit 1`
  if (!isAuthor && first === undefined) {
    throw errors.badRequest('Only the sender may begin a widget on this message.')
  }
  return checkSubmessage(content, first, isAuthor)
}

/** Size of an action without its text, in bytes. */
const OVERHEAD = 120

/** Every page with the message contains all its submessages. Throws BAD_REQUEST above the limit. Index: key. */
const checkWidgetSize = async (db: Db, realm_id: number, message_id: number): Promise<void> => {
  const [kept] = await db<{ bytes: number }[]>`
    select sum(octet_length(content) + ${OVERHEAD}::int8)::int8 as bytes from submessages
    where realm_id = ${realm_id} and message_id = ${message_id}`
  if ((kept?.bytes ?? 0) > limits.max_widget_bytes) {
    throw errors.badRequest('This widget has no space for more submessages: begin a new widget.')
  }
}

/** An id for the first submessage of a message that is not sent yet (1). */
export const nextSubmessageId = async (db: Db): Promise<number> => {
  const [next] = await db<{ id: number }[]>`select nextval('submessage_ids') as id`
  return next?.id ?? 0
}

/** Whether the message has a submessage. Index: key. */
export const isWidget = async (db: Db, realm_id: number, message_id: number): Promise<boolean> => {
  const [row] = await db`
    select from submessages where realm_id = ${realm_id} and message_id = ${message_id} limit 1`
  return row !== undefined
}

/** The submessages of these messages, oldest first. Index: key. */
export const loadSubmessages = async (
  db: Db,
  realm_id: number,
  message_ids: readonly number[],
): Promise<Map<number, MessageObject['submessages']>> => {
  const byMessage = new Map<number, MessageObject['submessages']>()
  if (message_ids.length === 0) return byMessage
  const rows = await db<MessageObject['submessages']>`
    select id, message_id, sender_id, msg_type, content from submessages
    where realm_id = ${realm_id} and message_id = any(${message_ids as number[]}::bigint[])
    order by id`
  for (const row of rows) {
    const known = byMessage.get(row.message_id)
    if (known === undefined) byMessage.set(row.message_id, [row])
    else known.push(row)
  }
  return byMessage
}
