/** The parameters of bots: their declarations, their checks, and the default channels in answers. */

import { z } from 'zod'
import { hasContentAccess } from '#rules/channel-access.js'
import { limits } from '../../../domain/limits/limits.js'
import { type BotRow, BotType, type UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { findVisibleChannelByName } from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { channelName, ServiceInterface } from '../../../domain/users/bots/bots.js'
import { isEmailAddress } from '../../../domain/users/name-and-email-rules.js'
import { imagesOf, makeAvatar } from '../../../store/files/image-processing.js'
import type { AvatarImages } from '../../../store/files/stored-avatars.js'
import type { Call } from '../../call/endpoint.js'
import { bool, either, json, str } from '../../call/params.js'
import { fileBodyRule, pictureTooLarge, requireSingleFile } from '../files/file-transfer.js'

/** The parameter for the URL of an outgoing webhook. */
export const urlParam = () =>
  either(z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text), 'an http or https address'))
/** The parameter for the configuration of a bot. */
export const configParam = () => json(z.record(z.string(), z.string()))
const channel = () => str().describe('a channel by name; empty for none')

/** The parameters for the default channels of a bot. */
export const defaultParams = {
  default_sending_stream: channel().optional(),
  default_events_register_stream: channel().optional(),
  default_all_public_streams: bool().optional(),
}

/** The default channels of a bot in an answer. */
export const defaultsObject = z.object({
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
})

/** The body of a request that can contain an avatar. */
export const avatarBody = fileBodyRule(limits.max_avatar_file_size_mib, pictureTooLarge)

/**
 * Composes a bot's address from its short name. A colon is refused, because it ends the user name in Basic credentials.
 */
export const composeBotAddress = (short_name: string, host: string): string => {
  const email = `${short_name.trim()}-bot@${host}`
  if (!/^[\w.+-]+$/.test(short_name.trim()) || !isEmailAddress(email))
    throw errors.badRequest('short_name may contain only letters, digits and the characters . _ + -')
  return email
}

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

/** Refuses types of bots that this server does not support. Throws BAD_REQUEST. */
export const checkBotType = (bot_type: number, service_name: string): void => {
  if (!(Object.values(BotType) as number[]).includes(bot_type))
    throw errors.badRequest('Unknown bot_type: send 1, 2 or 3.')
  if (bot_type === BotType.embedded) throw errors.badRequest('This server does not support embedded bots.')
  if (bot_type === BotType.incomingWebhook && service_name !== '') {
    throw errors.badRequest(`There is no integration named '${service_name}'.`)
  }
}

/** Refuses unknown formats of an outgoing webhook's requests. Throws BAD_REQUEST. */
export const checkInterface = (interface_type: number): void => {
  if (!(Object.values(ServiceInterface) as number[]).includes(interface_type)) {
    throw errors.badRequest('Unknown interface type: send 1 (generic) or 2 (Slack).')
  }
}

interface RequestedDefaults {
  readonly default_sending_stream?: string | undefined
  readonly default_events_register_stream?: string | undefined
  readonly default_all_public_streams?: boolean | undefined
}

/** The requested default channels as columns. Throws BAD_REQUEST for a channel that the caller cannot read. */
export const parseDefaults = (state: RealmState, caller: UserRow, requested: RequestedDefaults): Partial<BotRow> => {
  const findChannelId = (name: string): number | null => {
    if (name === '') return null
    const found = findVisibleChannelByName(state, caller, name.trim())
    if (found === undefined || !hasContentAccess(state, caller, found)) throw errors.invalidChannelName({ name })
    return found.id
  }
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = requested
  return {
    ...(default_sending_stream === undefined
      ? {}
      : { default_sending_channel_id: findChannelId(default_sending_stream) }),
    ...(default_events_register_stream === undefined
      ? {}
      : { default_events_register_channel_id: findChannelId(default_events_register_stream) }),
    ...(default_all_public_streams === undefined ? {} : { default_all_public_streams }),
  }
}

/** The default channels of a bot, as answers contain them. */
export const composeDefaults = (state: RealmState, row: BotRow): z.infer<typeof defaultsObject> => ({
  default_sending_stream: channelName(state, row.default_sending_channel_id),
  default_events_register_stream: channelName(state, row.default_events_register_channel_id),
  default_all_public_streams: row.default_all_public_streams,
})
