/**
 * The dialog of user groups: `#groups/all` lists them, `#groups/new` creates one, and `#groups/9/readers/members` shows
 * one, on the pages `general`, `members` and, for users who may manage the group, `permissions`.
 */
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { groupName } from '../../realm/groups.js'
import { mayInOrganization, mayManageGroup } from '../../realm/permissions.js'
import { AddressDialog, type DialogAddress } from '../address-dialog.js'
import { DialogPages } from '../dialog-pages.js'
import { BrowseGroups } from './browse-groups.js'
import { CreateGroup } from './create-group.js'
import { GroupGeneral } from './group-general.js'
import { GroupMembers } from './group-members.js'
import { GroupPermissions } from './group-permissions.js'

/** The dialog. */
const GroupsDialog = ({ path }: DialogAddress) => {
  const [first = 'all'] = path
  if (/^\d+$/.test(first)) return <OneGroup groupId={Number(first)} page={path[2]} />
  return <AllGroups page={first} />
}

export default GroupsDialog

const AllGroups = ({ page }: { page: string }) => {
  const mayCreate = mayInOrganization(useChat(), 'can_create_groups')
  const isNew = page === 'new' && mayCreate
  const tabs = [
    { label: t('All groups'), href: '#groups/all', isCurrent: !isNew },
    ...(mayCreate ? [{ label: t('Create a group'), href: '#groups/new', isCurrent: isNew }] : []),
  ]
  return (
    <AddressDialog title={isNew ? t('Create a group') : t('User groups')} size="large">
      <DialogPages label={t('User groups')} tabs={tabs}>
        {isNew ? <CreateGroup /> : <BrowseGroups first={page === 'your' ? 'own' : 'all'} />}
      </DialogPages>
    </AddressDialog>
  )
}

const OneGroup = ({ groupId, page }: { groupId: number; page: string | undefined }) => {
  const chat = useChat()
  const group = chat.groups.value.get(groupId)
  if (group === undefined) {
    return (
      <AddressDialog title={t('Unknown group')}>
        <p>{t('There is no such group.')}</p>
      </AddressDialog>
    )
  }
  const pages = [
    { name: 'general', label: t('About'), Content: GroupGeneral },
    { name: 'members', label: t('Members'), Content: GroupMembers },
    ...(mayManageGroup(chat, group) && !group.deactivated
      ? [{ name: 'permissions', label: t('Permissions'), Content: GroupPermissions }]
      : []),
  ]
  const current = pages.find(({ name }) => name === page) ?? pages[0]
  const tabs = pages.map(({ name, label }) => ({
    label,
    href: groupAddress(groupId, name),
    isCurrent: name === current?.name,
  }))
  return (
    <AddressDialog title={groupName(group)} size="large">
      <DialogPages
        label={t('Pages of the group')}
        tabs={[...tabs, { label: t('All groups'), href: '#groups/all', isCurrent: false }]}
      >
        {current !== undefined && <current.Content key={groupId} group={group} />}
      </DialogPages>
    </AddressDialog>
  )
}

/** The address has the name at its second place in links of other clients, which is not needed. */
const groupAddress = (groupId: number, page: string): string => `#groups/${groupId}/group/${page}`
