import type { User } from '@parley/client/realm'
import type { ComponentChildren } from 'preact'
import { useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import { Avatar } from '../ui/avatar.js'
import { VirtualList } from '../ui/virtual-list.js'

const ROW_HEIGHT = 44

interface PeopleListProps {
  label: string
  users: readonly User[]
  /** what stands behind the name */
  renderEnd(user: User): ComponentChildren
}

/** A list of accounts of any length. Each name leads to the card of the account. */
export const PeopleList = ({ label, users, renderEnd }: PeopleListProps) => {
  const chat = useChat()
  return (
    <div class="people-list">
      <VirtualList
        items={users}
        rowHeight={ROW_HEIGHT}
        label={label}
        keyOf={({ user_id }) => user_id}
        renderRow={(user, focus) => (
          <div class="people-line">
            <Avatar user={user} size="small" opensCard />
            <a href={`#user/${user.user_id}`} {...focus}>
              <bdi>{userName(chat, user.user_id)}</bdi>
            </a>
            {renderEnd(user)}
          </div>
        )}
      />
    </div>
  )
}
