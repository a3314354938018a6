/**
 * Whether people without an account may look into an organization: if the server lets them at all (the process is told
 * so once, at its start), and the organization wants them. Source: the API document, endpoint 1 (`is_web_public`).
 */

import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'

let isServed = true

/** Keeps people without accounts out of all organizations of this process. */
export const closeWebAccess = (): void => {
  isServed = false
}

/** Whether this server lets people without accounts look into organizations that want them. */
export const servesTheWeb = (): boolean => isServed

/** Whether channels of this organization may be public to the web. */
export const hasWebAccess = ({ settings }: RealmState): boolean => isServed && settings.enable_spectator_access

/** Throws BAD_REQUEST, unless channels may be public to the web. */
export const requireWebAccess = (state: RealmState): void => {
  if (!hasWebAccess(state)) throw errors.badRequest('Turn on the setting enable_spectator_access first.')
}
