/**
 * Telling a bot's owner that what it posts reaches nobody: a bot cannot read its errors as a person would.
 *
 * At most one such message per bot in five minutes. The conversation itself remembers when the last one came, so the
 * rule holds across gateways and needs no state; two at the same moment may both be sent, which does no harm.
 * Source: messages.md 3.5.
 */

import type { UserRow } from '../../../domain/log/rows.js'
import { ApiError } from '../../../domain/protocol/errors.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { StaleStateError } from '../../log/log.js'
import { WriteContext } from '../../log/write-context.js'
import { conversationOf } from '../conversations.js'
import { type Outgoing, type Sent, send } from './sending.js'

const QUIET_SECONDS = 300

/** Sends a message, and tells the sender's owner when a bot's message has no channel, or a channel without readers. */
export const sendWatched = async (context: WriteContext, outgoing: Outgoing): Promise<Sent> => {
  const { realm } = context
  const { sender, to } = outgoing
  if (!sender.is_bot || sender.bot_owner_id === null || 'users' in to) return send(context, outgoing)
  try {
    const sent = await send(context, outgoing)
    const channel =
      typeof to.channel === 'number' ? realm.state.channels.get(to.channel) : realm.state.channelByName(to.channel)
    if (channel !== undefined && realm.state.subscribers(channel.id).size === 0) {
      await tellOwner(context, sender, `to #**${channel.name}**, which has no subscribers.`)
    }
    return sent
  } catch (error) {
    if (error instanceof ApiError && error.code === 'STREAM_DOES_NOT_EXIST') {
      const named =
        typeof to.channel === 'number' ? `the channel with ID ${to.channel}` : `the channel \`${to.channel}\``
      await tellOwner(context, sender, `to ${named}, which does not exist.`)
    }
    throw error
  }
}

const tellOwner = async ({ dependencies, realm }: WriteContext, bot: UserRow, what: string): Promise<void> => {
  // Taken before the owner's row is read: an owner who is deactivated during the awaits below gets no message.
  const context = WriteContext.open(dependencies, realm)
  const { state } = realm
  const owner = state.users.get(bot.bot_owner_id ?? 0)
  const sender = notificationBot(state)
  if (owner?.is_active !== true || sender === undefined) return
  const about = `Your bot @_**${bot.full_name}|${bot.id}** sent a message `
  const ids = [owner.id, sender.id].sort((a, b) => a - b)
  const dm_id = await conversationOf(context.sql, realm, ids)
  const [recent] = await context.sql`
    select from messages
    where realm_id = ${realm.id} and dm_id = ${dm_id} and sender_id = ${sender.id}
      and timestamp > ${Math.floor(Date.now() / 1000) - QUIET_SECONDS} and starts_with(content, ${about})
    limit 1`
  if (recent !== undefined) return
  const notice = { sender, to: { users: [owner] }, content: about + what, client: 'Internal' }
  await send(context, notice).catch((error: unknown) => {
    // The bot will try again, and then its owner is told.
    if (!(error instanceof StaleStateError)) throw error
  })
}
