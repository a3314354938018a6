/** Limits of what one user stores in lists that answers return whole. */

import { limits } from '../../domain/limits/limits.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Transaction } from '../sql.js'

/** The tables whose rows are listed whole, and the columns of their texts. */
const kinds = {
  drafts: ['topic', 'content'],
  saved_snippets: ['title', 'content'],
  scheduled_messages: ['topic', 'content', 'rendered_content'],
} as const

/** Size of an item without its texts, in bytes. */
const OVERHEAD = 200

/** Checks the size after a row was added. Throws BAD_REQUEST, which rolls back, above the limit. Index: the user's. */
export const checkQuota = async (
  tx: Transaction,
  kind: keyof typeof kinds,
  realm_id: number,
  user_id: number,
): Promise<void> => {
  const sizes = kinds[kind].map((column) => tx`octet_length(${tx(column)})`)
  const [kept] = await tx<{ bytes: number }[]>`
    select coalesce(sum(${sizes.reduce((all, size) => tx`${all} + ${size}`, tx`${OVERHEAD}::int8`)}), 0)::int8 as bytes
    from ${tx(kind)} where realm_id = ${realm_id} and user_id = ${user_id}`
  if ((kept?.bytes ?? 0) > limits.max_kept_bytes) {
    throw errors.badRequest(`There is no room for more ${kind.replace('_', ' ')}: delete some first.`)
  }
}
