/**
 * Calls the server of a bot that was mentioned or received a direct message, and posts the response as a message.
 *
 * 1. The reply goes to the conversation of the message. On failure the bot sends its owner a direct message.
 * 2. A server that cannot be reached, or responds with status 429 or 5xx, is called at most MAX_CALLS times.
 * 3. A server that fails several times in a row is not called for a while (webhook-breakers.ts).
 *    Messages to the bot are dropped meanwhile. The bot sends its owner one direct message about it.
 *
 * Source: protocol/endpoints.md 3.8.
 */

import type { Texts } from '#rules/texts.js'
import { BotType, type UserRow } from '../../domain/log/rows.js'
import { messageLink, silentMention } from '../../domain/messages/quoting.js'
import type { Destination } from '../../domain/messages/recipients.js'
import { encodeRequest, parseAnswer } from '../../domain/messages/sending/outgoing-webhooks.js'
import { ApiError } from '../../domain/protocol/errors.js'
import { noticeTexts } from '../../domain/readers/notice-texts.js'
import { proxyStoredMedia } from '../../domain/rendering/proxied-media.js'
import { botRow } from '../../domain/users/bots/bots.js'
import { buildMessageObjects } from '../../store/messages/fetching/message-objects.js'
import { loadAttached } from '../../store/messages/fetching/whole-messages.js'
import { loadMessages, type ReaderRow } from '../../store/messages/narrow/load-messages.js'
import { storeMessages } from '../../store/messages/sending/own-transaction-sends.js'
import type { Send } from '../../store/messages/sending/send-combiner.js'
import { composeSend } from '../../store/messages/sending/send-message.js'
import {
  isOwnerUntold,
  markOwnerTold,
  permitCall,
  recordFailure,
  recordSuccess,
  type Webhook,
} from '../../store/messages/sending/webhook-breakers.js'
import { type CallFault, OutgoingCallError } from '../../store/outgoing/outgoing-http.js'
import { type Effect, noEffect } from '../jobs/effects.js'
import { type JobContext, type JobHandler, JobNotReadyError } from '../jobs/job-handler.js'
import { composeSendEffect } from './notices.js'

/** The most calls for one message (2). */
const MAX_CALLS = 4

type WebhookJob = JobContext<'outgoing_webhook'>

export const outgoingWebhook: JobHandler<'outgoing_webhook'> = async (job) => {
  const { write, realm, payload } = job
  const { state } = realm
  const bot = state.users.get(payload.bot_id)
  if (bot?.is_active !== true || bot.bot_type !== BotType.outgoingWebhook) return noEffect
  const [row] = await loadMessages({ sql: write.sql, state, reader: bot }, [payload.message_id])
  if (row === undefined) return noEffect
  const webhook = { realm_id: realm.id, bot_id: bot.id, url: botRow(state, bot.id).service_url }
  const outcome = await job.runExternalCall(() => callServer(job, bot, row, webhook))
  if (outcome.refused === true) return composeRefusalEffect(job, bot, webhook)
  const send = await composeAnswer(job, bot, row, outcome)
  return composeSendEffect(realm, send === undefined ? [] : [send])
}

type WebhookFault = CallFault | { kind: 'malformed' } | { kind: 'refused'; error: ApiError }

interface Outcome {
  content?: string | undefined
  widget_content?: string | undefined
  /** why there is no answer */
  fault?: WebhookFault
  /** the server is not called for a while (3) */
  refused?: boolean
}

/** Calls the server, unless it is refused (3). Throws JobNotReadyError when it should be called again (2). */
const callServer = async (job: WebhookJob, bot: UserRow, row: ReaderRow, webhook: Webhook): Promise<Outcome> => {
  const { write, realm, payload, attempts, post } = job
  const { sql } = write
  const { state } = realm
  const permitted = await permitCall(sql, webhook)
  if (permitted === 'refused') return { refused: true }
  const service = botRow(state, bot.id)
  const host = new URL(payload.realm_url).hostname
  const format = {
    apply_markdown: false,
    client_gravatar: false,
    empty_topic_name: true,
    reacting_users: false,
    document_names: true,
  }
  const context = { sql, state, reader: bot }
  const [message] = await buildMessageObjects(context, await loadAttached(context, [row]), format, host)
  if (message === undefined) return {}
  const { type, body } = encodeRequest({
    bot,
    service,
    token: state.deployment.keys.webhookToken(realm.id, bot.id),
    trigger: payload.trigger,
    message,
    rendered_content: proxyStoredMedia(row.rendered_content, state.deployment),
    realm: { id: realm.id, host },
  })
  try {
    const { status, body: responseBody } = await post(webhook.url, type, body)
    if (status >= 500 || status === 429) throw new OutgoingCallError({ kind: 'server_error', status }, true)
    await recordSuccess(sql, webhook)
    if (status < 200 || status >= 300) return { fault: { kind: 'server_error', status } }
    return parseAnswer(responseBody.toString('utf8'), service) ?? { fault: { kind: 'malformed' } }
  } catch (error) {
    if (!(error instanceof OutgoingCallError)) throw error
    if (await recordFailure(sql, webhook, permitted)) return { refused: true }
    if (error.isTransient && attempts + 1 < MAX_CALLS) throw new JobNotReadyError(error.message)
    return { fault: error.fault }
  }
}

/** The effect of a message that is dropped: tells the bot's owner, if no job did yet (3). */
const composeRefusalEffect = async (job: WebhookJob, bot: UserRow, webhook: Webhook): Promise<Effect> => {
  const { write, realm } = job
  if (!(await isOwnerUntold(write.sql, webhook))) return noEffect
  const t = noticeTexts(realm.state)
  const content = t(
    'The server of {bot} failed several times in a row. Messages to the bot are dropped, and its server is called only from time to time, until it answers again.',
    { bot: silentMention(bot) },
  )
  const notice = await composeOwnerNotice(job, bot, content)
  if (notice === undefined) return noEffect
  return {
    store: async (tx) =>
      (await markOwnerTold(tx, webhook)) ? storeMessages(tx, realm, [notice]) : { entries: [], jobs: [] },
  }
}

/** The reply, or the notice of a failure; undefined when the response is empty (1). */
const composeAnswer = async (
  job: WebhookJob,
  bot: UserRow,
  row: ReaderRow,
  { content = '', widget_content, fault }: Outcome,
): Promise<Send | undefined> => {
  if (fault !== undefined) return composeFailureNotice(job, bot, row, fault)
  if (content.trim() === '') return undefined
  const { state } = job.realm
  const to: Destination =
    row.channel_id === null
      ? { users: (row.user_ids ?? []).flatMap((id) => (id === bot.id ? [] : (state.users.get(id) ?? []))) }
      : { channel: row.channel_id, topic: row.topic }
  try {
    return await composeBotMessage(job, bot, to, content, widget_content)
  } catch (error) {
    if (error instanceof ApiError) return composeFailureNotice(job, bot, row, { kind: 'refused', error })
    throw error
  }
}

const composeFailureNotice = (
  job: WebhookJob,
  bot: UserRow,
  row: ReaderRow,
  fault: WebhookFault,
): Promise<Send | undefined> => {
  const { state } = job.realm
  const values = { link: messageLink(state, row), bot: silentMention(bot) }
  return composeOwnerNotice(job, bot, describeFailure(noticeTexts(state), fault, values))
}

const describeFailure = (t: Texts, fault: WebhookFault, values: { link: string; bot: string }): string => {
  switch (fault.kind) {
    case 'private_address':
      return t('[A message]({link}) called the server of {bot}, but the address of {host} is private.', {
        ...values,
        host: fault.host,
      })
    case 'too_long':
      return t('[A message]({link}) called the server of {bot}, but the answer is too long.', values)
    case 'no_connection':
      return t(
        '[A message]({link}) called the server of {bot}, but there was no connection within {seconds, plural, one {# second} other {# seconds}}.',
        { ...values, seconds: fault.seconds },
      )
    case 'no_answer':
      return t(
        '[A message]({link}) called the server of {bot}, but there was no answer within {seconds, plural, one {# second} other {# seconds}}.',
        { ...values, seconds: fault.seconds },
      )
    case 'unreachable':
    case 'misled':
      return t('[A message]({link}) called the server of {bot}, but the server could not be reached ({reason}).', {
        ...values,
        reason: fault.reason,
      })
    case 'server_error':
      return t('[A message]({link}) called the server of {bot}, but the server answered with status {status}.', {
        ...values,
        status: fault.status,
      })
    case 'malformed':
      return t(
        '[A message]({link}) called the server of {bot}, but the answer is not of the form that is expected.',
        values,
      )
    case 'refused':
      return t('[A message]({link}) called the server of {bot}, but the answer was refused ({reason}).', {
        ...values,
        reason: `${fault.error.bodyIn(t).msg}`,
      })
  }
}

/** A direct message from the bot to its owner; undefined when it cannot be sent. */
const composeOwnerNotice = async (job: WebhookJob, bot: UserRow, content: string): Promise<Send | undefined> => {
  const owner = job.realm.state.users.get(bot.bot_owner_id ?? 0)
  if (owner?.is_active !== true) return undefined
  try {
    return await composeBotMessage(job, bot, { users: [owner] }, content)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/**
 * Composes a message of the bot. The call takes long: if the structure moved meanwhile, the job is decided again
 * without calling the server again, so that a bot that was deactivated during the call says nothing.
 */
const composeBotMessage = (
  { write, payload }: WebhookJob,
  sender: UserRow,
  to: Destination,
  content: string,
  widget_content?: string,
): Promise<Send> =>
  composeSend(write, {
    sender,
    to,
    content,
    client: 'OutgoingWebhookResponse',
    realm_url: payload.realm_url,
    widget_content,
  })
