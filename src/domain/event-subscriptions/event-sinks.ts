/** Where the server delivers the events of a subscription to. */

/** The kinds of sinks. */
export const sinkKinds = ['http', 'nats', 'kafka'] as const

export type SinkKind = (typeof sinkKinds)[number]

/** The sink of a subscription, as its owner names it. */
export interface SinkTarget {
  kind: SinkKind
  /** http: the URL; nats: the subject; kafka: the topic. The servers of nats and kafka are the operator's. */
  address: string
}
