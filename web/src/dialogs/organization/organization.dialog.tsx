/**
 * The dialog of the organization. Its pages have the names that links of other clients use:
 * `#organization/profile-field-settings`. Only administrators or owners see those that only they can use.
 */
import type { ComponentType } from 'preact'
import { useChat } from '../../realm/chat.js'
import { isAdministrator, isOwner } from '../../realm/permissions.js'
import { AddressDialog, type DialogAddress } from '../address-dialog.js'
import { DialogPages } from '../dialog-pages.js'
import { AccountDefaults } from './account-defaults.js'
import { AuditLog } from './audit-log.js'
import { ChannelFolderSettings } from './channel-folder-settings.js'
import { DataExports } from './data-exports.js'
import { Deactivation } from './deactivation.js'
import { DefaultChannels } from './default-channels.js'
import { DeletedMessages } from './deleted-messages.js'
import { EmojiSettings } from './emoji-settings.js'
import { LinkifierSettings } from './linkifier-settings.js'
import { LogInSettings } from './log-in-settings.js'
import { OrganizationPermissions } from './organization-permissions.js'
import { OrganizationProfile } from './organization-profile.js'
import { OrganizationSettings } from './organization-settings.js'
import { PlaygroundSettings } from './playground-settings.js'
import { ProfileFieldSettings } from './profile-field-settings.js'
import { StatisticsPage } from './statistics.js'
import { UsersPage } from './users-page.js'
import './organization.css'

interface Page {
  name: string
  label: string
  Content: ComponentType
  /** without it, all users see the page */
  visibleTo?: 'administrators' | 'owners'
}

const pages: readonly Page[] = [
  { name: 'organization-profile', label: 'Name and icon', Content: OrganizationProfile, visibleTo: 'administrators' },
  { name: 'organization-settings', label: 'Settings', Content: OrganizationSettings, visibleTo: 'administrators' },
  {
    name: 'organization-permissions',
    label: 'Permissions',
    Content: OrganizationPermissions,
    visibleTo: 'administrators',
  },
  { name: 'users', label: 'Users', Content: UsersPage },
  { name: 'auth-methods', label: 'Mail domains and log-in', Content: LogInSettings, visibleTo: 'administrators' },
  {
    name: 'organization-level-user-defaults',
    label: 'Defaults of new accounts',
    Content: AccountDefaults,
    visibleTo: 'administrators',
  },
  { name: 'default-channels-list', label: 'Default channels', Content: DefaultChannels, visibleTo: 'administrators' },
  { name: 'channel-folders', label: 'Channel folders', Content: ChannelFolderSettings, visibleTo: 'administrators' },
  { name: 'emoji-settings', label: 'Custom emoji', Content: EmojiSettings },
  {
    name: 'profile-field-settings',
    label: 'Profile fields',
    Content: ProfileFieldSettings,
    visibleTo: 'administrators',
  },
  { name: 'linkifier-settings', label: 'Linkifiers', Content: LinkifierSettings, visibleTo: 'administrators' },
  { name: 'playground-settings', label: 'Playgrounds', Content: PlaygroundSettings, visibleTo: 'administrators' },
  { name: 'deleted-messages', label: 'Deleted messages', Content: DeletedMessages, visibleTo: 'administrators' },
  { name: 'data-exports-admin', label: 'Exports', Content: DataExports, visibleTo: 'administrators' },
  { name: 'statistics', label: 'Statistics', Content: StatisticsPage, visibleTo: 'administrators' },
  { name: 'audit-log', label: 'Audit log', Content: AuditLog, visibleTo: 'owners' },
  { name: 'deactivation', label: 'Deactivation', Content: Deactivation, visibleTo: 'owners' },
]

/** The dialog. */
const OrganizationDialog = ({ path }: DialogAddress) => {
  const chat = useChat()
  const visible = pages.filter(({ visibleTo }) => {
    if (visibleTo === undefined) return true
    return visibleTo === 'owners' ? isOwner(chat) : isAdministrator(chat)
  })
  const current = visible.find(({ name }) => name === path[0]) ?? visible[0]
  if (current === undefined) return null
  const tabs = visible.map(({ name, label }) => ({
    label,
    href: `#organization/${name}`,
    isCurrent: name === current.name,
  }))
  return (
    <AddressDialog title="Organization" size="large">
      <DialogPages label="Pages of the organization" tabs={tabs}>
        <current.Content />
      </DialogPages>
    </AddressDialog>
  )
}

export default OrganizationDialog
