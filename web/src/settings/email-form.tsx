/** The form for another email address. The address changes when the user opens the link that is mailed to it. */

import { ActionStatus } from '../forms/action.js'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { isAdministrator, ownUser } from '../realm/permissions.js'

/** The form. Where only administrators change addresses, it says so. */
export const EmailForm = () => {
  const chat = useChat()
  const address = ownUser(chat)?.delivery_email ?? ownUser(chat)?.email
  const form = useForm({
    values: { email: '' },
    send: ({ email }) => chat.client.call('PATCH /settings', { email: email.trim() }),
    done: ({ email }) =>
      t('A link was mailed to {address}. Open it, and the address of your account changes.', { address: email.trim() }),
    renews: 'all',
  })
  if (address === undefined) return null
  const isFixed = chat.organization.value.realm_email_changes_disabled === true && !isAdministrator(chat)
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('Email address')}</h3>
      <p class="soft-text">
        {t.rich('You log in with {address}, and mails go there.', {}, { address: <bdi>{address}</bdi> })}
        {isFixed && ` ${t('This organization does not let members change their addresses.')}`}
      </p>
      {isFixed ? (
        <ActionStatus action={form.action} />
      ) : (
        <>
          <TextField label={t('New address')} type="email" autocomplete="email" isRequired {...form.bind('email')} />
          <FormEnd
            of={form}
            label={t('Change the address')}
            isSecondary
            isDisabled={['', address].includes(form.values.email.trim()) || form.action.state.value.isBusy}
          />
        </>
      )}
    </Form>
  )
}
