import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { isGuest, mayInOrganization } from '../realm/permissions.js'
import { Icon } from '../ui/icon.js'

/** The last lines of the sidebar: find and create channels, and invite people. */
export const SidebarActions = () => {
  const chat = useChat()
  const mayInvite =
    mayInOrganization(chat, 'can_invite_users_group') || mayInOrganization(chat, 'create_multiuse_invite_group')
  return (
    <ul class="sidebar-list">
      {!isGuest(chat) && (
        <li>
          <a class="sidebar-link" href="#channels/all">
            <Icon name="plus" size={16} />
            <span class="sidebar-label">{t('Find or create channels')}</span>
          </a>
        </li>
      )}
      {mayInvite && (
        <li>
          <a class="sidebar-link" href="#invite">
            <Icon name="people" size={16} />
            <span class="sidebar-label">{t('Invite people')}</span>
          </a>
        </li>
      )}
    </ul>
  )
}
