/** The figures of Parley, of the servers that it is compared with, and of the database alone, for the report. */
import type { RoundCounts } from './machine.js'

/** The servers that were compared with Parley, and those that this machine cannot have. */
export interface Comparison {
  /** the database alone, with several numbers of connections */
  databases: DatabaseFigures[]
  figures: PeerFigures[]
  skipped: { name: string; reason: string }[]
}

/** The durable sends of the database alone, one transaction per message. */
export interface DatabaseFigures {
  /** connections */
  pool: number
  perSecond: number
  /** microseconds of CPU of Postgres per message */
  stores: number
  /** milliseconds to the commit */
  p99: number
  rounds: RoundCounts
}

/** WebSockets or long polls. */
export type Transport = 'sockets' | 'polls'

/** What a server does for each message, for its row in the report: yes, no, or a few words. */
export interface Guarantees {
  /** whether the message is on the disk before its sender is answered */
  durable: string
  /** whether all clients receive the same order */
  ordered: string
  /** whether each send is authenticated */
  authenticated: string
  /** whether each send is checked for the sender's permission in the room */
  permitted: string
  /** whether a client that was away receives what it missed */
  resumable: string
}

/** A server that is compared, as the report names it. */
export interface PeerDescription {
  name: string
  /** what is measured: the program, and with what it stores and publishes */
  title: string
  guarantees: Guarantees
  /** the transports that it has and that are measured */
  transports: readonly Transport[]
  /** whether it must be downloaded: then it is not part of `--smoke` */
  isDownloaded: boolean
}

/** Microseconds of CPU: of the server, and of Postgres and Redis. */
export interface Cost {
  server: number
  stores: number
}

export interface SendFigures {
  perSecond: number
  cost: Cost
  /** milliseconds to the response */
  p99: number
}

export interface DeliveryFigures {
  receivers: number
  rate: number
  /** per delivery, with the send */
  cost: Cost
  /** milliseconds from when the message was due */
  p50: number
  p99: number
  lost: number
  repeated: number
  /** different orders of messages that clients received; undefined when messages were lost */
  orders: number
  bytes: number
}

export interface PeerFigures {
  peer: PeerDescription
  transport: Transport
  version: string
  sends: SendFigures
  deliveries: DeliveryFigures[]
  /** sends and deliveries per second in a closed loop to the first size; undefined for long polls */
  full: { sends: number; deliveries: number; lost: number } | undefined
  /** of memory per idle WebSocket */
  bytesPerClient: number | undefined
  rounds: RoundCounts
}
