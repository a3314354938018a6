/**
 * An endpoint, declared once. Decoding, refusals, the socket call form, the reference page, metrics labels and the
 * types of answers in tests all derive from this value (ARCHITECTURE, "One definition per operation").
 *
 * A handler does nothing irrevocable before its change, because it may run again: on `StaleStateError`, and when it refused on
 * a state that turns out to have been stale. An error that is the outcome of a change already made is returned, not
 * thrown.
 */
import type { z } from 'zod'
import type { Config } from '../../config/config.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { type ApiError, errors } from '../../domain/protocol/errors.js'
import type { RawJson } from '../../domain/protocol/raw-json.js'
import type { Realm } from '../../store/log/realm.js'
import type { WriteContext } from '../../store/log/write-context.js'
import type { AccessRuleName } from './access-rules.js'
import type { App } from './app.js'
import { type DeclaredParams, declareParams, type Fields, type Params, type ParamValues } from './params.js'
import type { BodyRule } from './request-body.js'
import type { Headers, HttpExchange } from './transport.js'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Who calls, on the state that was current when they were authenticated. */
export interface Caller {
  readonly id: number
  readonly user: UserRow
  readonly realm: Realm
  /** the program's name, from `client` or the User-Agent: `ZulipPython` of `ZulipPython/0.9 (...)` */
  readonly client: string
}

/** A file part of a multipart body. Its field name is whatever the client chose. */
export interface UploadedFile {
  readonly field: string
  readonly filename: string
  readonly type: string
  readonly data: Uint8Array
}

/** A request, whichever way it came. */
export interface CallRequest {
  readonly transport: 'http' | 'socket'
  readonly host: string
  readonly ip: string
  readonly userAgent: string
  /** the Authorization header; over a socket, that of its handshake. Empty when there is none */
  readonly authorization: string
  readonly fields: Fields
  readonly form: 'text' | 'json'
  readonly path: Fields
  readonly files: readonly UploadedFile[]
}

type CallerOf<W extends AccessRuleName> = W extends 'anyone'
  ? undefined
  : W extends 'spectator'
    ? Caller | undefined
    : Caller
/** `anyone` may be called on a host that is no organization. */
type RealmOf<W extends AccessRuleName, T> = W extends 'anyone' ? T | undefined : T

/** What a handler gets: one call, parsed and permitted. */
export interface Call<P extends Params = Params, W extends AccessRuleName = 'account'> {
  readonly app: App
  readonly caller: CallerOf<W>
  readonly realm: RealmOf<W, Realm>
  /** `realm.state` as it is now; a handler that awaits looks again */
  readonly state: RealmOf<W, RealmState>
  /** what the handler writes with; its guard is older than the caller's row (store/log/write-context.ts) */
  readonly write: RealmOf<W, WriteContext>
  readonly params: ParamValues<P>
  readonly request: CallRequest
}

/** Says that the answer goes, or went, through the exchange. */
export const streaming: Streaming = { streaming: true }

export interface Streaming {
  readonly streaming: true
}

export interface Definition<P extends Params, W extends AccessRuleName, R extends z.ZodObject> {
  method: Method
  /** below /api/v1; the first is the name, others are served for existing clients */
  path: Path
  /** the paths are from the root of the site instead (files, avatars) */
  site?: true
  /** one sentence */
  summary: string
  who: W
  params: P
  /** what the answer holds beside the envelope */
  response: R
  /** errors with codes of their own; those that any call may meet are not listed */
  errors?: readonly { status: number; code: string | undefined; msg: string; data: z.ZodObject }[]
  /** whether to wait for what other replicas have answered before running (default: for GET) */
  barrier?: boolean
  /** bytes of a body (default 1 MiB), and the refusal of a larger one */
  body?: BodyRule | ((config: Config) => BodyRule)
  /** headers of the answer to OPTIONS */
  announces?: (config: Config) => Headers
  /** the class of calls that are counted together (default `api`); null: not counted */
  rateLimit?: string | null
  handle(call: Call<P, W>): Answer<R> | Promise<Answer<R>>
}

/** The fields of the answer, an error that is the outcome of a change already made, or `streaming`. */
export type Answer<R extends z.ZodObject = z.ZodObject> = z.input<R> | RawJson | ApiError | Streaming

/** A declared endpoint. */
export interface Endpoint<
  P extends Params = Params,
  W extends AccessRuleName = AccessRuleName,
  R extends z.ZodObject = z.ZodObject,
> extends Readonly<Omit<Definition<P, W, R>, 'path' | 'handle'>>,
    DeclaredParams {
  readonly paths: readonly [string, ...string[]]
  readonly barrier: boolean
  readonly rateLimit: string | null
  /** whether the handler needs the raw response, which a call over a socket does not have */
  readonly streams: boolean
  // Declared as a method, so that a registry of all kinds of endpoints can hold it.
  handle(call: Call<P, W>, exchange?: HttpExchange): Answer<R> | Promise<Answer<R>>
}

type Path = string | readonly [string, ...string[]]

/** The method and the paths of an endpoint as literal types: the tests derive the type of an answer from them. */
export interface Route<M extends Method, L extends Path> {
  readonly method: M
  /** carries the type of the paths; never present */
  readonly route?: L
}

/** Declares an endpoint. */
export const endpoint = <
  const P extends Params,
  const W extends AccessRuleName,
  R extends z.ZodObject,
  const M extends Method,
  const L extends Path,
>(
  definition: Definition<P, W, R> & { method: M; path: L },
): Endpoint<P, W, R> & Route<M, L> => declared(definition, false, (call) => definition.handle(call))

/** Declares an endpoint that waits or streams: its handler gets the raw response too, and may return `streaming`. */
export const streamed = <
  const P extends Params,
  const W extends AccessRuleName,
  R extends z.ZodObject,
  const M extends Method,
  const L extends Path,
>(
  definition: Omit<Definition<P, W, R>, 'handle'> & {
    method: M
    path: L
    handle(call: Call<P, W>, exchange: HttpExchange): Answer<R> | Promise<Answer<R>>
  },
): Endpoint<P, W, R> & Route<M, L> =>
  declared(definition, true, (call, exchange) => {
    if (exchange === undefined) throw errors.notOverSocket({ method: definition.method, path: nameOf(definition) })
    return definition.handle(call, exchange)
  })

const declared = <P extends Params, W extends AccessRuleName, R extends z.ZodObject, M extends Method>(
  definition: Omit<Definition<P, W, R>, 'handle'> & { method: M },
  streams: boolean,
  handle: Endpoint<P, W, R>['handle'],
): Endpoint<P, W, R> & { method: M } => ({
  ...definition,
  paths: typeof definition.path === 'string' ? [definition.path] : definition.path,
  ...declareParams(definition.params),
  barrier: definition.barrier ?? definition.method === 'GET',
  rateLimit: definition.rateLimit === undefined ? 'api' : definition.rateLimit,
  streams,
  handle,
})

const nameOf = ({ path }: { path: Path }): string => (typeof path === 'string' ? path : path[0])

/** The endpoints of the API by operation name: the name labels metrics and is the operation id. */
export type Registry = Readonly<Record<string, Endpoint>>
