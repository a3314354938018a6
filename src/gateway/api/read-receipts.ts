/** Who has read a message. Source: endpoints.md 3.1; permissions.md 8.8. */
import { z } from 'zod'
import { errors } from '../../domain/errors.js'
import { defaultUserSettings } from '../../domain/user-settings.js'
import { visible } from '../../store/reading.js'
import { readersOf } from '../../store/receivers.js'
import { endpoint } from '../http/endpoint.js'
import { idInPath } from '../http/params.js'

export const getReadReceipts = endpoint({
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  summary: 'Lists who has read a message, without its sender and those who do not say.',
  who: 'account',
  params: { message_id: idInPath() },
  response: z.object({ user_ids: z.array(z.int()) }),
  async handle({ app, caller, state, params }) {
    const { sql } = app.store
    const [message] = await visible({ sql, state, reader: caller.user }, [params.message_id])
    if (message === undefined) throw errors.invalidMessages()
    if (!state.settings.enable_read_receipts) {
      throw errors.badRequest('Read receipts are disabled in this organization.')
    }
    const readers = await readersOf(sql, state, message)
    return {
      user_ids: readers.filter((user_id) => {
        const { settings } = state.users.get(user_id) ?? {}
        return user_id !== message.sender_id && (settings?.send_read_receipts ?? defaultUserSettings.send_read_receipts)
      }),
    }
  },
})
