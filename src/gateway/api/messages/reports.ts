/** Reports of messages to the organization's moderators. Source: endpoints.md 2.6. */

import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import { messageMention, quoteMessage } from '../../../domain/messages/quoting.js'
import { errors } from '../../../domain/protocol/errors.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { loadReadableMessages } from '../../../store/messages/narrow/load-messages.js'
import { sendMessage } from '../../../store/messages/sending/send-message.js'
import { endpoint } from '../../http/endpoint.js'
import { idInPath, str } from '../../http/params.js'

/** What somebody may find wrong with a message, in the words of the report. */
const reasons: Readonly<Record<string, string>> = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Against the norms of the community',
  other: 'Another reason',
}

export const reportMessage = endpoint({
  method: 'POST',
  path: ['/messages/{message_id}/report', '/message/{message_id}/report'],
  summary: 'Reports a message to the moderators, in the channel that they keep for it.',
  access: 'account',
  params: {
    message_id: idInPath(),
    report_type: str().describe(Object.keys(reasons).join(', ')),
    description: str({ max: 1_000 }).optional().describe('required for other'),
  },
  response: z.object({}),
  async handle({ app, caller: { user }, state, write, params }) {
    const { message_id, report_type, description = '' } = params
    if (!Object.hasOwn(reasons, report_type)) {
      throw errors.badRequest('report_type is not one that can be reported.')
    }
    if (report_type === 'other' && description.trim() === '')
      throw errors.badRequest('Say in description what is wrong.')
    const channel = state.channels.get(state.settings.moderation_request_channel_id)
    const sender = notificationBot(state)
    if (channel === undefined || sender === undefined) {
      throw errors.badRequest('This organization takes no reports: it has set no channel for them.')
    }
    const { sql } = app.store
    const [message] = await loadReadableMessages({ sql, state, reader: user }, [message_id])
    if (message === undefined) throw errors.invalidMessages()
    const about = state.users.get(message.sender_id)
    const said = description.trim() === '' ? '' : ` ${description.trim()}`
    const content = [
      `@_**${user.full_name}|${user.id}** reported ${messageMention(state, message)}.`,
      `**${reasons[report_type]}.**${said}`,
      quoteMessage(state, message),
    ].join('\n\n')
    await sendMessage(write, {
      sender,
      to: { channel: channel.id, topic: `Reports about ${about?.full_name ?? 'somebody'}` },
      content,
      client: 'Internal',
      realm_url: realmUrl(state.realm.string_id, app.config),
    })
    return {}
  },
})
