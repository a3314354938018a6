/**
 * A trial of a welcome message. New accounts of this server get no such message, but the programs of administrators
 * offer the trial since level 416.
 */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { sendMessage } from '../../../store/messages/sending/send-message.js'
import { endpoint } from '../../http/endpoint.js'
import { str } from '../../http/params.js'

const MAX_LENGTH = 8_000

export const testWelcomeMessage = endpoint({
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Sends a welcome message to the caller, as a trial. This server does not send it to new accounts.',
  level: 416,
  access: 'administrator',
  params: { welcome_message_custom_text: str({ max: MAX_LENGTH }) },
  response: z.object({ message_id: z.int() }),
  errors: [errors.notAdministrator],
  async handle({ state, caller, write, params }) {
    const sender = notificationBot(state)
    if (sender === undefined) throw errors.internal()
    const content = params.welcome_message_custom_text
    const { id } = await sendMessage(write, { sender, to: { users: [caller.user] }, content, client: 'Internal' })
    return { message_id: id }
  },
})
