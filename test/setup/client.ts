/**
 * The typed client of the tests, derived from the registry: `ada.sendMessage({ type: 'stream', … })`.
 *
 * It calls over HTTP, or over a socket in the call form, and holds every answer against the declared response: a
 * field that is missing, of another type or not declared at all fails the test, wherever it was only passing by.
 */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { z } from 'zod'
import { registry } from '../../src/gateway/api/index.js'
import type { Endpoint } from '../../src/gateway/http/endpoint.js'
import type { ParamInputs } from '../../src/gateway/http/params.js'
import { findContractViolation } from '../../src/gateway/http/response-contract.js'
import { type Account, basic } from './reader.js'
import { type Answer, anyGateway, call } from './realm.js'

type Operations = typeof registry

type Arguments<P extends Endpoint['params']> =
  Record<never, never> extends ParamInputs<P> ? [given?: ParamInputs<P>] : [given: ParamInputs<P>]

/** One method per operation. Path parameters and fields are one object; a refusal rejects with Refusal. */
export type Client = {
  readonly [Name in keyof Operations]: (
    ...given: Arguments<Operations[Name]['params']>
  ) => Promise<z.output<Operations[Name]['response']>>
} & AsyncDisposable

/** The server said no. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly body: Readonly<Record<string, unknown>>

  constructor(name: string, { status, body }: Answer) {
    super(`${name}: ${String(body.msg)}`)
    this.status = status
    this.code = body.code as string | undefined
    this.body = body
  }
}

export interface ClientOptions {
  /** a gateway; any, anew for each call, when none is named */
  url?: string
  /** the Host header, for callers without an account */
  host?: string
}

/** A client over HTTP. Without an account it calls without credentials. */
export const httpClient = (account: Account | undefined, options: ClientOptions = {}): Client =>
  clientOver(
    (method, path, params) => call(account, method, path, params, options),
    async () => {},
  )

/** A client over one socket, which stays open until it is disposed of. */
export const socketClient = async (account: Account, options: ClientOptions = {}): Promise<Client> => {
  const url = (options.url ?? anyGateway()).replace('http', 'ws')
  const headers = { Host: options.host ?? account.host, Authorization: basic(account) }
  const socket = new WebSocket(`${url}/api/v1/events?event_types=[]&fetch_event_types=[]`, { headers })
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as { req?: number } & Answer
    if (frame.req === undefined) return
    waiting.get(frame.req)?.(frame)
    waiting.delete(frame.req)
  })
  let last = 0
  // The handshake registers a queue; its answer is the one to call 0.
  const registered = new Promise((resolve) => waiting.set(last, resolve))
  await once(socket, 'open')
  await registered
  return clientOver(
    (method, path, params) =>
      new Promise((resolve, reject) => {
        const req = ++last
        waiting.set(req, resolve)
        socket.once('close', (code) => reject(new Error(`the socket closed with ${code}`)))
        socket.send(JSON.stringify({ req, method, path, params }))
      }),
    async () => {
      socket.terminate()
    },
  )
}

type Transport = (method: string, path: string, params: Record<string, unknown>) => Promise<Answer>

const clientOver = (transport: Transport, dispose: () => Promise<void>): Client => {
  const operations = Object.entries(registry as Record<string, Endpoint>).map(([name, endpoint]) => {
    const operation = async (given: Record<string, unknown> = {}) => {
      const params = { ...given }
      const path = endpoint.paths[0].replace(/\{(\w+)\}/g, (_, key: string) => {
        const value = String(params[key])
        delete params[key]
        return encodeURIComponent(value)
      })
      const answer = await transport(endpoint.method, path, params)
      if (answer.body.result !== 'success') throw new Refusal(name, answer)
      return declared(name, endpoint, answer.body)
    }
    return [name, operation] as const
  })
  return { ...Object.fromEntries(operations), [Symbol.asyncDispose]: dispose } as unknown as Client
}

/** The answer without its envelope. Throws when it is not exactly what the endpoint declares. */
const declared = (name: string, endpoint: Endpoint, body: Record<string, unknown>): unknown => {
  const { result, msg, ignored_parameters_unsupported, ...fields } = body
  const fault = findContractViolation(endpoint, fields)
  if (fault !== undefined) throw new Error(`${name} does not answer as it declares:\n${fault}`)
  return endpoint.response.parse(fields)
}
