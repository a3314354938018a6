/**
 * Uploading files, and listing and deleting one's own uploads. Source: protocol/endpoints.md 3.10.
 */
import { z } from 'zod'
import { attachmentObject } from '../../../domain/files/attachment-entries.js'
import { generatePathId, storedContentType, storedFileName } from '../../../domain/files/file-links.js'
import { type ApiError, errors } from '../../../domain/protocol/errors.js'
import { addAttachment, loadUserAttachments } from '../../../store/files/attachments.js'
import { removeAttachment } from '../../../store/files/file-removal.js'
import { imagesOf, inspectUpload } from '../../../store/files/image-processing.js'
import { loadSpaceUsed } from '../../../store/files/upload-quota.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath } from '../../call/params.js'
import { fileBodyRule, requireSingleFile } from './file-transfer.js'

const tooLarge = (mib: number): ApiError =>
  errors.badRequest('This file is larger than the server takes ({size} MiB).', { size: mib })

export const uploadFile = endpoint({
  method: 'POST',
  path: '/user_uploads',
  summary: 'Uploads a file: the only part of the form, under any field name.',
  callers: 'account',
  params: {},
  response: z.object({ url: z.string(), uri: z.string(), filename: z.string() }),
  errors: [errors.uploadQuota],
  rateLimit: 'uploads',
  body: ({ MAX_FILE_UPLOAD_SIZE_MIB: mib }) => fileBodyRule(mib, tooLarge),
  async handle({ app, caller, realm, write, request }) {
    const wrongCount = (count: number) =>
      count === 0 ? errors.noFile() : errors.badRequest('Upload one file at a time.')
    const {
      filename: input,
      type,
      data,
    } = requireSingleFile(request, wrongCount, app.config.MAX_FILE_UPLOAD_SIZE_MIB, tooLarge)
    const filename = storedFileName(input)
    const path_id = generatePathId(realm.id, filename)
    const image = (await inspectUpload(imagesOf(app.store.images, realm.id, caller.id), data)) ?? null
    const file = { path_id, name: filename, content_type: storedContentType(type), size: data.length, image }
    const url = `/user_uploads/${path_id}`
    return write.answering(
      () => ({ url, uri: url, filename }),
      (keyed) => addAttachment(keyed, app.store.files, caller.user, file, data),
    )
  },
})

export const getAttachments = endpoint({
  method: 'GET',
  path: '/attachments',
  summary: 'Lists the files that the caller uploaded, newest first.',
  callers: 'account',
  params: {},
  response: z.object({ attachments: z.array(attachmentObject), upload_space_used: z.int() }),
  handle: async ({ app, caller, realm }) => ({
    attachments: await loadUserAttachments(app.store.sql, realm.id, caller.id),
    upload_space_used: await loadSpaceUsed(app.store.sql, realm.id),
  }),
})

export const deleteAttachment = endpoint({
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  summary: 'Deletes a file that the caller uploaded.',
  callers: 'account',
  condition: 'The caller uploaded the file.',
  params: { attachment_id: idInPath() },
  response: z.object({}),
  async handle({ app, caller, write, params }) {
    await removeAttachment(write, app.store.files, caller.user, params.attachment_id)
    return {}
  },
})
