/** A browser that is logged in with a session, as far as HTTP goes: it keeps the cookie and the CSRF token. */
import { hashPassword, storePassword } from '../../../src/store/users/passwords.js'
import { portOf } from '../processes/gateway-of-one-test.js'
import { anyGateway, type Person, type TestRealm } from '../realm/realm.js'
import { type RawRequest, type RawResponse, sendRequest } from '../requests/raw-request.js'

export const password = 'correct horse battery staple'

/** Gives an account the password. */
export const setPassword = async (realm: TestRealm, { user_id }: Person): Promise<void> => {
  await storePassword(realm.sql, realm.realm_id, user_id, await hashPassword(password))
}

export interface BrowserSession {
  host: string
  /** the Cookie header */
  cookie: string
  csrf_token: string
  /** the Set-Cookie header with which it began */
  set_cookie: string
}

type Options = Omit<RawRequest, 'path' | 'method'> & { url?: string }

/** Logs in with the password. @returns the answer, whatever it is */
export const postSession = (
  host: string,
  username: string,
  { url = anyGateway(), headers, ...more }: Options & { password?: string } = {},
): Promise<RawResponse> =>
  sendRequest(portOf(url), {
    method: 'POST',
    path: '/api/v1/sessions',
    host,
    headers: { 'User-Agent': 'Mozilla/5.0 (test)', ...headers },
    body: new URLSearchParams({ username, password: more.password ?? password }).toString(),
  })

/** Logs a browser in. Throws when the answer is an error. */
export const logIn = async (person: Person, options: Options = {}): Promise<BrowserSession> => {
  const answer = await postSession(person.host, person.email, options)
  if (answer.status !== 200) throw new Error(answer.text)
  return readBrowserSession(person.host, answer)
}

/** The session that an answer began. */
export const readBrowserSession = (host: string, answer: RawResponse): BrowserSession => {
  const [set_cookie = ''] = answer.headers['set-cookie'] ?? []
  const [cookie = ''] = set_cookie.split(';')
  return { host, cookie, csrf_token: String(answer.json.csrf_token), set_cookie }
}

/** A call of a page of this origin. `headers` override those of the page. */
export const callAs = (
  { host, cookie, csrf_token }: BrowserSession,
  method: string,
  path: string,
  params: Record<string, string> = {},
  { url = anyGateway(), headers }: Options = {},
): Promise<RawResponse> => {
  const form = new URLSearchParams(params).toString()
  const inQuery = method === 'GET' && form !== ''
  return sendRequest(portOf(url), {
    method,
    path: `/api/v1${path}${inQuery ? `?${form}` : ''}`,
    host,
    headers: { Cookie: cookie, 'X-CSRF-Token': csrf_token, Origin: `http://${host}`, ...headers },
    ...(method === 'GET' ? {} : { body: form }),
  })
}
