/**
 * Reports who created a channel, in the channel where the organization announces new ones. The notice in the channel
 * itself is a part of its creation (store/messages/sending/creation-notices.ts).
 *
 * A private channel is not announced, because only its members may see its name. Source: protocol/endpoints.md 1.1,
 * protocol/permissions.md 7.1.
 */

import type { Texts } from '#rules/texts.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import { silentMention } from '../../domain/messages/quoting.js'
import { joinMentions, noticeTexts } from '../../domain/readers/notice-texts.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { channelLinks, collectSends, composeNotice, composeSendEffect } from '../messages/notices.js'

export const channelNotices: JobHandler<'channel_notices'> = async (job) => {
  const { state } = job.realm
  const { actor_id, channel_ids, announce } = job.payload
  const actor = state.users.get(actor_id)
  const channels = channel_ids.flatMap((id) => state.channels.get(id) ?? []).filter((channel) => !channel.is_archived)
  if (actor === undefined) return noEffect
  const t = noticeTexts(state)

  const announcements = state.channels.get(state.settings.new_stream_announcements_stream_id)
  const open = channels.filter((channel) => !channel.invite_only && channel.id !== announcements?.id)
  const announced =
    announce && announcements !== undefined && !announcements.is_archived && open.length > 0
      ? [
          composeNotice(
            job,
            { channel: announcements.id, topic: t('new channels') },
            composeAnnouncement(t, open, actor),
          ),
        ]
      : []
  return composeSendEffect(job.realm, await collectSends(announced))
}

const composeAnnouncement = (t: Texts, channels: readonly ChannelRow[], actor: UserRow): string => {
  const user = silentMention(actor)
  const { links, others } = channelLinks(channels)
  if (channels.length === 1) return t('{user} created a new channel {channel}.', { user, channel: links[0] })
  const values = { user, channels: joinMentions(t, links), count: others }
  return others === 0
    ? t('{user} created the following channels: {channels}.', values)
    : t(
        '{user} created the following channels: {channels}, and {count, plural, one {one more} other {# more}}.',
        values,
      )
}
