/**
 * The dialog of the organization. Its pages have the names that links of other clients use:
 * `#organization/profile-field-settings`. Only administrators see those on which only they can change anything.
 */
import type { ComponentType } from 'preact'
import { useChat } from '../../realm/chat.js'
import { isAdministrator } from '../../realm/permissions.js'
import { AddressDialog, type DialogAddress } from '../address-dialog.js'
import { DialogPages } from '../dialog-pages.js'
import { ChannelFolderSettings } from './channel-folder-settings.js'
import { EmojiSettings } from './emoji-settings.js'
import { LinkifierSettings } from './linkifier-settings.js'
import { OrganizationPermissions } from './organization-permissions.js'
import { OrganizationProfile } from './organization-profile.js'
import { OrganizationSettings } from './organization-settings.js'
import { ProfileFieldSettings } from './profile-field-settings.js'
import { UsersPage } from './users-page.js'

interface Page {
  name: string
  label: string
  Content: ComponentType
  isForAdministrators?: true
}

const pages: readonly Page[] = [
  { name: 'organization-profile', label: 'Name and icon', Content: OrganizationProfile, isForAdministrators: true },
  { name: 'organization-settings', label: 'Settings', Content: OrganizationSettings, isForAdministrators: true },
  {
    name: 'organization-permissions',
    label: 'Permissions',
    Content: OrganizationPermissions,
    isForAdministrators: true,
  },
  { name: 'users', label: 'Users', Content: UsersPage },
  { name: 'emoji-settings', label: 'Custom emoji', Content: EmojiSettings },
  { name: 'profile-field-settings', label: 'Profile fields', Content: ProfileFieldSettings, isForAdministrators: true },
  { name: 'channel-folders', label: 'Channel folders', Content: ChannelFolderSettings, isForAdministrators: true },
  { name: 'linkifier-settings', label: 'Linkifiers', Content: LinkifierSettings, isForAdministrators: true },
]

/** The dialog. */
const OrganizationDialog = ({ path }: DialogAddress) => {
  const chat = useChat()
  const visible = pages.filter(({ isForAdministrators }) => isForAdministrators !== true || isAdministrator(chat))
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
