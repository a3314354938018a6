/**
 * An endpoint, declared once. Decoding, refusals, the socket call form, the reference page, metrics labels and the
 * types of answers in tests all derive from this value (ARCHITECTURE, "One definition per operation").
 *
 * A handler has no effect before its commit, because the pipeline may run it again: after a `StaleStateError`, and
 * after an error that was based on a stale state. An error that follows a committed change is final (`asFinal`).
 */

import type { z } from 'zod'
import type { RealmPermission } from '#rules/group-settings.js'
import type { Config } from '../../config/config.js'
import type { RateLimitName } from '../../domain/limits/rate-limits.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { errors } from '../../domain/protocol/errors.js'
import type { RawJson } from '../../domain/protocol/raw-json.js'
import type { Realm } from '../../store/log/realm.js'
import type { WriteContext } from '../../store/log/write-context.js'
import type { BodyRule } from '../body/request-body.js'
import type { App } from '../contract/app.js'
import type { CallRequest } from '../contract/call-request.js'
import type { Caller } from '../contract/caller.js'
import type { PendingAnswer } from '../contract/pending-answer.js'
import { type CopiedHeader, copiedHeaders, type Headers, type HttpExchange } from '../contract/transport.js'
import type { AccessRuleName } from './access-rules.js'
import type { Spending } from './allowances.js'
import type { RequiredScope } from './key-scope.js'
import { type DeclaredParams, declareParams, type Params, type ParamValues } from './params.js'

/** The HTTP methods of endpoints. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type CallerOf<Access extends AccessRuleName> = Access extends 'anyone'
  ? undefined
  : Access extends 'spectator'
    ? Caller | undefined
    : Caller
/** An endpoint with the access rule `anyone` can be called on a host that selects no organization. */
type RealmOf<Access extends AccessRuleName, T> = Access extends 'anyone' ? T | undefined : T

/** One call, after the pipeline has parsed its parameters and checked its access rule. */
export interface Call<
  Inputs extends Params = Params,
  Access extends AccessRuleName = 'account',
  Prepared = unknown,
  Spent extends RateLimitName = RateLimitName,
> {
  readonly app: App
  readonly caller: CallerOf<Access>
  readonly realm: RealmOf<Access, Realm>
  /** `realm.state` at this moment; a handler reads it again after an await */
  readonly state: RealmOf<Access, RealmState>
  /**
   * The context of the handler's writes. Its guard is older than the caller's row (store/log/write-context.ts). Where
   * the endpoint changes the structure, it was opened under the structure lock.
   */
  readonly write: RealmOf<Access, WriteContext>
  /** the result of `prepare`; undefined while that runs */
  readonly prepared: Prepared
  /** for `consumeAllowances` */
  readonly spending: Spending<Spent>
  readonly params: ParamValues<Inputs>
  readonly request: CallRequest
}

/** The result of a handler that writes its answer to the exchange by itself. */
export const streaming: Streaming = { streaming: true }

/** The type of `streaming`. */
export interface Streaming {
  readonly streaming: true
}

/** Values of parameters, or names of samples in braces. */
export type ExampleParams<Inputs extends Params = Params> = { readonly [K in keyof Inputs]?: unknown }

/** The declaration of an endpoint, as its file writes it. */
export interface Definition<
  Inputs extends Params,
  Access extends AccessRuleName,
  Output extends z.ZodObject,
  Prepared = unknown,
  Spent extends RateLimitName = RateLimitName,
> {
  method: Method
  /** below /api/v1; the first is the name, others are served for existing clients */
  path: Path
  /** the paths are from the root of the site instead (files, avatars) */
  site?: true
  /** one sentence for the reference page */
  summary: string
  /** the feature level that has it, if that is later than the level that the server announces */
  level?: number
  /** who may call: an access rule (access-rules.ts), which the pipeline checks before it reads parameters */
  callers: Access
  /** a permission of the organization that they need too: the pipeline checks it before `prepare` and the handler */
  permission?: RealmPermission
  /** the scope that an API key with a name needs (default: what follows from the declaration, key-scope.ts) */
  keyScope?: RequiredScope
  /** what the handler asks besides, because it depends on the parameters: a sentence for the reference page */
  condition?: string
  params: Inputs
  /**
   * The parameters of the call that the API reference shows (default: none). A text in braces, such as `{message_id}`,
   * is the name of a sample (test/reference/sample-organization.ts). A parameter of the path that is not given is the
   * sample of its name. Pages and files of the site are not shown.
   */
  example?: ExampleParams<NoInfer<Inputs>>
  /** why the reference shows no call */
  noExample?: string
  /**
   * Authenticates a request without an Authorization header by credentials that only this endpoint accepts.
   * @returns undefined when the request has none. Throws the errors of protocol/errors.md 4.
   */
  authenticate?: (realm: Realm, request: CallRequest) => UserRow | undefined
  /** the fields of the answer, without those of the envelope */
  response: Output
  /** errors with codes of their own; errors that every call can have are not listed */
  errors?: readonly { status: number; code: string | undefined; msg: string; data: z.ZodObject }[]
  /** whether the call waits for the barrier before it runs, as reads do (default: true for GET) */
  barrier?: boolean
  /** bytes of a body (default 1 MiB), and the refusal of a larger one */
  body?: BodyRule | ((config: Config) => BodyRule)
  /** called often, and never an administrative act: the address of the caller, whose reading costs, is not recorded */
  isFrequent?: true
  /** true: the handler keeps idempotency keys by itself, or needs none (once.ts, 5) */
  ignoresKeys?: true
  /**
   * true: the handler commits several times, so no commit can store the answer with an idempotency key. A call that
   * died between its commits runs again when it is repeated: the parts must permit that.
   */
  commitsInParts?: true
  /**
   * Whether a call may acknowledge an event with `ack` (acknowledge.ts). Default: yes, unless one of the two above is
   * declared. False: what it changes is not of the log, so that no commit can move the position with it.
   */
  takesAck?: boolean
  /** true: a trace shows the way of each call, where traces are collected (store/tracing.ts) */
  isTraced?: true
  /** whether a call with these parameters keeps the process or the database busy (heavy-calls.ts). Default: never */
  isHeavy?(params: ParamValues<Inputs>, state: RealmOf<Access, RealmState>): boolean
  /** headers of the answer to OPTIONS */
  announces?: (config: Config) => Headers
  /** the class of calls that are counted together (default `api`); null: not counted */
  rateLimit?: string | null
  /** what a call spends beside the allowance of its rate class, with `consumeAllowances` (allowances.ts) */
  allowances?: readonly Spent[]
  /** true: the handler changes users, channels, groups or settings, and runs under the lock of structure-lock.ts */
  changesStructure?: true
  /**
   * Does what must not happen under the structure lock, because other changes of the organization wait for it: hashes a
   * password, decodes an image. Runs once, although the handler may run again (prepare.ts), so the handler repeats the
   * checks that depend on the state.
   */
  prepare?(call: Call<Inputs, Access, undefined, Spent>): Prepared | Promise<Prepared>
  /** @param exchange tells whether the client has gone; undefined: the call came over a socket */
  handle(
    call: Call<Inputs, Access, Prepared, Spent>,
    exchange?: Pick<HttpExchange, 'aborted'>,
  ): Answer<Output> | Promise<Answer<Output>>
}

/** The result of a handler: the answer's fields, or another way to answer. */
export type Answer<Output extends z.ZodObject = z.ZodObject> = z.input<Output> | RawJson | Streaming | PendingAnswer

/** A declared endpoint. */
export interface Endpoint<
  Inputs extends Params = Params,
  Access extends AccessRuleName = AccessRuleName,
  Output extends z.ZodObject = z.ZodObject,
> extends Readonly<Omit<Definition<Inputs, Access, Output>, 'path' | 'prepare' | 'handle'>>,
    DeclaredParams {
  readonly paths: readonly [string, ...string[]]
  readonly barrier: boolean
  readonly rateLimit: string | null
  /** whether the handler needs the raw response, which a call over a socket does not have */
  readonly streams: boolean
  /** the headers of the request that the handler reads */
  readonly headers: readonly CopiedHeader[]
  // Declared as methods, so that a registry of all kinds of endpoints can hold them.
  prepare?(call: Call<Inputs, Access>): unknown
  handle(call: Call<Inputs, Access>, exchange?: HttpExchange): Answer<Output> | Promise<Answer<Output>>
}

type Path = string | readonly [string, ...string[]]

/** The method and the paths of an endpoint as literal types: the tests derive the type of an answer from them. */
export interface Route<MethodName extends Method, PathName extends Path> {
  readonly method: MethodName
  /** carries the type of the paths; never present */
  readonly route?: PathName
}

/** Declares an endpoint. */
export const endpoint = <
  const Inputs extends Params,
  const Access extends AccessRuleName,
  Output extends z.ZodObject,
  const MethodName extends Method,
  const PathName extends Path,
  Prepared = undefined,
  const Spent extends RateLimitName = never,
>(
  definition: Definition<Inputs, Access, Output, Prepared, Spent> & { method: MethodName; path: PathName },
): Endpoint<Inputs, Access, Output> & Route<MethodName, PathName> =>
  declared(definition, [], (call, exchange) =>
    definition.handle(call as Call<Inputs, Access, Prepared, Spent>, exchange),
  )

/**
 * Declares an endpoint that waits or streams. Its handler gets the raw response too, and may return `streaming`. Throws
 * BAD_REQUEST when it is called over a socket.
 */
export const streamed = <
  const Inputs extends Params,
  const Access extends AccessRuleName,
  Output extends z.ZodObject,
  const MethodName extends Method,
  const PathName extends Path,
  Prepared = undefined,
  const Spent extends RateLimitName = never,
>(
  definition: Omit<Definition<Inputs, Access, Output>, 'allowances' | 'prepare' | 'handle'> & {
    method: MethodName
    path: PathName
    /** the headers that the handler reads (default: all that can be read) */
    headers?: readonly CopiedHeader[]
    allowances?: readonly Spent[]
    prepare?(call: Call<Inputs, Access, undefined, Spent>): Prepared | Promise<Prepared>
    handle(
      call: Call<Inputs, Access, Prepared, Spent>,
      exchange: HttpExchange,
    ): Answer<Output> | Promise<Answer<Output>>
  },
): Endpoint<Inputs, Access, Output> & Route<MethodName, PathName> =>
  declared(definition, definition.headers ?? copiedHeaders, (call, exchange) => {
    if (exchange === undefined) throw errors.notOverSocket({ method: definition.method, path: nameOf(definition) })
    return definition.handle(call as Call<Inputs, Access, Prepared, Spent>, exchange)
  })

const declared = <
  Inputs extends Params,
  Access extends AccessRuleName,
  Output extends z.ZodObject,
  MethodName extends Method,
>(
  definition: Omit<Definition<Inputs, Access, Output>, 'handle'> & { method: MethodName },
  headers: readonly CopiedHeader[],
  handle: Endpoint<Inputs, Access, Output>['handle'],
): Endpoint<Inputs, Access, Output> & { method: MethodName } => ({
  ...definition,
  paths: typeof definition.path === 'string' ? [definition.path] : definition.path,
  ...declareParams(definition.params),
  barrier: definition.barrier ?? definition.method === 'GET',
  rateLimit: definition.rateLimit === undefined ? 'api' : definition.rateLimit,
  headers,
  streams: headers.length > 0,
  handle,
})

const nameOf = ({ path }: { path: Path }): string => (typeof path === 'string' ? path : path[0])

/** The endpoints of the API by operation name: the name labels metrics and is the operation id. */
export type Registry = Readonly<Record<string, Endpoint>>
