/**
 * The user's API key, with which programs act as the user: it is shown for the password, or for a code of the second
 * factor, and can be replaced.
 */

import { useSignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { ConfirmButton } from '../dialogs/confirm-button.js'
import { CopyField } from '../dialogs/copy-field.js'
import { ActionStatus } from '../forms/action.js'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { CodeField } from '../log-in/code-field.js'
import { useChat } from '../realm/chat.js'
import { ownUser } from '../realm/permissions.js'
import { fetchApiKey, replaceSession } from '../session/session.js'

/** The key that the form shows when it appears again: a new key ends all sessions, also that of this browser. */
let renewed = ''

const takeRenewed = (): string => {
  const taken = renewed
  renewed = ''
  return taken
}

/** The form. Without log-ins by password, it only replaces the key. */
export const ApiKeyForm = () => {
  const chat = useChat()
  const first = useState(takeRenewed)[0]
  const key = useSignal(first)
  const address = ownUser(chat)?.delivery_email ?? ownUser(chat)?.email ?? ''
  const regenerate = async () => {
    renewed = (await chat.client.call('POST /users/me/api_key/regenerate')).api_key
  }
  const hasSecondFactor = useSignal(false)
  const told = first === '' ? '' : t('The former key is not valid any more.')
  const form = useForm({
    values: { password: '', code: '' },
    send: async ({ password, code }) => {
      key.value = hasSecondFactor.value
        ? (await chat.client.call('POST /users/me/api_key', { code })).api_key
        : await fetchApiKey(address, password)
    },
    renews: 'all',
    told,
  })
  useEffect(() => {
    void form.action.run(async () => {
      hasSecondFactor.value = (await chat.client.call('GET /users/me/second_factor')).added_at !== null
    }, told)
  }, [])
  const replace = () =>
    form.action.run(async () => {
      const { password } = form.values
      // A wrong password is found out before the session ends.
      await fetchApiKey(address, password)
      await replaceSession(regenerate, address, password)
    })
  const hasPasswords = chat.organization.value.realm_password_auth_enabled !== false && !hasSecondFactor.value
  const ending = (
    <ConfirmButton
      label={t('Make the key invalid')}
      confirmLabel={t('Make it invalid and log me out')}
      onConfirm={() => form.action.run(regenerate)}
    />
  )
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('API key')}</h3>
      <p class="soft-text">
        {t(
          'Programs and apps that have this key do everything in your name: show it to nobody. A new key logs you out everywhere else, and programs stop until they have it.',
        )}
      </p>
      {key.value !== '' && (
        <>
          <CopyField label={t('Your API key')} value={key.value} />
          <ActionStatus action={form.action} />
        </>
      )}
      {key.value === '' && hasPasswords && (
        <>
          <input class="only-for-screen-readers" type="text" autocomplete="username" value={address} readOnly hidden />
          <TextField
            label={t('Your password')}
            type="password"
            autocomplete="current-password"
            isRequired
            {...form.bind('password')}
          />
          <FormEnd of={form} label={t('Show the key')} isSecondary>
            <ConfirmButton label={t('Make a new key')} confirmLabel={t('Replace the key now')} onConfirm={replace} />
          </FormEnd>
        </>
      )}
      {key.value === '' && hasSecondFactor.value && (
        <>
          <CodeField {...form.bind('code')} />
          <FormEnd of={form} label={t('Show the key')} isSecondary>
            {ending}
          </FormEnd>
        </>
      )}
      {!hasPasswords && !hasSecondFactor.value && (
        <>
          <ActionStatus action={form.action} />
          <div class="form-buttons">{ending}</div>
        </>
      )}
    </Form>
  )
}
