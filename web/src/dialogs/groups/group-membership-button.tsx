import type { UserGroup } from '@parley/client/realm'
import type { Action } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { mayJoinGroup, mayLeaveGroup } from '../../realm/permissions.js'

/** Shows the button with which the user joins or leaves a group. It shows nothing where the user may not. */
export const GroupMembershipButton = ({ group, action }: { group: UserGroup; action: Action }) => {
  const chat = useChat()
  const { id: user_group_id, name, members } = group
  const { ownUserId } = chat
  if (ownUserId === undefined) return null
  const isMember = members.includes(ownUserId)
  if (!(isMember ? mayLeaveGroup : mayJoinGroup)(chat, group)) return null
  const change = () =>
    chat.client.call('POST /user_groups/{user_group_id}/members', {
      user_group_id,
      [isMember ? 'delete' : 'add']: [ownUserId],
    })
  return (
    <button
      type="button"
      class={isMember ? 'button' : 'button button-primary'}
      disabled={action.state.value.isBusy}
      aria-label={t(isMember ? 'Leave {name}' : 'Join {name}', { name })}
      onClick={() => action.run(change, t(isMember ? 'You left {name}.' : 'You joined {name}.', { name }))}
    >
      {isMember ? t('Leave') : t('Join')}
    </button>
  )
}
