/** Actions on a message that need no more than one click. */

import type { Message } from '@parley/client'
import { isResolved, toggleResolved as toggleTopic } from '#rules/topics.js'
import { composeForwarded, composeReply } from '../../compose/compose-target.js'
import type { Emoji } from '../../emoji/emoji-table.js'
import { t } from '../../languages/t.js'
import type { Chat } from '../../realm/chat.js'
import { fullName } from '../../realm/names.js'
import { linkTo, view } from '../../routing/location.js'
import { conversationOf, conversationView } from '../../routing/views.js'
import { copyText } from '../../ui/copy-text.js'
import { attempt, say } from '../../ui/status-line.js'
import { excessOf } from '../../ui/text-limit.js'
import { conversationOfMessage } from '../parts/conversation-bar.js'
import { hasFlag } from '../parts/flags.js'
import { moveMessages } from './move-messages.js'

/** Adds or removes the star. */
export const toggleStar = (chat: Chat, message: Message): Promise<void> =>
  attempt(
    chat.client.call('POST /messages/flags', {
      messages: [message.id],
      op: hasFlag(message, 'starred') ? 'remove' : 'add',
      flag: 'starred',
    }),
  )

/** Adds a reaction, or removes it if the user has it already. */
export const toggleReaction = (chat: Chat, message: Message, { name, code, type }: Emoji): Promise<void> => {
  const parameters = { message_id: message.id, emoji_name: name, emoji_code: code, reaction_type: type }
  const isOwn = message.reactions.some(
    (reaction) =>
      reaction.user_id === chat.ownUserId && reaction.emoji_code === code && reaction.reaction_type === type,
  )
  return attempt(
    isOwn
      ? chat.client.call('DELETE /messages/{message_id}/reactions', parameters)
      : chat.client.call('POST /messages/{message_id}/reactions', parameters),
  )
}

/** Marks a message and all later ones of its conversation as unread. */
export const markAsUnreadFrom = (chat: Chat, message: Message): Promise<void> => {
  const conversation = conversationOfMessage(chat, message)
  const shown = conversationView(conversation)
  return attempt(
    chat.client.call('POST /messages/flags/narrow', {
      anchor: String(message.id),
      num_before: 0,
      num_after: 1_000,
      include_anchor: true,
      narrow: shown.name === 'messages' ? shown.terms.map((term) => ({ ...term })) : [],
      op: 'remove',
      flag: 'read',
    }),
  )
}

/** Marks the topic of a message as resolved, or as open again. */
export const toggleResolved = (chat: Chat, message: Pick<Message, 'id' | 'subject'>): Promise<void> => {
  const topic = toggleTopic(message.subject)
  const most = chat.organization.peek().max_topic_length
  const excess = excessOf(topic, most)
  if (excess > 0) {
    say({
      text: t(
        '{count, plural, one {With the sign of a resolved topic, its name has # character too many.} other {With the sign of a resolved topic, its name has # characters too many.}} At most {most, number} fit. Rename the topic first.',
        { count: excess, most },
      ),
      isFailure: true,
    })
    return Promise.resolve()
  }
  const parameters = {
    message_id: message.id,
    topic,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: true,
  } as const
  return attempt(
    moveMessages(
      chat,
      parameters,
      isResolved(message.subject) ? t('Marked as not resolved.') : t('Marked as resolved.'),
    ),
  )
}

/** The address of a message, for other people. */
export const messageLink = (chat: Chat, message: Message): string =>
  new URL(linkTo(conversationView(conversationOfMessage(chat, message), message.id)), location.href).href

/** Copies the address of a message. */
export const copyLink = (chat: Chat, message: Message): Promise<boolean> =>
  copyText(messageLink(chat, message), t('The link was copied.'))

/** Opens the compose box for a reply to a message. */
export const reply = (chat: Chat, message: Message): void => replyWith(chat, message, '')

/** Opens the compose box with a quotation of a message. */
export const quote = (chat: Chat, message: Message): Promise<void> =>
  attempt(
    chat.client.call('GET /messages/{message_id}', { message_id: message.id, apply_markdown: false }).then((answer) => {
      replyWith(chat, message, composeQuote(chat, message, answer.message.content))
    }),
  )

/** Opens the compose box with a quotation of a message. The user chooses to whom it goes. */
export const forward = (chat: Chat, message: Message): Promise<void> =>
  attempt(
    chat.client.call('GET /messages/{message_id}', { message_id: message.id, apply_markdown: false }).then((answer) => {
      composeForwarded(composeQuote(chat, message, answer.message.content))
    }),
  )

const replyWith = (chat: Chat, message: Message, text: string): void => {
  const conversation = conversationOfMessage(chat, message)
  const shown = view.peek()
  const current = shown.name === 'messages' ? conversationOf(shown.terms) : undefined
  composeReply(conversation, JSON.stringify(current) === JSON.stringify(conversation), text)
}

const composeQuote = (chat: Chat, message: Message, source: string): string => {
  const fence = '`'.repeat(Math.max(3, ...[...source.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)))
  const name = `@_**${fullName(chat, message.sender_id)}|${message.sender_id}**`
  const introduction = t('{name} [said]({link}):', { name, link: messageLink(chat, message) })
  return `${introduction}\n${fence}quote\n${source}\n${fence}`
}
