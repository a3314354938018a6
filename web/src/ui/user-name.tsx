import { listElements } from '../languages/lists.js'
import { useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import './user-name.css'

interface UserNameProps {
  userId: number
  /** what stands in place of the name, such as `You` */
  children?: string | undefined
  class?: string
}

/** The name of a user. It is a button that opens the card of the user (app/dialogs.tsx); for a visitor, a text. */
export const UserName = ({ userId, children, class: name = '' }: UserNameProps) => {
  const chat = useChat()
  const text = <bdi>{children ?? userName(chat, userId)}</bdi>
  const classes = `user-name ${name}`.trim()
  if (chat.ownUserId === undefined || !chat.users.value.has(userId)) return <span class={classes}>{text}</span>
  return (
    <button type="button" class={classes} data-user-id={userId}>
      {text}
    </button>
  )
}

/** The names of users, as a list. */
export const UserNames = ({ userIds, own }: { userIds: readonly number[]; own?: string }) => {
  const chat = useChat()
  return (
    <>
      {listElements(
        userIds.map((userId) => (
          <UserName key={userId} userId={userId}>
            {userId === chat.ownUserId ? own : undefined}
          </UserName>
        )),
      )}
    </>
  )
}
