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
              `The role is ${roleName(value)} now.`,
            )
          }
        />
      )}
      <CheckField
        label={`${is_bot ? t('End its API key') : t('End all credentials')} when it is ${is_active ? 'deactivated' : 'reactivated'}`}
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
            confirmLabel={t('Deactivate {full_name} now', { full_name })}
            onConfirm={deactivate}
          />
        ) : (
          <button type="button" class="button" onClick={reactivate}>
            {t('Reactivate the account')}
          </button>
        )}
      </div>
    </section>
  )
}
