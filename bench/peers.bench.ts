/**
 * How does Parley compare with other servers that deliver messages to the clients of a room? Baseline: each of them.
 *
 * Every server of bench/peers/ gets the same work (peers/compare.ts): the physical limit, Parley, and every peer that a
 * command can install and start by itself. One that cannot be had on this machine is skipped with the reason. They run
 * one after the other, each alone, on the same Postgres with fsync and the same Redis. What each of them does for a
 * message differs: the report has a table of it.
 *
 * Not measured: several processes of a server, networks, TLS, clients that fall behind.
 */

import type { Comparison, DatabaseFigures, PeerFigures, Transport } from './harness/comparison.js'
import { measurePeer, type Work } from './peers/compare.js'
import { measureDatabase } from './peers/database-limit.js'
import { Unavailable } from './peers/peer.js'
import { peers } from './peers/peers.js'
import { type Bench, type BenchResult, formatNumber } from './results/bench.js'

/** Connections of the database alone: as many as a gateway has, and the number with which it is fastest. */
const POOLS = [10, 2]

export const peersBench: Bench = {
  question: 'How does Parley compare with other servers that deliver messages to the clients of a room?',
  async run(environment) {
    const { print, size, scale, comparison } = environment
    const rounds = size(3, { short: 1, smoke: 1 })
    const closedSeconds = size(2, { short: 1, smoke: 0.1 })
    const work: Record<Transport, Work> = {
      sockets: {
        senders: size(64, { smoke: 4 }),
        sizes: [
          { receivers: size(500, { smoke: 10 }), rate: 20, seconds: size(2, { smoke: 0.1 }) },
          { receivers: size(2_000, { smoke: 20 }), rate: 10, seconds: size(3, { smoke: 0.1 }) },
        ],
        closedSeconds,
        rounds,
      },
      polls: {
        senders: size(64, { smoke: 4 }),
        sizes: [
          { receivers: size(500, { short: 200, smoke: 10 }), rate: 5, seconds: size(4, { short: 2, smoke: 0.2 }) },
        ],
        closedSeconds,
        rounds,
      },
    }
    for (const pool of POOLS) comparison.databases.push(await measureDatabase(environment, work.sockets, pool))
    for (const transport of ['sockets', 'polls'] as const) {
      for (const peer of peers) {
        if (!peer.transports.includes(transport) || (scale === 'smoke' && peer.isDownloaded)) continue
        print(`  ${peer.name}, ${transport}`)
        try {
          await peer.install?.(print)
          comparison.figures.push(await measurePeer(environment, peer, transport, work[transport]))
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error
          print(`  ${peer.name} is skipped: ${error.message}`)
          comparison.skipped.push({ name: peer.name, reason: error.message })
        }
      }
    }
    return composeResults(comparison)
  },
}

const composeResults = ({ databases, figures }: Comparison): BenchResult[] => [
  ...compareWithDatabase(databases, figures),
  ...compareWithPeers(figures),
]

const compareWithDatabase = (databases: readonly DatabaseFigures[], figures: readonly PeerFigures[]): BenchResult[] => {
  const ours = figures.find(({ peer, transport }) => peer.name === 'Parley' && transport === 'sockets')?.sends.perSecond
  if (ours === undefined) return []
  return databases.map(({ pool, perSecond }) => ({
    label: `sends per second, against the database alone, one transaction each, pool of ${pool}`,
    measured: `${formatNumber(ours)}/s`,
    baseline: `${formatNumber(perSecond)}/s (durable: yes)`,
    ratios: [ours / perSecond],
  }))
}

const compareWithPeers = (figures: readonly PeerFigures[]): BenchResult[] =>
  figures.flatMap((theirs) => {
    const ours = figures.find(({ peer, transport }) => peer.name === 'Parley' && transport === theirs.transport)
    if (ours === undefined || ours === theirs) return []
    const sends: BenchResult = {
      label: `sends per second, ${theirs.transport}, against ${theirs.peer.name}`,
      measured: `${formatNumber(ours.sends.perSecond)}/s`,
      baseline: `${formatNumber(theirs.sends.perSecond)}/s (durable: ${theirs.peer.guarantees.durable})`,
      ratios: [ours.sends.perSecond / theirs.sends.perSecond],
    }
    const deliveries = theirs.deliveries.flatMap((one): BenchResult[] => {
      const own = ours.deliveries.find(({ receivers }) => receivers === one.receivers)
      if (own === undefined) return []
      return [
        {
          label: `a delivery to ${one.receivers.toLocaleString('en')} ${theirs.transport}, against ${theirs.peer.name}`,
          measured: `${formatNumber(own.cost.server)} µs CPU`,
          baseline: `${formatNumber(one.cost.server)} µs CPU`,
          ratios: [own.cost.server / one.cost.server],
        },
      ]
    })
    return [sends, ...deliveries]
  })
