/**
 * The road of a call, whichever transport brought it: find the realm, authenticate, count, permit, parse, handle,
 * answer.
 *
 * 1. A read waits for the barrier first: it is at least as new as every write already answered, on any replica.
 * 2. A write runs at once on memory. Its commit is guarded, so memory that was stale in the caller's favour shows as
 *    `StaleStateError`; memory that was stale against them shows as a refusal, which is only believed once the barrier has
 *    passed and nothing has moved. Either way the call runs again on the newer state.
 * 3. A parameter fault is final, and so is an error that a handler returns: neither depends on the state.
 */

import { realmNameFromHost } from '../../config/hosts.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { toJsonText } from '../../domain/protocol/raw-json.js'
import { StaleStateError } from '../../store/log/log.js'
import type { Realm } from '../../store/log/realm.js'
import { WriteContext, type WriteDependencies } from '../../store/log/write-context.js'
import { accessError, hasSpectatorAccess } from './access-rules.js'
import type { App } from './app.js'
import { openAuthenticator } from './basic-auth.js'
import { type Call, type Caller, type CallRequest, type Endpoint, streaming } from './endpoint.js'
import { composeFailure, composeSuccess, type Reply } from './envelope.js'
import { readParams } from './params.js'
import { allowanceHeaders, type RateLimit } from './rate-limit.js'
import { findContractViolation } from './response-contract.js'
import type { HttpExchange } from './transport.js'
import { parseClientName } from './user-agent.js'

export interface CallPipeline {
  /** @returns the answer; undefined when the handler took the exchange. Never throws. */
  call(name: string, endpoint: Endpoint, request: CallRequest, exchange?: HttpExchange): Promise<Reply | undefined>
  /** Who makes a handshake, which counts as a poll. Throws the refusals of errors.md section 4, and RATE_LIMIT_HIT. */
  identify(request: Credentials): Promise<Caller>
}

type Credentials = Pick<CallRequest, 'host' | 'ip' | 'authorization' | 'userAgent' | 'fields'>

/** What became of a call, for the metrics and the log. */
export interface FinishedCall {
  name: string
  request: CallRequest
  /** 0: the answer is a stream */
  status: number
  milliseconds: number
  refusal: ApiError | undefined
  /** what nobody foresaw */
  surprise: unknown
}

/** What outlives the attempts of one call. */
interface CallProgress {
  isCounted: boolean
}

/** After so many attempts a call takes the realm's turn, in which the structure stands still. */
const PATIENCE = 3
/** How often a call runs again because the structure moved under it, before it gives up. */
const MOST_ATTEMPTS = 50

export const openCallPipeline = (
  app: App,
  dependencies: WriteDependencies,
  hooks: { rateLimit: RateLimit; observe(call: FinishedCall): void },
): CallPipeline => {
  const { config, store } = app
  const authenticate = openAuthenticator(config.SECRET_KEY, () => store.realms.loaded())

  const realmAt = (host: string): Promise<Realm | undefined> => {
    const name = realmNameFromHost(host, config)
    return name === undefined ? nothing : store.realms.find(name)
  }

  /** Unknown names and a root without an organization are told apart. */
  const noRealmAt = (host: string): ApiError =>
    realmNameFromHost(host, config) === undefined ? errors.subdomainRequired() : errors.nonexistentSubdomain()

  const callerIn = (realm: Realm, request: Credentials): Caller => {
    const user = authenticate(realm, request.authorization)
    return { id: user.id, user, realm, client: parseClientName(request.fields.client, request.userAgent) }
  }

  /** Throws the refusals that come before the allowance is touched. */
  const callerOf = (realm: Realm | undefined, { who }: Endpoint, request: CallRequest): Caller | undefined => {
    if (realm === undefined || who === 'anyone') return undefined
    const isSpectator = who === 'spectator' && request.authorization === '' && hasSpectatorAccess(realm.state)
    return isSpectator ? undefined : callerIn(realm, request)
  }

  /** Counts the call, once however often it runs. @returns the refusal when it was one too many */
  const count = async (
    endpoint: Endpoint,
    request: CallRequest,
    caller: Caller | undefined,
    realm: Realm | undefined,
    trip: CallProgress,
    exchange: HttpExchange | undefined,
  ) => {
    if (trip.isCounted || endpoint.rateLimit === null) return undefined
    trip.isCounted = true
    const counted = { rateClass: endpoint.rateLimit, realm, user_id: caller?.id, request }
    const allowance = await hooks.rateLimit(counted)
    if (allowance === undefined) return undefined
    exchange?.addHeaders(allowanceHeaders(allowance))
    return allowance.retry_after === undefined
      ? undefined
      : errors.rateLimitHit({ 'retry-after': allowance.retry_after })
  }

  const runCall = async (
    endpoint: Endpoint,
    request: CallRequest,
    exchange: HttpExchange | undefined,
    trip: CallProgress,
  ) => {
    const realm = await realmAt(request.host)
    if (realm === undefined && endpoint.who !== 'anyone') throw noRealmAt(request.host)
    return retryOnConflict(realm, endpoint.barrier, async (): Promise<Reply | undefined> => {
      // Before the caller's row is read: the guard covers everything that is decided from here on.
      const write = realm && WriteContext.open(dependencies, realm)
      const caller = callerOf(realm, endpoint, request)
      const excess = await count(endpoint, request, caller, realm, trip, exchange)
      if (excess !== undefined) return composeFailure(excess)
      if (caller !== undefined) permit(endpoint, caller)
      const parsed = refusalOr(() => readParams(endpoint, request))
      if (parsed instanceof ApiError) return composeFailure(parsed)
      const call = { app, caller, realm, state: realm?.state, write, params: parsed.values, request } as Call
      const answer = await endpoint.handle(call, exchange)
      if (answer === streaming) return undefined
      if (answer instanceof ApiError) return composeFailure(answer)
      if (config.NODE_ENV === 'test') holdToContract(endpoint, answer)
      return composeSuccess(answer, parsed.ignored)
    })
  }

  return {
    async call(name, endpoint, request, exchange) {
      const began = performance.now()
      const trip: CallProgress = { isCounted: false }
      let reply: Reply | undefined
      let surprise: unknown
      try {
        reply = await runCall(endpoint, request, exchange, trip)
      } catch (error) {
        if (!(error instanceof ApiError)) surprise = error
        reply = composeFailure(error instanceof ApiError ? error : errors.internal())
      }
      const status = reply?.status ?? 0
      const milliseconds = performance.now() - began
      hooks.observe({ name, request, status, milliseconds, refusal: reply?.refusal, surprise })
      return reply
    },

    async identify(request) {
      const realm = await realmAt(request.host)
      if (realm === undefined) throw noRealmAt(request.host)
      const caller = await retryOnConflict(realm, false, async () => callerIn(realm, request))
      const allowance = await hooks.rateLimit({ rateClass: 'events', realm, user_id: caller.id, request })
      const { retry_after } = allowance ?? {}
      if (retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': retry_after })
      return caller
    },
  }
}

const holdToContract = (endpoint: Endpoint, answer: object): void => {
  const fault = findContractViolation(endpoint, JSON.parse(toJsonText(answer)))
  if (fault !== undefined) throw new Error(`${endpoint.paths[0]} does not answer as it declares:\n${fault}`)
}

const nothing = Promise.resolve(undefined)

const permit = ({ who }: Endpoint, { user, realm }: Caller): void => {
  const refusal = accessError(who, user, realm.state)
  if (refusal !== undefined) throw refusal
}

/** The result of `work`, or the refusal it threw. */
const refusalOr = <T>(work: () => T): T | ApiError => {
  try {
    return work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Runs an attempt until its outcome does not rest on stale memory (1, 2). */
const retryOnConflict = async <T>(realm: Realm | undefined, isRead: boolean, attempt: () => Promise<T>): Promise<T> => {
  if (realm === undefined) return attempt()
  if (isRead) await realm.barrier()
  for (let round = 1; ; round++) {
    const before = realm.structureSeq
    try {
      return await (round > PATIENCE ? realm.withStructureLock(attempt) : attempt())
    } catch (error) {
      if (error instanceof StaleStateError) {
        if (round === MOST_ATTEMPTS) throw errors.notReady()
        await realm.catchUp()
      } else {
        if (isRead || !(error instanceof ApiError) || round === MOST_ATTEMPTS) throw error
        await realm.barrier()
        if (realm.structureSeq === before) throw error
      }
    }
  }
}
