/** Opens the server of a gateway: the call pipeline, and the pages and sockets that lead to it. */
import { entryKinds } from '../domain/entry-kinds.js'
import type { ServerProcess } from '../process/server-process.js'
import { writeKeyUses } from '../store/api-keys/api-keys.js'
import { type PoolWatch, watchPool } from '../store/overload.js'
import { type LastUses, openLastUses } from '../store/users/last-uses.js'
import { writeSessionUses } from '../store/users/session-uses.js'
import { register } from './api/events/register.js'
import { registry } from './api/index.js'
import { openCallPipeline } from './call/call.js'
import type { App } from './contract/app.js'
import { openHeavyCalls } from './fairness/heavy-calls.js'
import { openRateLimit } from './fairness/rate-limit.js'
import { logCall } from './monitoring/call-log.js'
import { addCallMetrics, type CallCounter } from './monitoring/call-metrics.js'
import { openSitePages } from './site/pages.js'
import { openWebClient } from './site/web-client.js'
import { openSocketCalls, type SocketCalls } from './sockets/socket-call.js'
import { openEventSockets } from './sockets/websocket.js'
import { openDispatch } from './transport/dispatch.js'
import { type Server, serve } from './transport/uws.js'

/** The server, and what its calls use beside the parts of handlers. */
export interface OpenedServer {
  server: Server
  /** the calls over sockets */
  calls: SocketCalls
  callCounts: CallCounter
  sessionUses: LastUses
  keyUses: LastUses
  poolWatch: PoolWatch
}

/** Listens, and serves clients. Throws an Error when the address cannot be bound. */
export const openServer = async (app: App, { cell, metrics, health }: ServerProcess): Promise<OpenedServer> => {
  const { config, log, allowances } = app
  const { pools, writing, deployment } = cell
  const callCounts = addCallMetrics(metrics)
  // Also where none waits for a turn: a gauge shows the queue.
  const heavyCalls = openHeavyCalls()
  const poolWatch = watchPool(pools.sql)
  const sessionUses = openLastUses(
    (realm, times) => writeSessionUses(writing, realm, times),
    (error) => log.warn({ err: error }, 'the use of sessions could not be written back'),
  )
  const keyUses = openLastUses(
    (realm, times) => writeKeyUses(writing, realm, times),
    (error) => log.warn({ err: error }, 'the use of API keys could not be written back'),
  )
  const pipeline = openCallPipeline(app, writing, {
    rateLimit: openRateLimit(allowances),
    heavyCalls: config.RATE_LIMITS === 'off' ? undefined : heavyCalls,
    observe(call) {
      callCounts.count(call)
      logCall(log, call, config.ACCESS_LOG === 'on')
    },
    onSessionUse: sessionUses.note,
    onKeyUse: keyUses.note,
    isOverloaded: poolWatch.isOverloaded,
  })
  const webClient = openWebClient(deployment.mediaProxy?.origin)
  if (webClient.length === 0) log.warn('the web client was not built, so / answers 404: run `npm run build`')
  const dispatch = openDispatch(registry, [...webClient, ...openSitePages(app, entryKinds, health)], pipeline)
  const calls = openSocketCalls(dispatch, pipeline)
  const server = await serve(app, dispatch, openEventSockets(app, pipeline, register, calls))
  return { server, calls, callCounts, sessionUses, keyUses, poolWatch }
}
