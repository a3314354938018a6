/** The view before a session: log in with a password, as a demo account with one click, or read as a visitor. */

import { useEffect, useState } from 'preact/hooks'
import { FailureNote, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { RenderedMessage } from '../messages/rendered/rendered-message.js'
import { roleName } from '../realm/roles.js'
import {
  fetchDemoAccounts,
  fetchIsActive,
  fetchPublicRealm,
  logIn,
  logInToDemo,
  type PublicRealm,
  secondHalf,
  visit,
} from '../session/session.js'
import { Avatar } from '../ui/avatar.js'
import { Boundary } from '../ui/boundary.js'
import { Icon } from '../ui/icon.js'
import { useLoaded } from '../ui/use-loaded.js'
import { FirstEnrolment } from './first-enrolment.js'
import { ForgottenPassword } from './forgotten-password.js'
import { Providers } from './providers.js'
import { SecondFactorForm } from './second-factor-form.js'
import { SignUp } from './sign-up.js'
import './log-in.css'

/** The log-in of this page itself, which the server offers to apps. */
const OWN_METHOD = 'browser'

/** Before the log-in, no mention is one of the user. */
const nobody = { userId: undefined, groupIds: new Set<number>(), guestIds: new Set<number>() }

/** The form that the view shows. */
type ShownForm = 'password' | 'forgotten' | 'sign-up'

/** The log-in view. */
export const LogIn = () => {
  const [shown, show] = useState<ShownForm>('password')
  const realm = useLoaded<PublicRealm>(fetchPublicRealm, {})
  const isActive = useLoaded(fetchIsActive, true)
  useEffect(() => {
    if (realm.realm_name !== undefined)
      document.title = t('Log in · {organization}', { organization: realm.realm_name })
  }, [realm])
  return (
    <main class="log-in-page">
      <div class="log-in-panel">
        <header class="log-in-header">
          {realm.realm_icon !== undefined && <img class="log-in-icon" src={realm.realm_icon} alt="" />}
          <div>
            <h1>{realm.realm_name ?? 'Parley'}</h1>
            {isActive && (
              <p class="soft-text">
                {shown === 'sign-up' ? t('Create an account to read and write') : t('Log in to read and write')}
              </p>
            )}
          </div>
        </header>
        {realm.realm_description !== undefined && realm.realm_description !== '' && (
          <Boundary note={t('The description cannot be shown.')} of={realm} fallback={() => null}>
            <RenderedMessage html={realm.realm_description} mentions={nobody} />
          </Boundary>
        )}
        {isActive ? (
          <WaysIn realm={realm} shown={shown} show={show} />
        ) : (
          <p role="status">
            {t(
              'This organization is deactivated. Nobody can log in. Only the operator of the server can reactivate it.',
            )}
          </p>
        )}
      </div>
    </main>
  )
}

interface WaysInProps {
  realm: PublicRealm
  shown: ShownForm
  show: (form: ShownForm) => void
}

const WaysIn = ({ realm, shown, show }: WaysInProps) => {
  const hasPasswords = realm.email_auth_enabled !== false
  const hasDirectory = realm.authentication_methods?.ldap === true
  const canSignUp = realm.realm_invite_required === false
  const hasVisitors = realm.realm_web_public_access_enabled === true
  if (secondHalf.value === 'code') return <SecondFactorForm />
  if (secondHalf.value === 'enrolment') return <FirstEnrolment />
  return (
    <>
      {hasPasswords && shown === 'forgotten' && <ForgottenPassword onBack={() => show('password')} />}
      {(hasPasswords || hasDirectory) && shown === 'password' && (
        <PasswordForm takesNames={hasDirectory} onForgotten={hasPasswords ? () => show('forgotten') : undefined} />
      )}
      {canSignUp && shown === 'sign-up' && <SignUp onBack={() => show('password')} />}
      <Providers methods={(realm.external_authentication_methods ?? []).filter(({ name }) => name !== OWN_METHOD)} />
      {canSignUp && shown === 'password' && (
        <button type="button" class="button log-in-visit" onClick={() => show('sign-up')}>
          {t('Create an account')}
        </button>
      )}
      <DemoAccounts />
      {hasVisitors && (
        <button type="button" class="button log-in-visit" onClick={visit}>
          <Icon name="globe" /> {t('Read without an account')}
        </button>
      )}
    </>
  )
}

/** @param input.takesNames whether users have other names than addresses, in a directory */
const PasswordForm = (input: { takesNames: boolean; onForgotten: (() => void) | undefined }) => {
  const { takesNames, onForgotten } = input
  const action = useAction()
  const { isBusy, error } = action.state.value
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    void action.run(() => logIn(String(form.get('username')), String(form.get('password'))))
  }
  return (
    <form class="log-in-form" onSubmit={submit}>
      {takesNames ? (
        <label>
          <span class="field-label">{t('Email or user name')}</span>
          <input
            class="text-field"
            name="username"
            type="text"
            autocapitalize="none"
            autocomplete="username"
            required
          />
        </label>
      ) : (
        <label>
          <span class="field-label">{t('Email')}</span>
          <input class="text-field" name="username" type="email" autocomplete="username" required />
        </label>
      )}
      <label>
        <span class="field-label">{t('Password')}</span>
        <input class="text-field" name="password" type="password" autocomplete="current-password" required />
      </label>
      <FailureNote reason={error} />
      <button class="button button-primary" type="submit" disabled={isBusy}>
        {isBusy ? t('Logging in…') : t('Log in')}
      </button>
      {onForgotten !== undefined && (
        <button type="button" class="log-in-forgotten" onClick={onForgotten}>
          {t('Forgot your password?')}
        </button>
      )}
    </form>
  )
}

const DemoAccounts = () => {
  const accounts = useLoaded(fetchDemoAccounts, [])
  const action = useAction()
  if (accounts.length === 0) return null
  return (
    <section class="log-in-demo" aria-labelledby="demo-accounts">
      <h2 id="demo-accounts">{t('This is a demo: log in with one click')}</h2>
      <ul>
        {accounts.map((account) => (
          <li key={account.user_id}>
            <button type="button" class="log-in-account" onClick={() => action.run(() => logInToDemo(account.user_id))}>
              <Boundary note={t('The picture cannot be shown.')} of={account} fallback={() => null}>
                <Avatar user={account} />
              </Boundary>
              <span class="log-in-account-name" dir="auto">
                {account.full_name}
              </span>
              <span class="soft-text">{roleName(account.role)}</span>
            </button>
          </li>
        ))}
      </ul>
      <FailureNote reason={action.state.value.error} />
    </section>
  )
}
