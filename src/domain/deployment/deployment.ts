/**
 * The decisions of a deployment's operator on which pure functions depend. Each process makes one value at its start
 * (config/deployment.ts); every realm's state carries it, so rules and projections get it with the state.
 */
import type { Keys } from './keys.js'
import type { MediaProxy } from './media-proxy.js'

/** The decisions of the operator. */
export interface Deployment {
  readonly keys: Keys
  /** how clients load media of other sites; undefined, in tests of single functions: directly */
  readonly mediaProxy: MediaProxy | undefined
  /** Whether an address leads to an organization of this deployment. */
  isOwnAddress(url: string): boolean
  /** whether pages that messages link to are fetched for organizations that turn previews on */
  readonly allowsPagePreviews: boolean
  /** whether organizations may let users without an account read channels */
  readonly allowsWebAccess: boolean
  /** which brokers event subscriptions may deliver to, and to which topics (event-subscriptions/topics.ts) */
  readonly eventBrokers: { readonly nats: boolean; readonly kafka: boolean; readonly topic_prefix: string }
}
