/** Reports of messages to the organization's moderators. Source: protocol/endpoints.md 2.6. */

import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import { messageMention, quoteMessage, silentMention } from '../../../domain/messages/quoting.js'
import { reportReasons } from '../../../domain/messages/report-reasons.js'
import { errors } from '../../../domain/protocol/errors.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { loadReadableMessages } from '../../../store/messages/narrow/load-messages.js'
import { sendMessage } from '../../../store/messages/sending/send-message.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, str } from '../../call/params.js'

const reasonKeys = reportReasons.map(({ key }) => key).join(', ')

export const reportMessage = endpoint({
  method: 'POST',
  path: ['/messages/{message_id}/report', '/message/{message_id}/report'],
  summary: 'Reports a message to the moderators, in the channel that the organization set for reports.',
  access: 'account',
  params: {
    message_id: idInPath(),
    report_type: str().describe(`${reasonKeys}; a registration has their names`),
    description: str({ max: 1_000 }).optional().describe('required for other'),
  },
  response: z.object({}),
  async handle({ app, caller: { user }, state, write, params }) {
    const { message_id, report_type, description = '' } = params
    const reason = reportReasons.find(({ key }) => key === report_type)
    if (reason === undefined) throw errors.badRequest(`Invalid report_type: send one of ${reasonKeys}.`)
    if (report_type === 'other' && description.trim() === '')
      throw errors.badRequest('A report of the type other needs a description.')
    const channel = state.channels.get(state.settings.moderation_request_channel_id)
    const sender = notificationBot(state)
    if (channel === undefined || sender === undefined) {
      throw errors.badRequest(
        'This organization does not accept reports: its administrators must first set a channel for them.',
      )
    }
    const { sql } = app.store
    const [message] = await loadReadableMessages({ sql, state, reader: user }, [message_id])
    if (message === undefined) throw errors.invalidMessages()
    const author = state.users.get(message.sender_id)
    const note = description.trim() === '' ? '' : ` ${description.trim()}`
    const content = [
      `${silentMention(user)} reported ${messageMention(state, message)}.`,
      `**${reason.name}.**${note}`,
      quoteMessage(state, message),
    ].join('\n\n')
    await sendMessage(write, {
      sender,
      to: { channel: channel.id, topic: `Reports about ${author?.full_name ?? 'an unknown user'}` },
      content,
      client: 'Internal',
      realm_url: realmUrl(state.realm.string_id, app.config),
    })
    return {}
  },
})
