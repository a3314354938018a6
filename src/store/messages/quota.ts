/** Room for what one person keeps: a list of it comes whole, so it cannot grow without an end. */

import { limits } from '../../domain/limits/limits.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Transaction } from '../sql.js'

/** What people keep that lists return whole: the table, and the columns of its texts. */
const kinds = {
  drafts: ['topic', 'content'],
  saved_snippets: ['title', 'content'],
  scheduled_messages: ['topic', 'content', 'rendered_content'],
} as const

/** What an item takes beside its texts, in bytes. */
const OVERHEAD = 200

/** Looks after something was added. Throws BAD_REQUEST, which undoes it, when there is too much. Index: that of the user. */
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
