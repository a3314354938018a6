/**
 * Makes the thumbnails of an uploaded image, and adds them to the messages that show the image.
 *
 * 1. The job stores the thumbnails before the change: a job that runs twice stores the same bytes again.
 * 2. If too many images of the same account wait already, the job is put off: the images of one account never take all
 *    slots of its organization.
 * 3. An image whose decoding was killed MAX_ATTEMPTS times has no thumbnail.
 */

import { findAttachment } from '../../store/files/attachments.js'
import { ImageDecoderError } from '../../store/files/image-decoder.js'
import { imagesOf, makeThumbnails } from '../../store/files/image-processing.js'
import { thumbnailKey, uploadKey } from '../../store/files/storage-keys.js'
import { thumbnailChange } from '../../store/files/thumbnail-completion.js'
import { noEffect } from '../jobs/effects.js'
import { type JobHandler, JobNotReadyError } from '../jobs/job-handler.js'

const MAX_ATTEMPTS = 3

export const thumbnail: JobHandler<'thumbnail'> = async ({
  write,
  realm,
  payload,
  files,
  images,
  attempts,
  runExternalCall,
}) => {
  const file = await findAttachment(write.sql, realm.id, { id: payload.attachment_id })
  if (file?.image?.thumbnail !== 'pending') return noEffect
  const { image: pending, owner_id, path_id } = file
  // A file whose bytes are gone is decoded like an empty one: it has no thumbnail.
  const load = async () => (await files.get(uploadKey(path_id))) ?? Buffer.alloc(0)
  const account = imagesOf(images, realm.id, owner_id)
  const made = await runExternalCall(() => makeThumbnails(account, load, pending)).catch((error: unknown) => {
    if (!(error instanceof ImageDecoderError)) throw error
    if (error.reason === 'failed' && attempts + 1 >= MAX_ATTEMPTS) return undefined
    throw new JobNotReadyError(error.message)
  })
  for (const { name, bytes } of made ?? []) await files.put(thumbnailKey(path_id, name), bytes)
  const image = { ...pending, thumbnail: made === undefined ? ('impossible' as const) : ('ready' as const) }
  return { change: thumbnailChange(realm, file, image) }
}
