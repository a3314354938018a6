/** The parameters of bots, and the avatar in a request. */

import { z } from 'zod'
import { msg } from '../../../domain/languages/texts.js'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { imagesOf, makeAvatar } from '../../../store/files/image-processing.js'
import type { AvatarImages } from '../../../store/files/stored-avatars.js'
import type { Call } from '../../call/endpoint.js'
import { bool, either, json, str } from '../../call/params.js'
import { fileBodyRule, pictureTooLarge, requireSingleFile } from '../files/file-transfer.js'

/** The parameter for the URL of an outgoing webhook. */
export const urlParam = () =>
  either(
    z
      .string()
      .refine((text) => URL.canParse(text) && /^https?:/.test(text), msg('{name} must be an http or https address.')),
  )
/** The parameter for the configuration of a bot. */
export const configParam = () => json(z.record(z.string(), z.string()))
const channel = () => str().describe('a channel by name; empty for none')

/** The parameters for the default channels of a bot. */
export const defaultParams = {
  default_sending_stream: channel().optional(),
  default_events_register_stream: channel().optional(),
  default_all_public_streams: bool().optional(),
}

/** The body of a request that can contain an avatar. */
export const avatarBody = fileBodyRule(limits.max_avatar_file_size_mib, pictureTooLarge)

/** Makes the avatar from the file of the request; undefined: it has no file. Throws BAD_IMAGE and RATE_LIMIT_HIT. */
export const makeUploadedAvatar = async ({
  app,
  realm,
  caller,
  request,
}: Pick<Call, 'app' | 'realm' | 'caller' | 'request'>): Promise<AvatarImages | undefined> => {
  if (request.files.length === 0) return undefined
  const wrongCount = () => errors.badRequest('Upload one file at a time.')
  const { data } = requireSingleFile(request, wrongCount, limits.max_avatar_file_size_mib, pictureTooLarge)
  const images = imagesOf(app.store.images, realm.id, caller.id)
  return makeAvatar(images, data)
}
