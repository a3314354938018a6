/**
 * From rows to the messages that a reader's client sees.
 *
 * The rows say what was sent; who sent it and where it stands now is in memory. What hangs on messages beside that
 * (reactions, submessages) is asked for here, by the same ids, and given to `fieldsOf`.
 */
import { flagNames } from '../domain/flags.js'
import {
  type MessageFields,
  type MessageFormat,
  type MessageObject,
  messageFor,
  recipientId,
} from '../domain/messages.js'
import type { UserRow } from '../domain/rows.js'
import { participantFields, senderFields, unknownSender } from '../domain/senders.js'
import type { RealmState } from '../domain/state.js'
import { isKeptApart, meetingsOf, peopleMet } from '../domain/user-access.js'
import type { Reading } from './narrow.js'
import type { ReaderRow } from './reading.js'
import { partnersIn } from './snapshot.js'

/** The objects of the rows, in their order, flags included. `host` is the organization's, for placeholder addresses. */
export const messageObjects = async (
  reading: Reading,
  rows: readonly ReaderRow[],
  format: MessageFormat,
  host: string,
): Promise<MessageObject[]> => {
  const { state, reader } = reading
  const isKnown = await knownTo(reading)
  return rows.map((row) => ({
    ...messageFor(fieldsOf(state, row, isKnown, host), format),
    ...(row.last_edit_timestamp === null ? {} : { last_edit_timestamp: row.last_edit_timestamp }),
    ...(row.last_moved_timestamp === null ? {} : { last_moved_timestamp: row.last_moved_timestamp }),
    flags: reader === undefined ? ['read'] : [...flagNames(row.flags)],
  }))
}

const fieldsOf = (
  state: RealmState,
  row: ReaderRow,
  isKnown: (user: UserRow) => boolean,
  host: string,
): MessageFields => {
  const { channel_id, dm_id, user_ids } = row
  const sender = state.users.get(row.sender_id)
  const place =
    channel_id === null
      ? {
          display_recipient: participantFields((user_ids ?? []).flatMap((id) => state.users.get(id) ?? [])),
          recipient_id: recipientId({ dm_id: dm_id ?? 0 }),
        }
      : {
          stream_id: channel_id,
          display_recipient: state.channels.get(channel_id)?.name ?? '',
          recipient_id: recipientId({ channel_id }),
        }
  return {
    id: row.id,
    ...place,
    ...(sender !== undefined && isKnown(sender)
      ? senderFields(state, sender)
      : unknownSender(state, row.sender_id, host)),
    topic: row.topic,
    topic_links: [],
    client: row.client,
    content: row.content,
    rendered_content: row.rendered_content,
    is_me_message: row.is_me_message,
    timestamp: row.timestamp,
    reactions: [],
    submessages: [],
  }
}

/** Whom the reader may know: everyone, but for guests of an organization that keeps them apart. */
const knownTo = async ({ sql, state, reader }: Reading): Promise<(user: UserRow) => boolean> => {
  if (reader === undefined || !isKeptApart(state, reader)) return () => true
  const partners = await partnersIn(sql, state.realm.id, reader.id)
  const met = peopleMet(state, meetingsOf(state, reader, partners))
  return (user) => user.is_bot || user.id === reader.id || met.has(user.id)
}
