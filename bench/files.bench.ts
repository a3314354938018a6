/**
 * What do the files of some users cost the gateway and its other users?
 *
 * Pictures: five accounts set a picture of 50 megapixels, 200 kB as a file, over and over. Meanwhile another account
 * logs in with its password, again and again, against the same without pictures. Resident memory is that of the gateway
 * and its children, at its highest.
 *
 * Slow readers: 30 clients read a file of 25 MB at 160 kB a second.
 * The cost is what the gateway's resident memory grows by, against the bytes that they asked for.
 *
 * Downloads: the same file, by four clients at a time, against raw uWebSockets that sends it out of memory.
 *
 * Not measured: a bucket instead of a folder, a disk that is not in the page cache, and what the kernel buffers.
 */
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { hashPassword, storePassword } from '../src/store/users/passwords.js'
import type { RawFileProcedures } from './baselines/raw-file.js'
import type { BenchEnvironment, GatewayProcess } from './fleet/environment.js'
import { type BenchRealm, createBenchRealm } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { median, percentile, readCpuSeconds, readResidentBytes, readResidentBytesOfTree } from './harness/measure.js'
import { connectHttp, formatRequest, type Identity, parseSuccess } from './load/http.js'
import type { TransferProcedures } from './load/transfers.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const ATTACKERS = 5
const PASSWORD = 'correct horse battery staple'
const READERS = 30
const CLIENTS = 4
const ROUNDS = 3

export const filesBench: Bench = {
  question: 'What do the files of some users cost the gateway and its other users?',
  async run(environment) {
    const realm = await createBenchRealm(environment, ATTACKERS + 2)
    const gateway = await environment.startGateway()
    const answers = [
      await besidePictures(environment, realm, gateway),
      ...(await downloads(environment, realm, gateway)),
    ]
    await gateway.stop()
    return answers
  },
}

const besidePictures = async (
  environment: BenchEnvironment,
  realm: BenchRealm,
  gateway: GatewayProcess,
): Promise<BenchResult> => {
  const [user_id = 0, ...attackers] = realm.user_ids
  await storePassword(environment.sql, realm.id, user_id, await hashPassword(PASSWORD))
  const side = environment.size(7_071, { smoke: 700 })
  /** For so long an account logs in, with and without pictures. */
  const seconds = environment.size(8, { short: 3, smoke: 0.3 })
  const picture = await sharp({ create: { width: side, height: side, channels: 4, background: '#40bf65' } })
    .png({ progressive: true })
    .toBuffer()
  environment.print(`  a picture of ${formatNumber(side * side)} pixels has ${formatNumber(picture.length)} bytes`)
  const { type, body } = multipart('a.png', picture)
  const load = startProcess<TransferProcedures>(environment.group, 'load/transfers')
  const login = formatRequest(
    'POST',
    '/fetch_api_key',
    { host: realm.host, credentials: '' },
    {
      username: `user${user_id}@bench.invalid`,
      password: PASSWORD,
    },
  ).replace(/Authorization: \r\n/, '')
  const logIn = async () => {
    // A connection of its own: between two calls the uploads can take longer than a connection may be idle.
    const connection = await connectHttp(gateway.port)
    const times: number[] = []
    let memory = 0
    const until = performance.now() + seconds * 1000
    while (performance.now() < until) {
      const start = performance.now()
      parseSuccess(await connection.send(login))
      times.push(performance.now() - start)
      memory = Math.max(memory, readResidentBytesOfTree(gateway.pid))
    }
    connection.close()
    return { times, memory }
  }
  const turn = async () => {
    const quiet = await logIn()
    const accounts = attackers.slice(0, ATTACKERS).map(realm.identify)
    await load.call('upload', {
      port: gateway.port,
      path: '/api/v1/users/me/avatar',
      accounts,
      type,
      body: body.toString('base64'),
    })
    await sleep(environment.size(500, { smoke: 50 }))
    const beside = await logIn()
    await load.call('end', null)
    return { quiet, beside }
  }
  const turns = await runRounds(environment, environment.size(ROUNDS, { short: 1, smoke: 1 }), turn)
  await load.stop()
  const tell = (side: 'quiet' | 'beside') => {
    const times = turns.flatMap((one) => one[side].times)
    const memory = Math.max(...turns.map((one) => one[side].memory))
    return `p50 ${formatNumber(median(times))} ms, p99 ${formatNumber(percentile(times, 0.99))} ms, ${formatNumber(memory / 1e6)} MB`
  }
  return {
    label: `a login beside ${ATTACKERS} accounts with pictures of 50 megapixels`,
    measured: tell('beside'),
    baseline: `${tell('quiet')} (without them)`,
    ratios: turns.map(({ quiet, beside }) => median(beside.times) / median(quiet.times)),
  }
}

/** A multipart body with one file. */
const multipart = (filename: string, data: Uint8Array): { type: string; body: Buffer } => {
  const head = `--bench\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`
  return {
    type: 'multipart/form-data; boundary=bench',
    body: Buffer.concat([Buffer.from(head), data, Buffer.from('\r\n--bench--\r\n')]),
  }
}

const downloads = async (
  environment: BenchEnvironment,
  realm: BenchRealm,
  gateway: GatewayProcess,
): Promise<BenchResult[]> => {
  const identity = realm.identify(realm.user_ids.at(-1) ?? 0)
  const fileBytes = environment.size(25, { smoke: 1 }) * 1024 * 1024
  const data = Buffer.alloc(fileBytes, 'Parley')
  const { type, body } = multipart('a.bin', data)
  const path = await uploadFile(gateway.port, identity, type, body)
  const raw = startProcess<RawFileProcedures>(environment.group, 'baselines/raw-file')
  const rawPort = await raw.call('listen', fileBytes)
  const load = startProcess<TransferProcedures>(environment.group, 'load/transfers')
  const count = environment.size(40, { short: 8, smoke: 4 })
  const measure = async (port: number, pid: number) => {
    const before = readCpuSeconds(pid)
    const given = { port, identity, path, bytes: fileBytes, connections: CLIENTS, count }
    const ms = await load.call('download', given)
    const megabytes = (fileBytes * count) / 1e6
    return { rate: megabytes / (ms / 1000), cost: ((readCpuSeconds(pid) - before) * 1000) / megabytes }
  }
  await measure(gateway.port, gateway.pid)
  const turns = await runRounds(environment, environment.size(ROUNDS, { short: 1, smoke: 1 }), async () => ({
    parley: await measure(gateway.port, gateway.pid),
    raw: await measure(rawPort, raw.pid),
  }))
  await load.stop()
  await raw.stop()
  const tell = (side: 'parley' | 'raw') =>
    `${formatNumber(median(turns.map((one) => one[side].rate)))} MB/s, ${formatNumber(median(turns.map((one) => one[side].cost)))} ms CPU per MB`

  // A gateway of its own: the other one keeps the memory that earlier downloads took.
  const fresh = await environment.startGateway()
  const before = readResidentBytes(fresh.pid)
  const slow = startProcess<TransferProcedures>(environment.group, 'load/transfers')
  await slow.call('readSlowly', { port: fresh.port, identity, path, readers: READERS })
  let highest = 0
  for (let i = 0; i < environment.size(50, { smoke: 5 }); i++) {
    await sleep(100)
    highest = Math.max(highest, readResidentBytes(fresh.pid))
  }
  await slow.stop()
  await fresh.stop()
  const grown = Math.max(0, highest - before)
  return [
    {
      label: `downloads of 25 MB, ${CLIENTS} at a time`,
      measured: tell('parley'),
      baseline: `${tell('raw')} (raw uWS, out of memory)`,
      ratios: turns.map(({ parley, raw }) => parley.cost / raw.cost),
    },
    {
      label: `memory of ${READERS} slow readers of 25 MB`,
      measured: `${formatNumber(grown / 1e6)} MB`,
      baseline: `${formatNumber((READERS * fileBytes) / 1e6)} MB of files`,
      ratios: [grown / (READERS * fileBytes)],
      bound: requireAtMost(0.1, [grown / (READERS * fileBytes)]),
    },
  ]
}

/** Uploads a file. @returns the path at which it is downloaded. Not with `fetch`, which takes no Host header. */
const uploadFile = (port: number, { host, credentials }: Identity, type: string, body: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { Host: host, Authorization: credentials, 'Content-Type': type, 'Content-Length': body.length }
    const sent = request({ port, method: 'POST', path: '/api/v1/user_uploads', headers }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      if (response.statusCode === 200) resolve(JSON.parse(text).url)
      else reject(new Error(`the upload was refused: ${text}`))
    })
    sent.on('error', reject)
    sent.end(body)
  })
