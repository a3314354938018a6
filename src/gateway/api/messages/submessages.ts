/**
 * Actions of users on the widget of a message: a vote in a poll, a task of a to-do list. Source: protocol/endpoints.md
 * 3.1.
 */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { widgetMessageType } from '../../../domain/messages/widgets.js'
import { requireChangeableMessage } from '../../../store/messages/narrow/load-messages.js'
import { addSubmessage as add } from '../../../store/messages/reactions/submessages.js'
import { endpoint } from '../../call/endpoint.js'
import { int, oneOf, str } from '../../call/params.js'

export const addSubmessage = endpoint({
  method: 'POST',
  path: '/submessage',
  summary: 'Adds an action to the widget of a message, such as a vote in a poll.',
  callers: 'account',
  condition: 'Only the sender of the message adds its first submessage.',
  params: {
    message_id: int(),
    msg_type: oneOf(widgetMessageType),
    content: str({ max: limits.max_message_length }).describe(
      'JSON text: the action. The first one on a message without a widget describes the widget, as `widget_content` does',
    ),
  },
  example: { message_id: '{poll_id}', msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' },
  response: z.object({}),
  async handle({ app, caller: { user }, state, write, params }) {
    const { sql } = app.store
    const message = await requireChangeableMessage({ sql, state, reader: user }, params.message_id)
    await add(write, { user, message, msg_type: params.msg_type, content: params.content })
    return {}
  },
})
