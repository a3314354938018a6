/** The right column: the members with their presence. */

import type { User } from '@parley/client/realm'
import { useComputed, useSignal } from '@preact/signals'
import { StatusEmoji } from '../emoji/status-emoji.js'
import { t } from '../languages/t.js'
import { MenuButton } from '../menus/menu-button.js'
import { menuHandlers } from '../menus/open-menu.js'
import { type Chat, useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import { linkTo, view } from '../routing/location.js'
import { conversationOf, directView } from '../routing/views.js'
import { Avatar } from '../ui/avatar.js'
import { Icon } from '../ui/icon.js'
import { PresenceMark } from '../ui/presence-mark.js'
import { isForFingers } from '../ui/screen.js'
import { VirtualList } from '../ui/virtual-list.js'
import { arrangeMembers, filterByName, groupMembers, type Participants, sortByName } from './member-rows.js'
import './members.css'

const ROW_HEIGHT = { compact: 28, mouse: 34, finger: 44 }

/** The values of the setting `user_list_style`. */
const Style = { compact: 1, withStatus: 2, withPicture: 3 }

/** The right column. Who takes part in the open conversation is first, then all others. */
export const MemberList = () => {
  const chat = useChat()
  const words = useSignal('')
  const sorted = useComputed(() => sortByName(chat.users.value))
  const rows = useComputed(() => {
    const members = arrangeMembers(filterByName(sorted.value, words.value), chat.presence.value)
    return groupMembers(members, participants(chat))
  })
  const style = chat.settings.value.user_list_style ?? Style.withPicture
  const rowHeight = style === Style.compact ? ROW_HEIGHT.compact : ROW_HEIGHT.mouse
  return (
    <aside class="member-sidebar" id="members" aria-label={t('Members')}>
      <div class="member-search">
        <input
          class="text-field"
          type="search"
          placeholder={t('{count, plural, one {Search # member} other {Search # members}}', {
            count: chat.users.value.size,
          })}
          aria-label={t('Search members')}
          onInput={(event) => {
            words.value = event.currentTarget.value
          }}
        />
      </div>
      <VirtualList
        items={rows.value}
        rowHeight={isForFingers.value ? ROW_HEIGHT.finger : rowHeight}
        label={t('Members')}
        keyOf={(row) => ('heading' in row ? row.heading : row.user_id)}
        hasFocus={(row) => !('heading' in row)}
        renderRow={(row, focus) =>
          'heading' in row ? (
            <h2 class="member-heading">
              {row.heading} <span class="count-badge count-badge-soft">{row.count}</span>
            </h2>
          ) : (
            <MemberLine user={row} focus={focus} />
          )
        }
      />
    </aside>
  )
}

/** Who takes part in the conversation that is open. Undefined while none is open, or its members are not known. */
const participants = (chat: Chat): Participants | undefined => {
  const shown = view.value.name === 'messages' ? conversationOf(view.value.terms) : undefined
  if (shown === undefined) return undefined
  if (shown.kind === 'direct') {
    return { heading: t('In this conversation'), ids: new Set([...shown.userIds, chat.ownUserId ?? 0]) }
  }
  const ids = chat.members(shown.channelId).value
  return ids === undefined ? undefined : { heading: t('In this channel'), ids }
}

const MemberLine = ({ user, focus }: { user: User; focus: { tabIndex: number; onFocus: () => void } }) => {
  const chat = useChat()
  const style = chat.settings.value.user_list_style ?? Style.withPicture
  const status = style === Style.compact ? undefined : chat.statuses.value.get(user.user_id)?.status_text
  const isOwn = user.user_id === chat.ownUserId
  const menu = { kind: 'person', userId: user.user_id } as const
  return (
    <div class="member-line has-menu">
      <a class="member-name" href={`#user/${user.user_id}`} {...focus} {...menuHandlers(menu)}>
        {style === Style.withPicture && <Avatar user={user} size="small" />}
        <span class="sidebar-label" dir="auto">
          {userName(chat, user.user_id)}
          {isOwn && <span class="soft-text"> {t('(you)')}</span>}
          <StatusEmoji userId={user.user_id} />
          {status !== undefined && status !== '' && <bdi class="member-status">{status}</bdi>}
        </span>
        {user.is_bot ? <span class="member-tag">{t('bot')}</span> : <PresenceMark userId={user.user_id} />}
      </a>
      {user.is_active && (
        <a
          class="icon-button member-write"
          href={linkTo(directView([user.user_id]))}
          aria-label={t('Write to {recipient}', { recipient: user.full_name })}
          title={t('Write to {recipient}', { recipient: user.full_name })}
          tabIndex={focus.tabIndex}
        >
          <Icon name="direct" size={15} />
        </a>
      )}
      <MenuButton target={menu} label={user.full_name} tabIndex={focus.tabIndex} />
    </div>
  )
}
