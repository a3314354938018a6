/** Errors for people: what a browser shows when it opened an address itself, and no program reads the answer. */
import type { Texts } from '#rules/texts.js'
import { escapeCode, type Html, html } from '../../domain/html/html.js'
import { siteUrl } from '../../domain/markdown/links/link-urls.js'
import type { ApiError } from '../../domain/protocol/errors.js'
import { formatDuration } from '../../domain/readers/reader-texts.js'
import type { Page } from './html-page.js'
import { composePeoplePage, type PeoplePage, renderButtonLink } from './people-page.js'

const renderOpenChat = (t: Texts): Html => renderButtonLink(siteUrl('/'), t('Open the chat'))

/** The pages of errors that say more than the error itself, by its code. */
const pagesByCode: Readonly<Record<string, (t: Texts) => PeoplePage>> = {
  METHOD_NOT_ALLOWED: (t) => ({
    title: t('This page cannot be used like this'),
    lead: t('Open it with its link, and use the form that it shows.'),
    body: renderOpenChat(t),
  }),
  NONEXISTENT_SUBDOMAIN: (t) => ({
    title: t('There is no organization here'),
    lead: t('Check the address: each organization has its own.'),
  }),
  PASSWORD_AUTH_DISABLED: (t) => ({
    title: t('Passwords are not used here'),
    lead: t('This organization has another way to log in. Ask its administrators which one.'),
    body: renderOpenChat(t),
  }),
  REALM_DEACTIVATED: (t) => ({
    title: t('This organization is closed'),
    lead: t('It was deactivated. Only its owner can have it opened again.'),
  }),
}

/** Renders the page of an error: what happened, and what to do. */
export const renderErrorPage = (t: Texts, error: ApiError): Page => composePeoplePage(t, composeErrorPage(t, error))

const composeErrorPage = (t: Texts, error: ApiError): PeoplePage => {
  const known = error.code === undefined ? undefined : pagesByCode[error.code]
  if (known !== undefined) return known(t)
  const wait = findWait(error)
  if (wait !== undefined) {
    return {
      title: t('Too many tries'),
      lead: t('Wait {duration}. Then try again.', { duration: formatDuration(t, wait) }),
    }
  }
  if (error.status === 404) {
    return {
      title: t('There is nothing here'),
      lead: t('The address is wrong, or what it led to is gone. Check the address.'),
      body: renderOpenChat(t),
    }
  }
  if (error.status === 401) {
    return {
      title: t('Log in first'),
      lead: t('Only people who are logged in can open this address.'),
      body: renderButtonLink(siteUrl('/'), t('Log in')),
    }
  }
  return {
    title: t('That did not work'),
    body: html`<p role="alert">${escapeCode(sentenceOf(t, error))}</p>
<p>${escapeCode(t('Go back and try again.'))}</p>
${renderOpenChat(t)}`,
  }
}

/** What a form says about a refusal. */
export const describeRefusal = (t: Texts, error: ApiError): string => {
  const wait = findWait(error)
  return wait === undefined
    ? sentenceOf(t, error)
    : t('Too many tries. Wait {duration}. Then send the form again.', { duration: formatDuration(t, wait) })
}

const sentenceOf = (t: Texts, error: ApiError): string => String(error.bodyIn(t).msg)

/** The seconds to wait before the next try; undefined when waiting does not help. */
const findWait = ({ status, body }: ApiError): number | undefined => {
  const seconds = body['retry-after']
  return typeof seconds === 'number' && (status === 429 || status === 503) ? seconds : undefined
}
