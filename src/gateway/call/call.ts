/**
 * The call pipeline, the same for every transport: a list of steps, each of which is a file.
 *
 * A step gets the record of the call and the steps that follow it (running-call.ts). It adds what it found to the
 * record, and throws what is wrong with the call. The invariants of a step are at the top of its file.
 */
import type { WriteDependencies } from '../../store/log/write-context.js'
import { openAuthenticator } from '../auth/basic-auth.js'
import type { App } from '../contract/app.js'
import type { CallRequest, PreAuthentication } from '../contract/call-request.js'
import type { Caller } from '../contract/caller.js'
import type { HttpExchange } from '../contract/transport.js'
import { acknowledge } from './acknowledge.js'
import { answer } from './answer.js'
import { authenticate, type Credentials } from './authenticate.js'
import { checkAccess } from './check-access.js'
import { count } from './count.js'
import type { Endpoint } from './endpoint.js'
import type { Reply } from './envelope.js'
import { selectRealm } from './find-realm.js'
import { handle } from './handle.js'
import { joinSteps } from './join-steps.js'
import { once } from './once.js'
import { parse } from './parse.js'
import { identify, preAuthenticate } from './pre-authenticate.js'
import { prepare } from './prepare.js'
import { retry } from './retry-on-conflict.js'
import { beginCall, type HttpSide, type PipelineHooks, type PipelineParts } from './running-call.js'
import { lockStructure } from './structure-lock.js'
import { takeTurnForHeavyParams, takeTurnForLongFields } from './take-turn.js'

/** The steps of a call in their order. Those after `retry` run again when the state was stale. */
const runSteps = joinSteps([
  selectRealm,
  retry,
  authenticate,
  count,
  checkAccess,
  takeTurnForLongFields,
  parse,
  once,
  acknowledge,
  takeTurnForHeavyParams,
  prepare,
  lockStructure,
  handle,
])

export interface CallPipeline {
  /**
   * @param http absent: the call came over a socket, so its endpoint neither streams nor waits
   * @returns the answer; undefined when the handler took the exchange, or waits. Never throws.
   */
  call(name: string, endpoint: Endpoint, request: CallRequest, http?: HttpSide): Promise<Reply | undefined>
  /**
   * Authenticates the caller of a request whose body was not received yet, and counts the call (pre-authenticate.ts).
   * Throws the errors of protocol/errors.md 4, RATE_LIMIT_HIT, and CONTENT_TOO_LARGE where the call needs no
   * credentials.
   * @param endpoint undefined: it will be known with the body
   */
  preAuthenticate(
    name: string,
    endpoint: Endpoint | undefined,
    request: CallRequest,
    exchange: HttpExchange,
  ): Promise<PreAuthentication>
  /** Authenticates a handshake, and counts it as a poll. Throws RATE_LIMIT_HIT and those of protocol/errors.md 4. */
  identify(request: Credentials): Promise<Caller>
}

/** Opens the pipeline. */
export const openCallPipeline = (app: App, dependencies: WriteDependencies, hooks: PipelineHooks): CallPipeline => {
  const authenticateHeader = openAuthenticator(() => app.store.realms.loaded())
  const parts: PipelineParts = { app, dependencies, hooks, authenticateHeader }
  return {
    call(name, endpoint, request, http) {
      const countedAs = request.preAuthentication?.countedAs
      const isCounted = countedAs !== undefined && countedAs === endpoint.rateLimit
      return answer(beginCall(parts, name, endpoint, request, http, isCounted), runSteps)
    },
    preAuthenticate: (name, endpoint, request, exchange) => preAuthenticate(parts, name, endpoint, request, exchange),
    identify: (request) => identify(parts, request),
  }
}
