/**
 * What happens when the thumbnail of an uploaded picture is made: the messages that wait for it show it.
 *
 * A message that is sent at the same moment was rendered with the picture as it was before, or after. Both sides lock
 * the file's row (file-claims.ts, 2): so either this finds the message, or its sender finds the picture changed and
 * renders anew.
 */

import { replacePlaceholders } from '../../domain/files/thumbnails.js'
import type { NewEntry } from '../../domain/log/entry.js'
import type { UploadedImage } from '../../domain/markdown/render-context.js'
import type { Change } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import { type Drawn, redraw } from '../messages/audience/redrawing.js'
import { freeMessages } from '../messages/message-locks.js'
import type { AttachmentRow } from './attachments.js'

/** The change that shows how the making of a thumbnail ended. */
export const thumbnailChange = (
  realm: Realm,
  { id, path_id }: AttachmentRow,
  image: UploadedImage,
): Change<NewEntry[]> => ({
  entries: [],
  async before(tx) {
    await freeMessages(tx, realm.id)
    const marked = await tx`
      update attachments set image = ${JSON.stringify(image)}::text::jsonb
      where realm_id = ${realm.id} and id = ${id} and image ->> 'thumbnail' = 'pending'`
    if (marked.count === 0) return []
    const waiting = await tx<Drawn[]>`
      select m.id, m.channel_id, m.content, m.rendered_content,
        (select c.user_ids from dm_conversations c where c.realm_id = m.realm_id and c.id = m.dm_id) as user_ids
      from attachment_claims a join messages m on m.realm_id = a.realm_id and m.id = a.message_id
      where a.realm_id = ${realm.id} and a.attachment_id = ${id}
      order by m.id`
    const entries: NewEntry[] = []
    for (const message of waiting) {
      const rendered_content = replacePlaceholders(message.rendered_content, path_id, image)
      if (rendered_content === message.rendered_content) continue
      entries.push(...(await redraw(tx, realm.state, message, rendered_content)))
    }
    return entries
  },
  told: (entries) => entries,
})
