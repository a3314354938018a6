/**
 * Notices to the owner of a bot whose messages reach no user, because a bot does not read its errors.
 *
 * 1. An owner receives at most one such notice per bot in five minutes. The query reads the time of the last notice
 *    from the messages of the conversation, so the rule holds across gateways without further state.
 * 2. Two notices of the same moment may both be sent, which is harmless.
 *
 * Source: protocol/messages.md 3.5.
 */

import type { UserRow } from '../../../domain/log/rows.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { StaleStateError } from '../../log/log.js'
import { WriteContext } from '../../log/write-context.js'
import { getOrCreateConversation } from '../conversations.js'

/** Seconds between two notices about one bot (1). */
const QUIET_SECONDS = 300

/** A notice, sent like any direct message. */
interface Notice {
  sender: UserRow
  to: { users: UserRow[] }
  content: string
  client: string
}

/**
 * Sends the owner of a bot a notice about a message of the bot (1).
 * @param reason where the message went and why no user received it: the end of the notice's sentence
 * @param send sends a message; passed as an argument because sending itself calls this function
 */
export const notifyBotOwner = async (
  { dependencies, realm }: WriteContext,
  bot: UserRow,
  reason: string,
  send: (context: WriteContext, notice: Notice) => Promise<unknown>,
): Promise<void> => {
  // Opened before the owner's row is read: an owner who is deactivated during the awaits below gets no message.
  const context = WriteContext.open(dependencies, realm)
  const { state } = realm
  const owner = state.users.get(bot.bot_owner_id ?? 0)
  const sender = notificationBot(state)
  if (owner?.is_active !== true || sender === undefined) return
  const about = `Your bot @_**${bot.full_name}|${bot.id}** sent a message `
  const ids = [owner.id, sender.id].sort((a, b) => a - b)
  const dm_id = await getOrCreateConversation(context.sql, realm, ids)
  const [recent] = await context.sql`
    select from messages
    where realm_id = ${realm.id} and dm_id = ${dm_id} and sender_id = ${sender.id}
      and timestamp > ${Math.floor(Date.now() / 1000) - QUIET_SECONDS} and starts_with(content, ${about})
    limit 1`
  if (recent !== undefined) return
  const notice = { sender, to: { users: [owner] }, content: about + reason, client: 'Internal' }
  await send(context, notice).catch((error: unknown) => {
    // The bot's next failing message sends the notice.
    if (!(error instanceof StaleStateError)) throw error
  })
}
