/** The user's own profile: the picture, the name, the status and the custom fields. */

import { FileButton } from '../dialogs/file-button.js'
import { ActionStatus, useAction } from '../forms/action.js'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { ProfileForm } from '../profile/profile-form.js'
import { useChat } from '../realm/chat.js'
import { isAdministrator, ownUser } from '../realm/permissions.js'
import { roleName } from '../realm/roles.js'
import { Avatar, hasPicture } from '../ui/avatar.js'
import { StatusForm } from './status-form.js'

/** The page "Profile and status". */
export const ProfileSettings = () => (
  <>
    <Picture />
    <StatusForm />
    <NameForm />
    <ProfileForm />
  </>
)

const Picture = () => {
  const chat = useChat()
  const action = useAction()
  const user = ownUser(chat)
  if (user === undefined) return null
  const { realm_avatar_changes_disabled, max_avatar_file_size_mib } = chat.organization.value
  const mayChange = realm_avatar_changes_disabled !== true || isAdministrator(chat)
  const upload = (file: File) =>
    action.run(() => chat.client.upload(file, { path: '/users/me/avatar' }), t('Your picture was changed.'))
  const remove = () => action.run(() => chat.client.call('DELETE /users/me/avatar'), t('Your picture was removed.'))
  return (
    <section class="dialog-group" aria-label={t('Picture')}>
      <div class="user-card-head">
        <Avatar user={user} size="large" />
        <div>
          <p>
            <strong dir="auto">{user.full_name}</strong>
          </p>
          <p class="soft-text">
            {roleName(user.role)} · <bdi dir="ltr">{user.delivery_email ?? user.email}</bdi>
          </p>
        </div>
      </div>
      {mayChange && (
        <div class="form-buttons">
          <FileButton
            label={t('Upload a picture')}
            description={t('A picture of at most {limit, number} MiB', { limit: max_avatar_file_size_mib })}
            isDisabled={action.state.value.isBusy}
            onChoose={upload}
          />
          {hasPicture(user) && (
            <button type="button" class="button" onClick={remove}>
              {t('Remove the picture')}
            </button>
          )}
        </div>
      )}
      <ActionStatus action={action} />
    </section>
  )
}

/** The longest name, in characters. */
const MAX_NAME_LENGTH = 100

const NameForm = () => {
  const chat = useChat()
  const name = ownUser(chat)?.full_name
  const form = useForm({
    values: { name: name ?? '' },
    send: (values) => chat.client.call('PATCH /settings', { full_name: values.name.trim() }),
    done: t('Saved.'),
  })
  const { realm_name_changes_disabled, server_name_changes_disabled } = chat.organization.value
  const isFixed =
    (realm_name_changes_disabled === true || server_name_changes_disabled === true) && !isAdministrator(chat)
  return (
    <Form of={form} class="dialog-form dialog-group">
      <TextField
        label={t('Full name')}
        autocomplete="name"
        isRequired
        isDisabled={isFixed}
        most={MAX_NAME_LENGTH}
        {...(isFixed && { hint: t('This organization does not let members change their names.') })}
        {...form.bind('name')}
      />
      {isFixed ? (
        <ActionStatus action={form.action} />
      ) : (
        <FormEnd of={form} label={t('Change the name')} isSecondary isDisabled={form.values.name.trim() === name} />
      )}
    </Form>
  )
}
