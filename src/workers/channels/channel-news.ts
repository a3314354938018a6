/**
 * Reports changes of a channel in the channel: one message per change, in the topic of its creation notice.
 *
 * Source: protocol/endpoints.md 1.5 and 3.5, protocol/permissions.md 7.4, protocol/events.md 4.6.
 */

import { channelLink } from '#rules/links.js'
import { policyName } from '../../domain/channels/channels.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { quoteLiterally, silentGroupMention, silentMention } from '../../domain/messages/quoting.js'
import type { GroupSettingValue } from '../../domain/settings/group-setting-values.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect, markAsReadExceptFor } from '../messages/notices.js'

export const channelNews: JobHandler<'channel_news'> = async (job) => {
  const { state } = job.realm
  const { actor_id, channel_id, before, after } = job.payload
  const [actor, channel] = [state.users.get(actor_id), state.channels.get(channel_id)]
  if (actor === undefined || channel === undefined) return noEffect
  const compose = (content: string) => composeNotice(job, { channel: channel_id, topic: 'channel events' }, content)
  const sends = await collectSends(composeTexts(state, actor, channel, before, after).map(compose))
  // Users have nothing to do in an archived channel, and some clients do not show it: the message is unread for nobody.
  const nobody = new Set<number>()
  const isQuiet = after.is_archived === true || channel.is_archived
  return composeSendEffect(job.realm, isQuiet ? sends.map((send) => markAsReadExceptFor(send, nobody)) : sends)
}

/** The texts, in the order of the events that clients received for these changes. */
const composeTexts = (
  state: RealmState,
  actor: UserRow,
  channel: ChannelRow,
  before: Partial<ChannelRow>,
  after: Partial<ChannelRow>,
): string[] => {
  const by = silentMention(actor)
  const texts: string[] = []
  if (after.invite_only !== undefined) {
    const [was, is] = [policyName({ ...channel, ...before }), policyName({ ...channel, ...after })]
    texts.push(`${by} made this channel **${is}**. It was **${was}** before.`)
  }
  if (after.message_retention_days !== undefined) {
    const [was, is] = [
      describeRetention(before.message_retention_days),
      describeRetention(after.message_retention_days),
    ]
    texts.push(`${by} changed how long messages stay in this channel:\n\n* **Before:** ${was}\n* **Now:** ${is}`)
  }
  if (after.is_archived !== undefined) {
    texts.push(`Channel ${channelLink(channel)} has been ${after.is_archived ? 'archived' : 'unarchived'}.`)
  }
  if (after.description !== undefined) {
    const [was, is] = [quoteBlock(before.description), quoteBlock(after.description)]
    texts.push(`${by} changed the description of this channel.\n\n**Before:**\n${was}\n\n**Now:**\n${is}`)
  }
  if (after.name !== undefined) {
    texts.push(`${by} renamed this channel from ${quoteLiterally(before.name ?? '')} to ${quoteLiterally(after.name)}.`)
  }
  if (after.can_send_message_group !== undefined) {
    const [was, is] = [
      describeHolders(state, before.can_send_message_group),
      describeHolders(state, after.can_send_message_group),
    ]
    texts.push(`${by} changed who may post in this channel:\n\n* **Before:** ${was}\n* **Now:** ${is}`)
  }
  return texts
}

const describeRetention = (days: number | null | undefined): string => {
  if (days === -1) return 'forever'
  return days === null || days === undefined ? 'as long as everywhere in this organization' : `${days} days`
}

const quoteBlock = (description = ''): string =>
  description === '' ? '*No description.*' : `\`\`\`\` quote\n${description}\n\`\`\`\``

/** The groups and users of a group setting, as silent mentions. */
const describeHolders = (state: RealmState, value: GroupSettingValue | undefined): string => {
  const { direct_members, direct_subgroups } =
    typeof value === 'object' ? value : { direct_members: [], direct_subgroups: value === undefined ? [] : [value] }
  const groups = direct_subgroups
    .flatMap((id) => state.groups.get(id) ?? [])
    .map(({ name }) => silentGroupMention(name))
  const users = direct_members.flatMap((id) => state.users.get(id) ?? []).map(silentMention)
  return [...groups, ...users].join(', ')
}
