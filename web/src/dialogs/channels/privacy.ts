/** Who may read a channel, in words. */

import type { Channel } from '@parley/client/realm'
import { t } from '../../languages/t.js'
import type { Chat } from '../../realm/chat.js'
import { mayCreateChannel } from '../../realm/permissions.js'

/** Who may read a channel. */
export type Privacy = 'public' | 'private-shared' | 'private' | 'web-public'

/** The kinds of channels with their explanations. */
export const privacyKinds: readonly { value: Privacy; label: string; hint: string }[] = [
  { value: 'public', label: t('Public'), hint: t('Members of the organization can join, and read all messages.') },
  {
    value: 'private-shared',
    label: t('Private, shared history'),
    hint: t('Only subscribers see it. New subscribers read older messages too.'),
  },
  {
    value: 'private',
    label: t('Private, protected history'),
    hint: t('Only subscribers see it. New subscribers read only what is sent afterwards.'),
  },
  { value: 'web-public', label: t('Web-public'), hint: t('Everyone on the internet can read it without an account.') },
]

/** The kind of a channel. */
export const privacyOf = (channel: Channel): Privacy => {
  if (channel.is_web_public) return 'web-public'
  if (!channel.invite_only) return 'public'
  return channel.history_public_to_subscribers ? 'private-shared' : 'private'
}

/** The parameters with which a channel of this kind is created. */
export const privacyParams = (privacy: Privacy) => ({
  invite_only: privacy.startsWith('private'),
  is_web_public: privacy === 'web-public',
  history_public_to_subscribers: privacy !== 'private',
})

/** The parameters that change a channel into one of this kind. Only a kind that differs needs its permission. */
export const privacyChanges = (channel: Channel, privacy: Privacy) => {
  const { invite_only, is_web_public, history_public_to_subscribers } = privacyParams(privacy)
  return {
    history_public_to_subscribers,
    ...(invite_only !== channel.invite_only && { is_private: invite_only }),
    ...(is_web_public !== channel.is_web_public && { is_web_public }),
  }
}

/** The kinds of channels that the user may create. */
export const permittedKinds = (chat: Chat) => {
  const { server_web_public_streams_enabled, realm_enable_spectator_access } = chat.organization.value
  const mayPublic = mayCreateChannel(chat, 'public')
  const mayPrivate = mayCreateChannel(chat, 'private')
  const mayWebPublic =
    server_web_public_streams_enabled === true &&
    realm_enable_spectator_access === true &&
    mayCreateChannel(chat, 'web-public')
  return privacyKinds.filter(({ value }) => {
    if (value === 'public') return mayPublic
    return value === 'web-public' ? mayWebPublic : mayPrivate
  })
}
