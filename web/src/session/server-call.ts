/** Calls before there is a session. Afterwards, calls go through the client library. */

import { t } from '../languages/t.js'

/** The answer to a call. */
export interface Answer {
  status: number
  body: Record<string, unknown>
}

/** Makes a call of this server's API. Throws an Error in words for the user if there is no answer. */
export const callServer = (
  method: string,
  path: string,
  params?: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> => callSite(method, `/api/v1${path}`, params, headers)

/**
 * Makes a call of a path outside of the API, and asks for JSON. Throws an Error in words for the user if there is no
 * answer.
 */
export const callSite = async (
  method: string,
  path: string,
  params?: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const response = await fetch(path, {
    method,
    headers: { Accept: 'application/json', ...headers, ...(params && { 'Content-Type': 'application/json' }) },
    ...(params && { body: JSON.stringify(params) }),
  }).catch((cause: unknown) => {
    throw new Error(t('The server cannot be reached. Check your connection and try again.'), { cause })
  })
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
  return { status: response.status, body }
}
