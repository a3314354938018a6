/** A browser that logs in with a provider, as far as HTTP goes. */
import { portOf } from '../processes/gateway-of-one-test.js'
import { anyGateway } from '../realm/realm.js'
import { type RawResponse, sendRequest } from '../requests/raw-request.js'
import type { ScriptedProvider } from './scripted-provider.js'

/** A log-in that has begun: where the browser was led, and its cookie. */
export interface BegunLogIn {
  host: string
  path: string
  cookie: string
  /** the address of the provider to which the browser was led */
  location: URL
  /** the parameters with which an honest provider leads back */
  answer: Record<string, string>
}

const readCookie = ({ headers }: RawResponse, name: string): string =>
  (headers['set-cookie'] ?? []).find((line) => line.startsWith(`${name}=`))?.split(';')[0] ?? ''

const get = (host: string, path: string, cookie = '', url = anyGateway()): Promise<RawResponse> =>
  sendRequest(portOf(url), { path, host, headers: { Cookie: cookie, Accept: 'application/json' } })

/** Begins a log-in. @param query beside the method, such as `?next=/` */
export const beginLogIn = async (
  host: string,
  method: number | string,
  provider: ScriptedProvider,
  query = '',
): Promise<BegunLogIn> => {
  const path = `/accounts/login/external/${method}`
  const begun = await get(host, `${path}${query}`)
  if (begun.status !== 302) throw new Error(`${begun.status} ${begun.text}`)
  const location = new URL(begun.headers.location ?? '')
  const answer = {
    code: provider.grant(location.href),
    state: location.searchParams.get('state') ?? '',
    iss: provider.issuer,
  }
  return { host, path, cookie: readCookie(begun, 'parley_log_in'), location, answer }
}

/** Leads the browser back. @param changed parameters and cookies that differ from those of an honest log-in */
export const finishLogIn = (
  { host, path, cookie, answer }: BegunLogIn,
  changed: Record<string, string> = {},
  options: { cookie?: string; path?: string; url?: string } = {},
): Promise<RawResponse> => {
  const query = new URLSearchParams({ ...answer, ...changed })
  return get(host, `${options.path ?? path}/callback?${query}`, options.cookie ?? cookie, options.url)
}

/** The session cookie that an answer set; '' if it set none. */
export const sessionCookie = (answer: RawResponse): string => readCookie(answer, 'parley_session')
