/**
 * Flag rows for the mentions of an edited message.
 *
 * The new text mentions only users who have the message: an edit gives no further user access to it.
 */
import { anyMention, everySubscriber, Flag } from '../../../domain/messages/flags.js'
import type { MentionFlags } from '../../../domain/messages/sending/mentions.js'
import type { Transaction } from '../../sql.js'
import { wasUserRecipient } from '../narrow/conditions.js'

/** The flags that the text of a message determines. */
const textFlags = anyMention | Flag.has_alert_word

/** Replaces the flags of the old text by those of the new one. Indexes: message_flags_message, keys. */
export const rewriteMentions = async (
  tx: Transaction,
  realm_id: number,
  message_id: number,
  { common: everyone, flags }: MentionFlags,
): Promise<void> => {
  const newRows = [...flags]
    .map(([user_id, bits]) => ({ user_id, bits: bits & textFlags }))
    .filter(({ bits }) => bits !== 0)
  if (everyone !== 0) newRows.push({ user_id: everySubscriber, bits: everyone })
  const user_ids = newRows.map(({ user_id }) => user_id)
  await tx`
    update message_flags set flags = flags & ~${textFlags}::int
    where realm_id = ${realm_id} and message_id = ${message_id} and flags & ${textFlags} <> 0`
  await tx`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select ${realm_id}, w.user_id, m.id, w.bits
    from messages m cross join unnest(${user_ids}::int[], ${newRows.map(({ bits }) => bits)}::int[]) as w (user_id, bits)
    where m.realm_id = ${realm_id} and m.id = ${message_id} and (
      w.user_id = ${everySubscriber} or ${wasUserRecipient(tx, { realm_id, user_id: tx`w.user_id` })} or exists (
        select from message_flags f
        where f.realm_id = ${realm_id} and f.user_id = w.user_id and f.message_id = m.id
      )
    )
    on conflict (realm_id, user_id, message_id) do update set flags = message_flags.flags | excluded.flags`
  await tx`delete from message_flags where realm_id = ${realm_id} and message_id = ${message_id} and flags = 0`
  const has_wildcard = everyone !== 0
  await tx`
    update messages set has_wildcard = ${has_wildcard}
    where realm_id = ${realm_id} and id = ${message_id} and has_wildcard <> ${has_wildcard}`
}
