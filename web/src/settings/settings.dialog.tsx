/** The dialog of the user's own settings: `#settings/profile` and its other pages. */

import { AddressDialog, type DialogAddress } from '../dialogs/address-dialog.js'
import { DialogPages } from '../dialogs/dialog-pages.js'
import { t } from '../languages/t.js'
import { AccountSettings } from './account-settings.js'
import { AlertWordSettings } from './alert-word-settings.js'
import { ApiKeySettings } from './api-key-settings.js'
import { BotSettings } from './bot-settings.js'
import { DisplaySettings } from './display-settings.js'
import { EventSubscriptionSettings } from './event-subscription-settings.js'
import { FileSettings } from './file-settings.js'
import { IdentitySettings } from './identity-settings.js'
import { MutedUserSettings } from './muted-user-settings.js'
import { NavigationSettings } from './navigation-settings.js'
import { NotificationSettings } from './notification-settings.js'
import { ProfileSettings } from './profile-settings.js'
import { SecondFactorSettings } from './second-factor-settings.js'
import { SessionSettings } from './session-settings.js'
import { SidebarSettings } from './sidebar-settings.js'
import { SnippetSettings } from './snippet-settings.js'
import { TopicSettings } from './topic-settings.js'
import './settings.css'

const pages = [
  { name: 'profile', label: t('Profile and status'), Content: ProfileSettings },
  { name: 'account-and-privacy', label: t('Account and privacy'), Content: AccountSettings },
  { name: 'notifications', label: t('Notifications'), Content: NotificationSettings },
  { name: 'preferences', label: t('Display'), Content: DisplaySettings },
  { name: 'navigation', label: t('Navigation'), Content: NavigationSettings },
  { name: 'sidebar', label: t('Sidebar'), Content: SidebarSettings },
  { name: 'alert-words', label: t('Alert words'), Content: AlertWordSettings },
  { name: 'topics', label: t('Topics'), Content: TopicSettings },
  { name: 'muted-users', label: t('Muted people'), Content: MutedUserSettings },
  { name: 'saved-snippets', label: t('Snippets'), Content: SnippetSettings },
  { name: 'uploaded-files', label: t('Files'), Content: FileSettings },
  { name: 'sessions', label: t('Browsers'), Content: SessionSettings },
  { name: 'second-factor', label: t('Second factor'), Content: SecondFactorSettings },
  { name: 'api-keys', label: t('API keys'), Content: ApiKeySettings },
  { name: 'linked-accounts', label: t('Linked accounts'), Content: IdentitySettings },
  { name: 'your-bots', label: t('Bots'), Content: BotSettings },
  { name: 'event-subscriptions', label: t('Event subscriptions'), Content: EventSubscriptionSettings },
]

/** The dialog of settings. */
const SettingsDialog = ({ path }: DialogAddress) => {
  const { name: open, Content } = pages.find(({ name }) => name === path[0]) ?? (pages[0] as (typeof pages)[number])
  const tabs = pages.map(({ name, label }) => ({ label, href: `#settings/${name}`, isCurrent: name === open }))
  return (
    <AddressDialog title={t('Settings')} size="large">
      <DialogPages label={t('Pages of the settings')} tabs={tabs}>
        <Content />
      </DialogPages>
    </AddressDialog>
  )
}

export default SettingsDialog
