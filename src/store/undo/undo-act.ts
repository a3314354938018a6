/**
 * Undoes administrative acts of the audit log.
 *
 * 1. The inverse is made by the functions of ordinary calls, as of now: its author needs the permissions for it now,
 *    clients get ordinary events, and the audit log has it as an act that names the one it undoes.
 * 2. If anything is not as the act left it, nothing is changed, and the error lists what changed.
 * 3. An act is undone once: its row is marked in the transaction of the undo (store/audit/record-acts.ts, 3).
 * 4. The acts of one call are undone together, the newest first, each as a change of its own with a rest after it, as
 *    the call made them. All of them are checked before the first. An undo that was interrupted goes on with the rest
 *    when it is called again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { hasReversal, type Reversal } from '../../domain/audit/reversal.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { ChangedSinceActError } from '../../domain/undo/row-conflicts.js'
import { MAX_CONFLICTS, type Remainder, remainders, UNDO_DAYS, type UndoPlan } from '../../domain/undo/undo-plan.js'
import { toUndoingActor } from '../audit/record-acts.js'
import { changeRealm } from '../log/change-realm.js'
import type { WriteContext } from '../log/write-context.js'
import { type Act, isUndone, loadActs } from './acts.js'
import { planMove, planRestoration, undoDeletion, undoMove } from './undo-messages.js'
import { planRows, type UndoSite, undoRows } from './undo-rows.js'

/** Who undoes: the row of the account as it is now. Throws UNAUTHORIZED when it may not act any more. */
export type UndoAuthor = (state: RealmState) => UserRow

/** An act of a call, with what its inverse is composed from. */
type ReversibleAct = Act & { reversal: Reversal }

/**
 * The acts of a call that are not undone, the newest first. Throws BAD_REQUEST when there is none of this id that the
 * author may undo, ACT_ALREADY_UNDONE and ACT_NOT_REVERSIBLE.
 * @param mayUndo whether the author may undo acts of this account at all
 */
export const requireReversibleActs = async (
  { sql, realm }: WriteContext,
  act_id: number,
  mayUndo: (user_id: number | null) => boolean,
): Promise<ReversibleAct[]> => {
  const acts = await loadActs(sql, realm.id, act_id)
  if (acts[0] === undefined || !mayUndo(acts[0].user_id)) throw errors.badRequest('There is no such act.')
  const left = acts.filter(({ undone_by }) => undone_by === null)
  if (left.length === 0) throw errors.actAlreadyUndone()
  // An act of a call that has no inverse makes those of its other acts a part of something that cannot be undone.
  const isReversible = (act: Act): act is ReversibleAct =>
    act.is_recent && act.reversal !== null && hasReversal(act.reversal)
  if (!acts.every(isReversible)) throw errors.actNotReversible({ days: UNDO_DAYS })
  return left as ReversibleAct[]
}

/** What an undo would do, and the refusal that it would meet. */
export interface PlannedUndo extends UndoPlan {
  act_ids: number[]
  obstacle: ApiError | undefined
}

/** What undoing these acts would do. It changes nothing. */
export const planUndo = async (
  write: WriteContext,
  user: UserRow,
  acts: readonly ReversibleAct[],
  site: UndoSite,
): Promise<PlannedUndo> => {
  const planned: PlannedUndo = {
    act_ids: acts.map(({ id }) => id),
    changes: [],
    changed_since: [],
    remains: [],
    obstacle: undefined,
  }
  const remains = new Set<Remainder>()
  let omitted = 0
  for (const { reversal } of acts) {
    const { plan, obstacle } = await planPart(write, user, reversal, site)
    for (const change of plan.changes) {
      if (change.table === 'omitted') omitted += Number(change.key.count)
      else if (planned.changes.length < MOST_CHANGES) planned.changes.push(change)
      else omitted += 1
    }
    planned.changed_since.push(...plan.changed_since.slice(0, MAX_CONFLICTS - planned.changed_since.length))
    planned.obstacle ??= obstacle
    for (const one of plan.remains) remains.add(one)
  }
  if (omitted > 0) planned.changes.push({ table: 'omitted', key: { count: omitted }, before: null, after: null })
  planned.remains = remainders.filter((one) => remains.has(one))
  return planned
}

/** Changes that a plan lists one by one. */
const MOST_CHANGES = 200

const planPart = async (
  write: WriteContext,
  user: UserRow,
  reversal: Reversal,
  site: UndoSite,
): Promise<{ plan: UndoPlan; obstacle?: ApiError | undefined }> => {
  const { rows, moved, deleted } = reversal
  try {
    if (moved !== undefined) return await planMove(write, user, moved, site.realm_url)
    if (deleted !== undefined) return { plan: await planRestoration(write, user, deleted) }
    return await planRows(write, user, rows ?? [], site)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { plan: { changes: [], changed_since: [], remains: [] }, obstacle: error }
  }
}

/** How many times as long as its change a rest takes, and its longest time (4). */
const REST_FACTOR = 2
const MAX_REST_MS = 500

/**
 * Undoes these acts. Throws ChangedSinceActError, ACT_ALREADY_UNDONE, ACT_NOT_REVERSIBLE, SERVER_NOT_READY, and the
 * refusals of the ordinary calls; the error is final once a part was undone.
 */
export const undoActs = async (
  write: WriteContext,
  findAuthor: UndoAuthor,
  acts: readonly ReversibleAct[],
  site: UndoSite,
): Promise<void> => {
  if (acts.length > 1) await checkAll(write, findAuthor(write.realm.state), acts, site)
  let isBegun = false
  for (const act of acts) {
    const began = performance.now()
    try {
      await undoPart(write, findAuthor, act, site)
    } catch (error) {
      if (isRefusal(error)) error.isFinal ||= isBegun
      throw error
    }
    isBegun = true
    if (act !== acts.at(-1)) await sleep(Math.min((performance.now() - began) * REST_FACTOR, MAX_REST_MS))
  }
}

const isRefusal = (error: unknown): error is ApiError | ChangedSinceActError =>
  error instanceof ApiError || error instanceof ChangedSinceActError

/** Refuses what one of the acts would meet, before the first is undone (4). Throws it. */
const checkAll = async (
  write: WriteContext,
  user: UserRow,
  acts: readonly ReversibleAct[],
  site: UndoSite,
): Promise<void> => {
  const { changed_since, obstacle } = await planUndo(write, user, acts, site)
  if (changed_since.length > 0) throw new ChangedSinceActError(changed_since)
  if (obstacle !== undefined) throw obstacle
}

/** Undoes one act. Of two callers, the second one learns that it is undone, and not that its rows have changed. */
const undoPart = async (
  write: WriteContext,
  findAuthor: UndoAuthor,
  act: ReversibleAct,
  site: UndoSite,
): Promise<void> => {
  const { sql, realm } = write
  try {
    await undoOnce(write, findAuthor, act, site)
  } catch (error) {
    if (isRefusal(error) && (await isUndone(sql, realm.id, act.id))) throw errors.actAlreadyUndone()
    throw error
  }
}

const undoOnce = async (
  write: WriteContext,
  findAuthor: UndoAuthor,
  { id, reversal: { rows, moved, deleted } }: ReversibleAct,
  site: UndoSite,
): Promise<void> => {
  const { state } = write.realm
  if (deleted !== undefined) return undoDeletion(write, findAuthor(state), id, deleted)
  await changeRealm(write, async (attempt) => {
    if (moved !== undefined) return undoMove(attempt, findAuthor(state), id, moved, site.realm_url)
    return attempt.withStructureLock((locked) => {
      const marking = locked.withActor(toUndoingActor(locked.actor, id, true))
      return undoRows(marking, findAuthor(state), rows ?? [], site)
    })
  })
}
