/** Reports of messages to the organization's moderators. Source: protocol/endpoints.md 2.6. */

import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import { composeReport, reasonKeys, requireReason, requireReportChannel } from '../../../domain/messages/reports.js'
import { errors } from '../../../domain/protocol/errors.js'
import { loadReadableMessages } from '../../../store/messages/narrow/load-messages.js'
import { sendMessage } from '../../../store/messages/sending/send-message.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, str } from '../../call/params.js'

export const reportMessage = endpoint({
  method: 'POST',
  path: ['/messages/{message_id}/report', '/message/{message_id}/report'],
  summary: 'Reports a message to the moderators, in the channel that the organization set for reports.',
  callers: 'account',
  params: {
    message_id: idInPath(),
    report_type: str().describe(`${reasonKeys}; a registration has their names`),
    description: str({ max: 1_000 }).optional().describe('required for other'),
  },
  example: { message_id: '{message_of_sam}', report_type: 'spam', description: 'An advertisement' },
  response: z.object({}),
  async handle({ app, caller: { user }, state, write, params }) {
    const { message_id, report_type, description = '' } = params
    const reason = requireReason(report_type, description)
    const { channel, sender } = requireReportChannel(state)
    const { sql } = app.store
    const [message] = await loadReadableMessages({ sql, state, reader: user }, [message_id])
    if (message === undefined) throw errors.invalidMessages()
    const { topic, content } = composeReport(state, user, message, reason, description)
    await sendMessage(write, {
      sender,
      to: { channel: channel.id, topic },
      content,
      client: 'Internal',
      realm_url: realmUrl(state.realm.string_id, app.config),
    })
    return {}
  },
})
