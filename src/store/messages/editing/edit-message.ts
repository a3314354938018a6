/**
 * Edits messages: the text of one (edited-content.ts), the topic or channel of one or more
 * (moving/move-messages.ts), and the events for their recipients.
 *
 * 1. An edit is one guarded change that holds the exclusive lock of the realm's messages (message-locks.ts): so the
 *    flags in an event are true at its place in the log.
 * 2. The permission was checked for the message as it was read. If the message changed since, the whole call runs again
 *    (StaleStateError).
 * 3. Every changed message keeps its earlier values in its `edit_history`, newest first.
 *
 * Source: protocol/messages.md 4.1 to 4.4; protocol/events.md 3.1 and 4.8.
 */

import { hasMetadataAccess } from '#rules/channel-access.js'
import { secondsNow } from '#rules/time.js'
import type { AttachmentObject } from '../../../domain/files/attachment-entries.js'
import type { NewEntry } from '../../../domain/log/entry.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { composeChangedMessages } from '../../../domain/messages/editing/changed-messages-entry.js'
import { composeDeletionEntries } from '../../../domain/messages/editing/delete-message-entry.js'
import { checkEdit, checkNewTopic, type EditParameters, type Move } from '../../../domain/messages/editing/editing.js'
import { updateMessage } from '../../../domain/messages/editing/update-message-entry.js'
import { updateMessageFlags } from '../../../domain/messages/flag-entries.js'
import { Flag } from '../../../domain/messages/flags.js'
import { composePreviewJobs } from '../../../domain/messages/sending/message-jobs.js'
import { errors } from '../../../domain/protocol/errors.js'
import { storeMove } from '../../audit/record-acts.js'
import type { JobSpec } from '../../jobs/job-table.js'
import { commit } from '../../log/change.js'
import { StaleStateError } from '../../log/log.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Transaction } from '../../sql.js'
import { messageAudience, type Portion, splitByHeldMessages } from '../audience/message-audience.js'
import { buildAudience, groupByFlags, resolveAudience } from '../audience/recipients-by-flags.js'
import type { UnreadByUsers } from '../flags/left-channels.js'
import { lockMessagesExclusive } from '../message-locks.js'
import {
  buildLocationChange,
  findLosers,
  findMessagesToMove,
  moveMessages,
  moveNoticeJobs,
  updateFirstMessages,
} from '../moving/move-messages.js'
import { rewriteWords } from '../narrow/english-words.js'
import type { ReaderRow } from '../narrow/load-messages.js'
import { isWidget } from '../reactions/submessages.js'
import { reclaimFiles } from '../sending/file-claims.js'
import { buildContentChange, type EditedContent, renderEdit, writeContent } from './edited-content.js'

export interface EditRequest extends EditParameters {
  editor: UserRow
  message: ReaderRow
  /** the organization's address: links to it become relative */
  realm_url: string
  /** which topics get a notice of a move (protocol/messages.md 4.5) */
  notify: { old_thread: boolean; new_thread: boolean }
  /** exactly these are moved, in place of those that `propagate_mode` names; ascending */
  message_ids?: readonly number[]
}

/**
 * Changes a message, and others of its topic with it. Throws the refusals of
 * protocol/messages.md 4.1 to 4.3, and StaleStateError.
 * @returns the editor's files to which nothing leads any more
 */
export const editMessage = async (context: WriteContext, editing: EditRequest): Promise<AttachmentObject[]> => {
  const { realm } = context
  const { state } = realm
  const { editor, message } = editing
  const now = secondsNow()
  const is_widget = editing.content !== undefined && (await isWidget(context.sql, realm.id, message.id))
  const edit = checkEdit(state, editor, { ...message, is_widget }, editing, now)
  const text =
    edit.content === undefined ? undefined : await renderEdit(context.sql, state, editing, edit, edit.content)
  return commit(context, async (tx) => {
    await lockMessagesExclusive(tx, realm.id)
    await checkUnchanged(tx, realm.id, message)
    const { move } = edit
    const message_ids = move === undefined ? [message.id] : await findMessagesToMove(tx, state, editing, move)
    const recipients = await loadRecipients(tx, state, message, message_ids)
    const portions = await splitByHeldMessages(tx, state, { channel_id: message.channel_id, message_ids }, recipients)
    const lost = move === undefined ? new Set<number>() : findLosers(state, recipients, move)
    const moved = move && (await moveMessages(tx, state, { editor, message, message_ids, move, now }))
    if (move !== undefined && moved !== undefined) {
      checkNewTopic(state, editor, message.topic, move, moved.outcome.into_empty)
    }
    if (text !== undefined)
      await writeContent(tx, realm.id, { editor, message, text, now, isMoved: move !== undefined })
    await rewriteWords(tx, realm.id, message_ids)
    if (move !== undefined && isAdministrativeMove(editor, message, message_ids, move)) {
      const from = { channel_id: move.from.id, topic: message.topic }
      const moved = { from, to: { channel_id: move.to.id, topic: move.topic }, message_ids }
      await storeMove(tx, realm.id, context.actor, moved)
    }
    const files = text && (await reclaimFiles(tx, realm.id, message, text.rendered.files))
    const eventData = { editor, message, move, text, now }
    const receivers: NewEntry[] = []
    const { losers, keepers } = splitByLoss(portions, lost)
    const named: { message_ids: readonly number[] }[] = [...losers]
    for (const { message_ids, user_ids } of keepers) {
      const message_id = message_ids.includes(message.id) ? message.id : (message_ids[0] ?? message.id)
      const groups = await groupByFlags(tx, realm.id, message_id, user_ids)
      receivers.push(...buildUpdateEntries(state, { ...eventData, message_id, message_ids, groups }))
      if (groups.size > 0) named.push({ message_ids })
    }
    if (move !== undefined)
      receivers.push(...buildNewcomerEntries(state, { ...eventData, message_ids }, move, recipients))
    const firsts = move === undefined ? [] : await updateFirstMessages(tx, state, move)
    const entries = [
      ...firsts,
      ...losers.flatMap((portion) => buildLossEntries(state, portion, message)),
      ...(moved?.followed ?? []),
      ...receivers,
      ...composeChangedMessages(message_ids, named),
      ...(moved?.read ?? []).map(buildReadEntry),
      ...(files?.entries ?? []),
    ]
    const jobs = [
      ...(files?.jobs ?? []),
      ...(move && moved ? moveNoticeJobs(editing, move, message_ids, moved.outcome) : []),
      ...(text === undefined ? [] : editPreviewJobs(state, editing, text)),
    ]
    return { entries, jobs, result: files?.detached ?? [] }
  })
}

/** Whether the audit log has the move. It lacks those of an own message, and those that only resolve a topic. */
const isAdministrativeMove = (
  editor: UserRow,
  message: ReaderRow,
  message_ids: readonly number[],
  { resolves, isCaseOnly }: Move,
): boolean => {
  const isOwn = message_ids.length === 1 && message.sender_id === editor.id
  return !isOwn && resolves === undefined && !isCaseOnly
}

/** The job that fetches the pages of the new text. */
const editPreviewJobs = (state: RealmState, { editor, message }: EditRequest, text: EditedContent): JobSpec[] =>
  composePreviewJobs(state, editor, text.content, text.rendered).map(({ kind, payload }) => ({
    kind,
    payload: { ...payload, message_id: message.id },
  }))

/** Throws StaleStateError if the message was changed since it was read (2). */
const checkUnchanged = async (tx: Transaction, realm_id: number, message: ReaderRow): Promise<void> => {
  const [row] = await tx<Pick<ReaderRow, 'channel_id' | 'topic' | 'content'>[]>`
    select channel_id, topic, content from messages where realm_id = ${realm_id} and id = ${message.id}`
  if (row === undefined) throw errors.invalidMessages()
  const { channel_id, topic, content } = message
  if (row.channel_id !== channel_id || row.topic !== topic || row.content !== content) throw new StaleStateError()
}

/** The recipients of the messages before the edit. */
const loadRecipients = async (
  tx: Transaction,
  state: RealmState,
  { channel_id, user_ids }: ReaderRow,
  message_ids: readonly number[],
): Promise<Set<number>> =>
  resolveAudience(state, await messageAudience(tx, state, { channel_id, user_ids, message_ids }))

/** The portions of the users who lose the messages, and of the others. */
const splitByLoss = (portions: readonly Portion[], lost: ReadonlySet<number>) => {
  const select = (isLost: boolean): Portion[] =>
    portions
      .map(({ message_ids, user_ids }) => ({
        message_ids,
        user_ids: new Set([...user_ids].filter((user_id) => lost.has(user_id) === isLost)),
      }))
      .filter(({ user_ids }) => user_ids.size > 0)
  return lost.size === 0 ? { losers: [], keepers: portions } : { losers: select(true), keepers: select(false) }
}

const buildLossEntries = (
  state: RealmState,
  { message_ids, user_ids }: Portion,
  { channel_id, topic }: ReaderRow,
): NewEntry[] =>
  composeDeletionEntries({
    to: buildAudience(state, channel_id, user_ids),
    message_ids,
    stream_id: channel_id ?? undefined,
    topic,
  })

interface UpdateForRecipients {
  editor: UserRow
  message: ReaderRow
  /** the message that was edited, or of those that its receivers hold, the first */
  message_id: number
  message_ids: readonly number[]
  move: Move | undefined
  text: EditedContent | undefined
  now: number
  groups: ReadonlyMap<number, readonly number[]>
}

/** One entry for each group of users with the same flags. */
const buildUpdateEntries = (
  state: RealmState,
  { editor, message, message_id, message_ids, move, text, now, groups }: UpdateForRecipients,
  audience_id = message.channel_id,
): NewEntry[] => {
  const channel = message.channel_id === null ? undefined : state.channels.get(message.channel_id)
  const eventData = {
    user_id: editor.id,
    message_id,
    message_ids,
    edit_timestamp: now,
    channel: channel && { stream_id: channel.id, stream_name: channel.name },
    edited: text && message_id === message.id ? buildContentChange(message, text) : undefined,
    moved: move && buildLocationChange(state, message, move),
  }
  return [...groups].map(([flags, user_ids]) =>
    updateMessage({ ...eventData, flags, to: buildAudience(state, audience_id, user_ids) }),
  )
}

/**
 * The entry for subscribers of the channel to which messages were moved, who had none of them: an open view of the
 * channel shows the messages then. Users who do not see the old channel get none, because the event names it.
 */
const buildNewcomerEntries = (
  state: RealmState,
  update: Omit<UpdateForRecipients, 'message_id' | 'groups'>,
  { from, to }: Move,
  recipients: ReadonlySet<number>,
): NewEntry[] => {
  if (from.id === to.id) return []
  const newcomers = [...state.subscribers(to.id)].filter((user_id) => {
    const user = state.users.get(user_id)
    return !recipients.has(user_id) && user !== undefined && hasMetadataAccess(state, user, from)
  })
  if (newcomers.length === 0) return []
  const { message } = update
  const groups = new Map([[Flag.read as number, newcomers]])
  // The audience is computed for the channel in which its users are.
  return buildUpdateEntries(state, { ...update, message_id: message.id, groups }, to.id)
}

const buildReadEntry = ({ user_ids, message_ids }: UnreadByUsers): NewEntry => {
  const [user_id = 0] = user_ids
  const entry = updateMessageFlags({ user_id, op: 'add', flag: 'read', messages: message_ids, all: false })
  return { ...entry, audience: { users: user_ids } }
}
