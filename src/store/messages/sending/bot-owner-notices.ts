/**
 * Notices to the owner of a bot whose messages reach no user, because a bot does not read its errors.
 *
 * 1. An owner receives at most one such notice per bot in five minutes. The query reads the time of the last notice
 *    from the messages of the conversation, so the rule holds across gateways without further state.
 * 2. Two notices of the same moment may both be sent, which is harmless.
 *
 * Source: protocol/messages.md 3.5.
 */

import { msg } from '../../../domain/languages/texts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { silentMention } from '../../../domain/messages/quoting.js'
import { isNotice, noticeTexts } from '../../../domain/readers/notice-texts.js'
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

/** Where a message of a bot went, and why no user received it. */
export const unreceivedNotices = {
  no_subscribers: msg('Your bot {bot} sent a message to {channel}, which has no subscribers.'),
  unknown_id: msg('Your bot {bot} sent a message to the channel with ID {channel}, which does not exist.'),
  unknown_name: msg('Your bot {bot} sent a message to the channel {channel}, which does not exist.'),
}

/**
 * Sends the owner of a bot a notice about a message of the bot (1).
 * @param reason a key of `unreceivedNotices`
 * @param channel the channel, as the notice shows it
 * @param send sends a message; passed as an argument because sending itself calls this function
 */
export const notifyBotOwner = async (
  { dependencies, realm }: WriteContext,
  bot: UserRow,
  { reason, channel }: { reason: keyof typeof unreceivedNotices; channel: string },
  send: (context: WriteContext, notice: Notice) => Promise<unknown>,
): Promise<void> => {
  // Opened before the owner's row is read: an owner who is deactivated during the awaits below gets no message.
  const context = WriteContext.open(dependencies, realm)
  const { state } = realm
  const owner = state.users.get(bot.bot_owner_id ?? 0)
  const sender = notificationBot(state)
  if (owner?.is_active !== true || sender === undefined) return
  const mention = silentMention(bot)
  const ids = [owner.id, sender.id].sort((a, b) => a - b)
  const dm_id = await getOrCreateConversation(context.sql, realm, ids)
  const recent = await context.sql<{ content: string }[]>`
    select content from messages
    where realm_id = ${realm.id} and dm_id = ${dm_id} and sender_id = ${sender.id}
      and timestamp > ${Math.floor(Date.now() / 1000) - QUIET_SECONDS} and strpos(content, ${mention}) > 0
    limit ${MAX_RECENT}`
  if (recent.some(({ content }) => isUnreceivedNotice(content))) return
  const content = noticeTexts(state)(unreceivedNotices[reason], { bot: mention, channel })
  const notice = { sender, to: { users: [owner] }, content, client: 'Internal' }
  await send(context, notice).catch((error: unknown) => {
    // The bot's next failing message sends the notice.
    if (!(error instanceof StaleStateError)) throw error
  })
}

/** Other notices that mention the bot are few: that it added its owner to a channel or a group. */
const MAX_RECENT = 100

const isUnreceivedNotice = (content: string): boolean =>
  Object.values(unreceivedNotices).some((message) => isNotice(content, message, ['bot', 'channel']))
