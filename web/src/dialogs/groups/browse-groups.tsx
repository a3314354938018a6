/** The list of user groups, with buttons to join and leave. */

import type { UserGroup } from '@parley/client/realm'
import { useComputed, useSignal } from '@preact/signals'
import { readableText } from '../../emoji/readable-text.js'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { compareTexts } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import type { Chat } from '../../realm/chat.js'
import { useChat } from '../../realm/chat.js'
import { countMembers, groupName } from '../../realm/groups.js'
import { Icon } from '../../ui/icon.js'
import { VirtualList } from '../../ui/virtual-list.js'
import { ListFilter } from '../list-filter.js'
import { GroupMembershipButton } from './group-membership-button.js'

const ROW_HEIGHT = 56

type Kind = 'all' | 'own' | 'roles' | 'deactivated'

const kinds: { value: Kind; label: string }[] = [
  { value: 'all', label: t('Groups') },
  { value: 'own', label: t('Your groups') },
  { value: 'roles', label: t('Groups of roles') },
  { value: 'deactivated', label: t('Deactivated groups') },
]

/** The list. @param first which groups it shows at first */
export const BrowseGroups = ({ first }: { first: Kind }) => {
  const chat = useChat()
  const action = useAction()
  const words = useSignal('')
  const kind = useSignal(first)
  const sorted = useComputed(() =>
    [...chat.groups.value.values()]
      .filter((group) => isOfKind(chat, group, kind.value))
      // Those of roles are listed from the smallest to the largest.
      .sort((one, other) => (one.is_system_group ? one.id - other.id : compareTexts(one.name, other.name))),
  )
  const wanted = words.value.trim().toLowerCase()
  const groups = sorted.value.filter((group) =>
    `${groupName(group)}\n${group.description}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <ListFilter label={t('Search groups')} words={words} kind={kind} kinds={kinds} />
      <ActionStatus action={action} />
      {groups.length === 0 ? (
        <p class="soft-text">{words.value === '' ? t('There are no groups here.') : t('There is no such group.')}</p>
      ) : (
        <div class="people-list">
          <VirtualList
            items={groups}
            rowHeight={ROW_HEIGHT}
            label={t('Groups')}
            keyOf={({ id }) => id}
            renderRow={(group, focus) => <GroupLine group={group} focus={focus} action={action} />}
          />
        </div>
      )}
    </>
  )
}

const isOfKind = (chat: Chat, group: UserGroup, kind: Kind): boolean => {
  if (kind === 'roles') return group.is_system_group && group.name !== 'role:nobody' && group.name !== 'role:internet'
  if (group.is_system_group || group.deactivated !== (kind === 'deactivated')) return false
  return kind !== 'own' || (chat.ownUserId !== undefined && group.members.includes(chat.ownUserId))
}

interface GroupLineProps {
  group: UserGroup
  focus: { tabIndex: number; onFocus: () => void }
  action: Action
}

const GroupLine = ({ group, focus, action }: GroupLineProps) => {
  const chat = useChat()
  return (
    <div class="dialog-row">
      <div class="dialog-row-main">
        <a class="dialog-row-title" href={`#groups/${group.id}`} {...focus}>
          <Icon name="people" size={16} />
          <bdi>{groupName(group)}</bdi>
        </a>
        <p class="soft-text one-line" dir="auto">
          {countMembers(chat.groups.value, group.id)}
          {group.description === '' ? '' : ` · ${readableText(chat, group.description)}`}
        </p>
      </div>
      <GroupMembershipButton group={group} action={action} />
    </div>
  )
}
