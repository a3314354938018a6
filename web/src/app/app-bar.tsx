/** The bar at the top: what is open, search, the connection, the theme and the account. */

import { UnsentButton } from '../compose/unsent-messages.js'
import { PinButton } from '../dialogs/pin-button.js'
import { ViewActions } from '../dialogs/view-actions.js'
import { t } from '../languages/t.js'
import { viewTitle } from '../messages/view-title.js'
import { useChat } from '../realm/chat.js'
import { homeView } from '../realm/home-view.js'
import { backView } from '../routing/back-view.js'
import { linkTo } from '../routing/location.js'
import { SearchBox } from '../search/search-box.js'
import { SearchButton } from '../search/search-button.js'
import { switchTheme } from '../theme/appearance.js'
import { theme } from '../theme/theme.js'
import { Icon } from '../ui/icon.js'
import { isBarNarrow } from '../ui/screen.js'
import { AccountMenu } from './account-menu.js'
import { ConnectionStatus } from './connection-status.js'
import { drawer, isMembersLeft } from './drawer.js'
import { OrganizationName } from './organization-name.js'
import { ViewHeading } from './view-heading.js'

/** The bar at the top. */
export const AppBar = () => {
  const chat = useChat()
  const hasMembers = chat.ownUserId !== undefined
  const { realm_name: name, realm_icon_url: iconUrl } = chat.organization.value
  return (
    <header class="app-bar">
      <div class="app-bar-home">
        <DrawerButton side="left" label={t('Conversations')} controls="left-sidebar" />
        {hasMembers && isMembersLeft(chat) && <MembersButton />}
        <a class="app-bar-brand" href={linkTo(homeView(chat))}>
          <img src={iconUrl} alt="" width="26" height="26" />
          <OrganizationName name={name} />
        </a>
      </div>
      <div class="app-bar-view">
        <BackLink />
        <ViewHeading />
        <ViewActions />
        {!isBarNarrow.value && <PinButton />}
      </div>
      <div class="app-bar-tools">
        {isBarNarrow.value ? <SearchButton /> : <SearchBox />}
        {chat.ownUserId !== undefined && <UnsentButton />}
        <ConnectionStatus />
        <button
          type="button"
          class="icon-button theme-button"
          onClick={() => switchTheme(chat)}
          aria-label={t('Switch between light and dark')}
          title={t('Switch between light and dark')}
        >
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
        </button>
        <AccountMenu />
        {hasMembers && !isMembersLeft(chat) && <MembersButton />}
      </div>
    </header>
  )
}

const MembersButton = () => <DrawerButton side="right" label={t('Members')} controls="members" />

/** On small screens, the way back to the view before. */
const BackLink = () => {
  const chat = useChat()
  const back = backView(homeView(chat))
  if (back === undefined) return null
  const label = t('Back to {view}', { view: viewTitle(chat, back) })
  return (
    <a class="icon-button back-link" href={linkTo(back)} aria-label={label} title={label}>
      <Icon name="back" />
    </a>
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
