/** What is known of a user who may get an account with this call. */
import { findLanguage } from '#rules/languages.js'
import { realmHost, realmUrl } from '../../../config/hosts.js'
import type { Realm } from '../../../store/log/realm.js'
import type { NewcomerContext } from '../../../store/log-in/external-accounts.js'
import { parseAcceptLanguage } from '../../contract/accept-language.js'
import type { App } from '../../contract/app.js'
import type { CallRequest } from '../../contract/call-request.js'

/** Composes it for a call to an organization. */
export const composeNewcomer = (
  { config, store }: Pick<App, 'config' | 'store'>,
  { state }: Realm,
  { ip: address, acceptLanguage }: Pick<CallRequest, 'ip' | 'acceptLanguage'>,
): NewcomerContext => {
  const { string_id } = state.realm
  return {
    address,
    host: realmHost(string_id, config),
    realm_url: realmUrl(string_id, config),
    language: findLanguage(parseAcceptLanguage(acceptLanguage)),
    queues: store.queues,
  }
}
