/** The acts that one call made, as an undo needs them. */
import type { Reversal } from '../../domain/audit/reversal.js'
import { UNDO_DAYS } from '../../domain/undo/undo-plan.js'
import type { Db } from '../sql.js'

/** An act of the audit log. */
export interface Act {
  id: number
  user_id: number | null
  /** null: an earlier release recorded the act */
  reversal: Reversal | null
  undone_by: number | null
  is_recent: boolean
}

/** Hours between the first and the last act of a call, at most. */
const LONGEST_CALL = 2

/**
 * Loads an act and the others of its call, the newest first. A large request is several changes, with an act each.
 * Empty if there is no such act. Index: audit_log_at.
 */
export const loadActs = (db: Db, realm_id: number, act_id: number): Promise<Act[]> =>
  db<Act[]>`
    with named as (
      select id, request, at from audit_log where realm_id = ${realm_id} and id = ${act_id}
    )
    select a.id, a.user_id, a.reversal, a.undone_by, a.at > now() - make_interval(days => ${UNDO_DAYS}) as is_recent
    from named n join audit_log a on a.realm_id = ${realm_id} and (
      a.id = n.id or a.request = n.request
      and a.at between n.at - make_interval(hours => ${LONGEST_CALL}) and n.at + make_interval(hours => ${LONGEST_CALL})
    )
    order by a.id desc`

/** Whether the act was undone. */
export const isUndone = async (db: Db, realm_id: number, act_id: number): Promise<boolean> => {
  const [row] = await db<{ undone_by: number | null }[]>`
    select undone_by from audit_log where realm_id = ${realm_id} and id = ${act_id}`
  return row === undefined || row.undone_by !== null
}
