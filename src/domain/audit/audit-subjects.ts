/** What administrative acts are about: an act belongs to a subject by the rows that it changed, or by its endpoint. */
import type { TableName } from '../log/tables.js'

/** How the acts of a subject are known. */
export interface AuditSubject {
  /**
   * names of tables in changes of the log; `log_ins`: log-ins with providers (store/log-in/log-in-acts.ts);
   * `second_factors`: of accounts (store/second-factor/second-factor-acts.ts)
   */
  tables: readonly (TableName | 'event_subscriptions' | 'log_ins' | 'second_factors')[]
  /** the beginning of the path of endpoints whose acts change no row */
  path?: string
}

/** The subjects by which the audit log is filtered. */
export const auditSubjects = {
  users: { tables: ['users', 'bots'] },
  channels: {
    tables: ['channels', 'subscriptions', 'default_channels', 'default_channel_groups', 'channel_folders'],
  },
  groups: { tables: ['groups', 'group_members', 'group_subgroups'] },
  organization: {
    tables: ['realms', 'emoji', 'profile_fields', 'playgrounds', 'linkifiers', 'realm_domains'],
  },
  log_ins: { tables: ['log_in_methods', 'log_ins'] },
  second_factors: { tables: ['second_factors'] },
  invitations: { tables: [], path: '/invites' },
  event_subscriptions: { tables: ['event_subscriptions'] },
  exports: { tables: [], path: '/export' },
} as const satisfies Record<string, AuditSubject>

export type AuditSubjectName = keyof typeof auditSubjects

/** The names of the subjects. */
export const auditSubjectNames = Object.keys(auditSubjects) as [AuditSubjectName, ...AuditSubjectName[]]
