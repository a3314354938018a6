/** A deployment with the defaults of the environment, for states that a test builds itself. */
import type { Deployment } from '../../../src/domain/deployment/deployment.js'
import { openKeys } from '../../../src/domain/deployment/keys.js'

/** Builds the deployment. */
export const testDeployment = (secret = 'a secret of a test that runs without a server'): Deployment => ({
  keys: openKeys([secret]),
  mediaProxy: undefined,
  isOwnAddress: () => false,
  allowsPagePreviews: true,
  allowsWebAccess: true,
  eventBrokers: { nats: false, kafka: false, topic_prefix: 'parley.{realm_id}.' },
})
