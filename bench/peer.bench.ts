/**
 * How does Parley compare with a chat server in the common architecture of Node? Baseline: baselines/express-chat.ts.
 *
 * The baseline is Express, Socket.IO rooms, and one insert per message through a pool. It gets the same HTTP
 * requests, has the same Postgres with fsync, and its events are as long. First, 256 senders each send the
 * next message when the last one is acknowledged. Then users send at a constant rate to sockets that all read
 * one channel, and the cost is the CPU time of the serving process per delivery. The baseline has no log, no
 * flags, and no permissions except a token.
 *
 * Not measured: the CPU of Postgres, several processes of either server.
 */
import type { ExpressChatProcedures } from './baselines/express-chat.js'
import { type Bench, type BenchResult, formatNumber, requireAtLeast, runRounds } from './bench.js'
import { startProcess } from './child-process.js'
import type { ClosedLoopSenderProcedures } from './load/closed-loop-senders.js'
import { formatRequest } from './load/http.js'
import { content, formatSendRequest } from './load/messages.js'
import type { OpenLoopSenderProcedures } from './load/open-loop-senders.js'
import type { SocketProcedures } from './load/sockets.js'
import { median, readCpuSeconds } from './measure.js'
import { buildHandshake, createBenchRealm, registerQueues } from './realm.js'

const ROUNDS = 5
const TIMEOUT_MS = 30_000

type Side = 'parley' | 'express'
const sides: readonly Side[] = ['parley', 'express']

export const peerBench: Bench = {
  question: 'How does Parley compare with Express, Socket.IO rooms and one insert per message?',
  async run(environment) {
    const { group, database_url, size } = environment
    const [senderCount, socketCount] = [size(256, { smoke: 8 }), size(1_000, { smoke: 20 })]
    const duration = size(2, { smoke: 0.2 })
    const load = { rate: 20, count: size(40, { smoke: 4 }) }
    const realm = await createBenchRealm(environment, senderCount + socketCount)
    const gateway = await environment.startGateway()
    const express = startProcess<ExpressChatProcedures>(group, 'baselines/express-chat')
    const expressPort = await express.call('listen', { database_url, users: senderCount + socketCount })
    const ports = { parley: gateway.port, express: expressPort }
    const pids = { parley: gateway.pid, express: express.pid }
    const fields = { type: 'stream', to: String(realm.channel_id), topic: 'tea', content }
    const requests = {
      parley: realm.user_ids.slice(0, senderCount).map((id) => formatSendRequest(realm.identify(id), realm.channel_id)),
      express: Array.from({ length: senderCount }, (_, i) =>
        formatRequest('POST', '/messages', { host: 'express', credentials: `token-${i}` }, fields),
      ),
    }

    const closedLoop = startProcess<ClosedLoopSenderProcedures>(group, 'load/closed-loop-senders')
    for (const side of sides) {
      await closedLoop.call('openHttpSenders', { group: side, port: ports[side], requests: requests[side] })
    }
    const measureSends = async (side: Side) => {
      const before = readCpuSeconds(pids[side])
      const { count, seconds } = await closedLoop.call('sendMessages', { group: side, seconds: duration })
      return { rate: count / seconds, cost: ((readCpuSeconds(pids[side]) - before) * 1e6) / count }
    }
    const measureSendRound = async () => ({
      parley: await measureSends('parley'),
      express: await measureSends('express'),
    })
    await measureSendRound()
    const sends = await runRounds(environment, ROUNDS, measureSendRound)
    await closedLoop.stop()

    const sockets = startProcess<SocketProcedures>(group, 'load/sockets')
    const queues = await registerQueues(realm, gateway.port, realm.user_ids.slice(senderCount))
    await sockets.call('openGroup', {
      group: 'parley',
      port: ports.parley,
      host: realm.host,
      checksIds: true,
      handshakes: queues.map(buildHandshake),
    })
    await sockets.call('openGroup', {
      group: 'express',
      port: ports.express,
      host: 'express',
      checksIds: false,
      handshakes: Array.from({ length: socketCount }, (_, i) => ({
        path: `/socket.io/?EIO=4&transport=websocket&token=token-${senderCount + i}`,
        headers: [],
      })),
      // A client of Socket.IO connects to a namespace first.
      firstFrame: '40',
    })
    const openLoop = startProcess<OpenLoopSenderProcedures>(group, 'load/open-loop-senders')
    /** @returns microseconds of CPU per delivery */
    const measureDeliveries = async (side: Side) => {
      await sockets.call('resetCounts', { group: side })
      const before = readCpuSeconds(pids[side])
      await openLoop.call('sendMessages', { port: ports[side], requests: requests[side].slice(0, 4), ...load })
      const counts = await sockets.call('waitForFrames', { group: side, each: load.count, within_ms: TIMEOUT_MS })
      if (counts.wrongCounts > 0) {
        throw new Error(`${side}: ${counts.wrongCounts} sockets did not receive ${load.count} messages`)
      }
      return ((readCpuSeconds(pids[side]) - before) * 1e6) / counts.total
    }
    const measureDeliveryRound = async () => ({
      parley: await measureDeliveries('parley'),
      express: await measureDeliveries('express'),
    })
    await measureDeliveryRound()
    const deliveries = await runRounds(environment, ROUNDS, measureDeliveryRound)
    await Promise.all([express, sockets, openLoop].map((child) => child.stop()))
    await gateway.stop()

    const formatMedian = (key: 'rate' | 'cost', side: Side) =>
      formatNumber(median(sends.map((round) => round[side][key])))
    const formatDeliveries = (side: Side) => formatNumber(1e6 / median(deliveries.map((round) => round[side])))
    const sendRatios = sends.map(({ parley, express }) => parley.rate / express.rate)
    const deliveryRatios = deliveries.map(({ parley, express }) => express / parley)
    const goal = (ratios: readonly number[]) => ({ ...requireAtLeast(2, ratios), isRequired: false })
    return [
      {
        label: `durable sends per second, ${senderCount} senders`,
        measured: `${formatMedian('rate', 'parley')}/s, ${formatMedian('cost', 'parley')} µs CPU each`,
        baseline: `${formatMedian('rate', 'express')}/s, ${formatMedian('cost', 'express')} µs CPU each (Express, one insert each)`,
        ratios: sendRatios,
        bound: goal(sendRatios),
      },
      {
        label: `deliveries per CPU second, ${socketCount.toLocaleString('en')} sockets`,
        measured: formatDeliveries('parley'),
        baseline: `${formatDeliveries('express')} (Socket.IO rooms)`,
        ratios: deliveryRatios,
        bound: goal(deliveryRatios),
      },
    ] satisfies BenchResult[]
  },
}
