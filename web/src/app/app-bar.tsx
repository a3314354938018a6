/** The bar at the top: what is open, search, the connection, the theme and the account. */
import { ViewActions } from '../dialogs/view-actions.js'
import { viewTitle } from '../messages/view-title.js'
import { useChat } from '../realm/chat.js'
import { view } from '../routing/location.js'
import { conversationOf } from '../routing/views.js'
import { SearchBox } from '../search/search-box.js'
import { switchTheme, theme } from '../theme/theme.js'
import { Icon } from '../ui/icon.js'
import { UserNames } from '../ui/user-name.js'
import { AccountMenu } from './account-menu.js'
import { ConnectionStatus } from './connection-status.js'
import { drawer } from './drawer.js'

/** The bar at the top. */
export const AppBar = () => {
  const chat = useChat()
  const { realm_name: name, realm_icon_url: iconUrl } = chat.organization.value
  return (
    <header class="app-bar">
      <div class="app-bar-home">
        <DrawerButton side="left" label="Conversations" controls="left-sidebar" />
        <a class="app-bar-brand" href="#inbox">
          <img src={iconUrl} alt="" width="26" height="26" />
          <span>{name}</span>
        </a>
      </div>
      <div class="app-bar-view">
        <ViewHeading />
        <ViewActions />
      </div>
      <div class="app-bar-tools">
        <SearchBox />
        <ConnectionStatus />
        <button
          type="button"
          class="icon-button"
          onClick={switchTheme}
          aria-label="Switch between light and dark"
          title="Switch between light and dark"
        >
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
        </button>
        <AccountMenu />
        {chat.ownUserId !== undefined && <DrawerButton side="right" label="Members" controls="members" />}
      </div>
    </header>
  )
}

const ViewHeading = () => {
  const chat = useChat()
  const shown = view.value
  const conversation = shown.name === 'messages' ? conversationOf(shown.terms) : undefined
  const channelId = conversation === undefined || conversation.kind === 'direct' ? undefined : conversation.channelId
  const description = channelId === undefined ? '' : chat.channels.value.get(channelId)?.description
  return (
    <>
      <h1 class="view-title" dir="auto">
        {conversation?.kind === 'direct' ? (
          <>
            <UserNames userIds={conversation.userIds} />
            {conversation.userIds.length === 1 && conversation.userIds[0] === chat.ownUserId && ' (you)'}
          </>
        ) : (
          viewTitle(chat, shown)
        )}
      </h1>
      {description !== '' && (
        <p class="view-description" dir="auto" title={description}>
          {description}
        </p>
      )}
    </>
  )
}

const DrawerButton = ({ side, label, controls }: { side: 'left' | 'right'; label: string; controls: string }) => (
  <button
    type="button"
    class={`icon-button drawer-button drawer-button-${side}`}
    aria-label={label}
    aria-controls={controls}
    aria-expanded={drawer.value === side}
    onClick={() => {
      drawer.value = drawer.value === side ? undefined : side
    }}
  >
    <Icon name={side === 'left' ? 'menu' : 'people'} />
  </button>
)
