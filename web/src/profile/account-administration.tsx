/** What administrators change of an account: its role, and whether it is active. */

import type { User } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { ConfirmButton } from '../dialogs/confirm-button.js'
import { ActionStatus, useAction } from '../forms/action.js'
import { CheckField, SelectField } from '../forms/fields.js'
import { bind } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { isAdministrator, isOwner } from '../realm/permissions.js'
import { roleName, roles } from '../realm/roles.js'

/** The part of a user's card for administrators; nothing for other users. Only owners change owners. */
export const AccountAdministration = ({ user }: { user: User }) => {
  const chat = useChat()
  const action = useAction()
  const endsCredentials = useSignal(false)
  const { user_id, full_name, role, is_active, is_bot } = user
  if (!isAdministrator(chat) || user.is_system_bot === true || user_id === chat.ownUserId) return null
  if (role === 100 && !isOwner(chat)) return null
  const changeActivity = (said: string, call: (params: { end_credentials: boolean }) => Promise<unknown>) =>
    action.run(async () => {
      await call({ end_credentials: endsCredentials.value })
      endsCredentials.value = false
    }, said)
  const deactivate = () =>
    changeActivity(t('The account is deactivated.'), (params) =>
      is_bot
        ? chat.client.call('DELETE /bots/{bot_id}', { bot_id: user_id, ...params })
        : chat.client.call('DELETE /users/{user_id}', { user_id, ...params }),
    )
  const reactivate = () =>
    changeActivity(t('The account is active again.'), (params) =>
      chat.client.call('POST /users/{user_id}/reactivate', { user_id, ...params }),
    )
  return (
    <section class="dialog-group" aria-label={t('Administration')}>
      {is_active && (
        <SelectField
          label={t('Role')}
          value={role}
          options={roles
            .filter((value) => value !== 100 || isOwner(chat))
            .map((value) => ({ value, label: roleName(value) }))}
          onChange={(value) =>
            action.run(
              () => chat.client.call('PATCH /users/{user_id}', { user_id, role: value as 400 }),
              t('The role is {role} now.', { role: roleName(value) }),
            )
          }
        />
      )}
      <CheckField
        label={describeEnd(user)}
        hint={
          is_bot
            ? t('The bot gets a new key if it is active again. Without this, it keeps its key.')
            : t('The user needs a new password and a new API key. Without this, a reactivated account keeps both.')
        }
        {...bind(endsCredentials)}
      />
      <ActionStatus action={action} />
      <div class="form-buttons">
        {is_active ? (
          <ConfirmButton
            label={t('Deactivate the account')}
            confirmLabel={t('Deactivate {name} now', { name: full_name })}
            onConfirm={deactivate}
          />
        ) : (
          <button type="button" class="button" onClick={reactivate}>
            {t('Reactivate the account')}
          </button>
        )}
        {is_active && !is_bot && (
          <ConfirmButton
            label={t('End the second factor')}
            confirmLabel={t('End it, and log {name} out', { name: full_name })}
            onConfirm={() =>
              action.run(
                () => chat.client.call('DELETE /users/{user_id}/second_factor', { user_id }),
                t('The password of the account is enough now.'),
              )
            }
          />
        )}
      </div>
    </section>
  )
}

const describeEnd = ({ is_bot, is_active }: User): string =>
  is_bot
    ? t(is_active ? 'End its API key when it is deactivated' : 'End its API key when it is reactivated')
    : t(is_active ? 'End all credentials when it is deactivated' : 'End all credentials when it is reactivated')
