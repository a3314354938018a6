/**
 * The addresses that people try, or remember from other chats: the log-in, and how to join. A program that asks for one
 * of them gets the error of an unknown path.
 */
import { escapeCode, html } from '../../domain/html/html.js'
import { siteUrl } from '../../domain/markdown/links/link-urls.js'
import { errors } from '../../domain/protocol/errors.js'
import { composeFailure, jsonHeaders } from '../call/envelope.js'
import { acceptedTexts } from '../call/failure-texts.js'
import { acceptsValue } from '../contract/header-values.js'
import { pageTexts } from '../pages/page-texts.js'
import { composePeoplePage, renderButtonLink } from '../pages/people-page.js'
import type { SitePage, SitePageReply, SitePageRequest } from '../pages/site-page.js'

const logInPaths = ['/login', '/login/', '/accounts/login', '/accounts/login/']
const joinPaths = ['/join', '/join/', '/register', '/register/', '/accounts/register', '/accounts/register/']

/** The web client shows the log-in, or the chat to users who are logged in. */
const logIn = (): SitePageReply => ({
  status: 303,
  headers: { Location: '/', 'Cache-Control': 'no-store' },
  body: '',
})

const join = (request: SitePageRequest): SitePageReply => {
  const t = pageTexts({ accepted: request.header('accept-language') })
  const { headers, html: body } = composePeoplePage(t, {
    title: t('Join with an invitation'),
    lead: t(
      'Ask someone of the organization to invite you: you get a mail with a link, or the link itself. It leads to the form where you choose your name and password.',
    ),
    body: html`${renderButtonLink(siteUrl('/'), t('Log in'))}
<p class="hint">${escapeCode(t('Log in if you have an account already.'))}</p>`,
  })
  return { status: 200, headers: { ...headers, 'Cache-Control': 'no-store' }, body }
}

const openPage = (path: string, reply: (request: SitePageRequest) => SitePageReply): SitePage => ({
  path,
  serve(request) {
    if (acceptsValue(request.header('accept'), 'text/html')) return reply(request)
    const t = acceptedTexts(request.header('accept-language'))
    const { status, text } = composeFailure(errors.unknownPath({ path }), t)
    return { status, headers: jsonHeaders, body: text }
  },
})

/** The pages. */
export const peoplePages: readonly SitePage[] = [
  ...logInPaths.map((path) => openPage(path, logIn)),
  ...joinPaths.map((path) => openPage(path, join)),
]
