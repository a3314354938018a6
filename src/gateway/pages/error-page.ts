/** Errors for people: what a browser shows when it opened an address itself, and no program reads the answer. */
import { escapeCode, html } from '../../domain/html/html.js'
import { siteUrl } from '../../domain/markdown/links/link-urls.js'
import type { ApiError } from '../../domain/protocol/errors.js'
import type { Page } from './html-page.js'
import { composePeoplePage, type PeoplePage, renderButtonLink } from './people-page.js'

const openChat = renderButtonLink(siteUrl('/'), 'Open the chat')

/** The pages of errors that say more than the error itself, by its code. */
const pagesByCode: Readonly<Record<string, PeoplePage>> = {
  METHOD_NOT_ALLOWED: {
    title: 'This page cannot be used like this',
    lead: 'Open it with its link, and use the form that it shows.',
    body: openChat,
  },
  NONEXISTENT_SUBDOMAIN: {
    title: 'There is no organization here',
    lead: 'Check the address: each organization has its own.',
  },
  PASSWORD_AUTH_DISABLED: {
    title: 'Passwords are not used here',
    lead: 'This organization has another way to log in. Ask its administrators which one.',
    body: openChat,
  },
  REALM_DEACTIVATED: {
    title: 'This organization is closed',
    lead: 'It was deactivated. Only its owner can have it opened again.',
  },
}

/** Renders the page of an error: what happened, and what to do. */
export const renderErrorPage = (error: ApiError): Page => {
  const known = error.code === undefined ? undefined : pagesByCode[error.code]
  if (known !== undefined) return composePeoplePage(known)
  const wait = describeWait(error)
  if (wait !== undefined) return composePeoplePage({ title: 'Too many tries', lead: `${wait} Then try again.` })
  if (error.status === 404) return unknownAddressPage
  if (error.status === 401) {
    return composePeoplePage({
      title: 'Log in first',
      lead: 'Only people who are logged in can open this address.',
      body: renderButtonLink(siteUrl('/'), 'Log in'),
    })
  }
  return composePeoplePage({
    title: 'That did not work',
    body: html`<p role="alert">${escapeCode(error.message)}</p>
<p>Go back and try again.</p>
${openChat}`,
  })
}

const unknownAddressPage = composePeoplePage({
  title: 'There is nothing here',
  lead: 'The address is wrong, or what it led to is gone. Check the address.',
  body: openChat,
})

/** What a form says about a refusal. */
export const describeRefusal = (error: ApiError): string => {
  const wait = describeWait(error)
  return wait === undefined ? error.message : `Too many tries. ${wait} Then send the form again.`
}

/** How long to wait before the next try, as a sentence; undefined when waiting does not help. */
const describeWait = ({ status, body }: ApiError): string | undefined => {
  const seconds = body['retry-after']
  if (typeof seconds !== 'number' || (status !== 429 && status !== 503)) return undefined
  if (seconds < 90) return formatWait(seconds, 'second')
  return seconds < 5_400 ? formatWait(seconds / 60, 'minute') : formatWait(seconds / 3_600, 'hour')
}

const formatWait = (amount: number, unit: string): string => {
  const count = Math.max(1, Math.ceil(amount))
  return `Wait ${count} ${unit}${count === 1 ? '' : 's'}.`
}
