/** Links to calls at the Jitsi server of the organization. A room exists as soon as the first person opens its link. */
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'

/** The number of random bytes in the name of a room: a user who knows the name can join. */
const ROOM_BYTES = 12

/** The address of the Jitsi server. It is undefined if the organization has chosen no calls. */
export const callServer = (chat: Chat): string | undefined => {
  const {
    realm_video_chat_provider: chosen,
    realm_available_video_chat_providers: known,
    realm_jitsi_server_url: own,
    server_jitsi_server_url: common,
  } = chat.organization.value
  if (chosen === undefined || chosen !== known?.jitsi_meet?.id) return undefined
  return (own ?? common)?.replace(/\/+$/, '')
}

/**
 * Composes the Markdown of a link to a new room. Jitsi remembers the last kind of call, so the link always says which
 * one it is.
 */
export const composeCallLink = (server: string, hasVideo: boolean): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(ROOM_BYTES))
  const room = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const text = hasVideo ? t('Join video call.') : t('Join voice call.')
  return `[${text}](${server}/${room}#config.startWithVideoMuted=${!hasVideo})`
}
