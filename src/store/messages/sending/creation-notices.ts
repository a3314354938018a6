/**
 * The notices about new channels: the first message of each, which names its creator and its description.
 *
 * 1. The notices are stored with the change that creates their channels, or, when a large request subscribes users in
 *    several changes, with the last of them. So a channel is never seen without its notice after the answer, every
 *    other first subscriber has the notice as unread, and every message of a user has a greater id.
 * 2. The user who made the channel knows of it: for them its notice is read.
 * 3. Composing a notice loads nothing, so a request with 1,000 channels costs one statement more. For this, a link to a
 *    topic in a description names no message, and a file that a description links to is not shared with the channel.
 */
import type { Texts } from '#rules/texts.js'
import { eventsTopic, quoteDescription } from '../../../domain/channels/channel-notices.js'
import { policyName } from '../../../domain/channels/channels.js'
import type { ChannelRow, UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { render } from '../../../domain/markdown/render.js'
import { Flag } from '../../../domain/messages/flags.js'
import { silentMention } from '../../../domain/messages/quoting.js'
import { composeMessage } from '../../../domain/messages/sending/composing.js'
import { composePreviewJobs } from '../../../domain/messages/sending/message-jobs.js'
import { topicForNotice } from '../../../domain/messages/sending/posting.js'
import { noticeTexts } from '../../../domain/readers/notice-texts.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { buildRenderContext } from '../../../domain/rendering/message-render-context.js'
import type { Change } from '../../log/change.js'
import { type Send, storeSends } from './send-combiner.js'

/** A channel and the users who are subscribed to it after the change. */
export interface BegunChannel {
  channel: ChannelRow
  subscriber_ids: ReadonlySet<number>
}

/** The change that stores the notices (1). */
export const creationNotices = (state: RealmState, actor: UserRow, channels: readonly BegunChannel[]): Change => {
  const sender = notificationBot(state)
  if (sender === undefined || channels.length === 0 || !state.settings.send_channel_events_messages) return nothing
  const sends = channels.map((begun) => composeNotice(state, sender, actor, begun))
  const begins = channels.map(({ channel }) => channel.id)
  return async () => ({ entries: [], begins, messages: (tx) => storeSends(tx, state.realm.id, sends) })
}

const nothing: Change = async () => ({ entries: [] })

const composeNotice = (
  state: RealmState,
  sender: UserRow,
  actor: UserRow,
  { channel, subscriber_ids }: BegunChannel,
): Send => {
  const content = composeText(noticeTexts(state), channel, actor)
  const rendered = render(content, buildRenderContext(state, sender, { realm_url: undefined, isKnown: () => true }))
  const location = { channel, topic: topicForNotice(channel, eventsTopic(noticeTexts(state))), subscriber_ids }
  // A quote mentions no user. A row of flags would give the notice to an actor who is no subscriber.
  const flags = new Map(subscriber_ids.has(actor.id) ? [[actor.id, Flag.read]] : [])
  const mentions = { common: 0, flags, also: [] }
  const composition = {
    sender,
    content,
    rendered: { ...rendered, has_attachment: false },
    mentions,
    client: 'Internal',
  }
  return {
    ...composeMessage(state, LOCKED, location, composition),
    jobs: composePreviewJobs(state, sender, content, rendered),
  }
}

/** The guard of a message that is stored while the head is locked: no other change can precede it. */
const LOCKED = Number.MAX_SAFE_INTEGER

const composeText = (t: Texts, channel: ChannelRow, actor: UserRow): string =>
  t('**{kind}** channel created by {user}. **Description:**\n{description}', {
    kind: policyName(t, channel),
    user: silentMention(actor),
    description: quoteDescription(channel.description === '' ? t('*No description.*') : channel.description),
  })
