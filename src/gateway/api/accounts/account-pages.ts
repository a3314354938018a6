/**
 * The pages of accounts: those that links in mails lead to, and what is shown after their forms. They have no scripts.
 *
 * 1. A form that was refused says why above its fields, and has what the user typed; never a password.
 * 2. Each field says with `autocomplete` what it is, so that a browser or a password manager can fill it in. A form
 *    with a new password has the address of the account, because a password is stored with it.
 * 3. The rules of passwords are said before one is chosen.
 */

import { element, empty, escapeCode, type Html, html, joinHtml, voidElement } from '../../../domain/html/html.js'
import { limits } from '../../../domain/limits/limits.js'
import type { DefaultChannelGroupRow } from '../../../domain/log/rows.js'
import { siteUrl } from '../../../domain/markdown/links/link-urls.js'
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
export const renderJoinPage = ({ organization, email, channelGroups, given, refusal }: Form): Page =>
  composePeoplePage({
    title: `Join ${organization}`,
    lead: 'Choose your name and a password.',
    body: html`${renderRefusal(refusal)}
<form method="post">
${renderAccount(email)}
${renderField({ name: 'full_name', label: 'Full name', autocomplete: 'name', value: given?.full_name, hint: 'As others see it.' })}
${renderNewPassword('Password')}
${renderChannelGroups(channelGroups, given?.channel_groups ?? [])}
<button>Join</button>
</form>
${renderLogInHint()}`,
  })

/**
 * Renders the form where a user with a reusable invitation enters an address. The server mails the link to join to this
 * address.
 */
export const renderJoinAddressPage = (given: { organization: string; email?: string; refusal?: string }): Page =>
  composePeoplePage({
    title: `Join ${given.organization}`,
    lead: 'The server mails a link to your address. With it you choose your name and password.',
    body: html`${renderRefusal(given.refusal)}
<form method="post">
${renderField({ name: 'email', label: 'Email', type: 'email', autocomplete: 'email', value: given.email })}
<button>Send the link</button>
</form>
${renderLogInHint()}`,
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
export const renderWelcomePage = ({ organization, email, realm_url }: Welcome): Page =>
  composePeoplePage({
    title: `Welcome to ${organization}`,
    lead: 'Your account is ready.',
    body: html`${linkToClient('Open the chat')}
<p class="hint">In an app, log in at ${escapeCode(realm_url)} as ${escapeCode(email)} with your password.</p>`,
  })

/** The form by which a user confirms a new email address. */
export const renderConfirmEmailPage = (given: {
  organization: string
  full_name: string
  email: string
  refusal?: string
}): Page =>
  composePeoplePage({
    title: 'Confirm your address',
    lead: `${given.full_name} of ${given.organization} asks to have the address ${given.email}.`,
    body: html`${renderRefusal(given.refusal)}
<form method="post"><button>Confirm</button></form>
<p class="hint">If this is not you, close this page: nothing changes.</p>`,
  })

/** The form by which a user turns off mails about missed messages. */
export const renderUnsubscribePage = ({ organization, email }: { organization: string; email: string }): Page =>
  composePeoplePage({
    title: 'No more mails about missed messages',
    lead: `${organization} mails messages that you miss to ${email}.`,
    body: html`<form method="post"><button>Stop these mails</button></form>
<p class="hint">You can turn them on again in your notification settings.</p>`,
  })

/** The form by which a user requests a link to set a new password. */
export const renderForgottenPasswordPage = (given: { organization: string; email?: string; refusal?: string }): Page =>
  composePeoplePage({
    title: `New password at ${given.organization}`,
    lead: 'The server mails a link for setting a new password to the address of your account.',
    body: html`${renderRefusal(given.refusal)}
<form method="post">
${renderField({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: given.email })}
<button>Send the link</button>
</form>
${renderLogInHint('You remember it?')}`,
  })

/** The form by which a user sets a new password. */
export const renderNewPasswordPage = (given: { organization: string; email: string; refusal?: string }): Page =>
  composePeoplePage({
    title: `New password at ${given.organization}`,
    lead: 'The new password ends your sessions on all devices.',
    body: html`${renderRefusal(given.refusal)}
<form method="post">
${renderAccount(given.email)}
${renderNewPassword('New password')}
<button>Set password</button>
</form>`,
  })

/** A page with a sentence, and the way on. */
export const renderMessagePage = (title: string, lead: string, body: Html = empty): Page =>
  composePeoplePage({ title, lead, body })

/** The page after a link was mailed. */
export const renderMailedPage = (text: string): Page =>
  composePeoplePage({
    title: 'Check your mail',
    lead: text,
    body: html`<p class="hint">No mail after a few minutes? Look among the spam, or check the address and try again.</p>`,
  })

/** The page of a link that does not work any more. @param next the address where a user goes on, and its name */
export const renderDeadLinkPage = (title: string, lead: string, next: { path: `/${string}`; text: string }): Page =>
  composePeoplePage({ title, lead, body: renderButtonLink(siteUrl(next.path), next.text) })

/** The button that leads to the web client. */
export const linkToClient = (text: string): Html => renderButtonLink(siteUrl('/'), text)

/** The name of the box of a group of default channels. */
export const channelGroupField = (id: number): string => `default_stream_group_${id}`

const renderChannelGroups = (groups: Form['channelGroups'], chosen: readonly string[]): Html => {
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
  return html`<fieldset><legend>Channels that you join</legend>${joinHtml(boxes)}</fieldset>`
}

const renderLogInHint = (question = 'You have an account?'): Html =>
  html`<p class="hint">${escapeCode(question)} ${element('a', { href: siteUrl('/') }, escapeCode('Log in'))}</p>`

const renderRefusal = (refusal: string | undefined): Html =>
  refusal === undefined ? empty : html`<p role="alert" id="refusal">${escapeCode(refusal)}</p>`

/** The address of the account, which cannot be changed here and is not sent (2). */
const renderAccount = (email: string): Html =>
  renderField({ label: 'Email', type: 'email', autocomplete: 'username', value: email })

const renderNewPassword = (label: string): Html =>
  renderField({
    name: 'password',
    label,
    type: 'password',
    autocomplete: 'new-password',
    minlength: String(limits.password_min_length),
    hint: `At least ${limits.password_min_length} characters, at most ${limits.password_max_length}, and not easy to guess: no common password, and not your name or address. Three or four words that do not belong together are good.`,
  })

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
