/** A trial of the message that users get who join by an invitation (workers/accounts/welcome-message.ts). */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { MAX_WELCOME_LENGTH } from '../../../domain/settings/realm-settings.js'
import { sendMessage } from '../../../store/messages/sending/send-message.js'
import { endpoint } from '../../call/endpoint.js'
import { str } from '../../call/params.js'

export const testWelcomeMessage = endpoint({
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Sends a welcome message to the caller, as a trial.',
  level: 416,
  callers: 'administrator',
  params: { welcome_message_custom_text: str({ max: MAX_WELCOME_LENGTH }) },
  example: { welcome_message_custom_text: 'Welcome!' },
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
