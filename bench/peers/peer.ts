/** A server that is compared with Parley: how it is installed and started, and how clients send and receive. */
import { join } from 'node:path'
import { root } from '../../src/dev/root.js'
import type { BenchEnvironment } from '../fleet/environment.js'
import type { PeerDescription, Transport } from '../harness/comparison.js'
import type { ReceiverPlan } from '../load/peer-receivers.js'
import type { SenderPlan } from '../load/peer-senders.js'

/** A server that can be installed and started. */
export interface Peer extends PeerDescription {
  /**
   * Installs it into the cache, if it is not there.
   * @throws Unavailable when this machine cannot have it
   */
  install?(tell: (line: string) => void): Promise<void>
  start(environment: BenchEnvironment, setup: PeerSetup): Promise<RunningPeer>
}

export interface PeerSetup {
  /** the accounts that send */
  senders: number
  /** the most clients that receive, whether they are opened at once or in parts */
  receivers: number
}

export interface RunningPeer {
  version: string
  port: number
  /** the process of the server; its children belong to it */
  pid: number
  senderPlan: SenderPlan
  /** Prepares the clients from `first` to `first + count - 1`. */
  planReceivers(first: number, count: number, transport: Transport): Promise<ReceiverPlan>
  stop(): Promise<void>
}

/** A peer cannot be installed or started here. The report names the reason. */
export class Unavailable extends Error {}

/** The folder of an installed peer. All runs of this clone share it. */
export const cacheFolder = (name: string): string => join(root, 'node_modules/.cache/parley-peers', name)

/** Formats a POST of a body as it is. `headers` are lines without line ends. */
export const formatPost = (path: string, body: string, headers: readonly string[] = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: bench',
    ...headers,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')

/** Formats a call with a bearer token, and its parameters as JSON. */
export const formatCall = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  token: string,
  parameters?: Record<string, string>,
): string => {
  const body = parameters === undefined ? '' : JSON.stringify(parameters)
  const lines = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]
  return [`${method} ${path} HTTP/1.1`, 'Host: bench', `Authorization: Bearer ${token}`, ...lines, '', body].join(
    '\r\n',
  )
}
