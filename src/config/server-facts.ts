/** What a registration tells a client about the server. */
import type { RealmState } from '../domain/log/state.js'
import type { ServerFacts } from '../domain/register/snapshot-request.js'
import type { Config } from './config.js'
import { realmHost, realmUrl } from './hosts.js'
import { openWays } from './log-in-ways.js'

/**
 * Reads the facts of an organization from the configuration.
 * @param releaseId since when this release runs here (store/realm/releases.ts)
 */
export const readServerFacts = (config: Config, state: RealmState, releaseId: number): ServerFacts => {
  const { string_id } = state.realm
  return {
    realm_url: realmUrl(string_id, config),
    host: realmHost(string_id, config),
    releaseId,
    development: config.NODE_ENV === 'development',
    max_file_upload_size_mib: config.MAX_FILE_UPLOAD_SIZE_MIB,
    gateway_paths: config.GATEWAY_NAMES.map((name) => `/gateways/${name}`),
    ways: openWays(config, state),
  }
}
