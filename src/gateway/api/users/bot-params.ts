/** Parameters of bots, how their values are read, and what answers say of a bot's defaults. */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { type BotRow, BotType, type UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { hasContentAccess, visibleChannelNamed } from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { channelName, ServiceInterface } from '../../../domain/users/bots.js'
import { isEmailAddress } from '../../../domain/users/name-and-email-rules.js'
import { makeAvatar } from '../../../store/files/image-processing.js'
import type { AvatarImages } from '../../../store/files/stored-avatars.js'
import type { CallRequest } from '../../http/endpoint.js'
import { bool, either, json, str } from '../../http/params.js'
import { fileBodyRule, pictureTooLarge, requireSingleFile } from '../files/file-transfer.js'

export const url = () =>
  either(z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text), 'an http or https address'))
export const config = () => json(z.record(z.string(), z.string()))
const channel = () => str().describe('a channel by name; empty for none')

export const defaultParams = {
  default_sending_stream: channel().optional(),
  default_events_register_stream: channel().optional(),
  default_all_public_streams: bool().optional(),
}

export const defaults = z.object({
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
})

export const pictureBody = fileBodyRule(limits.max_avatar_file_size_mib, pictureTooLarge)

/** A bot's address, out of the name that its maker gave it. A colon would end it in a header of credentials. */
export const botAddress = (short_name: string, host: string): string => {
  const email = `${short_name.trim()}-bot@${host}`
  if (!/^[\w.+-]+$/.test(short_name.trim()) || !isEmailAddress(email))
    throw errors.badRequest('The short name may have letters, digits and . _ + - only.')
  return email
}

/** The picture that came along, if one did. Throws BAD_REQUEST and BAD_IMAGE. */
export const pictureOf = async (request: CallRequest): Promise<AvatarImages | undefined> => {
  if (request.files.length === 0) return undefined
  const several = () => errors.badRequest('Upload one file at a time.')
  const { data } = requireSingleFile(request, several, limits.max_avatar_file_size_mib, pictureTooLarge)
  return makeAvatar(data)
}

/** Refuses kinds of bots that there are not here. Throws BAD_REQUEST. */
export const checkType = (bot_type: number, service_name: string): void => {
  if (!(Object.values(BotType) as number[]).includes(bot_type)) throw errors.badRequest('There is no such type of bot.')
  if (bot_type === BotType.embedded) throw errors.badRequest('This server runs no embedded bots.')
  if (bot_type === BotType.incomingWebhook && service_name !== '') {
    throw errors.badRequest(`There is no integration named '${service_name}'.`)
  }
}

/** Refuses ways for an outgoing webhook to speak that there are not. Throws BAD_REQUEST. */
export const checkInterface = (interface_type: number): void => {
  if (!(Object.values(ServiceInterface) as number[]).includes(interface_type)) {
    throw errors.badRequest('There is no such interface type.')
  }
}

interface Defaults {
  readonly default_sending_stream?: string | undefined
  readonly default_events_register_stream?: string | undefined
  readonly default_all_public_streams?: boolean | undefined
}

/** The defaults that were given, as they are kept. Throws BAD_REQUEST for a channel that the caller cannot read. */
export const defaultsGiven = (state: RealmState, caller: UserRow, given: Defaults): Partial<BotRow> => {
  const channelOf = (name: string): number | null => {
    if (name === '') return null
    const found = visibleChannelNamed(state, caller, name.trim())
    if (found === undefined || !hasContentAccess(state, caller, found)) throw errors.invalidChannelName({ name })
    return found.id
  }
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = given
  return {
    ...(default_sending_stream === undefined ? {} : { default_sending_channel_id: channelOf(default_sending_stream) }),
    ...(default_events_register_stream === undefined
      ? {}
      : { default_events_register_channel_id: channelOf(default_events_register_stream) }),
    ...(default_all_public_streams === undefined ? {} : { default_all_public_streams }),
  }
}

export const defaultsOnWire = (state: RealmState, row: BotRow): z.infer<typeof defaults> => ({
  default_sending_stream: channelName(state, row.default_sending_channel_id),
  default_events_register_stream: channelName(state, row.default_events_register_channel_id),
  default_all_public_streams: row.default_all_public_streams,
})
