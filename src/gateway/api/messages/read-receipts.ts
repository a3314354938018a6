/** The users who have read a message. Source: protocol/endpoints.md 3.1; protocol/permissions.md 8.8. */
import { z } from 'zod'
import type { RealmState } from '../../../domain/log/state.js'
import { errors } from '../../../domain/protocol/errors.js'
import { getSetting } from '../../../domain/settings/user-settings.js'
import { loadReaders } from '../../../store/messages/audience/recipients-by-flags.js'
import { loadReadableMessages } from '../../../store/messages/narrow/load-messages.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath } from '../../call/params.js'

export const getReadReceipts = endpoint({
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  summary: 'Lists the users who have read a message, without its sender and users who do not send read receipts.',
  callers: 'account',
  params: { message_id: idInPath() },
  response: z.object({ user_ids: z.array(z.int()) }),
  async handle({ app, caller, state, params }) {
    const { sql } = app.store
    const [message] = await loadReadableMessages({ sql, state, reader: caller.user }, [params.message_id])
    if (message === undefined) throw errors.invalidMessages()
    if (!state.settings.enable_read_receipts) {
      throw errors.badRequest('Read receipts are disabled in this organization.')
    }
    const readers = await loadReaders(sql, state, message)
    const isShown = (user_id: number) =>
      user_id !== message.sender_id &&
      sendsReadReceipts(state, user_id) &&
      !hasMuted(state, caller.id, user_id) &&
      !hasMuted(state, user_id, caller.id)
    return { user_ids: readers.filter(isShown) }
  },
})

/** Whether the user's settings show other users what the user has read. */
const sendsReadReceipts = (state: RealmState, user_id: number): boolean => {
  const user = state.users.get(user_id)
  return user !== undefined && getSetting(user, 'send_read_receipts')
}

const hasMuted = (state: RealmState, user_id: number, other: number): boolean =>
  state.mutes.get(user_id)?.muted_users.some(({ id }) => id === other) ?? false
