/**
 * Which changes belong in the audit log of an organization, and in which form.
 *
 * 1. An act is recorded if it changes accounts, permissions, channels, groups or settings of the organization. Changes
 *    that users make for themselves only (their settings, profile, subscriptions) are not.
 * 2. The log has no secrets: keys and passwords are not in structural rows, and the columns of `secretColumns`, in
 *    which bots keep credentials and keys their hashes, are recorded without their values.
 */
import type { EventSubscriptionChange } from '../event-subscriptions/event-subscription-entries.js'
import type { NewEntry } from '../log/entry.js'
import type { RowChange } from '../log/row-changes.js'
import type { SubscriptionRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { TableName } from '../log/tables.js'
import type { RestoredMessages } from '../messages/editing/restore-message-entry.js'
import type { SignUpChange } from '../users/accounts/sign-up-entries.js'
import { canSeeAddress } from '../users/users.js'
import { composeRowReversal, type Reversal } from './reversal.js'

/** A row that an act changed. `before` null: the act added it; `after` null: the act removed it. */
export interface AuditChange {
  table: string
  key: Readonly<Record<string, unknown>>
  before: Readonly<Record<string, unknown>> | null
  after: Readonly<Record<string, unknown>> | null
}

/** Tables whose rows users change for themselves only. */
const personalTables: ReadonlySet<TableName> = new Set([
  'alert_words',
  'user_mutes',
  'user_statuses',
  'sessions',
  'counters',
])

/** The columns of their own account that users cannot set like a preference. */
const accountColumns = ['role', 'is_active', 'delivery_email', 'key_version'] as const satisfies (keyof UserRow)[]

/** Columns that may hold credentials of other servers. */
const secretColumns: ReadonlySet<string> = new Set(['config_data', 'service_url', 'sealed_secret', 'token_hash'])

/** Entries without row changes that report an administrative act. */
const auditedKinds: ReadonlySet<string> = new Set(['invites_changed', 'realm_export'])

/** Above this number the rows of one act are counted and not recorded one by one. */
const MAX_CHANGES = 200

/**
 * Composes what the audit log records of an act. Returns undefined when the act is not administrative.
 * @param user_id the account that acted; null for a caller without an account
 */
export const composeAct = (
  entries: readonly NewEntry[],
  user_id: number | null,
): { changes: AuditChange[]; reversal: Reversal } | undefined => {
  const changes = entries.flatMap(({ rows }) => rows ?? []).filter((change) => isAdministrative(change, user_id))
  const restored = entries.flatMap(({ kind, data }) =>
    kind === 'restore_message' ? [composeRestoration(data as RestoredMessages)] : [],
  )
  if (restored.length > 0) return { changes: restored, reversal: {} }
  const subscriptions = entries.flatMap(({ kind, data }) =>
    kind === 'event_subscription_changed' ? [composeSubscriptionChange(data as EventSubscriptionChange)] : [],
  )
  if (subscriptions.length > 0) return { changes: subscriptions, reversal: {} }
  const signUps = entries.flatMap(({ kind, data }) =>
    kind === 'sign_ups_changed' ? [composeSignUpChange(data as SignUpChange)] : [],
  )
  if (changes.length + signUps.length === 0 && !entries.some(({ kind }) => auditedKinds.has(kind))) return undefined
  return { changes: [...composeAuditChanges(changes), ...signUps], reversal: composeRowReversal(changes) }
}

/** Row changes as the audit log shows them. Of many it has MAX_CHANGES, and the number of the others. */
export const composeAuditChanges = (changes: readonly RowChange[]): AuditChange[] => {
  const recorded = changes.slice(0, MAX_CHANGES).map(composeAuditChange)
  if (changes.length <= MAX_CHANGES) return recorded
  const omitted = { table: 'omitted', key: { count: changes.length - MAX_CHANGES }, before: null, after: null }
  return [...recorded, omitted]
}

/** Restored messages, without their texts. */
const composeRestoration = ({ stream_id, topic, message_ids }: RestoredMessages): AuditChange => ({
  table: 'messages',
  key: stream_id === undefined ? {} : { channel_id: stream_id, topic },
  before: null,
  after: { message_ids },
})

/** A change of an event subscription. It says where events go, without the address, which may hold credentials. */
const composeSubscriptionChange = ({ subscription_id, before, after }: EventSubscriptionChange): AuditChange => ({
  table: 'event_subscriptions',
  key: { subscription_id },
  before,
  after,
})

/** A change of the queue of users who signed up: who waits, or whom an administrator approved or refused. */
const composeSignUpChange = ({ sign_up_id, email, full_name, result }: SignUpChange): AuditChange => ({
  table: 'sign_ups',
  key: { sign_up_id },
  before: null,
  after: { email, full_name, result },
})

const isAdministrative = ({ table, key, before, after }: RowChange, user_id: number | null): boolean => {
  if (personalTables.has(table)) return false
  if (table === 'subscriptions') return (key as SubscriptionRow).user_id !== user_id
  if (table !== 'users' || (key as UserRow).id !== user_id || before === null || after === null) return true
  return accountColumns.some((column) => column in after)
}

/**
 * Hides addresses of accounts in the changes. It hides those that the viewer may not see (protocol/permissions.md 14).
 */
export const hideAddresses = (changes: readonly AuditChange[], viewer: UserRow, state: RealmState): AuditChange[] =>
  changes.map((change) => {
    const user = change.table === 'users' ? state.users.get(change.key.id as number) : undefined
    if (user === undefined || canSeeAddress(viewer, user)) return change
    return { ...change, before: hideAddress(change.before), after: hideAddress(change.after) }
  })

/** The API address is the real one as long as all users may see it, so an older record may have it too. */
const hideAddress = (columns: AuditChange['before']): AuditChange['before'] =>
  columns &&
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, /^(delivery_)?email$/.test(name) ? '(hidden)' : value]),
  )

const composeAuditChange = ({ table, key, before, after }: RowChange): AuditChange => ({
  table,
  key: { ...key },
  before: before && hideSecrets(before),
  after: after && hideSecrets(after),
})

const hideSecrets = (columns: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, secretColumns.has(name) ? '(not recorded)' : value]),
  )
