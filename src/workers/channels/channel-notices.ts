/**
 * Reports who created a channel: in the channel itself, and in the channel where the organization announces new ones.
 *
 * A private channel is not announced, because only its members may see its name. Source: endpoints.md 1.1,
 * permissions.md 7.1.
 */

import { policyName } from '../../domain/channels/channels.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import type { JobSpec } from '../../store/jobs/job-table.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { channelLinks, collectSends, composeNotice, composeSendEffect, mention } from '../messages/notices.js'

export const channelNotices: JobHandler<'channel_notices'> = async (job) => {
  const { state } = job.realm
  const { actor_id, channel_ids, announce } = job.payload
  const actor = state.users.get(actor_id)
  const channels = channel_ids.flatMap((id) => state.channels.get(id) ?? []).filter((channel) => !channel.is_archived)
  if (actor === undefined) return noEffect

  const inside = state.settings.send_channel_events_messages
    ? channels
        .slice(0, CHANNELS_PER_JOB)
        .map((channel) =>
          composeNotice(job, { channel: channel.id, topic: 'channel events' }, composeCreationNotice(channel, actor)),
        )
    : []
  const place = state.channels.get(state.settings.new_stream_announcements_stream_id)
  const open = channels.filter((channel) => !channel.invite_only && channel.id !== place?.id)
  const announced =
    announce && place !== undefined && !place.is_archived && open.length > 0
      ? [composeNotice(job, { channel: place.id, topic: 'new channels' }, composeAnnouncement(open, actor))]
      : []
  const others = inside.length === 0 ? [] : channels.slice(CHANNELS_PER_JOB).map(({ id }) => id)
  const rest: JobSpec = { kind: 'channel_notices', payload: { actor_id, channel_ids: others, announce: false } }
  const sends = await collectSends([...inside, ...announced])
  return composeSendEffect(job.realm, sends, others.length > 0 ? rest : undefined)
}

/** Channels whose notices are stored in one transaction. */
const CHANNELS_PER_JOB = 50

const composeCreationNotice = (channel: ChannelRow, actor: UserRow): string => {
  const description = channel.description === '' ? '*No description.*' : channel.description
  const created = `**${policyName(channel)}** channel created by ${mention(actor)}. **Description:**`
  return `${created}\n\`\`\`\` quote\n${description}\n\`\`\`\``
}

const composeAnnouncement = (channels: readonly ChannelRow[], actor: UserRow): string =>
  channels.length === 1
    ? `${mention(actor)} created a new channel ${channelLinks(channels, '')}.`
    : `${mention(actor)} created the following channels: ${channelLinks(channels, ', ')}.`
