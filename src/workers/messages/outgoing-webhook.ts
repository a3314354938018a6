/**
 * Calls the server of a bot that was mentioned or received a direct message, and posts the response as a message.
 *
 * 1. The reply goes to the conversation of the message. On failure the bot sends its owner a direct message.
 * 2. A server that cannot be reached, or responds with status 429 or 5xx, is called at most MAX_CALLS times.
 *
 * Source: endpoints.md 3.8.
 */

import { BotType, type UserRow } from '../../domain/log/rows.js'
import { messageLink } from '../../domain/messages/quoting.js'
import type { Destination } from '../../domain/messages/recipients.js'
import { encodeRequest, parseAnswer } from '../../domain/messages/sending/outgoing-webhooks.js'
import { ApiError } from '../../domain/protocol/errors.js'
import { botRow } from '../../domain/users/bots.js'
import { buildMessageObjects } from '../../store/messages/fetching/message-objects.js'
import { loadMessages, type ReaderRow } from '../../store/messages/narrow/load-messages.js'
import type { Send } from '../../store/messages/sending/send-combiner.js'
import { composeSend } from '../../store/messages/sending/send-message.js'
import { noEffect } from '../jobs/effects.js'
import { type JobContext, type JobHandler, JobNotReadyError } from '../jobs/job-handler.js'
import { OutgoingCallError } from '../jobs/outgoing-http.js'
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
  const outcome = await job.outside(() => callServer(job, bot, row))
  const send = await composeAnswer(job, bot, row, outcome)
  return composeSendEffect(realm, send === undefined ? [] : [send])
}

interface Outcome {
  content?: string | undefined
  widget_content?: string | undefined
  /** why there is no answer */
  fault?: string
}

/** Calls the server. Throws JobNotReadyError when it should be called again (2). */
const callServer = async (job: WebhookJob, bot: UserRow, row: ReaderRow): Promise<Outcome> => {
  const { write, realm, payload, attempts, post } = job
  const { state } = realm
  const service = botRow(state, bot.id)
  const host = new URL(payload.realm_url).hostname
  const format = { apply_markdown: false, client_gravatar: false, empty_topic_name: true, older_names: false }
  const [message] = await buildMessageObjects({ sql: write.sql, state, reader: bot }, [row], format, host)
  if (message === undefined) return {}
  const { type, body } = encodeRequest({
    bot,
    service,
    token: state.deployment.keys.webhookToken(realm.id, bot.id),
    trigger: payload.trigger,
    message,
    rendered_content: row.rendered_content,
    realm: { id: realm.id, host },
  })
  try {
    const { status, body: said } = await post(service.service_url, type, body)
    if (status >= 500 || status === 429) throw new OutgoingCallError(`the server answered with status ${status}`, true)
    if (status < 200 || status >= 300) return { fault: `the server answered with status ${status}` }
    return parseAnswer(said.toString('utf8'), service) ?? { fault: 'the answer is not of the form that is expected' }
  } catch (error) {
    if (!(error instanceof OutgoingCallError)) throw error
    if (error.isTransient && attempts + 1 < MAX_CALLS) throw new JobNotReadyError(error.message)
    return { fault: error.message }
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
    if (error instanceof ApiError)
      return composeFailureNotice(job, bot, row, `the answer was refused (${error.message})`)
    throw error
  }
}

const composeFailureNotice = async (
  job: WebhookJob,
  bot: UserRow,
  row: ReaderRow,
  fault: string,
): Promise<Send | undefined> => {
  const { state } = job.realm
  const owner = state.users.get(bot.bot_owner_id ?? 0)
  if (owner?.is_active !== true) return undefined
  const content = `[A message](${messageLink(state, row)}) called the server of @_**${bot.full_name}|${bot.id}**, but ${fault}.`
  try {
    return await composeBotMessage(job, bot, { users: [owner] }, content)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/**
 * Composes a message of the bot. The call takes long: if the structure moved meanwhile, the job is decided again without
 * calling the server again, so that a bot that was deactivated during the call says nothing.
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
