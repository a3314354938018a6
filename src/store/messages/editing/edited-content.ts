/**
 * The new text of an edited message: renders it, checks its mentions and writes it over the old one.
 *
 * Source: protocol/messages.md 4.1 and 4.4.
 */

import { limits } from '../../../domain/limits/limits.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { isMeMessage } from '../../../domain/markdown/render.js'
import type { Edit } from '../../../domain/messages/editing/editing.js'
import type { NewContent } from '../../../domain/messages/editing/update-message-entry.js'
import { authorizeMentions, type MentionFlags } from '../../../domain/messages/sending/mentions.js'
import { addPersonalFlags } from '../../../domain/messages/sending/personal-flags.js'
import type { Fragment, Sql, Transaction } from '../../sql.js'
import { loadAccessCheck } from '../../users/user-access.js'
import { rewriteMentions } from '../flags/mention-rows.js'
import type { ReaderRow } from '../narrow/load-messages.js'
import { loadTopicParticipants } from '../participants.js'
import { type RenderedWithFiles, renderContent } from '../sending/render-content.js'

/** A rendered text, and the flags that its mentions set. */
export interface EditedContent {
  content: string
  rendered: RenderedWithFiles
  mentions: MentionFlags
}

/**
 * The new text in HTML, and what it mentions, if the editor may mention that. Throws BAD_REQUEST when the HTML would be
 * too long to store, and the refusals of protocol/messages.md 3.5.
 */
export const renderEdit = async (
  sql: Sql,
  state: RealmState,
  { editor, message, realm_url }: { editor: UserRow; message: ReaderRow; realm_url: string },
  { move }: Edit,
  content: string,
): Promise<EditedContent> => {
  const isKnown = await loadAccessCheck(sql, state, editor)
  const rendered = await renderContent(sql, state, editor, content, { realm_url, isKnown })
  const channel = message.channel_id === null ? undefined : state.channels.get(message.channel_id)
  const location =
    channel === undefined
      ? { participants: (message.user_ids ?? []).flatMap((id) => state.users.get(id) ?? []) }
      : { channel }
  const topicParticipants =
    channel !== undefined && rendered.topic_wildcard
      ? await loadTopicParticipants(sql, state.realm.id, channel.id, move?.topic ?? message.topic)
      : []
  const mentions = authorizeMentions(state, editor, location, rendered, topicParticipants)
  const written = { sender_id: editor.id, content }
  // rewriteMentions leaves out users who do not have the message.
  return { content, rendered, mentions: addPersonalFlags(state, written, () => true, mentions) }
}

export interface ContentWrite {
  editor: UserRow
  message: ReaderRow
  text: EditedContent
  now: number
  /** the newest item of the history is of this very edit */
  isMoved: boolean
}

/** Writes the text and its mentions, and adds the old text to the edit history. */
export const writeContent = async (tx: Transaction, realm_id: number, writing: ContentWrite): Promise<void> => {
  const { editor, message, text, now, isMoved } = writing
  const { content, rendered } = text
  const before = { prev_content: message.content, prev_rendered_content: message.rendered_content }
  const history = isMoved
    ? tx`jsonb_set(edit_history, '{0}', edit_history -> 0 || ${JSON.stringify(before)}::text::jsonb)`
    : tx`jsonb_build_array(${JSON.stringify({ user_id: editor.id, timestamp: now, ...before })}::text::jsonb)
        || coalesce(edit_history, '[]')`
  await tx`
    update messages set edit_history = ${trimHistory(tx, history)}, last_edit_timestamp = ${now}, content = ${content},
      rendered_content = ${rendered.html}, is_me_message = ${isMeMessage(content)}, has_link = ${rendered.has_link},
      has_image = ${rendered.has_image}, has_attachment = ${rendered.has_attachment}
    where realm_id = ${realm_id} and id = ${message.id}`
  await rewriteMentions(tx, realm_id, message.id, text.mentions)
}

/** Drops the oldest items of an edit history above limits.max_edit_history_bytes. */
const trimHistory = (tx: Transaction, history: Fragment): Fragment => tx`(
  select jsonb_agg(item order by n) from (
    select item, n, sum(octet_length(item::text)) over (order by n) as bytes
    from jsonb_array_elements(${history}) with ordinality as items (item, n)
  ) items
  where n = 1 or bytes <= ${limits.max_edit_history_bytes}
)`

/** The fields of the event. */
export const buildContentChange = (message: ReaderRow, { content, rendered }: EditedContent): NewContent => ({
  orig_content: message.content,
  orig_rendered_content: message.rendered_content,
  content,
  rendered_content: rendered.html,
  is_me_message: isMeMessage(content),
})
