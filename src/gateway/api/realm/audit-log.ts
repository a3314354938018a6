/** The audit log of administrative acts, for owners. The protocol has no such call: this one is ours. */
import { z } from 'zod'
import { hideAddresses } from '../../../domain/audit/audit.js'
import { auditSubjectNames } from '../../../domain/audit/audit-subjects.js'
import { type AuditRecord, loadAuditRecords } from '../../../store/realm/audit-log.js'
import { endpoint } from '../../call/endpoint.js'
import { either, int, timestamp } from '../../call/params.js'

const row = z.record(z.string(), z.unknown())

/** A row that an act changed. `before` null: the act added it; `after` null: the act removed it. */
export const auditChange = z.object({
  table: z.string(),
  key: row,
  before: row.nullable(),
  after: row.nullable(),
})

export const getAuditLog = endpoint({
  method: 'GET',
  path: '/realm/audit_log',
  summary:
    'Lists administrative acts, newest first: who did what, when, from which address, with the rows before and after.',
  callers: 'owner',
  params: {
    before: int({ min: 1 }).default(Number.MAX_SAFE_INTEGER).describe('lists acts with a lower id'),
    limit: int({ min: 1, max: 500 }).default(100),
    user_id: int().optional().describe('lists acts of this account'),
    subject: either(z.enum(auditSubjectNames)).optional().describe('lists acts about this'),
    since: timestamp().optional().describe('UNIX seconds: lists acts of this time and later'),
    until: timestamp().optional().describe('UNIX seconds: lists acts before this time'),
  },
  example: { limit: 2, subject: 'channels' },
  response: z.object({
    acts: z.array(
      z.object({
        id: z.int(),
        timestamp: z.int().describe('UNIX seconds'),
        user_id: z.int().nullable().describe('null: a caller without an account, or the command line'),
        address: z.string().describe('the IP address of the caller'),
        action: z.string().describe('the method and path of the endpoint'),
        can_undo: z.boolean().describe('it has an inverse, is of the last 30 days, and was not undone'),
        undoes: z.int().nullable().describe('the act that it undid'),
        undone_by: z.int().nullable().describe('the act that undid it'),
        changes: z.array(auditChange),
      }),
    ),
  }),
  // A rare subject is looked for in all acts.
  isHeavy: ({ subject }) => subject !== undefined,
  async handle({ app, caller, realm, state, params }) {
    const records = await loadAuditRecords(app.store.sql, realm.id, params)
    const hide = (record: AuditRecord) => ({ ...record, changes: hideAddresses(record.changes, caller.user, state) })
    return { acts: records.map(hide) }
  },
})
