/** The HTML pages that links in mails lead to. They have no scripts. */
import { element, empty, escapeCode, type Html, html, voidElement } from '../../../domain/html/html.js'
import { siteUrl } from '../../../domain/markdown/link-urls.js'
import { type Page, pageLayout } from '../../http/html-page.js'

interface Form {
  organization: string
  /** the address of the new account, which the user has confirmed */
  email: string
  /** the value of the refused form, to fill in again */
  given?: { full_name: string }
  refusal?: string
}

/** The form by which an invited user creates an account. */
export const renderJoinPage = ({ organization, email, given, refusal }: Form): Page =>
  composePage(
    `Join ${organization}`,
    html`${renderRefusal(refusal)}
<form method="post">
<p>${escapeCode(email)}</p>
${renderField('full_name', 'Full name', 'text', given?.full_name)}
${renderField('password', 'Password', 'password')}
<button>Join</button>
</form>`,
  )

/** The form by which a user with a reusable invitation enters an address, to which the link to join is mailed. */
export const renderJoinAddressPage = (given: { organization: string; email?: string; refusal?: string }): Page =>
  composePage(
    `Join ${given.organization}`,
    html`${renderRefusal(given.refusal)}
<p>The server mails a link to your address. With it you choose your name and password.</p>
<form method="post">
${renderField('email', 'Email', 'email', given.email)}
<button>Send the link</button>
</form>`,
  )

interface Welcome {
  organization: string
  email: string
  api_key: string
  realm_url: string
}

/** The page after joining: the way into the web client, and what a new user needs to log in with another one. */
export const renderWelcomePage = ({ organization, email, api_key, realm_url }: Welcome): Page =>
  composePage(
    `Welcome to ${organization}`,
    html`<p>Your account is ready.</p>
${linkToClient('Open the chat')}
<p>Log in with another client at <code>${escapeCode(realm_url)}</code> as
<code>${escapeCode(email)}</code>. The API key for programs is <code>${escapeCode(api_key)}</code>.</p>`,
  )

/** The form by which a user confirms a new email address. */
export const renderConfirmEmailPage = (given: {
  organization: string
  full_name: string
  email: string
  refusal?: string
}): Page =>
  composePage(
    'Confirm your address',
    html`${renderRefusal(given.refusal)}
<p>${escapeCode(given.full_name)} of ${escapeCode(given.organization)} asks to have the address
<code>${escapeCode(given.email)}</code>.</p>
<form method="post"><button>Confirm</button></form>`,
  )

/** The form by which a user requests a link to set a new password. */
export const renderForgottenPasswordPage = (organization: string, refusal?: string): Page =>
  composePage(
    `New password at ${organization}`,
    html`${renderRefusal(refusal)}
<p>The server mails a link for setting a new password to the address of your account.</p>
<form method="post">
${renderField('email', 'Email', 'email')}
<button>Send the link</button>
</form>`,
  )

/** The form by which a user sets a new password. */
export const renderNewPasswordPage = (organization: string, refusal?: string): Page =>
  composePage(
    `New password at ${organization}`,
    html`${renderRefusal(refusal)}
<form method="post">
${renderField('password', 'New password', 'password')}
<button>Set password</button>
</form>`,
  )

/** A page with a sentence and nothing to fill in. */
export const renderMessagePage = (title: string, text: string): Page =>
  composePage(title, html`<p>${escapeCode(text)}</p>`)

/** The page after a new password was set. */
export const renderPasswordChangedPage = (title: string, text: string): Page =>
  composePage(
    title,
    html`<p>${escapeCode(text)}</p>
${linkToClient('Log in')}`,
  )

const linkToClient = (text: string): Html => html`<p>${element('a', { href: siteUrl('/') }, escapeCode(text))}</p>`

const renderRefusal = (refusal: string | undefined): Html =>
  refusal === undefined ? empty : html`<p role="alert">${escapeCode(refusal)}</p>`

const renderField = (name: string, label: string, type: string, value = ''): Html =>
  element('label', {}, html`${escapeCode(label)} ${voidElement('input', { name, type, value, required: '' })}`)

const composePage = (title: string, body: Html): Page =>
  layout(
    title,
    html`<h1>${escapeCode(title)}</h1>
${body}`,
  )

const layout = pageLayout(html`
body { font: 16px/1.5 system-ui, sans-serif; max-width: 28rem; margin: 4rem auto; padding: 0 1rem }
label, input, button { display: block; width: 100%; box-sizing: border-box }
input, button { font: inherit; padding: .5rem; margin: .25rem 0 1rem }
[role=alert] { color: #b00020 }
code { overflow-wrap: anywhere }
`)
