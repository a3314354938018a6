/**
 * How does it compare with a chat server as one is usually built on Node?
 *
 * The other one (baselines/usual-chat.ts) is Express, Socket.IO rooms, and one insert per message through a pool: the
 * same HTTP requests, the same Postgres with fsync, events of the same size. 256 senders who each send again when they
 * are answered; then messages at a steady pace to sockets that all read the same channel, as CPU time of the serving
 * process per delivery. It keeps less: no log, no flags, no permissions beyond a token.
 *
 * Not measured: the CPU of Postgres, several processes of either.
 */
import type { UsualChatJobs } from './baselines/usual-chat.js'
import { type Answer, type Bench, figure, required, rounds } from './bench.js'
import { request } from './load/http.js'
import { content, httpSend } from './load/messages.js'
import type { PulseJobs } from './load/pulse.js'
import type { SenderJobs } from './load/senders.js'
import type { SocketJobs } from './load/sockets.js'
import { cpuSeconds, median } from './measure.js'
import { startPart } from './part.js'
import { benchRealm, doorOf, registered } from './realm.js'

const SENDERS = 256
const SOCKETS = 1_000
const ROUNDS = 5
const SECONDS = 2
const PACE = { rate: 20, count: 40 }
const PATIENCE_MS = 30_000

type Side = 'ours' | 'usual'
const sides: readonly Side[] = ['ours', 'usual']

export const peer: Bench = {
  question: 'How does it compare with a chat server as one is usually built on Node?',
  async run(setting) {
    const { hold, database_url } = setting
    const realm = await benchRealm(setting, SENDERS + SOCKETS)
    const gateway = await setting.gateway()
    const usual = startPart<UsualChatJobs>(hold, 'baselines/usual-chat')
    const port = { ours: gateway.port, usual: await usual.call('listen', { database_url, users: SENDERS + SOCKETS }) }
    const pid = { ours: gateway.pid, usual: usual.pid }
    const fields = { type: 'stream', to: String(realm.channel_id), topic: 'tea', content }
    const texts = {
      ours: realm.user_ids.slice(0, SENDERS).map((id) => httpSend(realm.who(id), realm.channel_id)),
      usual: Array.from({ length: SENDERS }, (_, i) =>
        request('POST', '/messages', { host: 'usual', credentials: `token-${i}` }, fields),
      ),
    }

    const senders = startPart<SenderJobs>(hold, 'load/senders')
    for (const side of sides) await senders.call('overHttp', { kind: side, port: port[side], texts: texts[side] })
    const sending = async (side: Side) => {
      const used = cpuSeconds(pid[side])
      const { count, seconds } = await senders.call('run', { kind: side, seconds: SECONDS })
      return { rate: count / seconds, cpu: ((cpuSeconds(pid[side]) - used) * 1e6) / count }
    }
    const sendTurn = async () => ({ ours: await sending('ours'), usual: await sending('usual') })
    await sendTurn()
    const sends = await rounds(ROUNDS, sendTurn)
    await senders.stop()

    const clients = startPart<SocketJobs>(hold, 'load/sockets')
    const queues = await registered(realm, gateway.port, realm.user_ids.slice(SENDERS))
    await clients.call('open', {
      group: 'ours',
      port: port.ours,
      host: realm.host,
      ordered: true,
      doors: queues.map(doorOf),
    })
    const doors = Array.from({ length: SOCKETS }, (_, i) => ({
      path: `/socket.io/?EIO=4&transport=websocket&token=token-${SENDERS + i}`,
      headers: [],
    }))
    // A Socket.IO client asks for its namespace first.
    await clients.call('open', { group: 'usual', port: port.usual, host: 'usual', ordered: false, doors, hello: '40' })
    const pulse = startPart<PulseJobs>(hold, 'load/pulse')
    const delivering = async (side: Side) => {
      await clients.call('reset', { group: side })
      const used = cpuSeconds(pid[side])
      await pulse.call('send', { port: port[side], texts: texts[side].slice(0, 4), ...PACE })
      const counted = await clients.call('counted', { group: side, each: PACE.count, within_ms: PATIENCE_MS })
      if (counted.wrong > 0) throw new Error(`${side}: ${counted.wrong} sockets did not get ${PACE.count} messages`)
      return ((cpuSeconds(pid[side]) - used) * 1e6) / counted.total
    }
    const deliveryTurn = async () => ({ ours: await delivering('ours'), usual: await delivering('usual') })
    await deliveryTurn()
    const deliveries = await rounds(ROUNDS, deliveryTurn)
    await Promise.all([usual, clients, pulse].map((part) => part.stop()))
    await gateway.stop()

    const of = (name: 'rate' | 'cpu', side: Side) => figure(median(sends.map((turn) => turn[side][name])))
    const perSecond = (side: Side) => figure(1e6 / median(deliveries.map((turn) => turn[side])))
    const rates = sends.map(({ ours, usual }) => ours.rate / usual.rate)
    const delivered = deliveries.map(({ ours, usual }) => usual / ours)
    const goal = (ratios: readonly number[]) => ({ ...required.atLeast(2, ratios), required: false })
    return [
      {
        what: `durable sends a second, ${SENDERS} senders`,
        ours: `${of('rate', 'ours')}/s, ${of('cpu', 'ours')} µs CPU each`,
        baseline: `${of('rate', 'usual')}/s, ${of('cpu', 'usual')} µs CPU each (Express, an insert each)`,
        ratios: rates,
        expected: goal(rates),
      },
      {
        what: `deliveries per CPU second, ${SOCKETS} sockets`,
        ours: perSecond('ours'),
        baseline: `${perSecond('usual')} (Socket.IO rooms)`,
        ratios: delivered,
        expected: goal(delivered),
      },
    ] satisfies Answer[]
  },
}
