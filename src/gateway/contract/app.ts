/** The parts of one gateway process. open-app.ts creates them, and the call pipeline gives them to handlers. */
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import type { FileStorage } from '../../store/files/file-storage.js'
import type { ImageDecoder } from '../../store/files/image-decoder.js'
import type { RateLimiter } from '../../store/limits/rate-limiter.js'
import type { Bus } from '../../store/log/bus.js'
import type { Realms } from '../../store/log/realms.js'
import type { Queues } from '../../store/register/event-queues.js'
import type { RecentMessagesOfRealms } from '../../store/register/recent-messages.js'
import type { Sql } from '../../store/sql.js'
import type { StandbyReads } from '../../store/standbys/standby-reads.js'
import type { Hubs } from '../events/hubs.js'
import type { IdentityProviders } from '../log-in/openid-connect.js'
import type { SamlProviders } from '../log-in/saml.js'

export interface App {
  config: Config
  /** When this release was first started here, in UNIX seconds. */
  releaseId(): Promise<number>
  log: Logger
  store: Store
  hubs: Hubs
  allowances: RateLimiter
  downloads: DownloadSlots
  /** servers with whose accounts users log in, over OpenID Connect */
  providers: IdentityProviders
  /** the same, over SAML */
  samlProviders: SamlProviders
}

/** Where handlers read what is not in memory. They write with the context of their call. */
export interface Store {
  sql: Sql
  /** runs reads that load Postgres most, where there are standbys */
  standbys: StandbyReads
  bus: Bus
  realms: Realms
  queues: Queues
  recentMessages: RecentMessagesOfRealms
  files: FileStorage
  images: ImageDecoder
}

/** Bounds the downloads of this process (fairness/download-slots.ts). */
export interface DownloadSlots {
  /** Runs a download as soon as its owner has a free slot. Throws RATE_LIMIT_HIT. */
  run(owner: DownloadOwner, download: () => Promise<void>): Promise<void>
}

/** An account, or a network address. */
export type DownloadOwner = { account: string } | { address: string }
