import { channelConversation, directConversation } from '@parley/client/realm'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import type { Conversation } from '../routing/views.js'
import { UserNames } from '../ui/user-name.js'

/** Says who types in the conversation that is open. Its place stays empty when nobody does. */
export const TypingLine = ({ conversation }: { conversation: Conversation | undefined }) => {
  const chat = useChat()
  if (conversation === undefined || conversation.kind === 'channel') return null
  const key =
    conversation.kind === 'topic'
      ? channelConversation(conversation.channelId, conversation.topic)
      : directConversation([...conversation.userIds, ...(chat.ownUserId === undefined ? [] : [chat.ownUserId])])
  const userIds = [...(chat.typing.value.get(key) ?? [])]
  return (
    <p class="typing-line" aria-live="polite">
      {userIds.length > 3 && t('Several people are typing…')}
      {userIds.length > 0 &&
        userIds.length <= 3 &&
        t.rich(
          '{count, plural, one {{names} is typing…} other {{names} are typing…}}',
          {},
          { count: userIds.length, names: <UserNames userIds={userIds} /> },
        )}
    </p>
  )
}
