/**
 * The audit log of an organization, as it is read: who did which administrative act, when, from which address, with the
 * changed rows before and after. Acts are recorded by store/audit/record-acts.ts.
 */
import type { AuditChange } from '../../domain/audit/audit.js'
import { type AuditSubject, type AuditSubjectName, auditSubjects } from '../../domain/audit/audit-subjects.js'
import { UNDO_DAYS } from '../../domain/undo/undo-plan.js'
import type { Sql } from '../sql.js'

/** One administrative act. */
export interface AuditRecord {
  id: number
  /** UNIX seconds */
  timestamp: number
  /** null: a caller without an account, or the command line */
  user_id: number | null
  /** the IP address of the caller, '' if unknown */
  address: string
  /** the method and path of the endpoint */
  action: string
  changes: AuditChange[]
  /** whether it has an inverse, is recent enough and was not undone: an undo can be tried */
  can_undo: boolean
  /** the act that it undid */
  undoes: number | null
  /** the act that undid it */
  undone_by: number | null
}

/** Which acts are asked for. */
export interface AuditQuery {
  /** those with a lower id */
  before: number
  limit: number
  user_id?: number | undefined
  subject?: AuditSubjectName | undefined
  /** UNIX seconds: those of this time and later */
  since?: number | undefined
  /** UNIX seconds: those before this time */
  until?: number | undefined
}

/** Loads the acts that fit the query, newest first. A query with a rare subject reads all acts of its time. */
export const loadAuditRecords = (
  sql: Sql,
  realm_id: number,
  { before, limit, user_id, subject, since, until }: AuditQuery,
): Promise<AuditRecord[]> =>
  sql<AuditRecord[]>`
    select id, floor(extract(epoch from at))::int8 as timestamp, user_id, address, action, changes, undoes, undone_by,
      undone_by is null and coalesce(reversal, '{}') <> '{}' and at > now() - make_interval(days => ${UNDO_DAYS}) as can_undo
    from audit_log
    where realm_id = ${realm_id} and id < ${before}
      ${user_id === undefined ? sql`` : sql`and user_id = ${user_id}`}
      ${since === undefined ? sql`` : sql`and at >= to_timestamp(${since})`}
      ${until === undefined ? sql`` : sql`and at < to_timestamp(${until})`}
      ${subject === undefined ? sql`` : sql`and ${isAbout(sql, auditSubjects[subject])}`}
    order by id desc limit ${limit}`

/** An action is the method and the path of an endpoint, such as `POST /invites`. */
const isAbout = (sql: Sql, { tables, path }: AuditSubject) => sql`(
  exists (select from jsonb_array_elements(changes) as change where change->>'table' = any(${[...tables]}::text[]))
  or split_part(action, ' ', 2) like ${path === undefined ? '' : `${path}%`})`

const BATCH = 1_000

/** Deletes a batch of records that are older than `days`. @returns how many */
export const deleteOldAuditRecords = async (sql: Sql, days: number): Promise<number> => {
  const deleted = await sql`
    delete from audit_log where (realm_id, id) in (
      select realm_id, id from audit_log where at < now() - make_interval(secs => ${days * 86_400}) limit ${BATCH})`
  return deleted.count
}
