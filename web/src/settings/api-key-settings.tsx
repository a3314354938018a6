/** Further API keys of the account, each with a name, a scope and an end: a list, and a form for a new one. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ConfirmButton } from '../dialogs/confirm-button.js'
import { CopyField } from '../dialogs/copy-field.js'
import { ActionStatus, useAction } from '../forms/action.js'
import { SelectField, TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { type ApiKey, describeKey, scopeOptions } from './api-key-texts.js'

const DAY_SECONDS = 86_400
const lifetimes = [
  { value: '30', label: t('After 30 days') },
  { value: '90', label: t('After 90 days') },
  { value: '365', label: t('After a year') },
  { value: '', label: t('Never') },
]

/** The page "API keys". */
export const ApiKeySettings = () => {
  const chat = useChat()
  const action = useAction()
  const keys = useSignal<ApiKey[] | undefined>(undefined)
  const load = async () => {
    keys.value = (await chat.client.call('GET /users/me/api_keys')).api_keys
  }
  const end = async (key_id: number) => {
    await chat.client.call('DELETE /users/me/api_keys/{key_id}', { key_id })
    await load()
  }
  useEffect(() => {
    void action.run(load)
  }, [])
  return (
    <>
      <p class="soft-text">
        {t(
          'Give each program a key of its own: it permits only what you choose, and you can end it without stopping other programs. A new password or first key ends all of them.',
        )}
      </p>
      <ActionStatus action={action} />
      {keys.value?.length === 0 && <p class="soft-text">{t('You have no further keys.')}</p>}
      <ul class="dialog-rows" aria-label={t('API keys')}>
        {keys.value?.map((key) => (
          <li class="dialog-row" key={key.id}>
            <div class="dialog-row-main">
              <p class="dialog-row-title">{key.name}</p>
              <p class="soft-text">{describeKey(key)}</p>
            </div>
            <ConfirmButton
              label={t('End {name}', { name: key.name })}
              confirmLabel={t('End {name} now', { name: key.name })}
              onConfirm={() => action.run(() => end(key.id), t('The key was ended.'))}
            />
          </li>
        ))}
      </ul>
      <NewKeyForm onMade={load} />
    </>
  )
}

const NewKeyForm = ({ onMade }: { onMade: () => Promise<void> }) => {
  const chat = useChat()
  const shown = useSignal('')
  const form = useForm({
    values: { name: '', scope: 'read' as ApiKey['scope'], days: '90' },
    async send({ name, scope, days }) {
      const end = days === '' ? {} : { expires_at: Math.floor(Date.now() / 1000) + Number(days) * DAY_SECONDS }
      const made = await chat.client.call('POST /users/me/api_keys', { name: name.trim(), scope, ...end })
      shown.value = made.api_key
      await onMade()
    },
    done: t('Copy the key now: it is not shown again.'),
    renews: 'all',
  })
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('A new key')}</h3>
      <TextField label={t('Name')} most={60} isRequired {...form.bind('name')} />
      <div class="dialog-two-columns">
        <SelectField label={t('What it permits')} options={scopeOptions} {...form.bind('scope')} />
        <SelectField label={t('It expires')} options={lifetimes} {...form.bind('days')} />
      </div>
      {shown.value !== '' && <CopyField label={t('The new API key')} value={shown.value} />}
      <FormEnd of={form} label={t('Make the key')} />
    </Form>
  )
}
