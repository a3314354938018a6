/** The dialog of the user's own settings: `#settings/profile` and its other pages. */
import { AddressDialog, type DialogAddress } from '../dialogs/address-dialog.js'
import { DialogPages } from '../dialogs/dialog-pages.js'
import { AccountSettings } from './account-settings.js'
import { AlertWordSettings } from './alert-word-settings.js'
import { BotSettings } from './bot-settings.js'
import { DisplaySettings } from './display-settings.js'
import { FileSettings } from './file-settings.js'
import { MutedUserSettings } from './muted-user-settings.js'
import { NavigationSettings } from './navigation-settings.js'
import { NotificationSettings } from './notification-settings.js'
import { ProfileSettings } from './profile-settings.js'
import { SessionSettings } from './session-settings.js'
import { SidebarSettings } from './sidebar-settings.js'
import { SnippetSettings } from './snippet-settings.js'
import { TopicSettings } from './topic-settings.js'
import './settings.css'

const pages = [
  { name: 'profile', label: 'Profile and status', Content: ProfileSettings },
  { name: 'account-and-privacy', label: 'Account and privacy', Content: AccountSettings },
  { name: 'notifications', label: 'Notifications', Content: NotificationSettings },
  { name: 'preferences', label: 'Display', Content: DisplaySettings },
  { name: 'navigation', label: 'Navigation', Content: NavigationSettings },
  { name: 'sidebar', label: 'Sidebar', Content: SidebarSettings },
  { name: 'alert-words', label: 'Alert words', Content: AlertWordSettings },
  { name: 'topics', label: 'Topics', Content: TopicSettings },
  { name: 'muted-users', label: 'Muted people', Content: MutedUserSettings },
  { name: 'saved-snippets', label: 'Snippets', Content: SnippetSettings },
  { name: 'uploaded-files', label: 'Files', Content: FileSettings },
  { name: 'sessions', label: 'Browsers', Content: SessionSettings },
  { name: 'your-bots', label: 'Bots', Content: BotSettings },
]

/** The dialog of settings. */
const SettingsDialog = ({ path }: DialogAddress) => {
  const { name: open, Content } = pages.find(({ name }) => name === path[0]) ?? (pages[0] as (typeof pages)[number])
  const tabs = pages.map(({ name, label }) => ({ label, href: `#settings/${name}`, isCurrent: name === open }))
  return (
    <AddressDialog title="Settings" size="large">
      <DialogPages label="Pages of the settings" tabs={tabs}>
        <Content />
      </DialogPages>
    </AddressDialog>
  )
}

export default SettingsDialog
