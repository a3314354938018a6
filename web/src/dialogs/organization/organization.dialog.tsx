/**
 * The dialog of the organization. Its pages have the names that links of other clients use:
 * `#organization/profile-field-settings`. Users see only those that they can use.
 */

import type { ComponentType } from 'preact'
import { t } from '../../languages/t.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { isAdministrator, isOwner } from '../../realm/permissions.js'
import { AddressDialog, type DialogAddress } from '../address-dialog.js'
import { DialogPages } from '../dialog-pages.js'
import { AccountDefaults } from './account-defaults.js'
import { ApiKeysPage } from './api-keys-page.js'
import { AuditLog } from './audit-log.js'
import { ChannelFolderSettings } from './channel-folder-settings.js'
import { DataExports } from './data-exports.js'
import { Deactivation } from './deactivation.js'
import { DefaultChannels } from './default-channels.js'
import { DeletedMessages } from './deleted-messages.js'
import { EmojiSettings } from './emoji-settings.js'
import { EventSubscriptionsPage } from './event-subscriptions-page.js'
import { LinkifierSettings } from './linkifier-settings.js'
import { LogInSettings } from './log-in-settings.js'
import { OrganizationPermissions } from './organization-permissions.js'
import { OrganizationProfile } from './organization-profile.js'
import { OrganizationSettings } from './organization-settings.js'
import { PlaygroundSettings } from './playground-settings.js'
import { ProfileFieldSettings } from './profile-field-settings.js'
import { ProviderSettings } from './provider-settings.js'
import { ReportsPage, readsReports } from './reports-page.js'
import { SignUpRequests } from './sign-up-requests.js'
import { StatisticsPage } from './statistics.js'
import { UsersPage } from './users-page.js'
import './organization.css'

interface Page {
  name: string
  label: string
  Content: ComponentType
  /** without it, all users see the page */
  isVisible?: (chat: Chat) => boolean
}

const pages: readonly Page[] = [
  {
    name: 'organization-profile',
    label: t('Name and icon'),
    Content: OrganizationProfile,
    isVisible: isAdministrator,
  },
  { name: 'organization-settings', label: t('Settings'), Content: OrganizationSettings, isVisible: isAdministrator },
  {
    name: 'organization-permissions',
    label: t('Permissions'),
    Content: OrganizationPermissions,
    isVisible: isAdministrator,
  },
  { name: 'users', label: t('Users'), Content: UsersPage },
  { name: 'sign-ups', label: t('Requests to join'), Content: SignUpRequests, isVisible: isAdministrator },
  { name: 'auth-methods', label: t('Mail domains and log-in'), Content: LogInSettings, isVisible: isAdministrator },
  { name: 'log-in-providers', label: t('Log-in providers'), Content: ProviderSettings, isVisible: isOwner },
  {
    name: 'organization-level-user-defaults',
    label: t('Defaults of new accounts'),
    Content: AccountDefaults,
    isVisible: isAdministrator,
  },
  {
    name: 'default-channels-list',
    label: t('Default channels'),
    Content: DefaultChannels,
    isVisible: isAdministrator,
  },
  { name: 'channel-folders', label: t('Channel folders'), Content: ChannelFolderSettings, isVisible: isAdministrator },
  { name: 'emoji-settings', label: t('Custom emoji'), Content: EmojiSettings },
  {
    name: 'profile-field-settings',
    label: t('Profile fields'),
    Content: ProfileFieldSettings,
    isVisible: isAdministrator,
  },
  { name: 'linkifier-settings', label: t('Linkifiers'), Content: LinkifierSettings, isVisible: isAdministrator },
  { name: 'playground-settings', label: t('Playgrounds'), Content: PlaygroundSettings, isVisible: isAdministrator },
  {
    name: 'event-subscriptions',
    label: t('Event subscriptions'),
    Content: EventSubscriptionsPage,
    isVisible: isAdministrator,
  },
  { name: 'reports', label: t('Reports'), Content: ReportsPage, isVisible: readsReports },
  { name: 'deleted-messages', label: t('Deleted messages'), Content: DeletedMessages, isVisible: isAdministrator },
  { name: 'data-exports-admin', label: t('Exports'), Content: DataExports, isVisible: isAdministrator },
  { name: 'statistics', label: t('Statistics'), Content: StatisticsPage, isVisible: isAdministrator },
  { name: 'api-keys', label: t('API keys'), Content: ApiKeysPage, isVisible: isAdministrator },
  { name: 'audit-log', label: t('Audit log'), Content: AuditLog, isVisible: isOwner },
  { name: 'deactivation', label: t('Deactivation'), Content: Deactivation, isVisible: isOwner },
]

/** The dialog. */
const OrganizationDialog = ({ path }: DialogAddress) => {
  const chat = useChat()
  const visible = pages.filter(({ isVisible }) => isVisible?.(chat) ?? true)
  const current = visible.find(({ name }) => name === path[0]) ?? visible[0]
  if (current === undefined) return null
  const tabs = visible.map(({ name, label }) => ({
    label,
    href: `#organization/${name}`,
    isCurrent: name === current.name,
  }))
  return (
    <AddressDialog title={t('Organization')} size="large">
      <DialogPages label={t('Pages of the organization')} tabs={tabs}>
        <current.Content />
      </DialogPages>
    </AddressDialog>
  )
}

export default OrganizationDialog
