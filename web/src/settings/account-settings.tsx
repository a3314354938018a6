/** The user's address, password and key, what others see of the user, and the end of the account. */

import { useState } from 'preact/hooks'
import { ActionStatus, useAction } from '../forms/action.js'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { ownUser } from '../realm/permissions.js'
import { replaceSession } from '../session/session.js'
import { ApiKeyForm } from './api-key-form.js'
import { CloseAccount } from './close-account.js'
import { EmailForm } from './email-form.js'
import { SettingCheck, SettingSelect } from './setting-fields.js'

const emailVisibilities = [
  { value: 1, label: t('Everyone') },
  { value: 2, label: t('Members') },
  { value: 3, label: t('Moderators and administrators') },
  { value: 4, label: t('Administrators') },
  { value: 5, label: t('Nobody') },
]

/** The page "Account and privacy". */
export const AccountSettings = () => {
  const action = useAction()
  return (
    <>
      <section class="dialog-group" aria-label={t('Privacy')}>
        <h3>{t('Privacy')}</h3>
        <SettingCheck
          name="presence_enabled"
          label={t('Show others whether I am at the computer')}
          hint={t('Without it, you appear as offline.')}
          action={action}
        />
        <SettingCheck
          name="send_read_receipts"
          label={t('Show senders that I have read their messages')}
          action={action}
        />
        <SettingCheck
          name="send_private_typing_notifications"
          label={t('Show when I type a direct message')}
          action={action}
        />
        <SettingCheck
          name="send_stream_typing_notifications"
          label={t('Show when I type in a channel')}
          action={action}
        />
        <SettingSelect
          name="email_address_visibility"
          label={t('Who sees your email address')}
          options={emailVisibilities}
          action={action}
        />
        <SettingCheck
          name="allow_private_data_export"
          label={t('Let exports of the organization contain my private data')}
          hint={t('That is: direct messages, and messages of private channels. Administrators request exports.')}
          action={action}
        />
        <ActionStatus action={action} />
      </section>
      <EmailForm />
      <PasswordForm />
      <ApiKeyForm />
      <CloseAccount />
    </>
  )
}

/** What the form tells when it appears again: the new session opens the whole chat anew. */
let note = ''

const takeNote = (): string => {
  const taken = note
  note = ''
  return taken
}

const PasswordForm = () => {
  const chat = useChat()
  const user = ownUser(chat)
  const address = user?.delivery_email ?? user?.email ?? ''
  const form = useForm({
    values: { former: '', next: '' },
    // A new password ends all sessions, also that of this browser.
    send: ({ former, next }) =>
      replaceSession(
        async () => {
          await chat.client.call('PATCH /settings', { old_password: former, new_password: next })
          note = t('Your password was changed.')
        },
        address,
        next,
      ),
    told: useState(takeNote)[0],
  })
  if (user === undefined || chat.organization.value.realm_email_auth_enabled === false) return null
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('Password')}</h3>
      <p class="soft-text">{t('A new password logs you out everywhere else, and changes your API key.')}</p>
      <input class="only-for-screen-readers" type="text" autocomplete="username" value={address} readOnly hidden />
      <div class="dialog-two-columns">
        <TextField
          label={t('Present password')}
          type="password"
          autocomplete="current-password"
          isRequired
          {...form.bind('former')}
        />
        <TextField
          label={t('New password')}
          hint={t('Long, and not easy to guess: three or four words that do not belong together are good.')}
          type="password"
          autocomplete="new-password"
          isRequired
          {...form.bind('next')}
        />
      </div>
      <FormEnd of={form} label={t('Change the password')} isSecondary />
    </Form>
  )
}
