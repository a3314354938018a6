/**
 * Sends messages.
 *
 * 1. A send is permitted on the realm's state at the guard. If a structural change was committed since, the combiner
 *    refuses the send with StaleStateError, and the handler runs again.
 * 2. A send has three steps: load, decide, write. send-facts.ts loads, domain/messages/sending/send-decision.ts decides
 *    without I/O, and send-combiner.ts or own-transaction-sends.ts writes.
 * 3. What the state decides alone is decided before the facts are loaded. Otherwise a refused sender could make the
 *    database work, and a conversation would be created for a message that its sender may not send.
 * 4. A send does the same work for ten subscribers as for twenty thousand: there is no row and no loop per recipient.
 *    Only users whose flags differ from the default, such as mentioned users, get flag rows.
 */

import { channelLink } from '#rules/links.js'
import type { Entry } from '../../../domain/log/entry.js'
import { OwnedKey } from '../../../domain/log/owned-values.js'
import { quoteLiterally } from '../../../domain/messages/quoting.js'
import { findNamedChannel } from '../../../domain/messages/sending/posting.js'
import { admitMessage, decideSend, type OutgoingMessage } from '../../../domain/messages/sending/send-decision.js'
import { ApiError } from '../../../domain/protocol/errors.js'
import { markChannelActive } from '../../channels/channel-activity.js'
import { publishCommitted, runTransaction } from '../../log/change.js'
import type { EventAck } from '../../log/event-ack.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import { now } from '../../tracing.js'
import { loadAccessCheck } from '../../users/user-access.js'
import { notifyBotOwner } from './bot-owner-notices.js'
import { checkMessageQuota } from './message-quota.js'
import { needsOwnTransaction, storeInOwnTransaction } from './own-transaction-sends.js'
import { createSendCombiner, type Send } from './send-combiner.js'
import { loadSendFacts } from './send-facts.js'
import type { IdempotencyKey, SendResult } from './send-once.js'

/**
 * Sends a message: the entry point of POST /messages.
 *
 * When a bot posts to a channel that does not exist or has no subscribers, its owner gets a notice
 * (protocol/messages.md 3.5). Throws the refusals of protocol/messages.md 3.1 to 3.5 in the order of 3.2, and
 * StaleStateError, also if a message with this key was sent before, and EVENT_ALREADY_ACKED.
 * @param key undefined: the send is not one that may be repeated
 */
export const sendMessage = async (
  answering: WriteContext,
  outgoing: OutgoingMessage,
  key?: IdempotencyKey,
): Promise<SendResult> => {
  const { ack } = answering
  // Notices, and the mark of an active channel, are changes of their own, which acknowledge nothing.
  const context = answering.withAck(undefined)
  const { state } = context.realm
  const { sender, to } = outgoing
  if (!sender.is_bot || sender.bot_owner_id === null || 'users' in to)
    return composeAndStore(context, outgoing, key, ack)
  try {
    const result = await composeAndStore(context, outgoing, key, ack)
    const channel = findNamedChannel(state, to.channel)
    if (channel !== undefined && state.subscribers(channel.id).size === 0) {
      const about = { reason: 'no_subscribers', channel: channelLink(channel) } as const
      await notifyBotOwner(context, sender, about, composeAndStore)
    }
    return result
  } catch (error) {
    if (error instanceof ApiError && error.code === 'STREAM_DOES_NOT_EXIST') {
      const about =
        typeof to.channel === 'number'
          ? ({ reason: 'unknown_id', channel: `${to.channel}` } as const)
          : ({ reason: 'unknown_name', channel: quoteLiterally(to.channel) } as const)
      await notifyBotOwner(context, sender, about, composeAndStore)
    }
    throw error
  }
}

/** Checks, renders and stores a message. Throws what `sendMessage` throws. */
const composeAndStore = async (
  context: WriteContext,
  outgoing: OutgoingMessage,
  key?: IdempotencyKey,
  ack?: EventAck,
): Promise<SendResult> => {
  const { realm } = context
  const trace = realm.tracing === undefined ? undefined : context.actor?.trace
  const began = trace === undefined ? 0 : now()
  const message = await composeSend(context, outgoing)
  message.key = key
  message.ack = ack
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
  if (message.ack !== undefined) message.ack.isSettled = true
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
 * (workers/jobs/effects.ts). Throws the refusals of protocol/messages.md 3.1 to 3.5, in the order of 3.2.
 */
export const composeSend = async (context: WriteContext, outgoing: OutgoingMessage): Promise<Send> => {
  const { sql, realm, guard } = context
  const { state } = realm
  const { sender } = outgoing
  // Notices of the server are few, and sent whatever the quota is.
  if (state.realm.message_quota !== null && !sender.is_system_bot) await checkMessageQuota(sql, realm)
  const isKnown = await loadAccessCheck(sql, state, sender)
  const admitted = admitMessage(state, outgoing, isKnown)
  const facts = await loadSendFacts(context, state, admitted, isKnown)
  const { message, jobs, begins } = decideSend(state, guard, admitted, facts)
  return { files: facts.rendered.files, jobs, begins, following: facts.following, ...message }
}

const combinerKey = new OwnedKey<(send: Send) => Promise<number>>('send_combiners')

/** The realm's only combiner in this process. */
const realmCombiner = ({ dependencies, realm }: WriteContext) =>
  realm.own(combinerKey, () => createSendCombiner({ dependencies, realm }))
