/** Calls the API as one account, with form parameters. Throws an Error with the server's message for a refusal. */
export interface ApiCaller {
  get(path: string, params?: Params): Promise<Answer>
  post(path: string, params?: Params): Promise<Answer>
  patch(path: string, params?: Params): Promise<Answer>
}

/** Lists and objects are sent as JSON. */
type Params = Record<string, unknown>
type Answer = Record<string, unknown>

/** Creates a caller for an account. */
export function apiCaller(url: string, account: { email: string; api_key: string }): ApiCaller {
  const authorization = `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString('base64')}`
  const call = async (method: string, path: string, params: Params): Promise<Answer> => {
    const form = new URLSearchParams(
      Object.entries(params).map(([name, value]): [string, string] => [name, encodeField(value)]),
    )
    const inQuery = method === 'GET'
    const answer = await fetch(`${url}/api/v1${path}${inQuery ? `?${form}` : ''}`, {
      method,
      headers: { authorization },
      ...(inQuery ? {} : { body: form }),
    })
    const body = (await answer.json()) as Answer
    if (!answer.ok) throw new Error(`${method} ${path} as ${account.email}: ${answer.status} ${body.msg}`)
    return body
  }
  return {
    get: (path, params = {}) => call('GET', path, params),
    post: (path, params = {}) => call('POST', path, params),
    patch: (path, params = {}) => call('PATCH', path, params),
  }
}

const encodeField = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
