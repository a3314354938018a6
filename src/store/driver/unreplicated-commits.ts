/**
 * Commits that are on the primary's disk, and perhaps on no standby: whether they take effect is unknown.
 *
 * Postgres reports a commit whose wait for the standby was cancelled as committed, with a warning. The driver only
 * tells the warning to a function of ours. It calls this while the statement is the current one of its connection, and
 * rejects the statement with what the function throws. Seen in 3.4.9 (`NoticeResponse` and `data` in
 * https://github.com/porsager/postgres/blob/v3.4.9/src/connection.js).
 *
 * 1. Such a commit fails.
 */

/** A commit that no standby has confirmed. */
class UnreplicatedCommitError extends Error {
  readonly code = 'COMMIT_NOT_REPLICATED'
}

/** Refuses a commit that no standby has confirmed. Throws UnreplicatedCommitError for the warning of it (1). */
export const refuseUnreplicatedCommit = ({ routine, message }: Readonly<Record<string, string>>): void => {
  if (routine === 'SyncRepWaitForLSN') throw new UnreplicatedCommitError(message)
}
