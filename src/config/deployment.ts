/** Makes the deployment value of the domain from the configuration. */
import type { Deployment } from '../domain/deployment/deployment.js'
import { openKeys } from '../domain/deployment/keys.js'
import { openMediaProxy } from '../domain/deployment/media-proxy.js'
import type { Config } from './config.js'

export type DeploymentConfig = Pick<
  Config,
  'SECRET_KEY' | 'CAMO_URI' | 'CAMO_KEY' | 'INLINE_URL_EMBED_PREVIEW' | 'WEB_PUBLIC_STREAMS_ENABLED'
>

/** The operator's decisions in the configuration. A process makes this value once. */
export const readDeployment = (config: DeploymentConfig): Deployment => ({
  keys: openKeys(config.SECRET_KEY),
  mediaProxy: config.CAMO_URI === undefined ? undefined : openMediaProxy(config.CAMO_URI, config.CAMO_KEY ?? ''),
  allowsPagePreviews: config.INLINE_URL_EMBED_PREVIEW === 'on',
  allowsWebAccess: config.WEB_PUBLIC_STREAMS_ENABLED === 'on',
})
