/** The form with which a user without an account requests the link to sign up. */

import { useSignal } from '@preact/signals'
import { FailureNote, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { requestSignUpLink } from '../session/session.js'
import { ownTimeZone } from '../ui/times.js'

/** The form; `onBack` leads to the log-in form. */
export const SignUp = ({ onBack }: { onBack: () => void }) => {
  const action = useAction()
  const mailedTo = useSignal<string | undefined>(undefined)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget as HTMLFormElement).get('email')).trim()
    if (await action.run(() => requestSignUpLink(email, ownTimeZone()))) mailedTo.value = email
  }
  return (
    <form class="log-in-form" onSubmit={submit}>
      <p role="status">
        {mailedTo.value === undefined
          ? t('The server mails a link to your address. With it you choose your name and password.')
          : t('A link to join was mailed to {email}. It is valid for a day.', { email: mailedTo.value })}
      </p>
      {mailedTo.value === undefined && (
        <label>
          <span class="field-label">{t('Email')}</span>
          <input class="text-field" name="email" type="email" autocomplete="email" required autofocus />
        </label>
      )}
      <FailureNote reason={action.state.value.error} />
      {mailedTo.value === undefined && (
        <button class="button button-primary" type="submit" disabled={action.state.value.isBusy}>
          {t('Send the link')}
        </button>
      )}
      <button class="button" type="button" onClick={onBack}>
        {t('Back to the log-in')}
      </button>
    </form>
  )
}
