/** Makes the deployment value of the domain from the configuration. */
import type { Deployment } from '../domain/deployment/deployment.js'
import { openKeys } from '../domain/deployment/keys.js'
import { openCamo, openOwnProxy } from '../domain/deployment/media-proxy.js'
import type { Config } from './config.js'
import { isRealmAddress } from './hosts.js'

export type DeploymentConfig = Pick<
  Config,
  | 'SECRET_KEY'
  | 'CAMO_URI'
  | 'CAMO_KEY'
  | 'INLINE_URL_EMBED_PREVIEW'
  | 'WEB_PUBLIC_STREAMS_ENABLED'
  | 'EVENT_NATS_URL'
  | 'EVENT_KAFKA_URL'
  | 'EVENT_TOPIC_PREFIX'
  | 'BASE_DOMAIN'
  | 'PUBLIC_URL'
  | 'HOST'
  | 'PORT'
  | 'ROOT_REALM'
>

/** The operator's decisions in the configuration. A process makes this value once. */
export const readDeployment = (config: DeploymentConfig): Deployment => {
  const keys = openKeys(config.SECRET_KEY)
  return {
    keys,
    mediaProxy: config.CAMO_URI === undefined ? openOwnProxy(keys) : openCamo(config.CAMO_URI, config.CAMO_KEY ?? ''),
    isOwnAddress: (url) => isRealmAddress(url, config),
    allowsPagePreviews: config.INLINE_URL_EMBED_PREVIEW === 'on',
    allowsWebAccess: config.WEB_PUBLIC_STREAMS_ENABLED === 'on',
    eventBrokers: {
      nats: config.EVENT_NATS_URL !== undefined,
      kafka: config.EVENT_KAFKA_URL !== undefined,
      topic_prefix: config.EVENT_TOPIC_PREFIX,
    },
  }
}
