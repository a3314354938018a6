/** One call on its way through the steps of the pipeline (call.ts), and what a step is. */
import type { ApiError } from '../../domain/protocol/errors.js'
import type { CallKey } from '../../store/log/call-key.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { Realm } from '../../store/log/realm.js'
import type { WriteContext, WriteDependencies } from '../../store/log/write-context.js'
import type { CallTrace } from '../../store/tracing.js'
import type { Authenticator } from '../auth/basic-auth.js'
import type { App } from '../contract/app.js'
import type { CallRequest } from '../contract/call-request.js'
import type { Caller } from '../contract/caller.js'
import type { PendingAnswer } from '../contract/pending-answer.js'
import type { HttpExchange } from '../contract/transport.js'
import type { HeavyCalls } from '../fairness/heavy-calls.js'
import type { RateLimit } from '../fairness/rate-limit.js'
import type { Endpoint } from './endpoint.js'
import type { Reply } from './envelope.js'

/** What the steps use of the process. */
export interface PipelineParts {
  readonly app: App
  readonly dependencies: WriteDependencies
  readonly hooks: PipelineHooks
  readonly authenticateHeader: Authenticator
}

/** What `main` connects the pipeline with. */
export interface PipelineHooks {
  readonly rateLimit: RateLimit
  /** undefined: no call waits for a turn */
  readonly heavyCalls: HeavyCalls | undefined
  /** called once per call, after its last attempt */
  observe(call: FinishedCall): void
  /** called for each use of a session */
  onSessionUse(realm: Realm, session_id: number, now: number): void
  /** called for each use of an API key with a name */
  onKeyUse(realm: Realm, key_id: number, now: number): void
  /** whether Postgres is overloaded (find-realm.ts) */
  isOverloaded?(): boolean
}

/** What a call over HTTP can answer with, beside the reply that it returns. */
export interface HttpSide {
  readonly exchange: HttpExchange
  /** Sends the answer; undefined: another one will come. Called for handlers that waited (pending-answer.ts). */
  send(reply: Reply | undefined): void
}

/** The outcome of a call, for the metrics and the log. */
export interface FinishedCall {
  name: string
  request: CallRequest
  /** 0: the answer is a stream */
  status: number
  milliseconds: number
  refusal: ApiError | undefined
  /** the account that was authenticated */
  user_id: number | undefined
  /** an error that is not of the catalogue */
  unexpected: unknown
}

/** The record of a call, to which each step adds what it found. */
export interface RunningCall {
  readonly parts: PipelineParts
  readonly name: string
  readonly endpoint: Endpoint
  readonly request: CallRequest
  readonly http: HttpSide | undefined
  /** when it began, as performance.now() */
  readonly began: number
  /** how often it ran again after its handler had waited */
  reruns: number
  isCounted: boolean
  /** ends the turn of a heavy call; undefined: the call has no turn */
  endTurn: (() => void) | undefined
  /** undefined: the call is not traced */
  trace: CallTrace | undefined
  /** the account that was authenticated */
  user_id: number | undefined
  /** undefined: the host selects no organization */
  realm: Realm | undefined
  /** returns the allowances that this attempt has spent; undefined: it has spent none (allowances.ts) */
  refund: (() => void) | undefined
  isPrepared: boolean
  /** the result of `prepare`, for all attempts (prepare.ts) */
  prepared: unknown
  /** the steps of an attempt (retry-on-conflict.ts) */
  attempt: Next | undefined
  /** what the steps found in this attempt; the next one finds it anew */
  holdsStructureLock: boolean
  write: WriteContext | undefined
  caller: Caller | undefined
  /** undefined: the client may not repeat the call (once.ts) */
  key: CallKey | undefined
  params: Readonly<Record<string, unknown>>
  /** the names of received parameters that the endpoint does not read, sorted */
  ignored: readonly string[]
}

const noParams: RunningCall['params'] = {}
const noNames: RunningCall['ignored'] = []

/** Begins a call. @param isCounted it was counted already, when its caller was authenticated before its body came */
export const beginCall = (
  parts: PipelineParts,
  name: string,
  endpoint: Endpoint,
  request: CallRequest,
  http: HttpSide | undefined,
  isCounted: boolean,
): RunningCall => ({
  parts,
  name,
  endpoint,
  request,
  http,
  began: performance.now(),
  reruns: 0,
  isCounted,
  endTurn: undefined,
  trace: undefined,
  user_id: undefined,
  realm: undefined,
  refund: undefined,
  isPrepared: false,
  prepared: undefined,
  attempt: undefined,
  holdsStructureLock: false,
  write: undefined,
  caller: undefined,
  key: undefined,
  params: noParams,
  ignored: noNames,
})

/** Forgets what the last attempt found: thousands of calls wait for a long time. */
export const forgetAttempt = (call: RunningCall): void => {
  call.attempt = undefined
  call.write = undefined
  call.caller = undefined
  call.key = undefined
  call.params = noParams
  call.ignored = noNames
}

/** The reply of a call whose handler waits. */
export class PendingReply {
  readonly answer: PendingAnswer
  readonly ignored: readonly string[]

  constructor(answer: PendingAnswer, ignored: readonly string[]) {
    this.answer = answer
    this.ignored = ignored
  }
}

/** What a step returns: the reply, one that comes later, or nothing when the handler took the exchange. */
export type Outcome = Reply | PendingReply | undefined

/** The steps that follow a step. */
export type Next = (call: RunningCall) => MaybePromise<Outcome>

/**
 * One step of the pipeline: adds to the record of the call and runs the next steps, or answers by itself. It throws
 * what is wrong with the call. A step that needs no wait calls `next` before it returns.
 */
export type Step = (call: RunningCall, next: Next) => MaybePromise<Outcome>
