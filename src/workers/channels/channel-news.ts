/**
 * Reports changes of a channel in the channel: one message per change, in the topic of its creation notice.
 *
 * Source: protocol/endpoints.md 1.5 and 3.5, protocol/permissions.md 7.4, protocol/events.md 4.6.
 */

import { channelLink } from '#rules/links.js'
import type { Texts } from '#rules/texts.js'
import { eventsTopic, quoteDescription } from '../../domain/channels/channel-notices.js'
import { policyName } from '../../domain/channels/channels.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { quoteLiterally, silentGroupMention, silentMention } from '../../domain/messages/quoting.js'
import { joinMentions, noticeTexts } from '../../domain/readers/notice-texts.js'
import type { GroupSettingValue } from '../../domain/settings/group-setting-values.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect, markAsReadExceptFor } from '../messages/notices.js'

export const channelNews: JobHandler<'channel_news'> = async (job) => {
  const { state } = job.realm
  const { actor_id, channel_id, before, after } = job.payload
  const [actor, channel] = [state.users.get(actor_id), state.channels.get(channel_id)]
  if (actor === undefined || channel === undefined) return noEffect
  const t = noticeTexts(state)
  const compose = (content: string) => composeNotice(job, { channel: channel_id, topic: eventsTopic(t) }, content)
  const sends = await collectSends(composeTexts(t, state, actor, channel, before, after).map(compose))
  // Users have nothing to do in an archived channel, and some clients do not show it: the message is unread for nobody.
  const nobody = new Set<number>()
  const isQuiet = after.is_archived === true || channel.is_archived
  return composeSendEffect(job.realm, isQuiet ? sends.map((send) => markAsReadExceptFor(send, nobody)) : sends)
}

/** The texts, in the order of the events that clients received for these changes. */
const composeTexts = (
  t: Texts,
  state: RealmState,
  actor: UserRow,
  channel: ChannelRow,
  before: Partial<ChannelRow>,
  after: Partial<ChannelRow>,
): string[] => {
  const user = silentMention(actor)
  const texts: string[] = []
  if (after.invite_only !== undefined) {
    const [previous, kind] = [policyName(t, { ...channel, ...before }), policyName(t, { ...channel, ...after })]
    texts.push(t('{user} made this channel **{kind}**. It was **{former}** before.', { user, kind, former: previous }))
  }
  if (after.message_retention_days !== undefined) {
    const previous = describeRetention(t, before.message_retention_days)
    const duration = describeRetention(t, after.message_retention_days)
    texts.push(
      t('{user} changed how long messages stay in this channel:\n\n* **Before:** {former}\n* **Now:** {duration}', {
        user,
        former: previous,
        duration,
      }),
    )
  }
  if (after.is_archived !== undefined) {
    const values = { channel: channelLink(channel) }
    texts.push(
      after.is_archived
        ? t('Channel {channel} has been archived.', values)
        : t('Channel {channel} has been unarchived.', values),
    )
  }
  if (after.description !== undefined) {
    const [previous, description] = [quoteBlock(t, before.description), quoteBlock(t, after.description)]
    texts.push(
      t('{user} changed the description of this channel.\n\n**Before:**\n{former}\n\n**Now:**\n{description}', {
        user,
        former: previous,
        description,
      }),
    )
  }
  if (after.name !== undefined) {
    const [previous, name] = [quoteLiterally(before.name ?? ''), quoteLiterally(after.name)]
    texts.push(t('{user} renamed this channel from {former} to {name}.', { user, former: previous, name }))
  }
  if (after.can_send_message_group !== undefined) {
    const previous = describeHolders(t, state, before.can_send_message_group)
    const holders = describeHolders(t, state, after.can_send_message_group)
    texts.push(
      t('{user} changed who may post in this channel:\n\n* **Before:** {former}\n* **Now:** {holders}', {
        user,
        former: previous,
        holders,
      }),
    )
  }
  return texts
}

const describeRetention = (t: Texts, days: number | null | undefined): string => {
  if (days === -1) return t('forever')
  if (days === null || days === undefined) return t('as long as everywhere in this organization')
  return t('{days, plural, one {# day} other {# days}}', { days })
}

const quoteBlock = (t: Texts, description = ''): string =>
  description === '' ? t('*No description.*') : quoteDescription(description)

/** The groups and users of a group setting, as silent mentions. */
const describeHolders = (t: Texts, state: RealmState, value: GroupSettingValue | undefined): string => {
  const { direct_members, direct_subgroups } =
    typeof value === 'object' ? value : { direct_members: [], direct_subgroups: value === undefined ? [] : [value] }
  const groups = direct_subgroups
    .flatMap((id) => state.groups.get(id) ?? [])
    .map(({ name }) => silentGroupMention(name))
  const users = direct_members.flatMap((id) => state.users.get(id) ?? []).map(silentMention)
  return joinMentions(t, [...groups, ...users])
}
