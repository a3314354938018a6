/** A Redis Cluster of one test: three masters with a replica each, of which nodes may be killed and slots moved. */
import type { RedisOptions } from 'ioredis'
import { expect } from 'vitest'
import { freePort } from '../../../src/dev/ports.js'
import { type RedisNode, startRedisNode } from './redis-servers.js'

export interface RedisCluster extends AsyncDisposable {
  nodes: RedisNode[]
  /** The master that serves a slot. */
  findMaster(slot: number): Promise<RedisNode>
  /** Moves a slot and its keys to another master, as `redis-cli --cluster reshard` does. */
  moveSlot(slot: number): Promise<void>
  /** Resolves when all slots are served, according to all living nodes. */
  waitUntilServed(): Promise<void>
  kill(node: RedisNode): Promise<void>
}

const MASTERS = 3
const SLOTS = 16_384
/** Replicas replace a master about two of these after its death. */
const NODE_TIMEOUT_MS = 1_000

/**
 * Starts the cluster.
 * @param lines   of the configuration of each node
 * @param options of the test's connections to the nodes
 */
export const startRedisCluster = async (
  lines: readonly string[] = [],
  options: RedisOptions = {},
): Promise<RedisCluster> => {
  const alive = new Set<RedisNode>()
  const nodes = await Promise.all(
    Array.from({ length: 2 * MASTERS }, async () => {
      const busPort = await freePort()
      const own = [
        'cluster-enabled yes',
        'cluster-config-file nodes.conf',
        `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
        `cluster-port ${busPort}`,
        'repl-diskless-sync-delay 0',
      ]
      return { ...(await startRedisNode([...own, ...lines], options)), busPort }
    }),
  )
  for (const node of nodes) alive.add(node)
  const masters = nodes.slice(0, MASTERS)
  for (const [i, node] of nodes.entries()) {
    await node.client.cluster('SET-CONFIG-EPOCH', i + 1)
    if (i < MASTERS) {
      const [first, next] = [i, i + 1].map((n) => Math.ceil((n * SLOTS) / MASTERS)) as [number, number]
      await node.client.call('CLUSTER', 'ADDSLOTSRANGE', first, next - 1)
    }
    await nodes[0]?.client.call('CLUSTER', 'MEET', '127.0.0.1', node.port, node.busPort)
  }
  const idOf = (node: RedisNode) => node.client.cluster('MYID') as Promise<string>
  const readInfo = async (node: RedisNode) => (await node.client.cluster('INFO')) as string
  const expectOfAll = (pattern: RegExp) =>
    expect
      .poll(
        async () => {
          const infos = await Promise.all([...alive].map((node) => readInfo(node)))
          return infos.every((info) => pattern.test(info))
        },
        { timeout: 20_000, interval: 50 },
      )
      .toBe(true)
  await expectOfAll(/cluster_known_nodes:6/)
  for (const [i, master] of masters.entries()) {
    const id = await idOf(master)
    const replica = nodes[MASTERS + i] as RedisNode
    await expect
      .poll(() => replica.client.cluster('REPLICATE', id).catch(() => 'again'), { timeout: 10_000 })
      .toBe('OK')
  }
  await expectOfAll(/cluster_state:ok/)
  for (const replica of nodes.slice(MASTERS)) {
    await expect
      .poll(() => replica.client.info('replication'), { timeout: 20_000, interval: 50 })
      .toContain('master_link_status:up')
  }

  const findMaster = async (slot: number): Promise<RedisNode> => {
    const [anyNode] = [...alive] as [RedisNode]
    const ranges = (await anyNode.client.cluster('SLOTS')) as unknown as [number, number, [string, number]][]
    const port = ranges.find(([first, last]) => first <= slot && slot <= last)?.[2][1]
    return nodes.find((node) => node.port === port) as RedisNode
  }

  return {
    nodes,
    findMaster,
    waitUntilServed: () => expectOfAll(/cluster_state:ok[\s\S]*cluster_slots_ok:16384/),
    async kill(node) {
      alive.delete(node)
      await node.kill()
    },
    async moveSlot(slot) {
      const from = await findMaster(slot)
      const roles = await Promise.all([...alive].map(async (node) => [node, await node.client.role()] as const))
      const to = roles.find(([node, [role]]) => role === 'master' && node !== from)?.[0] as RedisNode
      const [fromId, toId] = await Promise.all([idOf(from), idOf(to)])
      await to.client.cluster('SETSLOT', slot, 'IMPORTING', fromId)
      await from.client.cluster('SETSLOT', slot, 'MIGRATING', toId)
      const auth = options.password === undefined ? [] : ['AUTH', options.password]
      for (;;) {
        const keys = (await from.client.cluster('GETKEYSINSLOT', slot, 100)) as string[]
        if (keys.length === 0) break
        await from.client.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5_000, ...auth, 'KEYS', ...keys)
      }
      for (const node of [to, from, ...alive].filter((one, i, all) => all.indexOf(one) === i)) {
        // A replica refuses this, and learns it from its master.
        await node.client.cluster('SETSLOT', slot, 'NODE', toId).catch(() => {})
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...alive].map((node) => node.kill()))
    },
  }
}
