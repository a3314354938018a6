/**
 * Loads a picture of another site for the readers of an organization (store/files/external-pictures.ts).
 *
 * The other site is hostile: the address is checked at each connection, the answer is bounded, its bytes decide what it
 * is, and only the process for images decodes them. What is stored is the picture written anew.
 */

import {
  finishExternalPicture,
  pictureId,
  removeExcessPictures,
  storeExternalPicture,
} from '../../store/files/external-pictures.js'
import { ImageDecoderError } from '../../store/files/image-decoder.js'
import { decodeExternalPicture, type MadePicture } from '../../store/files/image-processing.js'
import { OutgoingCallError } from '../../store/outgoing/outgoing-http.js'
import { type JobContext, type JobHandler, JobNotReadyError } from '../jobs/job-handler.js'

const ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif'

export const externalPicture: JobHandler<'external_picture'> = async (job) => {
  const { write, realm, payload, files, runExternalCall } = job
  const id = pictureId(payload.url)
  const made = await runExternalCall(() => loadPicture(job))
  const stored = made && (await storeExternalPicture(write.sql, files, realm.id, id, made))
  if (stored !== undefined) await removeExcessPictures(write.sql, files, realm.id)
  return {
    async store(tx) {
      await finishExternalPicture(tx, realm.id, id, stored)
      return { entries: [], jobs: [] }
    },
  }
}

/** The picture, written anew; undefined: there is none that readers can see. */
const loadPicture = async ({
  realm,
  payload,
  images,
  getPicture,
}: JobContext<'external_picture'>): Promise<MadePicture | undefined> => {
  try {
    const { status, headers, body } = await getPicture(payload.url, ACCEPT)
    if (status !== 200 || !mayBePicture(headers['content-type'])) return undefined
    return await decodeExternalPicture({ decoder: images, account: `${realm.id}:external` }, body)
  } catch (error) {
    if (error instanceof OutgoingCallError) return undefined
    if (!(error instanceof ImageDecoderError)) throw error
    if (error.reason === 'busy') throw new JobNotReadyError(error.message)
    return undefined
  }
}

/** Some storages send no type. Vector graphics are programs. */
const mayBePicture = (type = 'application/octet-stream'): boolean =>
  /^\s*(?:image\/(?!svg)|(?:application|binary)\/octet-stream)/i.test(type)
