/** Asks a Redis Cluster at intervals whether it serves all slots, and which of its nodes do not answer. */
import type { Cluster } from './redis.js'

/** The state of a cluster, as last read. */
export interface ClusterWatch {
  /** Why commands on some keys fail; undefined: all slots are served. */
  findProblem(): string | undefined
  /** Which nodes do not answer, though others serve their slots. */
  findWarning(): string | undefined
  close(): void
}

const INTERVAL_MS = 2_000
const SLOTS = 16_384

/** Starts to watch. */
export const watchCluster = (cluster: Cluster): ClusterWatch => {
  let problem: string | undefined
  let warning: string | undefined
  const check = async () => {
    const [info, nodes] = await Promise.all([cluster.cluster('INFO'), cluster.cluster('NODES')])
    problem = readProblem(info)
    warning = readWarning(nodes as string)
  }
  const timer = setInterval(() => {
    if (cluster.status !== 'ready') return
    check().catch((error: Error) => {
      problem = error.message
    })
  }, INTERVAL_MS)
  timer.unref()
  return {
    findProblem: () => problem,
    findWarning: () => warning,
    close: () => clearInterval(timer),
  }
}

/** @param info the answer to CLUSTER INFO */
export const readProblem = (info: string): string | undefined => {
  const read = (field: string) => new RegExp(`^cluster_${field}:(\\S+)`, 'm').exec(info)?.[1]
  const served = Number(read('slots_ok'))
  if (read('state') === 'ok' && served === SLOTS) return undefined
  return `${SLOTS - served} of ${SLOTS} slots of the cluster are not served (cluster_state:${read('state')})`
}

/** @param nodes the answer to CLUSTER NODES */
export const readWarning = (nodes: string): string | undefined => {
  const lines = nodes.split('\n').filter((line) => line !== '')
  const failed = lines.flatMap((line) => {
    const [, address = '', flags = ''] = line.split(' ')
    return flags.split(',').includes('fail') ? [address.replace(/[@,].*/, '')] : []
  })
  if (failed.length === 0) return undefined
  return `REDIS_URL: ${failed.length} of ${lines.length} nodes of the Redis Cluster do not answer: ${failed.join(', ')}`
}
