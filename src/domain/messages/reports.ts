/** Reports of messages: their reasons, the channel that gets them, their texts. Source: protocol/endpoints.md 2.6. */
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { notificationBot } from '../realm/notification-bot.js'
import { messageMention, type QuotedMessage, quoteMessage, silentMention } from './quoting.js'
import { reportReasons } from './report-reasons.js'

type Reason = (typeof reportReasons)[number]

/** The keys of all reasons, for a sentence. */
export const reasonKeys = reportReasons.map(({ key }) => key).join(', ')

/** The reason of a report. Throws BAD_REQUEST for an unknown one, and for `other` without a description. */
export const requireReason = (report_type: string, description: string): Reason => {
  const reason = reportReasons.find(({ key }) => key === report_type)
  if (reason === undefined)
    throw errors.badRequest('Invalid report_type: send one of {reasons}.', { reasons: reasonKeys })
  if (report_type === 'other' && description.trim() === '')
    throw errors.badRequest('A report of the type other needs a description.')
  return reason
}

/** The channel that gets reports, and who sends them. Throws BAD_REQUEST for an organization that set none. */
export const requireReportChannel = (state: RealmState): { channel: ChannelRow; sender: UserRow } => {
  const channel = state.channels.get(state.settings.moderation_request_channel_id)
  const sender = notificationBot(state)
  if (channel === undefined || sender === undefined) {
    throw errors.badRequest(
      'This organization does not accept reports: its administrators must first set a channel for them.',
    )
  }
  return { channel, sender }
}

/** The topic and the Markdown of a report. */
export const composeReport = (
  state: RealmState,
  reporter: UserRow,
  message: QuotedMessage,
  reason: Reason,
  description: string,
): { topic: string; content: string } => {
  const author = state.users.get(message.sender_id)
  const note = description.trim() === '' ? '' : ` ${description.trim()}`
  const content = [
    `${silentMention(reporter)} reported ${messageMention(state, message)}.`,
    `**${reason.name}.**${note}`,
    quoteMessage(state, message),
  ].join('\n\n')
  return { topic: `Reports about ${author?.full_name ?? 'an unknown user'}`, content }
}
