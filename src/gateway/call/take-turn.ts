/**
 * The turn of a heavy call (fairness/heavy-calls.ts).
 *
 * 1. A heavy call waits for the turn of its account, and then begins again on the state of that time.
 * 2. The turn ends when the handler has answered, or waits: a poll holds no turn for a minute (answer.ts).
 */
import type { RealmState } from '../../domain/log/state.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import { areLong } from '../fairness/heavy-calls.js'
import type { Endpoint } from './endpoint.js'
import type { Next, Outcome, RunningCall } from './running-call.js'

/** Step, before the parameters are parsed: waits for a turn if they are long. */
export const takeTurnForLongFields = (call: RunningCall, next: Next): MaybePromise<Outcome> =>
  needsTurn(call) && areLong(call.request.fields) ? takeTurn(call) : next(call)

/**
 * Step: waits for a turn if the endpoint says that the parameters are heavy. It runs after the parameters were parsed.
 */
export const takeTurnForHeavyParams = (call: RunningCall, next: Next): MaybePromise<Outcome> =>
  needsTurn(call) && isHeavy(call.endpoint, call.params, call.realm?.state) ? takeTurn(call) : next(call)

const needsTurn = ({ parts, endTurn }: RunningCall): boolean =>
  parts.hooks.heavyCalls !== undefined && endTurn === undefined

/** The registry holds endpoints of all kinds, so the types of the parameters and of the state are lost here. */
const isHeavy = (endpoint: Endpoint, params: object, state: RealmState | undefined): boolean =>
  endpoint.isHeavy?.(params as never, state as never) === true

/** Waits for the turn, and begins the attempt again (1). Throws RATE_LIMIT_HIT. */
const takeTurn = async (call: RunningCall): Promise<Outcome> => {
  const { caller, request, parts } = call
  const owner = caller === undefined ? `address ${request.ip}` : `account ${caller.realm.id}:${caller.id}`
  call.endTurn = await parts.hooks.heavyCalls?.begin(owner)
  return call.attempt?.(call)
}
