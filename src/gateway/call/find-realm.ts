/**
 * The realm of a call, by the host name of its request.
 *
 * 1. While Postgres is overloaded, a call is refused with 503 before it does anything (store/overload.ts).
 */
import { realmNameFromHost } from '../../config/hosts.js'
import { type ApiError, errors } from '../../domain/protocol/errors.js'
import { type MaybePromise, thenOrNow } from '../../store/log/maybe-promise.js'
import type { Realm } from '../../store/log/realm.js'
import { OverloadError } from '../../store/overload.js'
import type { Next, Outcome, PipelineParts, RunningCall } from './running-call.js'

/** Step: finds the realm. Throws NONEXISTENT_SUBDOMAIN or BAD_REQUEST where the endpoint needs one. */
export const selectRealm = (call: RunningCall, next: Next): MaybePromise<Outcome> =>
  thenOrNow(findRealm(call.parts, call.request.host), (realm) => {
    const { endpoint, request } = call
    if (realm === undefined && endpoint.callers !== 'anyone') throw missingRealmError(call.parts, request.host)
    if (endpoint.isTraced === true) call.trace = realm?.tracing?.begin(`${endpoint.method} ${endpoint.paths[0]}`)
    call.realm = realm
    return next(call)
  })

/** The realm that a host selects. Throws OverloadError (1). */
export const findRealm = (parts: PipelineParts, host: string): MaybePromise<Realm | undefined> => {
  const { app, hooks } = parts
  if (hooks.isOverloaded?.() === true) throw new OverloadError('Postgres answers too slowly')
  const name = realmNameFromHost(host, app.config)
  return name === undefined ? undefined : app.store.realms.find(name)
}

/**
 * Returns the error for a host without a realm. The host has an unknown name, or is the root without an organization.
 */
export const missingRealmError = ({ app: { config } }: PipelineParts, host: string): ApiError =>
  realmNameFromHost(host, config) === undefined ? errors.subdomainRequired() : errors.nonexistentSubdomain()

/** A client that waits so long finds most moves of an organization to another cell finished. */
const MOVING_RETRY_SECONDS = 1

/** Throws REALM_MOVING when the realm is being moved to another cell, or was moved. */
export const requireNotMoving = (realm: Realm | undefined): void => {
  if (realm?.state.realm.is_moving === true) throw errors.realmMoving({ 'retry-after': MOVING_RETRY_SECONDS })
}
