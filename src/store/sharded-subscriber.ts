/**
 * Subscriptions to sharded channels of a Redis Cluster (SSUBSCRIBE). The slot of a channel is served by one master,
 * which alone receives its publications. So a channel is subscribed at that node, and at another one when the slot
 * moves or a replica replaces the master.
 *
 * 1. A channel without a subscription gets one as soon as a node serves its slot: after the end of a connection, a move
 *    of the slot, a failover, or any error, it is tried again at intervals until a node confirms it.
 * 2. The table of slots may be stale: a node that does not serve the slot names the node that does (MOVED).
 * 3. A publication is received once: those of nodes at which the channel was subscribed earlier are dropped.
 * 4. No function throws.
 *
 * The subscriptions of ioredis to sharded channels (`shardedSubscribers`, version 6.0) do not keep (1): a renewal that
 * fails is tried again only when the table of slots changes; and a slot that no node serves throws in a timer.
 */
import { type Cluster, findSlot, openNodeListener, type Redis } from './redis.js'

/** The channels of a process. */
export interface Subscriber {
  subscribe(channel: string): void
  unsubscribe(channel: string): void
  close(): void
}

interface Channel {
  name: string
  slot: number
  /** the node at which it is being subscribed */
  asked: string | undefined
  /** the node that confirmed it last */
  subscribed: string | undefined
}

/** How often channels without a subscription are tried. */
const RETRY_MS = 250
/** How many nodes name another one before the next interval is awaited. */
const MAX_REDIRECTIONS = 3

/**
 * Opens the subscriptions.
 * @param cluster its table of slots is used
 * @param receive is called with each publication
 */
export const openShardedSubscriber = (
  redis_url: string,
  cluster: Cluster,
  receive: (text: string) => void,
): Subscriber => {
  const channels = new Map<string, Channel>()
  /** channels without a subscription at the node that serves them */
  const waiting = new Set<Channel>()
  const nodes = new Map<string, Redis>()
  const nodesThatAnswer = new Set<string>()

  const connect = (node: string): Redis => {
    const known = nodes.get(node)
    if (known !== undefined) return known
    const redis = openNodeListener(redis_url, node)
    nodes.set(node, redis)
    redis.on('smessage', (name: string, text: string) => {
      const channel = channels.get(name)
      if (channel?.subscribed === node || channel?.asked === node) receive(text)
    })
    redis.on('ready', placeWaiting)
    redis.on('close', () => loseNode(node))
    // A slot moved away, and the node ended the subscriptions to its channels.
    redis.on('moved', () => void askNode(node))
    return redis
  }

  const loseNode = (node: string) => {
    for (const channel of channels.values()) {
      if (channel.asked === node) channel.asked = undefined
      if (channel.subscribed !== node) continue
      channel.subscribed = undefined
      waiting.add(channel)
    }
  }

  /** Subscribes a channel at a node; by default, at the one that serves its slot according to the table. */
  const subscribeAt = (
    channel: Channel,
    node = cluster.slots[channel.slot]?.[0],
    redirections = MAX_REDIRECTIONS,
  ): void => {
    if (node === undefined || channel.asked === node) return
    const redis = connect(node)
    if (redis.status !== 'ready') return
    channel.asked = node
    redis.ssubscribe(channel.name).then(
      () => confirm(channel, node),
      (error: Error) => {
        if (channel.asked !== node) return
        channel.asked = undefined
        const owner = readOwner(error, node)
        if (owner !== undefined && redirections > 0) subscribeAt(channel, owner, redirections - 1)
      },
    )
  }

  const confirm = (channel: Channel, node: string) => {
    const current = channels.get(channel.name)
    if (current !== channel || channel.asked !== node) {
      if (current?.asked !== node && current?.subscribed !== node) end(channel.name, node)
      return
    }
    const previous = channel.subscribed
    channel.asked = undefined
    channel.subscribed = node
    waiting.delete(channel)
    if (previous !== undefined && previous !== node) end(channel.name, previous)
  }

  const end = (name: string, node: string) => {
    const redis = nodes.get(node)
    if (redis?.status === 'ready') redis.sunsubscribe(name).catch(() => {})
  }

  const placeWaiting = () => {
    for (const channel of waiting) subscribeAt(channel)
  }

  /** Follows the channels that a node does not serve any more to the nodes that it names in their place. */
  const askNode = async (node: string) => {
    const client = cluster.nodes().find(({ options }) => `${options.host}:${options.port}` === node)
    if (client === undefined || nodesThatAnswer.has(node)) return
    nodesThatAnswer.add(node)
    const ranges = (await client.cluster('SLOTS').catch(() => [])) as [number, number, [string, number]][]
    nodesThatAnswer.delete(node)
    for (const channel of channels.values()) {
      if (channel.subscribed !== node) continue
      const range = ranges.find(([first, last]) => first <= channel.slot && channel.slot <= last)
      const owner = range === undefined ? undefined : `${range[2][0] || hostOf(node)}:${range[2][1]}`
      if (owner === undefined || owner === node) continue
      channel.subscribed = undefined
      waiting.add(channel)
      subscribeAt(channel, owner)
    }
  }

  /** Subscribes the channels whose slot has another node in the table, and closes connections that have no channel. */
  const followTable = () => {
    const used = new Set<string>()
    for (const channel of channels.values()) {
      const node = cluster.slots[channel.slot]?.[0]
      if (node !== undefined && channel.subscribed !== node) {
        waiting.add(channel)
        subscribeAt(channel, node)
      }
      for (const one of [node, channel.asked, channel.subscribed]) if (one !== undefined) used.add(one)
    }
    for (const [node, redis] of nodes) {
      if (used.has(node)) continue
      nodes.delete(node)
      redis.disconnect()
    }
  }

  cluster.on('refresh', followTable)
  const timer = setInterval(placeWaiting, RETRY_MS)
  timer.unref()

  return {
    subscribe(name) {
      if (channels.has(name)) return
      const channel = { name, slot: findSlot(name), asked: undefined, subscribed: undefined }
      channels.set(name, channel)
      waiting.add(channel)
      subscribeAt(channel)
    },
    unsubscribe(name) {
      const channel = channels.get(name)
      if (channel === undefined) return
      channels.delete(name)
      waiting.delete(channel)
      if (channel.subscribed !== undefined) end(name, channel.subscribed)
    },
    close() {
      clearInterval(timer)
      cluster.off('refresh', followTable)
      for (const redis of nodes.values()) redis.disconnect()
      nodes.clear()
      channels.clear()
      waiting.clear()
    },
  }
}

/** The node that a node named in its refusal. */
const readOwner = (error: Error, node: string): string | undefined => {
  const named = /^MOVED \d+ (\S*:\d+)$/.exec(error.message)?.[1]
  // Without a host, it is that of the node which answered.
  return named?.startsWith(':') ? `${hostOf(node)}${named}` : named
}

const hostOf = (node: string): string => node.slice(0, node.lastIndexOf(':'))
