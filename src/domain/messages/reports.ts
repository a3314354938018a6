/** Reports of messages: their reasons, the channel that gets them, their texts. Source: protocol/endpoints.md 2.6. */

import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { noticeTexts } from '../readers/notice-texts.js'
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

/** The topic and the Markdown of a report. The topic of later reports is another one, when the language has changed. */
export const composeReport = (
  state: RealmState,
  reporter: UserRow,
  quoted: QuotedMessage,
  reason: Reason,
  description: string,
): { topic: string; content: string } => {
  const t = noticeTexts(state)
  const author = state.users.get(quoted.sender_id)
  const [user, message, note] = [silentMention(reporter), messageMention(state, quoted), description.trim()]
  const name = t(reason.name)
  const content = [
    message === undefined
      ? t('{user} reported a direct message.', { user })
      : t('{user} reported {message}.', { user, message }),
    note === '' ? t('**{reason}.**', { reason: name }) : t('**{reason}.** {note}', { reason: name, note }),
    quoteMessage(t, state, quoted),
  ].join('\n\n')
  const topic =
    author === undefined ? t('Reports about an unknown user') : t('Reports about {name}', { name: author.full_name })
  return { topic, content }
}
