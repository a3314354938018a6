/** Who may read a channel, in words. */
import type { Channel } from '@parley/client/realm'

/** Who may read a channel. */
export type Privacy = 'public' | 'private-shared' | 'private' | 'web-public'

/** The kinds of channels with their explanations. */
export const privacyKinds: readonly { value: Privacy; label: string; hint: string }[] = [
  { value: 'public', label: 'Public', hint: 'Members of the organization can join, and read all messages.' },
  {
    value: 'private-shared',
    label: 'Private, shared history',
    hint: 'Only subscribers see it. New subscribers read older messages too.',
  },
  {
    value: 'private',
    label: 'Private, protected history',
    hint: 'Only subscribers see it. New subscribers read only what is sent afterwards.',
  },
  { value: 'web-public', label: 'Web-public', hint: 'Everyone on the internet can read it without an account.' },
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
