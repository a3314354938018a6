/** Requests as the mobile apps send them: their User-Agent, forms in bodies, and no credentials before the login. */

import { basicAuthorization } from '../setup/realm/event-reader.js'
import { anyGateway, type Person } from '../setup/realm/realm.js'
import { type RawRequest, sendRequest } from '../setup/requests/raw-request.js'

type Params = Record<string, unknown>

export interface Phone {
  /** Sends one call. Fails unless the answer is 200 and JSON with the result `success`, as the apps do. */
  call(method: string, path: string, params?: Params): Promise<Record<string, unknown>>
  /** Sends one call that the server must refuse. */
  refused(method: string, path: string, params?: Params): Promise<{ status: number; code: unknown }>
}

/** @param person the account whose API key the app has; undefined before the login */
export const openPhone = (userAgent: string, host: string, person: Person | undefined, url = anyGateway()): Phone => {
  const send = async (method: string, path: string, params: Params) => {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const isGet = method === 'GET'
    const asked: RawRequest = {
      method,
      path: `/api/v1/${path}${isGet && form.size > 0 ? `?${form}` : ''}`,
      host,
      headers: { 'User-Agent': userAgent },
      ...(person === undefined ? {} : { authorization: basicAuthorization(person) }),
      ...(isGet ? {} : { body: form.toString() }),
    }
    return sendRequest(Number(new URL(url).port), asked)
  }
  return {
    async call(method, path, params = {}) {
      const { status, text } = await send(method, path, params)
      const answer = JSON.parse(text) as Record<string, unknown>
      if (status !== 200 || answer.result !== 'success') throw new Error(`${method} ${path}: ${status} ${text}`)
      return answer
    },
    async refused(method, path, params = {}) {
      const { status, json } = await send(method, path, params)
      return { status, code: json.code }
    },
  }
}
