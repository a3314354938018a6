/**
 * The addresses that people try, or remember from other chats: the log-in, and how to join. A program that asks for one
 * of them gets the error of an unknown path.
 */
import { errors } from '../../domain/protocol/errors.js'
import { renderInvitationRequiredPage } from '../api/accounts/account-pages.js'
import { composeFailure, jsonHeaders } from '../call/envelope.js'
import { acceptedTexts } from '../call/failure-texts.js'
import { acceptsValue } from '../contract/header-values.js'
import { pageTexts } from '../pages/page-texts.js'
import type { SitePage, SitePageReply, SitePageRequest } from '../pages/site-page.js'

const logInPaths = ['/login', '/login/', '/accounts/login', '/accounts/login/']
const joinPaths = ['/join', '/join/']
const signUpPaths = ['/register', '/register/', '/accounts/register', '/accounts/register/']

/** The web client shows the log-in, or the chat to users who are logged in. */
const logIn = (): SitePageReply => ({
  status: 303,
  headers: { Location: '/', 'Cache-Control': 'no-store' },
  body: '',
})

/** The page says whether users can sign up. */
const signUp = (): SitePageReply => ({
  status: 303,
  headers: { Location: '/accounts/sign_up', 'Cache-Control': 'no-store' },
  body: '',
})

const join = (request: SitePageRequest): SitePageReply => {
  const t = pageTexts({ accepted: request.header('accept-language') })
  const { headers, html: body } = renderInvitationRequiredPage(t)
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
  ...signUpPaths.map((path) => openPage(path, signUp)),
  ...joinPaths.map((path) => openPage(path, join)),
]
