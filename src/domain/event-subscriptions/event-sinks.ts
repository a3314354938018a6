/** Where the server delivers the events of a subscription to. */
import { errors } from '../protocol/errors.js'

/** The kinds of sinks. */
export const sinkKinds = ['http', 'nats', 'kafka'] as const

export type SinkKind = (typeof sinkKinds)[number]

/** The sink of a subscription, as its owner names it. */
export interface SinkTarget {
  kind: SinkKind
  /** http: the URL; nats: the subject; kafka: the topic. The servers of nats and kafka are the operator's. */
  address: string
}

/**
 * The target in the form in which it is stored. Throws BAD_REQUEST for a kind that this server has not, and for an
 * address that is none of its kind.
 * @param available the kinds that the operator has set up
 */
export const validateTarget = ({ kind, address }: SinkTarget, available: readonly SinkKind[]): SinkTarget => {
  if (!available.includes(kind)) throw errors.badRequest('This server delivers no events to {sink}.', { sink: kind })
  return { kind, address: kind === 'http' ? validateUrl(address) : address }
}

const validateUrl = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw errors.badRequest('{name} must be an http or https address.', { name: 'address' })
  }
  if (url.username !== '' || url.password !== '') {
    throw errors.badRequest('{name} must not contain a password: deliveries are signed.', { name: 'address' })
  }
  return url.href
}
