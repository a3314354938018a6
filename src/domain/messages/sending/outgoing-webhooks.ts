/**
 * Outgoing webhooks: the server of a bot is called when a user mentions the bot or writes to it, and may answer.
 *
 * A message of a bot calls no other bot: two of them would answer each other forever. Source: protocol/endpoints.md
 * 3.8.
 */
import { z } from 'zod'
import { type BotRow, BotType, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { ServiceInterface } from '../../users/bots/bots.js'
import type { MessageObject } from '../message.js'

export type Trigger = 'mention' | 'direct_message'

/** The call of a bot's server because of a message. */
export interface WebhookCall {
  bot_id: number
  trigger: Trigger
}

/** The calls that a message causes. @param addressed the users whom it mentions by name, or all in the conversation */
export const findWebhookCalls = (
  state: RealmState,
  sender: UserRow,
  addressed: Iterable<number>,
  trigger: Trigger,
): WebhookCall[] => {
  const calls: WebhookCall[] = []
  if (sender.is_bot) return calls
  for (const bot_id of addressed) {
    const bot = state.users.get(bot_id)
    if (bot?.bot_type === BotType.outgoingWebhook && bot.is_active) calls.push({ bot_id, trigger })
  }
  return calls
}

/** The data of a request to a bot's server. */
export interface WebhookRequest {
  bot: UserRow
  service: BotRow
  token: string
  trigger: Trigger
  /** with its text as Markdown */
  message: MessageObject
  rendered_content: string
  realm: { id: number; host: string }
}

/** The body of the request, in the format that the bot's server expects. */
export const encodeRequest = (request: WebhookRequest): { type: string; body: string } =>
  request.service.service_interface === ServiceInterface.slack ? encodeForSlack(request) : encodeGeneric(request)

const encodeGeneric = ({ bot, token, trigger, message, rendered_content }: WebhookRequest) => ({
  type: 'application/json',
  body: JSON.stringify({
    bot_email: bot.email,
    bot_full_name: bot.full_name,
    data: message.content,
    message: { ...message, rendered_content },
    token,
    trigger,
  }),
})

/** The format of Slack's outgoing webhooks. */
const encodeForSlack = ({ bot, token, trigger, message, realm }: WebhookRequest) => ({
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams({
    token,
    team_id: `T${realm.id}`,
    team_domain: realm.host,
    channel_id: message.stream_id === undefined ? `D${message.recipient_id}` : `C${message.stream_id}`,
    channel_name: typeof message.display_recipient === 'string' ? message.display_recipient : 'directmessage',
    thread_ts: String(message.timestamp),
    timestamp: String(message.timestamp),
    user_id: `U${message.sender_id}`,
    user_name: message.sender_full_name,
    text: message.content,
    trigger_word: trigger,
    service_id: String(bot.id),
  }).toString(),
})

/** The answer of a bot's server; both fields are optional. */
export interface ServerAnswer {
  content?: string | undefined
  widget_content?: string | undefined
}

const ours = z.object({
  response_not_required: z.boolean().optional(),
  content: z.string().optional(),
  widget_content: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .transform((input) => (typeof input === 'string' ? input : JSON.stringify(input)))
    .optional(),
})
const slack = z.object({ text: z.string().optional() })

/** Parses the server's response; undefined when it is malformed. */
export const parseAnswer = (text: string, service: Pick<BotRow, 'service_interface'>): ServerAnswer | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (service.service_interface === ServiceInterface.slack) {
    const parsed = slack.safeParse(value)
    return parsed.success ? { content: parsed.data.text } : undefined
  }
  const parsed = ours.safeParse(value)
  if (!parsed.success) return undefined
  return parsed.data.response_not_required === true ? {} : parsed.data
}
