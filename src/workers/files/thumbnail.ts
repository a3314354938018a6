/**
 * Makes the thumbnails of an uploaded image, and adds them to the messages that show the image.
 *
 * The job stores the thumbnails before the change: a job that runs twice stores the same bytes again.
 */

import { findAttachment } from '../../store/files/attachments.js'
import { makeThumbnails } from '../../store/files/image-processing.js'
import { thumbnailKey, uploadKey } from '../../store/files/storage-keys.js'
import { thumbnailChange } from '../../store/files/thumbnail-completion.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const thumbnail: JobHandler<'thumbnail'> = async ({ write, realm, payload, files }) => {
  const file = await findAttachment(write.sql, realm.id, { id: payload.attachment_id })
  if (file?.image?.thumbnail !== 'pending') return noEffect
  const bytes = await files.get(uploadKey(file.path_id))
  const thumbnails = bytes && (await makeThumbnails(bytes, file.image))
  for (const { name, bytes } of thumbnails ?? []) await files.put(thumbnailKey(file.path_id, name), bytes)
  const image = { ...file.image, thumbnail: thumbnails === undefined ? ('impossible' as const) : ('ready' as const) }
  return { change: thumbnailChange(realm, file, image) }
}
