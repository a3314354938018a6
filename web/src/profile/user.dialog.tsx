/** The card of a user: who it is, and what the user of the page can do with them. */

import type { User } from '@parley/client/realm'
import { AddressDialog, type DialogAddress } from '../dialogs/address-dialog.js'
import { ActionStatus, useAction } from '../forms/action.js'
import { listElements } from '../languages/lists.js'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import { roleName } from '../realm/roles.js'
import { linkTo, openOverlay } from '../routing/location.js'
import { directView } from '../routing/views.js'
import { Avatar } from '../ui/avatar.js'
import { PresenceMark } from '../ui/presence-mark.js'
import { formatDate, formatTimeAt } from '../ui/times.js'
import { AccountAdministration } from './account-administration.js'
import { ProfileValues } from './profile-values.js'
import { StatusText } from './status-text.js'

/** The dialog `#user/5`. */
const UserCard = ({ path }: DialogAddress) => {
  const chat = useChat()
  const user = chat.users.value.get(Number(path[0]))
  if (user === undefined) {
    return (
      <AddressDialog title={t('Unknown user')}>
        <p>{t('There is no such user, or you may not see the account.')}</p>
      </AddressDialog>
    )
  }
  return (
    <AddressDialog title={userName(chat, user.user_id)}>
      <div class="user-card">
        <div class="user-card-head">
          <Avatar user={user} size="large" />
          <div>
            <p class="user-card-role">
              {user.is_bot ? t('Bot') : roleName(user.role)} {!user.is_bot && <PresenceMark userId={user.user_id} />}
            </p>
            <StatusText userId={user.user_id} />
          </div>
        </div>
        <Facts user={user} />
        <Buttons user={user} />
        <AccountAdministration user={user} />
      </div>
    </AddressDialog>
  )
}

export default UserCard

const Facts = ({ user }: { user: User }) => {
  const chat = useChat()
  const time = localTime(user)
  return (
    <dl class="user-card-facts">
      {user.delivery_email !== null && (
        <>
          <dt>{t('Email')}</dt>
          <dd>{user.delivery_email}</dd>
        </>
      )}
      {time !== undefined && (
        <>
          <dt>{t('Local time')}</dt>
          <dd>{time}</dd>
        </>
      )}
      <dt>{t('Joined')}</dt>
      <dd>{formatDate(new Date(user.date_joined))}</dd>
      {user.is_bot && typeof user.bot_owner_id === 'number' && (
        <>
          <dt>{t('Owner')}</dt>
          <dd>
            <a href={`#user/${user.bot_owner_id}`}>
              <bdi>{userName(chat, user.bot_owner_id)}</bdi>
            </a>
          </dd>
        </>
      )}
      {!user.is_active && (
        <>
          <dt>{t('Account')}</dt>
          <dd>{t('Deactivated')}</dd>
        </>
      )}
      <ProfileValues user={user} />
      <Groups userId={user.user_id} />
    </dl>
  )
}

/** The groups to which someone added the user. */
const Groups = ({ userId }: { userId: number }) => {
  const groups = [...useChat().groups.value.values()]
    .filter((group) => !group.is_system_group && !group.deactivated && group.members.includes(userId))
    .sort((one, other) => compareTexts(one.name, other.name))
  if (groups.length === 0) return null
  return (
    <>
      <dt>{t('Groups')}</dt>
      <dd>
        {listElements(
          groups.map(({ id, name }) => (
            <a key={id} href={`#groups/${id}`}>
              <bdi>{name}</bdi>
            </a>
          )),
        )}
      </dd>
    </>
  )
}

/** The time at the place of the user; undefined without a time zone. */
const localTime = ({ timezone = '' }: User): string | undefined => {
  if (timezone === '') return undefined
  try {
    return `${formatTimeAt(new Date(), timezone)} (${timezone})`
  } catch {
    // The browser does not know the zone.
    return undefined
  }
}

const Buttons = ({ user: { user_id, is_bot, is_active } }: { user: User }) => {
  const chat = useChat()
  const action = useAction()
  const isOwn = user_id === chat.ownUserId
  const isMuted = chat.mutedUsers.value.has(user_id)
  const setMuted = () =>
    action.run(() => {
      const operation = isMuted
        ? 'DELETE /users/me/muted_users/{muted_user_id}'
        : 'POST /users/me/muted_users/{muted_user_id}'
      return chat.client.call(operation, { muted_user_id: user_id })
    })
  return (
    <>
      <div class="form-buttons">
        {is_active && (
          <a class="button button-primary" href={linkTo(directView([user_id]))}>
            {isOwn ? t('Write a note to yourself') : t('Send a direct message')}
          </a>
        )}
        {isOwn && (
          <button type="button" class="button" onClick={() => openOverlay('settings', 'profile')}>
            {t('Change your profile')}
          </button>
        )}
        {!isOwn && !is_bot && (
          <button type="button" class="button" disabled={action.state.value.isBusy} onClick={setMuted}>
            {isMuted ? t('Unmute') : t('Mute')}
          </button>
        )}
      </div>
      <ActionStatus action={action} />
    </>
  )
}
