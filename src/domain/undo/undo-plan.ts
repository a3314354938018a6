/** What an undo would do, as it is told before and after it. */
import type { AuditChange } from '../audit/audit.js'
import type { RowChange } from '../log/row-changes.js'
import type { Conflict } from './row-conflicts.js'

/** Days after which an act cannot be undone any more. */
export const UNDO_DAYS = 30

/**
 * What an undo does not take back. These are mails, push notifications and calls of webhooks that have left the server;
 * notices of the Notification Bot; what was marked as read; sessions, keys, passwords and invitations that ended; and
 * the history of moved messages.
 */
export const remainders = ['delivered', 'notices', 'read_state', 'credentials', 'history'] as const

export type Remainder = (typeof remainders)[number]

/** What an undo would do. */
export interface UndoPlan {
  /** as the audit log will record them: `before` is now, `after` is before the act */
  changes: AuditChange[]
  /** what was changed since the act; the undo is refused unless this is empty */
  changed_since: Conflict[]
  remains: Remainder[]
}

/** Conflicts that an answer lists. */
export const MAX_CONFLICTS = 100

/** What stays although these changes are taken back. */
export const listRowRemainders = (changes: readonly RowChange[]): Remainder[] => {
  const found = new Set<Remainder>()
  for (const { table, before, after } of changes) {
    if (table === 'users') found.add('delivered')
    if (table === 'users' && (before as { is_active?: boolean } | null)?.is_active === true) found.add('credentials')
    if (table === 'channels' || table === 'group_members') {
      found.add('delivered')
      found.add('notices')
    }
    if (table === 'subscriptions') {
      found.add('delivered')
      if ((after as { active?: boolean } | null)?.active === true) found.add('notices')
      else found.add('read_state')
    }
  }
  return remainders.filter((one) => found.has(one))
}
