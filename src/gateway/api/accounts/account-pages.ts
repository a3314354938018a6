/**
 * The pages of accounts: those that links in mails lead to, and what is shown after their forms. They have no scripts.
 *
 * 1. A form that was refused says why above its fields, and has what the user typed; never a password.
 * 2. Each field says with `autocomplete` what it is, so that a browser or a password manager can fill it in. A form
 *    with a new password has the address of the account, because a password is stored with it.
 * 3. The rules of passwords are said before one is chosen.
 */

import { languages } from '#rules/languages.js'
import type { Texts } from '#rules/texts.js'
import { element, empty, escapeCode, type Html, html, joinHtml, voidElement } from '../../../domain/html/html.js'
import { limits } from '../../../domain/limits/limits.js'
import type { DefaultChannelGroupRow } from '../../../domain/log/rows.js'
import { mobileAppUrl, siteUrl } from '../../../domain/markdown/links/link-urls.js'
import type { Page } from '../../pages/html-page.js'
import { composePeoplePage, renderButtonLink } from '../../pages/people-page.js'

interface Form {
  organization: string
  /** the address of the new account, which the user has confirmed */
  email: string
  /** the groups of default channels that the user may choose */
  channelGroups: readonly Pick<DefaultChannelGroupRow, 'id' | 'name' | 'description'>[]
  /** the values of the refused form, to fill in again */
  given?: { full_name: string; channel_groups: readonly string[] }
  refusal?: string
}

/** The form by which an invited user creates an account. */
export const renderJoinPage = (t: Texts, { organization, email, channelGroups, given, refusal }: Form): Page =>
  composePeoplePage(t, {
    title: t('Join {organization}', { organization }),
    lead: t('Choose your name and a password.'),
    body: html`${renderRefusal(refusal)}
<form method="post">
${renderAccount(t, email)}
${renderField({ name: 'full_name', label: t('Full name'), autocomplete: 'name', value: given?.full_name, hint: t('As others see it.') })}
${renderNewPassword(t, t('Password'))}
${renderChannelGroups(t, channelGroups, given?.channel_groups ?? [])}
<button>${escapeCode(t('Join'))}</button>
</form>
${renderLogInHint(t, t('You have an account?'))}`,
  })

/**
 * Renders the form where a user with a reusable invitation enters an address. The server mails the link to join to this
 * address.
 */
export const renderJoinAddressPage = (
  t: Texts,
  given: { organization: string; email?: string; refusal?: string },
): Page =>
  composePeoplePage(t, {
    title: t('Join {organization}', { organization: given.organization }),
    lead: t('The server mails a link to your address. With it you choose your name and password.'),
    body: html`${renderRefusal(given.refusal)}
<form method="post">
${renderField({ name: 'email', label: t('Email'), type: 'email', autocomplete: 'email', value: given.email })}
<button>${escapeCode(t('Send the link'))}</button>
</form>
${renderLogInHint(t, t('You have an account?'))}`,
  })

/** Renders the form where a user who signs up enters an address. The server mails the link to this address. */
export const renderSignUpAddressPage = (
  t: Texts,
  given: { organization: string; email?: string; refusal?: string },
): Page =>
  composePeoplePage(t, {
    title: t('Join {organization}', { organization: given.organization }),
    lead: t('The server mails a link to your address. With it you choose your name and password.'),
    body: html`${renderRefusal(given.refusal)}
<form method="post" action="/accounts/sign_up">
${renderField({ name: 'email', label: t('Email'), type: 'email', autocomplete: 'email', value: given.email })}
<button>${escapeCode(t('Send the link'))}</button>
</form>
${renderLogInHint(t, t('You have an account?'))}`,
  })

interface SignUpForm extends Form {
  given: { full_name: string; channel_groups: readonly string[]; timezone: string; language: string }
}

/** The form by which a user who has confirmed an address creates an account. */
export const renderSignUpPage = (t: Texts, { organization, email, channelGroups, given, refusal }: SignUpForm): Page =>
  composePeoplePage(t, {
    title: t('Join {organization}', { organization }),
    lead: t('Choose your name and a password.'),
    body: html`${renderRefusal(refusal)}
<form method="post">
${renderAccount(t, email)}
${renderField({ name: 'full_name', label: t('Full name'), autocomplete: 'name', value: given.full_name, hint: t('As others see it.') })}
${renderNewPassword(t, t('Password'))}
${renderPlaceAndLanguage(t, given)}
${renderChannelGroups(t, channelGroups, given.channel_groups)}
<button>${escapeCode(t('Join'))}</button>
</form>
${renderLogInHint(t, t('You have an account?'))}`,
  })

const renderPlaceAndLanguage = (t: Texts, given: { timezone: string; language: string }): Html => {
  const zones = [...new Set([given.timezone || 'UTC', 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
  const chosen = given.language === '' ? t.language : given.language
  return html`${renderSelect(
    { name: 'timezone', label: t('Time zone') },
    [{ value: '', label: t('Not known') }, ...zones.map((zone) => ({ value: zone, label: zone }))],
    given.timezone,
  )}
${renderSelect(
  { name: 'language', label: t('Language') },
  Object.entries(languages).map(([value, { name }]) => ({ value, label: name, lang: value })),
  chosen,
)}`
}

/** How a user gets an invitation, where one is needed. */
export const renderInvitationRequiredPage = (t: Texts): Page =>
  composePeoplePage(t, {
    title: t('Join with an invitation'),
    lead: t(
      'Ask someone of the organization to invite you: you get a mail with a link, or the link itself. It leads to the form where you choose your name and password.',
    ),
    body: html`${linkToClient(t('Log in'))}
<p class="hint">${escapeCode(t('Log in if you have an account already.'))}</p>`,
  })

interface Welcome {
  organization: string
  email: string
  realm_url: string
}

/**
 * Renders the page after joining. It has the link to the web client, and what a new user needs to log in with another
 * one.
 */
export const renderWelcomePage = (t: Texts, { organization, email, realm_url }: Welcome): Page =>
  composePeoplePage(t, {
    title: t('Welcome to {organization}', { organization }),
    lead: t('Your account is ready.'),
    body: html`${linkToClient(t('Open the chat'))}
<p class="hint">${escapeCode(t('In an app, log in at {address} as {email} with your password.', { address: realm_url, email }))}</p>`,
  })

/** The form by which a user confirms a new email address. */
export const renderConfirmEmailPage = (
  t: Texts,
  given: {
    organization: string
    full_name: string
    email: string
    refusal?: string
  },
): Page =>
  composePeoplePage(t, {
    title: t('Confirm your address'),
    lead: t('{name} of {organization} asks to have the address {email}.', {
      name: given.full_name,
      organization: given.organization,
      email: given.email,
    }),
    body: html`${renderRefusal(given.refusal)}
<form method="post"><button>${escapeCode(t('Confirm'))}</button></form>
<p class="hint">${escapeCode(t('If this is not you, close this page: nothing changes.'))}</p>`,
  })

/** The form by which a user turns off mails about missed messages. */
export const renderUnsubscribePage = (
  t: Texts,
  { organization, email }: { organization: string; email: string },
): Page =>
  composePeoplePage(t, {
    title: t('No more mails about missed messages'),
    lead: t('{organization} mails messages that you miss to {email}.', { organization, email }),
    body: html`<form method="post"><button>${escapeCode(t('Stop these mails'))}</button></form>
<p class="hint">${escapeCode(t('You can turn them on again in your notification settings.'))}</p>`,
  })

/** The form by which a user requests a link to set a new password. */
export const renderForgottenPasswordPage = (
  t: Texts,
  given: { organization: string; email?: string; refusal?: string },
): Page =>
  composePeoplePage(t, {
    title: t('New password at {organization}', { organization: given.organization }),
    lead: t('The server mails a link for setting a new password to the address of your account.'),
    body: html`${renderRefusal(given.refusal)}
<form method="post">
${renderField({ name: 'email', label: t('Email'), type: 'email', autocomplete: 'username', value: given.email })}
<button>${escapeCode(t('Send the link'))}</button>
</form>
${renderLogInHint(t, t('You remember it?'))}`,
  })

/** The form by which a user sets a new password. */
export const renderNewPasswordPage = (
  t: Texts,
  given: { organization: string; email: string; refusal?: string },
): Page =>
  composePeoplePage(t, {
    title: t('New password at {organization}', { organization: given.organization }),
    lead: t('The new password ends your sessions on all devices.'),
    body: html`${renderRefusal(given.refusal)}
<form method="post">
${renderAccount(t, given.email)}
${renderNewPassword(t, t('New password'))}
<button>${escapeCode(t('Set password'))}</button>
</form>`,
  })

/** A page with a sentence, and the way on. */
export const renderMessagePage = (t: Texts, title: string, lead: string, body: Html = empty): Page =>
  composePeoplePage(t, { title, lead, body })

/** The page after a link was mailed. */
export const renderMailedPage = (t: Texts, text: string): Page =>
  composePeoplePage(t, {
    title: t('Check your mail'),
    lead: text,
    body: html`<p class="hint">${escapeCode(t('No mail after a few minutes? Look among the spam, or check the address and try again.'))}</p>`,
  })

/** The page with the token that a user carries to the desktop app. */
export const renderDesktopTokenPage = (t: Texts, token: string): Page =>
  composePeoplePage(t, {
    title: t('Go on in the app'),
    lead: t('You are logged in. Copy this text, and paste it in the app within two minutes.'),
    body: renderField({ label: t('Text for the app'), autocomplete: 'off', value: token }),
  })

/** The form by which the user of a mobile app logs in. */
export const renderAppLogInPage = (t: Texts, given: { organization: string; email?: string; refusal?: string }): Page =>
  composePeoplePage(t, {
    title: t('Log in to {organization}', { organization: given.organization }),
    lead: t('Then you go on in the app.'),
    body: html`${renderRefusal(given.refusal)}
<form method="post">
${renderField({ name: 'username', label: t('Email'), type: 'email', autocomplete: 'username', value: given.email })}
${renderField({ name: 'password', label: t('Password'), type: 'password', autocomplete: 'current-password' })}
<button>${escapeCode(t('Log in'))}</button>
</form>`,
  })

/** The form that asks for the second factor of an account. */
export const renderSecondFactorPage = (
  t: Texts,
  given: { organization: string; email: string; refusal?: string },
): Page =>
  composePeoplePage(t, {
    title: t('Log in to {organization}', { organization: given.organization }),
    lead: t('Your account has a second factor.'),
    body: html`${renderRefusal(given.refusal)}
<form method="post">
${renderAccount(t, given.email)}
${renderField({ name: 'code', label: t('Code'), autocomplete: 'one-time-code', hint: t('The six digits that your app shows now, or one of your recovery codes.') })}
<button>${escapeCode(t('Log in'))}</button>
</form>`,
  })

/** The page for an app whose user must set a second factor up first. */
export const renderEnrolFirstPage = (t: Texts, organization: string): Page =>
  composePeoplePage(t, {
    title: t('Set up a second factor first'),
    lead: t(
      '{organization} asks for a second factor. Log in in the browser and set it up, then log in in the app again.',
      {
        organization,
      },
    ),
    body: linkToClient(t('Log in in the browser')),
  })

/** The page that leads back to the mobile app. The user presses the button: browsers follow no form to an app. */
export const renderAppPage = (t: Texts, address: string): Page => {
  const href = mobileAppUrl(address)
  return composePeoplePage(t, {
    title: t('Go on in the app'),
    lead: t('You are logged in.'),
    body: href === undefined ? empty : renderButtonLink(href, t('Open the app')),
  })
}

/** The page of a link that does not work any more. @param next the address where a user goes on, and its name */
export const renderDeadLinkPage = (
  t: Texts,
  title: string,
  lead: string,
  next: { path: `/${string}`; text: string },
): Page => composePeoplePage(t, { title, lead, body: renderButtonLink(siteUrl(next.path), next.text) })

/** The button that leads to the web client. */
export const linkToClient = (text: string): Html => renderButtonLink(siteUrl('/'), text)

/** The name of the box of a group of default channels. */
export const channelGroupField = (id: number): string => `default_stream_group_${id}`

const renderChannelGroups = (t: Texts, groups: Form['channelGroups'], chosen: readonly string[]): Html => {
  if (groups.length === 0) return empty
  const boxes = groups.map(({ id, name, description }) => {
    const field = channelGroupField(id)
    const checked = chosen.includes(name) ? '' : undefined
    const described = description === '' ? undefined : `${field}-hint`
    const box = voidElement('input', { type: 'checkbox', name: field, checked, 'aria-describedby': described })
    const label = element('label', { class: 'choice' }, html`${box} ${escapeCode(name)}`)
    return described === undefined
      ? label
      : html`${label}${element('p', { class: 'hint', id: described }, escapeCode(description))}`
  })
  return html`<fieldset><legend>${escapeCode(t('Channels that you join'))}</legend>${joinHtml(boxes)}</fieldset>`
}

const renderLogInHint = (t: Texts, question: string): Html =>
  html`<p class="hint">${escapeCode(question)} ${element('a', { href: siteUrl('/') }, escapeCode(t('Log in')))}</p>`

const renderRefusal = (refusal: string | undefined): Html =>
  refusal === undefined ? empty : html`<p role="alert" id="refusal">${escapeCode(refusal)}</p>`

/** The address of the account, which cannot be changed here and is not sent (2). */
const renderAccount = (t: Texts, email: string): Html =>
  renderField({ label: t('Email'), type: 'email', autocomplete: 'username', value: email })

const renderNewPassword = (t: Texts, label: string): Html =>
  renderField({
    name: 'password',
    label,
    type: 'password',
    autocomplete: 'new-password',
    minlength: String(limits.password_min_length),
    hint: t(
      'At least {minimum} characters, at most {maximum}, and not easy to guess: no common password, and not your name or address. Three or four words that do not belong together are good.',
      { minimum: limits.password_min_length, maximum: limits.password_max_length },
    ),
  })

interface Choice {
  value: string
  label: string
  /** the language of the label, where it is another one than that of the page */
  lang?: string
}

const renderSelect = (
  { name, label }: { name: string; label: string },
  choices: readonly Choice[],
  chosen: string,
): Html => {
  const options = choices.map(({ value, label, lang }) =>
    element('option', { value, lang, selected: value === chosen ? '' : undefined }, escapeCode(label)),
  )
  return element(
    'div',
    {},
    html`${element('label', { for: name }, escapeCode(label))}
${element('select', { id: name, name }, joinHtml(options))}`,
  )
}

interface Field {
  /** undefined: the field is only shown */
  name?: string
  label: string
  type?: string
  autocomplete: string
  value?: string | undefined
  minlength?: string
  hint?: string
}

const renderField = ({ name, label, type = 'text', autocomplete, value = '', minlength, hint }: Field): Html => {
  const id = name ?? 'account'
  const own = name === undefined ? { readonly: '' } : { name, required: '' }
  const described = hint === undefined ? undefined : `${id}-hint`
  const input = voidElement('input', {
    id,
    ...own,
    type,
    value,
    autocomplete,
    minlength,
    'aria-describedby': described,
  })
  const explanation = hint === undefined ? empty : element('p', { class: 'hint', id: described }, escapeCode(hint))
  return element(
    'div',
    {},
    html`${element('label', { for: id }, escapeCode(label))}
${input}
${explanation}`,
  )
}
