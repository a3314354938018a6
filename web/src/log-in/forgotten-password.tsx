/** The form with which a user who forgot the password requests a link to set a new one. */

import { useSignal } from '@preact/signals'
import { FailureNote, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { requestPasswordLink } from '../session/session.js'

/** The form; `onBack` leads to the log-in form. */
export const ForgottenPassword = ({ onBack }: { onBack: () => void }) => {
  const action = useAction()
  const isSent = useSignal(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    if (await action.run(() => requestPasswordLink(String(form.get('email'))))) isSent.value = true
  }
  return (
    <form class="log-in-form" onSubmit={submit}>
      <p role="status">
        {isSent.value
          ? t(
              'If an account with this address exists, a link to set a new password was mailed to it. It is valid for a day.',
            )
          : t('The server mails a link for setting a new password to the address of your account.')}
      </p>
      {!isSent.value && (
        <label>
          <span class="field-label">{t('Email')}</span>
          <input class="text-field" name="email" type="email" autocomplete="username" required />
        </label>
      )}
      <FailureNote reason={action.state.value.error} />
      {!isSent.value && (
        <button class="button button-primary" type="submit">
          {t('Send the link')}
        </button>
      )}
      <button class="button" type="button" onClick={onBack}>
        {t('Back to the log-in')}
      </button>
    </form>
  )
}
