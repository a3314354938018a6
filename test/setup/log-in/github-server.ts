/**
 * A server that behaves like GitHub, as far as a log-in needs it: the page that asks for consent, the exchange of the
 * code, and the API of the user. It is at the addresses of GitHub Enterprise Server.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** An account at GitHub. */
export interface GitHubAccount {
  id: number
  login: string
  name: string | null
  /** the public address of the profile */
  email?: string | null
  emails: { email: string; primary: boolean; verified: boolean }[]
  organizations?: string[]
  teams?: { slug: string; organization: string }[]
}

export interface GitHubServer extends AsyncDisposable {
  issuer: string
  /** who is logged in there; undefined: the user refuses */
  account: GitHubAccount | undefined
  /** the scopes for which each log-in asked */
  scopes: string[]
}

/** Starts the server on this machine, with one OAuth app. */
export const startGitHub = async (client_id = 'parley', client_secret = 'shared secret'): Promise<GitHubServer> => {
  let count = 0
  const grants = new Map<string, { account: GitHubAccount; redirect_uri: string; challenge: string; scope: string }>()
  const tokens = new Map<string, { account: GitHubAccount; scope: string }>()
  const github = { account: undefined as GitHubAccount | undefined, scopes: [] as string[] }

  const authorize = (query: URLSearchParams): URL => {
    const redirect_uri = query.get('redirect_uri') ?? ''
    const scope = query.get('scope') ?? ''
    const back = new URL(redirect_uri)
    back.searchParams.set('state', query.get('state') ?? '')
    github.scopes.push(scope)
    const { account } = github
    if (account === undefined) {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The user has denied your application access.')
      return back
    }
    const code = `code-${++count}`
    grants.set(code, { account, redirect_uri, challenge: query.get('code_challenge') ?? '', scope })
    back.searchParams.set('code', code)
    return back
  }

  /** GitHub says with the status 200 what is wrong with an exchange. */
  const exchange = (form: URLSearchParams): object => {
    if (form.get('client_id') !== client_id || form.get('client_secret') !== client_secret) {
      return { error: 'incorrect_client_credentials' }
    }
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.challenge !== challenge) return { error: 'bad_verification_code' }
    if (grant.redirect_uri !== form.get('redirect_uri')) return { error: 'redirect_uri_mismatch' }
    const access_token = `gho_${++count}`
    tokens.set(access_token, grant)
    return { access_token, token_type: 'bearer', scope: grant.scope.replaceAll(' ', ',') }
  }

  const answerApi = (path: string, authorization: string, page: number): [status: number, body: unknown] => {
    const token = tokens.get(authorization.replace(/^Bearer /, ''))
    if (token === undefined) return [401, { message: 'Bad credentials' }]
    const { account, scope } = token
    const scopes = scope.split(' ')
    const paged = <T>(list: readonly T[]): [number, T[]] => [200, list.slice((page - 1) * 100, page * 100)]
    const refused: [number, object] = [403, { message: 'Resource not accessible' }]
    switch (path) {
      case '/user':
        return [200, { login: account.login, id: account.id, name: account.name, email: account.email ?? null }]
      case '/user/emails':
        return scopes.includes('user:email') ? paged(account.emails) : refused
      case '/user/orgs':
        return scopes.includes('read:org') ? paged((account.organizations ?? []).map((login) => ({ login }))) : refused
      case '/user/teams': {
        const teams = (account.teams ?? []).map((team) => ({ ...team, organization: { login: team.organization } }))
        return scopes.includes('read:org') ? paged(teams) : refused
      }
      default:
        return [404, { message: 'Not Found' }]
    }
  }

  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://github')
      const reply = (status: number, json: unknown) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
      if (pathname === '/login/oauth/authorize') {
        const location = authorize(searchParams).href.replaceAll('&', '&amp;')
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<a href="${location}">Authorize</a>`)
      } else if (pathname === '/login/oauth/access_token' && request.method === 'POST') {
        const isJson = request.headers.accept?.includes('application/json') === true
        reply(isJson ? 200 : 406, exchange(new URLSearchParams(body)))
      } else if (pathname.startsWith('/api/v3/')) {
        const page = Number(searchParams.get('page') ?? 1)
        reply(...answerApi(pathname.slice('/api/v3'.length), request.headers.authorization ?? '', page))
      } else reply(404, { message: 'Not Found' })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(github, {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
