/**
 * Sends messages.
 *
 * 1. A send is permitted on the realm's state at the guard. If a structural change was committed since, the combiner
 *    refuses the send with StaleStateError, and the handler runs again.
 * 2. A send does the same work for ten subscribers as for twenty thousand: there is no row and no loop per recipient.
 *    Only users whose flags differ from the default, such as mentioned users, get flag rows.
 */

import { mayCreateTopic } from '#rules/channel-access.js'
import { channelLink } from '#rules/links.js'
import type { Entry } from '../../../domain/log/entry.js'
import { OwnedKey } from '../../../domain/log/owned-values.js'
import type { ChannelRow, UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { type NewSubmessage, normalizeContent, normalizeTopic } from '../../../domain/messages/message.js'
import { quoteLiterally } from '../../../domain/messages/quoting.js'
import type { Destination } from '../../../domain/messages/recipients.js'
import { unknownSender } from '../../../domain/messages/senders.js'
import { composeMessage, type MessageLocation } from '../../../domain/messages/sending/composing.js'
import { authorizeMentions } from '../../../domain/messages/sending/mentions.js'
import { composePreviewJobs, composeWebhookJobs } from '../../../domain/messages/sending/message-jobs.js'
import { checkDirectPost, requirePostableChannel, topicForNotice } from '../../../domain/messages/sending/posting.js'
import { parseWidget, parseWidgetCommand, type Widget, widgetMessageType } from '../../../domain/messages/widgets.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { hasRestrictedGuests } from '../../../domain/users/user-access.js'
import { markChannelActive } from '../../channels/channel-activity.js'
import { publishCommitted, runTransaction } from '../../log/change.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Db, Sql } from '../../sql.js'
import { now } from '../../tracing.js'
import { canIntroduceGuests } from '../../users/guest-visibility.js'
import { loadAccessCheck, loadSubscribersWithoutAccess } from '../../users/user-access.js'
import { getOrCreateConversation, hasMessages } from '../conversations.js'
import { planFollowing } from '../following/follow-topics.js'
import { isNewTopic } from '../following/new-topics.js'
import { loadTopicParticipants } from '../participants.js'
import { nextSubmessageId } from '../reactions/submessages.js'
import { notifyBotOwner } from './bot-owner-notices.js'
import { checkMessageQuota } from './message-quota.js'
import { needsOwnTransaction, storeInOwnTransaction } from './own-transaction-sends.js'
import { renderContent } from './render-content.js'
import { createSendCombiner, type Send } from './send-combiner.js'

/** A message to send, as the request gave it. */
export interface OutgoingMessage {
  sender: UserRow
  to: Destination
  content: string
  /** the sending program's name; `Internal` for the system's own messages */
  client: string
  /** the organization's address: links to it become relative */
  realm_url?: string | undefined
  /** overrides what the program's name says */
  read_by_sender?: boolean | undefined
  /** the queue that waits to see the message again */
  echo?: { queue_id: string; local_id: string } | undefined
  /** what the message is to be, whatever its text says: a widget, as JSON text */
  widget_content?: string | undefined
}

/** The answer to a send. */
export interface SendResult {
  id: number
  /** how the sender follows the topic from now on, if that changed */
  automatic_new_visibility_policy?: number
}

/**
 * Sends a message: the entry point of POST /messages.
 *
 * When a bot posts to a channel that does not exist or has no subscribers, its owner gets a notice
 * (protocol/messages.md 3.5). Throws the refusals of protocol/messages.md 3.1 to 3.5 in the order of 3.2, and
 * StaleStateError.
 */
export const sendMessage = async (context: WriteContext, outgoing: OutgoingMessage): Promise<SendResult> => {
  const { state } = context.realm
  const { sender, to } = outgoing
  if (!sender.is_bot || sender.bot_owner_id === null || 'users' in to) return composeAndStore(context, outgoing)
  try {
    const result = await composeAndStore(context, outgoing)
    const channel = typeof to.channel === 'number' ? state.channels.get(to.channel) : state.channelByName(to.channel)
    if (channel !== undefined && state.subscribers(channel.id).size === 0) {
      const reason = `to ${channelLink(channel)}, which has no subscribers.`
      await notifyBotOwner(context, sender, reason, composeAndStore)
    }
    return result
  } catch (error) {
    if (error instanceof ApiError && error.code === 'STREAM_DOES_NOT_EXIST') {
      const named =
        typeof to.channel === 'number'
          ? `the channel with ID ${to.channel}`
          : `the channel ${quoteLiterally(to.channel)}`
      await notifyBotOwner(context, sender, `to ${named}, which does not exist.`, composeAndStore)
    }
    throw error
  }
}

/** Checks, renders and stores a message. Throws the same. */
const composeAndStore = async (context: WriteContext, outgoing: OutgoingMessage): Promise<SendResult> => {
  const { realm } = context
  const trace = realm.tracing === undefined ? undefined : context.author?.trace
  const began = trace === undefined ? 0 : now()
  const message = await composeSend(context, outgoing)
  if (trace !== undefined) {
    message.trace = trace
    realm.tracing?.record(trace, 'check and render', began, now())
  }
  const sent = needsOwnTransaction(message)
    ? await storeAlone(context, message)
    : { id: await realmCombiner(context)(message) }
  const { channel_id } = message.message
  if (channel_id !== null && realm.state.channels.get(channel_id)?.is_recently_active === false) {
    await markChannelActive(context, channel_id)
  }
  return sent
}

const storeAlone = async (context: WriteContext, message: Send): Promise<SendResult> => {
  const began = message.trace === undefined ? 0 : now()
  const stored = await runTransaction(context, (tx) => storeInOwnTransaction(tx, context.realm, message))
  const { first: id, policies, entries } = stored
  publishCommitted(context, { ...stored, traces: recordOwnCommit(context.realm, message, entries, began) })
  const policy = policies.get(message.message.sender_id)
  return policy === undefined ? { id } : { id, automatic_new_visibility_policy: policy }
}

/** Records the commit of a message with its own transaction, if it is traced. Its entry is the last one. */
const recordOwnCommit = ({ tracing }: Realm, { trace }: Send, entries: readonly Entry[], began: number) => {
  const seq = entries.at(-1)?.seq
  if (tracing === undefined || trace === undefined || seq === undefined) return undefined
  return { [seq]: tracing.record(trace, 'commit', began, now(), { 'parley.batch': 1, 'parley.seq': seq }) }
}

/**
 * Checks and renders a message without storing it. It is for a change that stores the message
 * (workers/jobs/effects.ts).
 * Throws the same.
 */
export const composeSend = async ({ sql, realm, guard }: WriteContext, outgoing: OutgoingMessage): Promise<Send> => {
  const { state } = realm
  const { sender, to, realm_url, widget_content } = outgoing
  // Notices of the server are few, and sent whatever the quota is.
  if (state.realm.message_quota !== null && !sender.is_system_bot) await checkMessageQuota(sql, realm)
  const isKnown = await loadAccessCheck(sql, state, sender)
  const topic = 'users' in to ? '' : normalizeTopic(to.topic)
  const content = normalizeContent(outgoing.content)
  const place =
    'users' in to
      ? await resolveDirectMessage(sql, realm, sender, to.users, isKnown)
      : await resolveTopic(sql, realm, sender, to.channel, topic)
  const widget = widget_content === undefined ? parseWidgetCommand(content) : parseWidget(widget_content)
  const rendered = await renderContent(sql, state, sender, content, { realm_url, isKnown })
  const topicParticipants =
    'channel' in place && rendered.topic_wildcard
      ? await loadTopicParticipants(sql, state.realm.id, place.channel.id, place.topic)
      : []
  const mentions = authorizeMentions(state, sender, place, rendered, topicParticipants)
  const masked =
    'channel' in place && hasRestrictedGuests(state)
      ? await buildSenderMask(sql, state, sender, place.channel, realm_url)
      : undefined
  const submessages = widget === undefined ? [] : await buildSubmessages(sql, sender, widget)
  const { client, read_by_sender, echo } = outgoing
  const composition = { sender, content, rendered, mentions, client, read_by_sender, echo, masked, submessages }
  const jobs = [
    ...composeWebhookJobs(state, sender, place, rendered.mentioned_users, realm_url),
    ...composePreviewJobs(state, sender, content, rendered),
  ]
  const begins = 'participants' in place ? await findBegunConversation(sql, realm, place) : undefined
  const following =
    'channel' in place
      ? await planFollowing(
          sql,
          realm,
          sender,
          { channel_id: place.channel.id, topic: place.topic },
          rendered.mentioned_users,
        )
      : undefined
  return { files: rendered.files, jobs, begins, following, ...composeMessage(state, guard, place, composition) }
}

/** The conversation, if this is its first message and may give a restricted guest access to users. */
const findBegunConversation = async (
  sql: Sql,
  realm: Realm,
  { dm_id, participants }: Extract<MessageLocation, { dm_id: number }>,
) =>
  canIntroduceGuests(realm, participants) && !(await hasMessages(sql, realm.id, dm_id))
    ? { dm_id, user_ids: participants.map(({ id }) => id) }
    : undefined

/** The first submessage, which makes a message a widget. */
const buildSubmessages = async (sql: Db, { id: sender_id }: UserRow, widget: Widget): Promise<NewSubmessage[]> => [
  { id: await nextSubmessageId(sql), sender_id, msg_type: widgetMessageType, content: JSON.stringify(widget) },
]

/** The channel and its topic. Throws when the sender may not post there, or may not begin this topic. */
const resolveTopic = async (
  sql: Db,
  realm: Realm,
  sender: UserRow,
  named: string | number,
  topic: string,
): Promise<MessageLocation> => {
  const channel = requirePostableChannel(realm.state, sender, named, topic)
  if (!mayCreateTopic(realm.state, sender, channel)) {
    if (await isNewTopic(sql, realm, { channel_id: channel.id, topic })) throw errors.mayNotCreateTopic()
  }
  return { channel, topic: sender.is_system_bot ? topicForNotice(channel, topic) : topic }
}

/** The conversation of the sender and the others. Throws when the sender may not write to them. */
const resolveDirectMessage = async (
  sql: Db,
  realm: Realm,
  sender: UserRow,
  others: readonly UserRow[],
  isKnown: (user: UserRow) => boolean,
): Promise<MessageLocation> => {
  const { state } = realm
  if (!others.every(isKnown)) throw errors.badRequest('You may not send direct messages to some of these recipients.')
  const participants = [...new Map([...others, sender].map((user) => [user.id, user])).values()].sort(
    (a, b) => a.id - b.id,
  )
  const { mayBegin } = checkDirectPost(state, sender, participants)
  const dm_id = await getOrCreateConversation(
    sql,
    realm,
    participants.map(({ id }) => id),
  )
  if (!mayBegin && !(await hasMessages(sql, realm.id, dm_id))) {
    throw errors.badRequest('You may not begin a direct message conversation: only answer in one.')
  }
  return { dm_id, participants }
}

const buildSenderMask = async (
  sql: Sql,
  state: RealmState,
  sender: UserRow,
  channel: ChannelRow,
  realm_url: string | undefined,
) => {
  const users = await loadSubscribersWithoutAccess(sql, state, sender, channel)
  if (users.length === 0) return undefined
  const host = realm_url === undefined ? `${state.realm.string_id}.invalid` : new URL(realm_url).hostname
  return { users, sender: unknownSender(state, sender.id, host) }
}

const combinerKey = new OwnedKey<(send: Send) => Promise<number>>('send_combiners')

/** The realm's only combiner in this process. */
const realmCombiner = ({ dependencies, realm }: WriteContext) =>
  realm.own(combinerKey, () => createSendCombiner({ dependencies, realm }))
