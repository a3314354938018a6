/** The deployment's own decisions, as the domain takes them, out of the environment. */
import type { Deployment } from '../domain/deployment/deployment.js'
import { openKeys } from '../domain/deployment/keys.js'
import { openMediaProxy } from '../domain/deployment/media-proxy.js'
import type { Config } from './config.js'

export type DeploymentConfig = Pick<
  Config,
  'SECRET_KEY' | 'CAMO_URI' | 'CAMO_KEY' | 'INLINE_URL_EMBED_PREVIEW' | 'WEB_PUBLIC_STREAMS_ENABLED'
>

/** The deployment that the environment describes. A process makes it once. */
export const readDeployment = (config: DeploymentConfig): Deployment => ({
  keys: openKeys(config.SECRET_KEY),
  mediaProxy: config.CAMO_URI === undefined ? undefined : openMediaProxy(config.CAMO_URI, config.CAMO_KEY ?? ''),
  allowsPagePreviews: config.INLINE_URL_EMBED_PREVIEW === 'on',
  allowsWebAccess: config.WEB_PUBLIC_STREAMS_ENABLED === 'on',
})
