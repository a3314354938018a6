/**
 * Reads the words of an uploaded file to which a message links, for the search.
 *
 * 1. Another process reads the file, with limits of time and memory (store/files/image-decoder.ts). If it cannot be
 *    read now, because the storage is away or too many files of the account wait, the job is put off.
 * 2. A file that ended this process MAX_ATTEMPTS times, or that takes too much, has only the words of its name.
 */
import { composeFileVector } from '../../domain/search/file-vector.js'
import { MAX_DOCUMENT_BYTES, readDocumentWords } from '../../store/files/document-reading.js'
import { ImageDecoderError } from '../../store/files/image-decoder.js'
import { imagesOf } from '../../store/files/image-processing.js'
import { uploadKey } from '../../store/files/storage-keys.js'
import { findFileToRead, storeFileWords } from '../../store/messages/narrow/file-words.js'
import { learnWords } from '../../store/messages/narrow/known-words.js'
import { noEffect } from '../jobs/effects.js'
import { type JobHandler, JobNotReadyError } from '../jobs/job-handler.js'

const MAX_ATTEMPTS = 3

export const fileWords: JobHandler<'file_words'> = async (job) => {
  const { write, realm, payload, files, images, attempts, runExternalCall } = job
  const file = await findFileToRead(write.sql, realm.id, payload.attachment_id)
  if (file === undefined) return noEffect
  // A file whose bytes are gone is read like an empty one.
  const load = async () => (await files.get(uploadKey(file.path_id))) ?? Buffer.alloc(0)
  const account = imagesOf(images, realm.id, file.owner_id)
  const read = async () =>
    file.size > MAX_DOCUMENT_BYTES ? undefined : readDocumentWords(account, realm.id, file.name, load)
  const words = await runExternalCall(read).catch((error: unknown) => {
    if (!(error instanceof ImageDecoderError)) throw error
    if (error.reason === 'failed' && attempts + 1 >= MAX_ATTEMPTS) return undefined
    throw new JobNotReadyError(error.message)
  })
  return {
    async change(tx) {
      const vector = words?.vector ?? composeFileVector(realm.id, file.name)
      const isStored = await storeFileWords(tx, realm.id, file.id, vector)
      if (isStored && words !== undefined) await learnWords(tx, realm.id, new Map(words.counts))
      return { entries: [] }
    },
  }
}
