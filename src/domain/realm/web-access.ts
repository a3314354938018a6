/**
 * Whether users without an account may read an organization: if the deployment allows it, and the organization turned
 * it on. Source: the API document, endpoint 1 (`is_web_public`).
 */

import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'

/** Whether channels of this organization may be public to the web. */
export const hasWebAccess = ({ deployment, settings }: RealmState): boolean =>
  deployment.allowsWebAccess && settings.enable_spectator_access

/** Requires that channels may be public to the web. Throws BAD_REQUEST with the setting that is off. */
export const requireWebAccess = ({ deployment, settings }: RealmState): void => {
  if (!deployment.allowsWebAccess) {
    throw errors.badRequest(
      'The operator of this server has turned off WEB_PUBLIC_STREAMS_ENABLED: no channel can be web-public.',
    )
  }
  if (!settings.enable_spectator_access) throw errors.badRequest('Turn on the setting enable_spectator_access first.')
}
