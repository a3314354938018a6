/** The reactions to a message. A click adds or removes the user's own. */

import type { Message } from '@parley/client'
import type { Reaction } from '@parley/client/realm'
import { EmojiMark } from '../../emoji/emoji-mark.js'
import { listNames } from '../../languages/lists.js'
import { formatCount } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { userName } from '../../realm/names.js'

/** So few reactions to a message show the names of their users. */
const FEW = 3

/** The reactions to a message, each with the number or the names of its users. */
export const Reactions = ({ message }: { message: Message }) => {
  const chat = useChat()
  if (message.reactions.length === 0) return null
  const hasNames = chat.settings.value.display_emoji_reaction_users !== false && message.reactions.length <= FEW
  return (
    <ul class="reaction-list" aria-label={t('Reactions')}>
      {groupReactions(message.reactions).map((reactions) => (
        <ReactionButton
          key={reactionKey(reactions[0])}
          chat={chat}
          message={message}
          reactions={reactions}
          hasNames={hasNames}
        />
      ))}
    </ul>
  )
}

type Group = readonly [Reaction, ...Reaction[]]

/** The reactions with the same emoji together, in the order of the first of each. */
export const groupReactions = (reactions: readonly Reaction[]): Group[] => {
  const groups = new Map<string, [Reaction, ...Reaction[]]>()
  for (const reaction of reactions) {
    const group = groups.get(reactionKey(reaction))
    if (group === undefined) groups.set(reactionKey(reaction), [reaction])
    else group.push(reaction)
  }
  return [...groups.values()]
}

const reactionKey = ({ reaction_type, emoji_code }: Reaction): string => `${reaction_type}:${emoji_code}`

interface ReactionButtonProps {
  chat: Chat
  message: Message
  reactions: Group
  /** shows the names of the users in place of their number */
  hasNames: boolean
}

const ReactionButton = ({ chat, message, reactions, hasNames }: ReactionButtonProps) => {
  const [{ emoji_name, emoji_code, reaction_type }] = reactions
  const isOwn = reactions.some(({ user_id }) => user_id === chat.ownUserId)
  const names = listNames(
    reactions.map(({ user_id }) => (user_id === chat.ownUserId ? t('You') : userName(chat, user_id))),
  )
  const parameters = { message_id: message.id, emoji_name, emoji_code, reaction_type }
  const toggle = () =>
    isOwn
      ? chat.client.call('DELETE /messages/{message_id}/reactions', parameters)
      : chat.client.call('POST /messages/{message_id}/reactions', parameters)
  return (
    <li>
      <button
        type="button"
        class="reaction-button"
        aria-pressed={isOwn}
        // The visible number is part of the name, so that a user can say what they see.
        aria-label={t('{count, number} {emoji}: {names}', {
          count: reactions.length,
          emoji: emoji_name.replaceAll('_', ' '),
          names,
        })}
        title={t('{names} reacted with :{emoji}:', { names, emoji: emoji_name })}
        disabled={chat.ownUserId === undefined}
        onClick={toggle}
      >
        <EmojiMark
          code={emoji_code}
          name={emoji_name}
          type={reaction_type}
          url={reaction_type === 'realm_emoji' ? chat.emoji.value.get(emoji_code)?.source_url : undefined}
        />
        {hasNames ? (
          <span class="reaction-users" dir="auto">
            {names}
          </span>
        ) : (
          <span class="reaction-count">{formatCount(reactions.length)}</span>
        )}
      </button>
    </li>
  )
}
