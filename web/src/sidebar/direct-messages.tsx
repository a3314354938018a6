/** The recent conversations of direct messages, with the presence of the other person. */

import { useComputed, useSignal } from '@preact/signals'
import { StatusEmoji } from '../emoji/status-emoji.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { directName, otherParticipants } from '../realm/names.js'
import { countDirect, countIds, noCount } from '../realm/unread.js'
import { directView } from '../routing/views.js'
import { Count } from '../ui/count.js'
import { Icon } from '../ui/icon.js'
import { PresenceMark } from '../ui/presence-mark.js'
import { SidebarLink } from './sidebar-link.js'
import { SidebarSection } from './sidebar-section.js'

/** Conversations that are shown before the user asks for more. */
const SHOWN = 8

/** The section of direct messages. */
export const DirectMessages = () => {
  const chat = useChat()
  const showsAll = useSignal(false)
  const rows = useComputed(() => {
    const unread = chat.unread.value
    return [...chat.directConversations.value]
      .sort(([, one], [, other]) => other - one)
      .map(([key]) => {
        const ids = unread.direct.get(key)
        return {
          key,
          userIds: otherParticipants(chat, key),
          count: ids === undefined ? noCount : countIds(ids, unread),
        }
      })
  })
  const visible = rows.value.filter((row, index) => showsAll.value || index < SHOWN || row.count.unread > 0)
  const hasSummary = chat.settings.value.web_left_sidebar_unreads_count_summary !== false
  const hidden = rows.value.length - visible.length
  return (
    <SidebarSection
      id="direct"
      title={t('Direct messages')}
      summary={hasSummary && <Count count={countDirect(chat.unread.value)} isSoft />}
    >
      <ul class="sidebar-list">
        {visible.map(({ key, userIds, count }) => (
          <SidebarLink
            key={key}
            view={directView(userIds)}
            label={directName(chat, userIds)}
            count={count}
            menu={{ kind: 'direct', userIds }}
            detail={userIds.length === 1 && <StatusEmoji userId={userIds[0] as number} />}
            mark={userIds.length > 1 ? <Icon name="people" size={16} /> : <PresenceMark userId={userIds[0]} />}
          />
        ))}
        {rows.value.length === 0 && <li class="sidebar-hint">{t('No conversations yet')}</li>}
        {(hidden > 0 || showsAll.value) && rows.value.length > SHOWN && (
          <li>
            <button
              type="button"
              class="sidebar-more"
              aria-expanded={showsAll.value}
              onClick={() => {
                showsAll.value = !showsAll.value
              }}
            >
              {showsAll.value ? t('Show fewer') : t('Show {count, number} more', { count: hidden })}
            </button>
          </li>
        )}
      </ul>
    </SidebarSection>
  )
}
