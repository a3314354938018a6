/** The second factor of the account: an app for one-time codes, and recovery codes. */

import type { Result } from '@parley/client'
import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ConfirmButton } from '../dialogs/confirm-button.js'
import { ActionStatus, useAction } from '../forms/action.js'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { CodeField } from '../log-in/code-field.js'
import { ConfirmApp, type Enrolment, NewCodes } from '../log-in/set-up-app.js'
import { useChat } from '../realm/chat.js'
import { renewSession } from '../session/session.js'
import { formatMoment } from '../ui/times.js'

type State = Result<'GET /users/me/second_factor'>

/**
 * The recovery codes that were just made, until the user has stored them. The new session opens the whole page anew,
 * which must not lose them.
 */
const newCodes = signal<readonly string[]>([])

/** The page "Second factor". */
export const SecondFactorSettings = () => {
  const { client } = useChat()
  const action = useAction()
  const state = useSignal<State | undefined>(undefined)
  const load = async () => {
    state.value = await client.call('GET /users/me/second_factor')
  }
  useEffect(() => {
    void action.run(load)
  }, [])
  return (
    <>
      <p class="soft-text">
        {t(
          'With a second factor, nobody logs in with your password alone: a log-in also asks for a code that an app on your phone shows.',
        )}
      </p>
      <ActionStatus action={action} />
      {newCodes.value.length > 0 && (
        <NewCodes
          codes={newCodes.value}
          onStored={() => {
            newCodes.value = []
          }}
        />
      )}
      {newCodes.value.length === 0 && state.value?.added_at === null && <Enrolling state={state.value} />}
      {newCodes.value.length === 0 && typeof state.value?.added_at === 'number' && (
        <Present state={state.value} added_at={state.value.added_at} onChange={load} />
      )}
    </>
  )
}

const Enrolling = ({ state }: { state: State }) => {
  const { client } = useChat()
  const begun = useSignal<Enrolment | undefined>(undefined)
  const form = useForm({
    values: { password: '' },
    send: async ({ password }) => {
      begun.value = await client.call('POST /users/me/second_factor/enrolment', { password })
    },
    renews: 'all',
  })
  const confirm = (enrolment: string, code: string) =>
    renewSession(async () => {
      const { recovery_codes } = await client.call(
        'POST /users/me/second_factor',
        { enrolment, code },
        // A socket cannot set the cookie of the new session.
        { over: 'http' },
      )
      newCodes.value = recovery_codes
    })
  if (begun.value !== undefined) return <ConfirmApp enrolment={begun.value} onConfirm={confirm} />
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('Set up an app')}</h3>
      <p class="soft-text">
        {t(
          'Any app for one-time codes (TOTP) will do. It logs you out everywhere else, and changes your API key: apps and programs log in again.',
        )}
      </p>
      {state.has_password && (
        <TextField
          label={t('Your password')}
          type="password"
          autocomplete="current-password"
          isRequired
          {...form.bind('password')}
        />
      )}
      <FormEnd of={form} label={t('Set up')} />
    </Form>
  )
}

const Present = ({ state, added_at, onChange }: { state: State; added_at: number; onChange: () => Promise<void> }) => {
  const { client } = useChat()
  const form = useForm({
    values: { code: '' },
    send: async ({ code }) => {
      const { recovery_codes } = await client.call('POST /users/me/second_factor/recovery_codes', { code })
      newCodes.value = recovery_codes
      await onChange()
    },
    renews: 'all',
  })
  const remove = () =>
    form.action.run(async () => {
      await client.call('DELETE /users/me/second_factor', { code: form.values.code })
      await onChange()
    })
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('App for one-time codes')}</h3>
      <p>{t('Set up {time}.', { time: formatMoment(new Date(added_at * 1000)) })}</p>
      <p>
        {t(
          '{count, plural, =0 {No recovery code is left. Make new ones.} one {One recovery code is left.} other {# recovery codes are left.}}',
          { count: state.recovery_codes },
        )}
      </p>
      <CodeField {...form.bind('code')} />
      <FormEnd of={form} label={t('Make new recovery codes')} isSecondary>
        {!state.is_required && (
          <ConfirmButton label={t('Remove the second factor')} confirmLabel={t('Remove it now')} onConfirm={remove} />
        )}
      </FormEnd>
    </Form>
  )
}
