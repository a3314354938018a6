/**
 * Records that the thumbnail of an uploaded image is ready or impossible, and updates the HTML of the messages that
 * show its placeholder.
 *
 * A message that is sent at the same time was rendered with the old or the new state of the image. Both transactions
 * lock the row of the file (file-claims.ts, 2). So either this change finds the message, or the sending transaction
 * finds that the image has changed, and renders again.
 */

import { replacePlaceholders } from '../../domain/files/thumbnails.js'
import type { NewEntry } from '../../domain/log/entry.js'
import type { UploadedImage } from '../../domain/markdown/context/render-context.js'
import type { Change } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import { type RenderedMessage, updateRendering } from '../messages/audience/rendering-updates.js'
import { lockMessagesExclusive } from '../messages/message-locks.js'
import type { AttachmentRow } from './attachments.js'

/**
 * Composes the change that records the result of making a thumbnail. It also redraws the messages with the placeholder
 * of the thumbnail.
 */
export const thumbnailChange =
  (realm: Realm, { id, path_id }: AttachmentRow, image: UploadedImage): Change =>
  async (tx) => {
    await lockMessagesExclusive(tx, realm.id)
    const marked = await tx`
      update attachments set image = ${JSON.stringify(image)}::text::jsonb
      where realm_id = ${realm.id} and id = ${id} and image ->> 'thumbnail' = 'pending'`
    if (marked.count === 0) return { entries: [] }
    const waiting = await tx<RenderedMessage[]>`
      select m.id, m.channel_id, m.content, m.rendered_content,
        (select c.user_ids from dm_conversations c where c.realm_id = m.realm_id and c.id = m.dm_id) as user_ids
      from attachment_claims a join messages m on m.realm_id = a.realm_id and m.id = a.message_id
      where a.realm_id = ${realm.id} and a.attachment_id = ${id}
      order by m.id`
    const entries: NewEntry[] = []
    for (const message of waiting) {
      const rendered_content = replacePlaceholders(message.rendered_content, path_id, image)
      if (rendered_content === message.rendered_content) continue
      entries.push(...(await updateRendering(tx, realm.state, message, rendered_content)))
    }
    return { entries }
  }
