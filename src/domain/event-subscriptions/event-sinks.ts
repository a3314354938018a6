/** Where the server delivers the events of a subscription to. */
import type { Deployment } from '../deployment/deployment.js'
import { errors } from '../protocol/errors.js'
import { composeTopicPrefix, isOwnTopic } from './topics.js'

/** The kinds of sinks. */
export const sinkKinds = ['http', 'nats', 'kafka'] as const

export type SinkKind = (typeof sinkKinds)[number]

/** The sink of a subscription, as its owner names it. */
export interface SinkTarget {
  kind: SinkKind
  /** http: the URL; nats: the subject; kafka: the topic. The servers of nats and kafka are the operator's. */
  address: string
}

/** The kinds to which this server delivers events. */
export const listAvailableSinks = ({ eventBrokers }: Pick<Deployment, 'eventBrokers'>): SinkKind[] =>
  sinkKinds.filter((kind) => kind === 'http' || eventBrokers[kind])

/**
 * The target in the form in which it is stored. Throws BAD_REQUEST for a kind that this server has not, and for an
 * address that is none of its kind.
 */
export const validateTarget = (
  { kind, address }: SinkTarget,
  deployment: Pick<Deployment, 'eventBrokers'>,
  realm_id: number,
): SinkTarget => {
  if (!listAvailableSinks(deployment).includes(kind)) {
    throw errors.badRequest('This server delivers no events to {sink}.', { sink: kind })
  }
  if (kind === 'http') return { kind, address: validateUrl(address) }
  const { topic_prefix } = deployment.eventBrokers
  if (!isOwnTopic(address, topic_prefix, realm_id)) {
    throw errors.badRequest(
      '{name} must begin with {prefix}. Letters, digits, hyphens and underscores follow, in parts between dots.',
      { name: 'address', prefix: composeTopicPrefix(topic_prefix, realm_id) },
    )
  }
  return { kind, address }
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
