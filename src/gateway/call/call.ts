/**
 * The call pipeline, the same for every transport: find the realm, authenticate, count against the rate limit, check
 * access, parse, handle, answer.
 *
 * 1. A read waits for the barrier first: it is at least as new as every write already answered, on any replica.
 * 2. A write runs at once on the state in memory. If that state was stale and permitted too much, the guarded commit
 *    throws `StaleStateError`. If it was stale and permitted too little, the handler throws a refusal, which is final
 *    only if the structure has not moved once the barrier has passed. In both cases the call runs again on newer state.
 * 3. A parameter error is final, and so is an error that a handler returns: neither depends on the state.
 * 4. The write context of an attempt is opened before the caller's row is read, so its guard covers that row.
 * 5. The caller of a request with a large body is authenticated and counted before the body is received (`admit`). The
 *    call itself authenticates again, because minutes may have passed, and is not counted again.
 * 6. A call without valid credentials is counted by network address, and answered with RATE_LIMIT_HIT beyond the limit.
 *    Valid credentials are accepted from the same address all the while, so that no user is locked out: an API key has
 *    190 bits and cannot be guessed at any rate, and neither can the token of a session.
 * 7. While Postgres is overloaded, a call is refused with 503 before it does anything (store/overload.ts).
 * 8. A heavy call waits for the turn of its account (heavy-calls.ts), and then begins again on the state of that time.
 *    The turn ends when the handler has answered, or waits: a poll holds no turn for a minute.
 */

import { realmNameFromHost } from '../../config/hosts.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { secondsNow } from '../../domain/permissions/permissions.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { toJsonText } from '../../domain/protocol/raw-json.js'
import { type Eventual, whenReady } from '../../store/log/eventual.js'
import { StaleStateError } from '../../store/log/log.js'
import type { Realm } from '../../store/log/realm.js'
import { type Author, WriteContext, type WriteDependencies } from '../../store/log/write-context.js'
import { OverloadError } from '../../store/overload.js'
import type { CallTrace } from '../../store/tracing.js'
import { openAuthenticator } from '../auth/basic-auth.js'
import { authenticateSession } from '../auth/session-auth.js'
import { SMALL_BODY_BYTES } from '../body/request-body.js'
import type { App } from '../contract/app.js'
import type { Admission, CallRequest } from '../contract/call-request.js'
import type { Caller, CallerSession } from '../contract/caller.js'
import { PendingAnswer } from '../contract/pending-answer.js'
import type { HttpExchange } from '../contract/transport.js'
import { areLong, type HeavyCalls } from '../fairness/heavy-calls.js'
import { allowanceHeaders, type RateLimit } from '../fairness/rate-limit.js'
import { accessError, hasSpectatorAccess } from './access-rules.js'
import { type Call, type Endpoint, streaming } from './endpoint.js'
import { composeFailure, composeSuccess, type Reply } from './envelope.js'
import { readParams } from './params.js'
import { findContractViolation } from './response-contract.js'
import { MAX_ATTEMPTS, retryOnConflict } from './retry-on-conflict.js'
import { composeUnexpectedError, isSurprise } from './unexpected-error.js'
import { parseClientName } from './user-agent.js'

export interface CallPipeline {
  /**
   * @param http absent: the call came over a socket, so its endpoint neither streams nor waits
   * @returns the answer; undefined when the handler took the exchange, or waits. Never throws.
   */
  call(name: string, endpoint: Endpoint, request: CallRequest, http?: HttpSide): Promise<Reply | undefined>
  /**
   * Authenticates the caller of a request whose body was not received yet, and counts the call (5). Throws the refusals
   * of errors.md section 4, RATE_LIMIT_HIT, and a 413 where the call needs no credentials.
   * @param endpoint undefined: it will be known with the body
   */
  admit(name: string, endpoint: Endpoint | undefined, request: CallRequest, exchange: HttpExchange): Promise<Admission>
  /**
   * Authenticates a handshake, and counts it as a poll. Throws the refusals of errors.md section 4, and RATE_LIMIT_HIT.
   */
  identify(request: Credentials): Promise<Caller>
}

/** What a call over HTTP can answer with, beside the reply that it returns. */
export interface HttpSide {
  readonly exchange: HttpExchange
  /** Sends the answer; undefined: another one will come. Called for handlers that waited (pending-answer.ts). */
  send(reply: Reply | undefined): void
}

type Credentials = Pick<CallRequest, 'host' | 'ip' | 'authorization' | 'session' | 'userAgent' | 'fields'>

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
  surprise: unknown
}

/** A client that waits so long finds most moves of an organization to another cell finished. */
const MOVING_RETRY_SECONDS = 1

/** Throws REALM_MOVING when the realm is being moved to another cell, or was moved. */
const requireNotMoving = (realm: Realm | undefined): void => {
  if (realm?.state.realm.is_moving === true) throw errors.realmMoving({ 'retry-after': MOVING_RETRY_SECONDS })
}

/** What is kept between the attempts of one call. */
interface CallProgress {
  isCounted: boolean
  /** ends the turn of a heavy call (8); undefined: the call has no turn */
  endTurn: (() => void) | undefined
}

interface RunningCall extends CallProgress {
  readonly name: string
  readonly endpoint: Endpoint
  readonly request: CallRequest
  readonly http: HttpSide | undefined
  /** when it began, as performance.now() */
  readonly began: number
  /** how often it ran again after its handler had waited */
  reruns: number
  /** the account that was authenticated */
  user_id: number | undefined
  /** undefined: the call is not traced */
  trace: CallTrace | undefined
}

/** The reply of a call whose handler waits. */
class PendingReply {
  readonly answer: PendingAnswer
  readonly ignored: readonly string[]

  constructor(answer: PendingAnswer, ignored: readonly string[]) {
    this.answer = answer
    this.ignored = ignored
  }
}

/**
 * Opens the pipeline.
 * @param hooks `observe` is called once per call, after its last attempt; `onSessionUse` for each use of a session
 */
export const openCallPipeline = (
  app: App,
  dependencies: WriteDependencies,
  hooks: {
    rateLimit: RateLimit
    heavyCalls: HeavyCalls | undefined
    observe(call: FinishedCall): void
    onSessionUse(realm: Realm, session_id: number, now: number): void
    /** whether Postgres is overloaded (7) */
    isOverloaded?(): boolean
  },
): CallPipeline => {
  const { config, store } = app
  const authenticate = openAuthenticator(() => store.realms.loaded())

  const findRealm = (host: string): Eventual<Realm | undefined> => {
    if (hooks.isOverloaded?.() === true) throw new OverloadError('Postgres answers too slowly')
    const name = realmNameFromHost(host, config)
    return name === undefined ? undefined : store.realms.find(name)
  }

  /** The error for a host without a realm: an unknown name, or the root without an organization. */
  const missingRealmError = (host: string): ApiError =>
    realmNameFromHost(host, config) === undefined ? errors.subdomainRequired() : errors.nonexistentSubdomain()

  /** @param changes whether the call can change something; see `authenticateSession` */
  const authenticateCaller = (realm: Realm, request: Credentials, changes: boolean): Caller => {
    const { authorization, session: credentials } = request
    if (authorization !== '' || credentials === undefined) {
      return composeCaller(realm, authenticate(realm, authorization), request)
    }
    const now = secondsNow()
    const { user, session } = authenticateSession(realm, credentials, changes, now)
    hooks.onSessionUse(realm, session.id, now)
    return composeCaller(realm, user, request, session)
  }

  /** The caller, where credentials are given or needed. Throws the refusals that come before the call is counted. */
  const findCaller = (realm: Realm | undefined, endpoint: Endpoint, request: CallRequest): Caller | undefined => {
    const { access } = endpoint
    if (realm === undefined || access === 'anyone') return undefined
    const user = request.authorization === '' ? endpoint.authenticate?.(realm, request) : undefined
    if (user !== undefined) return composeCaller(realm, user, request)
    const mayBeSpectator = access === 'spectator' && request.authorization === '' && hasSpectatorAccess(realm.state)
    if (mayBeSpectator && request.session === undefined) return undefined
    const caller = catchApiError(() => authenticateCaller(realm, request, endpoint.method !== 'GET'))
    if (!(caller instanceof ApiError)) return caller
    // A browser keeps the cookie of a session that has ended. A page that believes in the session sends its token.
    const hasForgottenCookie = caller.isFailedAuthentication && request.session?.csrf_token === ''
    if (mayBeSpectator && hasForgottenCookie) return undefined
    throw caller
  }

  /** Counts the call at its first attempt only. @returns RATE_LIMIT_HIT when the limit is exceeded */
  const countCall = (
    endpoint: Endpoint,
    request: CallRequest,
    caller: Caller | undefined,
    realm: Realm | undefined,
    progress: CallProgress,
    exchange: HttpExchange | undefined,
  ): Eventual<ApiError | undefined> => {
    if (progress.isCounted || endpoint.rateLimit === null) return undefined
    progress.isCounted = true
    const call = { rateClass: endpoint.rateLimit, realm, user_id: caller?.id, request }
    return whenReady(hooks.rateLimit(call), (allowance) => {
      if (allowance === undefined) return undefined
      exchange?.addHeaders(allowanceHeaders(allowance))
      return allowance.retry_after === undefined
        ? undefined
        : errors.rateLimitHit({ 'retry-after': allowance.retry_after })
    })
  }

  /** Counts a call without valid credentials (6). @returns the error to answer */
  const countFailure = async (error: ApiError, request: Pick<CallRequest, 'ip'>): Promise<ApiError> => {
    if (!error.isFailedAuthentication) return error
    const call = { rateClass: 'failed_authentication', realm: undefined, user_id: undefined, request }
    const { retry_after } = (await hooks.rateLimit(call)) ?? {}
    return retry_after === undefined ? error : errors.rateLimitHit({ 'retry-after': retry_after })
  }

  /** Waits for the turn of a heavy call (8). */
  const waitForTurn = async (request: CallRequest, caller: Caller | undefined, progress: CallProgress) => {
    const owner = caller === undefined ? `address ${request.ip}` : `account ${caller.realm.id}:${caller.id}`
    progress.endTurn = await hooks.heavyCalls?.begin(owner)
  }

  const runCall = (running: RunningCall): Eventual<Reply | PendingReply | undefined> =>
    whenReady(findRealm(running.request.host), (realm) => runInRealm(running, realm))

  const runInRealm = (running: RunningCall, realm: Realm | undefined): Promise<Reply | PendingReply | undefined> => {
    const { endpoint, request } = running
    const exchange = running.http?.exchange
    if (realm === undefined && endpoint.access !== 'anyone') throw missingRealmError(request.host)
    if (endpoint.isTraced === true) running.trace = realm?.tracing?.begin(`${endpoint.method} ${endpoint.paths[0]}`)
    const attempt = async (holdsStructureLock: boolean): Promise<Reply | PendingReply | undefined> => {
      requireNotMoving(realm)
      // Before the caller's row is read (4).
      const opened = realm && WriteContext.open(dependencies, realm, holdsStructureLock)
      const caller = findCaller(realm, endpoint, request)
      running.user_id = caller?.id
      const write =
        endpoint.method === 'GET'
          ? opened
          : opened?.withAuthor(new CallAuthor(endpoint, request, caller, running.trace))
      const counted = countCall(endpoint, request, caller, realm, running, exchange)
      const rateLimitError = counted instanceof Promise ? await counted : counted
      if (rateLimitError !== undefined) return composeFailure(rateLimitError)
      if (caller !== undefined) checkAccess(endpoint, caller)
      const needsTurn = hooks.heavyCalls !== undefined && running.endTurn === undefined
      if (needsTurn && areLong(request.fields)) {
        await waitForTurn(request, caller, running)
        return attempt(holdsStructureLock)
      }
      const parsed = catchApiError(() => readParams(endpoint, request))
      if (parsed instanceof ApiError) return composeFailure(parsed)
      if (needsTurn && isHeavy(endpoint, parsed.values, realm?.state)) {
        await waitForTurn(request, caller, running)
        return attempt(holdsStructureLock)
      }
      const call = { app, caller, realm, state: realm?.state, write, params: parsed.values, request } as Call
      const handled = endpoint.handle(call, exchange)
      const answer = handled instanceof Promise ? await handled : handled
      if (answer === streaming) return undefined
      if (answer instanceof PendingAnswer) return new PendingReply(answer, parsed.ignored)
      return composeAnswer(endpoint, answer, parsed.ignored)
    }
    return retryOnConflict(realm, endpoint.barrier, attempt)
  }

  const composeAnswer = (endpoint: Endpoint, answer: object, ignored: readonly string[]): Reply => {
    if (answer instanceof ApiError) return composeFailure(answer)
    if (config.NODE_ENV === 'test') checkContract(endpoint, answer)
    return composeSuccess(answer, ignored)
  }

  const finishCall = (
    { name, request, began, trace, user_id }: RunningCall,
    reply: Reply | undefined,
    surprise?: unknown,
  ) => {
    const status = reply?.status ?? 0
    trace?.end({ 'http.response.status_code': status, 'parley.transport': request.transport })
    const milliseconds = performance.now() - began
    hooks.observe({ name, request, status, milliseconds, refusal: reply?.refusal, user_id, surprise })
    return reply
  }

  const failCall = async (running: RunningCall, error: unknown): Promise<Reply | undefined> => {
    const isRefusal = error instanceof ApiError
    const refusal = isRefusal ? await countFailure(error, running.request) : composeUnexpectedError(error)
    const surprise = isRefusal || !isSurprise(error) ? undefined : error
    return finishCall(running, composeFailure(refusal), surprise)
  }

  /** Runs a call until its handler has answered, taken the exchange, or begun to wait. */
  const answerCall = async (running: RunningCall): Promise<Reply | undefined> => {
    let outcome: Reply | PendingReply | undefined
    try {
      outcome = await runCall(running)
    } catch (error) {
      return failCall(running, error)
    } finally {
      running.endTurn?.()
      running.endTurn = undefined
    }
    if (!(outcome instanceof PendingReply)) return finishCall(running, outcome)
    sendWhenSettled(running, outcome)
    return undefined
  }

  /** Runs a call again whose handler waited on a state that is stale now. */
  const runAgain = (running: RunningCall): Promise<Reply | undefined> => {
    running.reruns += 1
    return running.reruns === MAX_ATTEMPTS ? failCall(running, errors.notReady()) : answerCall(running)
  }

  /** Sends the answer of a call whose handler waits, when it comes. */
  const sendWhenSettled = (running: RunningCall, { answer, ignored }: PendingReply): void => {
    const send = (reply: Reply | undefined) => running.http?.send(reply)
    const sendPromised = (reply: Promise<Reply | undefined>) =>
      void reply.then(send, (error: unknown) => send(composeFailure(composeUnexpectedError(error))))
    answer.whenSettled((settled) => {
      if (settled instanceof StaleStateError) return sendPromised(runAgain(running))
      let reply: Reply
      try {
        reply = composeAnswer(running.endpoint, settled, ignored)
      } catch (error) {
        return sendPromised(failCall(running, error))
      }
      send(finishCall(running, reply))
    })
  }

  const admitCaller = async (
    endpoint: Endpoint | undefined,
    request: CallRequest,
    exchange: HttpExchange,
  ): Promise<Admission> => {
    const { authorization, host } = request
    const hasNone = authorization === '' && request.session === undefined
    const needsNone = endpoint?.access === 'anyone' || (endpoint?.access === 'spectator' && hasNone)
    if (needsNone) throw errors.bodyTooLargeWithoutCredentials({ limit: SMALL_BODY_BYTES })
    const realm = await findRealm(host)
    if (realm === undefined) throw missingRealmError(host)
    const progress: CallProgress = { isCounted: false, endTurn: undefined }
    const caller = await retryOnConflict(realm, false, async () => {
      requireNotMoving(realm)
      const authenticated = authenticateCaller(realm, request, endpoint?.method !== 'GET')
      if (endpoint === undefined) return authenticated
      const rateLimitError = await countCall(endpoint, request, authenticated, realm, progress, exchange)
      if (rateLimitError === undefined) checkAccess(endpoint, authenticated)
      return rateLimitError ?? authenticated
    })
    if (caller instanceof ApiError) throw caller
    const countedAs = progress.isCounted ? (endpoint?.rateLimit ?? undefined) : undefined
    return { account: `${realm.id}:${caller.id}`, countedAs }
  }

  return {
    call(name, endpoint, request, http) {
      const countedAs = request.admission?.countedAs
      const isCounted = countedAs !== undefined && countedAs === endpoint.rateLimit
      const began = performance.now()
      return answerCall({
        name,
        endpoint,
        request,
        http,
        began,
        reruns: 0,
        isCounted,
        endTurn: undefined,
        user_id: undefined,
        trace: undefined,
      })
    },

    async admit(name, endpoint, request, exchange) {
      const began = performance.now()
      try {
        return await admitCaller(endpoint, request, exchange)
      } catch (error) {
        const isRefusal = error instanceof ApiError
        const refusal = isRefusal ? await countFailure(error, request) : composeUnexpectedError(error)
        const milliseconds = performance.now() - began
        const surprise = isRefusal || !isSurprise(error) ? undefined : error
        hooks.observe({ name, request, status: refusal.status, milliseconds, refusal, user_id: undefined, surprise })
        throw refusal
      }
    },

    async identify(request) {
      const realm = await findRealm(request.host)
      if (realm === undefined) throw missingRealmError(request.host)
      const authenticated = retryOnConflict(realm, false, async () => {
        requireNotMoving(realm)
        return authenticateCaller(realm, request, false)
      })
      const caller = await authenticated.catch(async (error: unknown) => {
        throw error instanceof ApiError ? await countFailure(error, request) : error
      })
      const allowance = await hooks.rateLimit({ rateClass: 'events', realm, user_id: caller.id, request })
      const { retry_after } = allowance ?? {}
      if (retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': retry_after })
      return caller
    },
  }
}

const composeCaller = (
  realm: Realm,
  user: UserRow,
  { fields, userAgent }: Credentials,
  session?: CallerSession,
): Caller => ({
  id: user.id,
  user,
  realm,
  client: parseClientName(fields.client, userAgent),
  session,
})

/** A class for its getters: most calls need neither value. */
class CallAuthor implements Author {
  readonly user_id: number | null
  readonly trace: string | undefined
  readonly #endpoint: Endpoint
  readonly #request: CallRequest
  readonly #address: string | undefined

  constructor(endpoint: Endpoint, request: CallRequest, caller: Caller | undefined, trace: CallTrace | undefined) {
    this.trace = trace?.parent
    this.user_id = caller?.id ?? null
    this.#endpoint = endpoint
    this.#request = request
    // Read now: the address of a caller who closes the connection must not be missing in the audit log.
    this.#address = endpoint.isFrequent === true ? undefined : request.ip
  }

  get address(): string {
    return this.#address ?? this.#request.ip
  }

  get action(): string {
    return `${this.#endpoint.method} ${this.#endpoint.paths[0]}`
  }
}

/** The registry holds endpoints of all kinds, so the types of the parameters and of the state are lost here. */
const isHeavy = (endpoint: Endpoint, params: object, state: RealmState | undefined): boolean =>
  endpoint.isHeavy?.(params as never, state as never) === true

const checkContract = (endpoint: Endpoint, answer: object): void => {
  const fault = findContractViolation(endpoint, JSON.parse(toJsonText(answer)))
  if (fault !== undefined) throw new Error(`${endpoint.paths[0]} does not answer as it declares:\n${fault}`)
}

const checkAccess = ({ access }: Endpoint, { user, realm }: Caller): void => {
  const refusal = accessError(access, user, realm.state)
  if (refusal !== undefined) throw refusal
}

/** The result of `work`, or the catalogue error that it threw. */
const catchApiError = <T>(work: () => T): T | ApiError => {
  try {
    return work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
