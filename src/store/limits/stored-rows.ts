/**
 * Limits of what one account stores in tables that are not in memory:
 * the number of rows and, of lists that answers return whole, the bytes.
 *
 * A transaction writes its rows and then calls a check, which locks the account's rows of this kind until the commit
 * and counts them: so concurrent requests cannot exceed a limit together.
 */
import { msg } from '../../domain/languages/texts.js'
import { accountLimits, hasTooMany } from '../../domain/limits/counts.js'
import { limits } from '../../domain/limits/limits.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Db, Transaction } from '../sql.js'

/** The account whose rows are counted. */
export interface RowOwner {
  realm_id: number
  user_id: number
}

type Fragment = ReturnType<Db>

/** The rows of an account. If their bytes are limited too: the columns of their texts, and the text of the error. */
interface StoredRows {
  rows(tx: Transaction, owner: RowOwner): Fragment
  readonly texts?: readonly string[]
  readonly noRoom?: string
}

const ownRows =
  (table: string) =>
  (tx: Transaction, { realm_id, user_id }: RowOwner): Fragment =>
    tx`${tx(table)} where realm_id = ${realm_id} and user_id = ${user_id}`

/** The kinds of rows. An index begins with the columns of each condition. */
const kinds = {
  drafts: {
    rows: ownRows('drafts'),
    texts: ['topic', 'content'],
    noRoom: msg('There is no room for more drafts: delete some first.'),
  },
  event_subscriptions: {
    rows: (tx, { realm_id, user_id }) => tx`event_subscriptions where realm_id = ${realm_id} and owner_id = ${user_id}`,
  },
  invitation_links: {
    rows: (tx, { realm_id, user_id }) => tx`
      invitations where realm_id = ${realm_id} and invited_by = ${user_id} and email is null and not is_revoked
        and (expires_at is null or expires_at > extract(epoch from now()))`,
  },
  muted_topics: { rows: (tx, owner) => tx`${ownRows('user_topics')(tx, owner)} and visibility_policy = 1` },
  navigation_views: { rows: ownRows('navigation_views') },
  push_devices: { rows: ownRows('push_devices') },
  reminders: {
    rows: (tx, { realm_id, user_id }) => tx`
      jobs where realm_id = ${realm_id} and kind = 'reminder' and done_at is null
        and (payload ->> 'user_id')::int = ${user_id}`,
  },
  saved_snippets: {
    rows: ownRows('saved_snippets'),
    texts: ['title', 'content'],
    noRoom: msg('There is no room for more saved snippets: delete some first.'),
  },
  scheduled_messages: {
    rows: ownRows('scheduled_messages'),
    texts: ['topic', 'content', 'rendered_content'],
    noRoom: msg('There is no room for more scheduled messages: delete some first.'),
  },
  topic_policies: { rows: ownRows('user_topics') },
} as const satisfies { [K in keyof typeof accountLimits]?: StoredRows }

/** A kind of rows with limits. */
export type StoredKind = keyof typeof kinds

/** Size of an item without its texts, in bytes. */
const OVERHEAD = 200

/** Checks the rows of an account after rows were added. Throws BAD_REQUEST, which rolls back, above a limit. */
export const checkAddedRows = async (tx: Transaction, kind: StoredKind, owner: RowOwner): Promise<void> => {
  const { count, bytes } = await countRows(tx, kind, owner)
  if (count > accountLimits[kind].most) throw hasTooMany(accountLimits[kind])
  checkBytes(kind, bytes)
}

/** Checks the rows of an account after one was changed. Throws BAD_REQUEST, which rolls back, above the limit. */
export const checkChangedRows = async (tx: Transaction, kind: StoredKind, owner: RowOwner): Promise<void> =>
  checkBytes(kind, (await countRows(tx, kind, owner)).bytes)

const checkBytes = (kind: StoredKind, bytes: number): void => {
  const { noRoom }: StoredRows = kinds[kind]
  if (noRoom !== undefined && bytes > limits.max_kept_bytes) throw errors.badRequest({ text: noRoom })
}

const countRows = async (
  tx: Transaction,
  kind: StoredKind,
  owner: RowOwner,
): Promise<{ count: number; bytes: number }> => {
  const { rows, texts = [] }: StoredRows = kinds[kind]
  const sizes = texts.map((column) => tx`octet_length(${tx(column)})`)
  const bytes = sizes.reduce((sum, size) => tx`${sum} + ${size}`, tx`${OVERHEAD}::int8`)
  // Two statements, sent together: the second one sees what was committed while the first one waited for the lock.
  const [, [stored]] = await Promise.all([
    lockStoredRows(tx, kind, owner),
    tx<{ count: number; bytes: number }[]>`
      select count(*)::int as count, ${texts.length === 0 ? tx`0` : tx`coalesce(sum(${bytes}), 0)`}::int8 as bytes
      from ${rows(tx, owner)}`,
  ])
  return stored ?? { count: 0, bytes: 0 }
}

/** Locks the rows of one kind of an account until the transaction ends. */
export const lockStoredRows = (
  tx: Transaction,
  kind: keyof typeof accountLimits,
  { realm_id, user_id }: RowOwner,
): Promise<unknown> => tx`select pg_advisory_xact_lock(hashtextextended(${`rows ${kind} ${realm_id} ${user_id}`}, 0))`
