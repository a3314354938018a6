/** Calls over HTTP. */
import { authorization, type Credentials } from './credentials.js'
import { ApiError, ConnectionError, TimeoutError } from './errors.js'

/** The values of a call's parameters. */
export type Values = Readonly<Record<string, unknown>>

/** One call, with its path filled in. */
export interface Request {
  method: string
  /** the path after /api/v1 */
  path: string
  /** the parameters that are not in the path */
  values: Values
  /** names a call that changes something, so that it happens once although it is sent again */
  key?: string | undefined
  /** whether a second attempt of a call that changes something has the effect of one: it has a key, or its own name */
  isRepeatable?: boolean
  signal?: AbortSignal | undefined
}

/** What all requests of a client share. */
export interface Http {
  readonly credentials: Credentials
  readonly fetch: typeof fetch
  /** Sends a call to a gateway, and returns its answer. Throws ApiError, ConnectionError or the signal's reason. */
  call(gateway: string, request: Request): Promise<Values>
  /** Returns the headers with which a request of this method is accepted. */
  headers(gateway: string, method: string, signal?: AbortSignal): Promise<Record<string, string>>
  /** Keeps the CSRF token of a session that was begun. */
  setCsrfToken(token: string | undefined): void
}

/**
 * Composes the request of an operation like `'PATCH /messages/{message_id}'`. It splits the operation, and moves
 * parameters of the path from the values into the path. Throws TypeError when one of these is missing.
 */
export const composeRequest = (operation: string, params: Values, signal?: AbortSignal): Request => {
  const [method = '', template = ''] = operation.split(' ')
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(params)) if (value !== undefined) values[name] = value
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new TypeError(`${operation} needs the parameter ${name}.`)
    delete values[name]
    return encodeURIComponent(String(value))
  })
  // A message that has a local id is named by it. Calls that begin or end a session have no account yet, or none after.
  // What a user does at a moment is of no use later.
  const isNamed = values.local_id !== undefined
  const isRepeatable = method !== 'GET' && !/^\/sessions|(typing|presence)$/.test(path)
  return { method, path, values, key: isRepeatable && !isNamed ? makeKey() : undefined, isRepeatable, signal }
}

/** Makes a key that no other call has. Without HTTPS, browsers have no randomUUID. */
export const makeKey = (): string =>
  crypto.getRandomValues(new Uint8Array(16)).reduce((key, byte) => key + byte.toString(16).padStart(2, '0'), '')

/** Encodes parameters for an address: text as it is, other values as JSON. */
export const encodeQuery = (values: Values): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return query.toString()
}

/** Returns the fields of an answer. Throws ApiError for an error. */
export const readAnswer = (status: number, body: Values): Values => {
  if (status !== 200 || body.result === 'error') throw new ApiError(status, body)
  return body
}

/** The header with the key of a call. */
export const keyHeader = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'Idempotency-Key': key }

/** Opens the calls of a client over HTTP. */
export const openHttp = (credentials: Credentials, ownFetch: typeof fetch): Http => {
  let csrfToken: string | undefined

  const headers = async (gateway: string, method: string, signal?: AbortSignal): Promise<Record<string, string>> => {
    const basic = authorization(credentials)
    if (basic !== undefined) return { Authorization: basic }
    if (credentials !== 'session' || method === 'GET') return {}
    csrfToken ??= await fetchCsrfToken(gateway, signal)
    return csrfToken === undefined ? {} : { 'X-CSRF-Token': csrfToken }
  }

  const fetchCsrfToken = async (gateway: string, signal?: AbortSignal): Promise<string | undefined> => {
    try {
      const session = await http.call(gateway, { method: 'GET', path: '/sessions/current', values: {}, signal })
      return String(session.csrf_token)
    } catch (error) {
      // Without a session there is no token. The call is sent without one, for example to begin a session.
      if (error instanceof ApiError && error.status === 401) return undefined
      throw error
    }
  }

  const http: Http = {
    credentials,
    fetch: ownFetch,
    headers,
    setCsrfToken(token) {
      csrfToken = token
    },
    async call(gateway, request) {
      try {
        return await callOnce(gateway, request)
      } catch (error) {
        // Another page of this browser began a new session: the cookie is that of the new one already.
        if (!(error instanceof ApiError && error.code === 'CSRF_FAILED' && csrfToken !== undefined)) throw error
        csrfToken = undefined
        return callOnce(gateway, request)
      }
    },
  }

  const callOnce = async (gateway: string, { method, path, values, key, signal }: Request): Promise<Values> => {
    const inAddress = method === 'GET'
    const query = inAddress ? encodeQuery(values) : ''
    const own = await headers(gateway, method, signal)
    const response = await send(ownFetch, `${gateway}/api/v1${path}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: inAddress ? own : { ...own, ...keyHeader(key), 'Content-Type': 'application/json' },
      credentials: credentials === 'session' ? 'same-origin' : 'omit',
      ...(inAddress ? {} : { body: JSON.stringify(values) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const body = await readBody(response, signal)
    if (response.status === 401) csrfToken = undefined
    return readAnswer(response.status, body)
  }
  return http
}

/**
 * Makes an attempt that ends after a time. Throws TimeoutError then, and what the attempt throws before.
 * @param attempt gets the request with a signal that also ends it
 */
export const limitTime = async <T>(
  milliseconds: number,
  request: Request,
  attempt: (request: Request) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new TimeoutError(milliseconds)), milliseconds)
  const abort = () => controller.abort(request.signal?.reason)
  request.signal?.addEventListener('abort', abort)
  if (request.signal?.aborted === true) abort()
  try {
    return await attempt({ ...request, signal: controller.signal })
  } finally {
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', abort)
  }
}

/** Sends a request. Throws ConnectionError when there is no answer, and the reason of a signal that was aborted. */
export const send = async (ownFetch: typeof fetch, address: string, init: RequestInit): Promise<Response> => {
  try {
    return await ownFetch(address, init)
  } catch (error) {
    init.signal?.throwIfAborted()
    throw new ConnectionError(`There is no answer from ${new URL(address).origin}.`, { cause: error })
  }
}

/**
 * Reads the body of an answer. Throws ConnectionError when the connection breaks, and for an answer without a `result`:
 * it comes from something in front of the gateway, and says nothing about the call. Throws the reason of the signal.
 */
export const readBody = async (response: Response, signal?: AbortSignal): Promise<Values> => {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    signal?.throwIfAborted()
    throw new ConnectionError('The connection broke during the answer.', { cause: error })
  }
  const body = parseObject(text)
  if (body?.result !== 'success' && body?.result !== 'error')
    throw new ConnectionError(`A server in front of the gateway answered ${response.status}.`)
  return body
}

/** Parses a JSON object. Returns undefined for anything else. */
export const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
