/**
 * Undoes what an act did to messages: moves them back, or restores those that it deleted.
 *
 * 1. Messages are moved by the function of ordinary edits, and restored by that of the page "Deleted messages".
 * 2. A message that is not where the act left it is a conflict: then none is moved or restored.
 */
import { isAdministrator } from '#rules/roles.js'
import { secondsNow } from '#rules/time.js'
import type { DeletedMessages, MovedMessages } from '../../domain/audit/reversal.js'
import type { UserRow } from '../../domain/log/rows.js'
import { checkEdit } from '../../domain/messages/editing/editing.js'
import { errors } from '../../domain/protocol/errors.js'
import { ChangedSinceActError, type Conflict } from '../../domain/undo/row-conflicts.js'
import { MAX_CONFLICTS, type UndoPlan } from '../../domain/undo/undo-plan.js'
import { toUndoingActor } from '../audit/record-acts.js'
import { changeRealm } from '../log/change-realm.js'
import type { WriteContext } from '../log/write-context.js'
import { fromRestorable } from '../messages/editing/deleted-messages.js'
import { type EditRequest, editMessage } from '../messages/editing/edit-message.js'
import { restoreMessages } from '../messages/editing/restore-messages.js'
import { isTopicDeletionRunning } from '../messages/editing/topic-deletion.js'
import { requireChangeableMessage } from '../messages/narrow/load-messages.js'

const checkNoConflict = (conflicts: readonly Conflict[]): void => {
  if (conflicts.length > 0) throw new ChangedSinceActError(conflicts)
}

/** Moved messages that are not any more where the act left them. */
const findMovedConflicts = async ({ sql, realm }: WriteContext, { to, message_ids }: MovedMessages) => {
  const rows = await sql<{ id: number; channel_id: number | null; topic: string | null }[]>`
    select named.id, m.channel_id, m.topic
    from unnest(${message_ids as number[]}::bigint[]) as named (id)
      left join messages m on m.realm_id = ${realm.id} and m.id = named.id
    where m.id is null or m.channel_id <> ${to.channel_id} or m.topic <> ${to.topic}
    order by named.id limit ${MAX_CONFLICTS}`
  return rows.map(({ id, channel_id, topic }): Conflict => {
    const key = { id }
    if (topic === null) return { table: 'messages', key, column: null, left: true, now: false }
    if (channel_id !== to.channel_id) {
      return { table: 'messages', key, column: 'channel_id', left: to.channel_id, now: channel_id }
    }
    return { table: 'messages', key, column: 'topic', left: to.topic, now: topic }
  })
}

/** The request of an ordinary edit that moves the messages back. Throws BAD_REQUEST if the user cannot read them. */
const composeRequest = async (
  { sql, realm }: WriteContext,
  user: UserRow,
  { from, message_ids }: MovedMessages,
  realm_url: string,
): Promise<EditRequest> => {
  const reading = { sql, state: realm.state, reader: user }
  return {
    editor: user,
    message: await requireChangeableMessage(reading, message_ids[0] ?? 0),
    message_ids,
    topic: from.topic,
    stream_id: from.channel_id,
    propagate_mode: message_ids.length === 1 ? 'change_one' : 'change_later',
    realm_url,
    notify: { old_thread: false, new_thread: false },
  }
}

/** What moving messages back would do. Throws the refusals of an ordinary move. */
export const planMove = async (
  write: WriteContext,
  user: UserRow,
  moved: MovedMessages,
  realm_url: string,
): Promise<{ plan: UndoPlan }> => {
  const { from, to, message_ids } = moved
  const changed_since = await findMovedConflicts(write, moved)
  if (changed_since.length === 0) {
    const request = await composeRequest(write, user, moved, realm_url)
    checkEdit(write.realm.state, user, { ...request.message, is_widget: false }, request, secondsNow())
  }
  const change = { table: 'messages', key: { count: message_ids.length }, before: { ...to }, after: { ...from } }
  return { plan: { changes: [change], changed_since, remains: ['delivered', 'notices', 'history'] } }
}

/**
 * Moves messages back. Throws ChangedSinceActError, the refusals of an ordinary move, and StaleStateError.
 * @param realm_url the organization's address
 */
export const undoMove = async (
  write: WriteContext,
  user: UserRow,
  act_id: number,
  moved: MovedMessages,
  realm_url: string,
): Promise<void> => {
  checkNoConflict(await findMovedConflicts(write, moved))
  const request = await composeRequest(write, user, moved, realm_url)
  await editMessage(write.withActor(toUndoingActor(write.actor, act_id, true)), request)
}

/** Deleted messages that cannot be restored, or not by this user, and how many can be. */
const findDeletedConflicts = async (
  { sql, realm }: WriteContext,
  user: UserRow | undefined,
  { deletion_id, message_ids }: DeletedMessages,
): Promise<{ conflicts: Conflict[]; count: number }> => {
  const context = { sql, state: realm.state, reader: user, now: secondsNow() }
  const rows = await sql<{ id: number }[]>`select m.id from ${fromRestorable(context, { deletion_id })}`
  const kept = new Set(rows.map(({ id }) => id))
  const toConflict = (key: { id: number } | { deletion_id: string }): Conflict => ({
    table: 'messages',
    key,
    column: null,
    left: false,
    now: true,
  })
  const gone = (message_ids ?? []).filter((id) => !kept.has(id)).map((id) => toConflict({ id }))
  const isEmpty = message_ids === undefined && kept.size === 0
  return { conflicts: isEmpty ? [toConflict({ deletion_id })] : gone.slice(0, MAX_CONFLICTS), count: kept.size }
}

const checkRestoring = async (
  { sql, realm }: WriteContext,
  user: UserRow | undefined,
  { channel_id, topic, message_ids }: DeletedMessages,
): Promise<void> => {
  if (user !== undefined && !isAdministrator(user)) throw errors.notAdministrator()
  // Direct messages are for operators (domain/messages/editing/restoring.ts, 1).
  if (user !== undefined && channel_id === null) throw errors.insufficientPermission()
  const isTopic = message_ids === undefined && channel_id !== null
  if (isTopic && (await isTopicDeletionRunning(sql, realm.id, { channel_id, topic }))) {
    throw errors.badRequest('This topic is still being deleted: try again soon.')
  }
}

/** What restoring the messages would do. Throws BAD_REQUEST and UNAUTHORIZED_PRINCIPAL. */
export const planRestoration = async (
  write: WriteContext,
  user: UserRow | undefined,
  deleted: DeletedMessages,
): Promise<UndoPlan> => {
  const { channel_id, topic } = deleted
  const { conflicts, count } = await findDeletedConflicts(write, user, deleted)
  await checkRestoring(write, user, deleted)
  const key = channel_id === null ? { count } : { channel_id, topic, count }
  return {
    changes: [{ table: 'messages', key, before: null, after: {} }],
    changed_since: conflicts,
    remains: ['delivered', 'read_state'],
  }
}

/**
 * Restores the messages, in several changes if they are many. Throws ChangedSinceActError, UNAUTHORIZED_PRINCIPAL,
 * BAD_REQUEST, and the refusals of an ordinary restoration.
 */
export const undoDeletion = async (
  write: WriteContext,
  user: UserRow | undefined,
  act_id: number,
  deleted: DeletedMessages,
): Promise<void> => {
  await checkRestoring(write, user, deleted)
  checkNoConflict((await findDeletedConflicts(write, user, deleted)).conflicts)
  for (let isComplete = false; !isComplete; ) {
    const { complete } = await changeRealm(write, (attempt) =>
      restoreMessages(attempt, user, { deletion_id: deleted.deletion_id }, act_id),
    )
    isComplete = complete
  }
}
