import type { Message } from '@parley/client'
import { EmojiMark } from '../../emoji/emoji-mark.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { Dialog } from '../../ui/dialog.js'
import { UserNames } from '../../ui/user-name.js'
import { groupReactions } from '../parts/reactions.js'
import { endAction } from './open-action.js'

/** Says who reacted to a message. On a touch screen, no mouse shows it over the reaction. */
export const ReactionsDialog = ({ message }: { message: Message }) => {
  const chat = useChat()
  return (
    <Dialog title={t('Reactions')} onClose={endAction}>
      <ul class="receipt-list">
        {groupReactions(message.reactions).map((reactions) => {
          const [{ emoji_name: name, emoji_code: code, reaction_type: type }] = reactions
          const url = type === 'realm_emoji' ? chat.emoji.value.get(code)?.source_url : undefined
          return (
            <li key={`${type}:${code}`}>
              <EmojiMark code={code} name={name} type={type} url={url} />
              <span class="only-for-screen-readers">{name.replaceAll('_', ' ')}: </span>
              <span>
                <UserNames userIds={reactions.map(({ user_id }) => user_id)} own={t('You')} />
              </span>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
