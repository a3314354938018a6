/** The parts of the benchmarks that write and read figures, without a server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createRoundCounts, measureRounds } from '../../bench/harness/machine.js'
import { now } from '../../bench/harness/measure.js'
import { connectHttp } from '../../bench/load/http.js'
import { compileStamped, readStamps, stampedEvent } from '../../bench/load/stamps.js'
import { drawChart } from '../../bench/results/plot.js'

test('A receiver reads the time of every message in the bytes, and no others.', () => {
  const compose = compileStamped(stampedEvent)
  const sentAt = now() - 1000
  const text = `Stamp without a time, ${compose(sentAt)}\n${compose(sentAt)}`
  const times: number[] = []
  readStamps(Buffer.from(text), 0, text.length, (elapsed) => times.push(elapsed))
  expect(times).toHaveLength(2)
  for (const elapsed of times) expect(elapsed).toBeGreaterThanOrEqual(999)
  readStamps(Buffer.from(text), 0, 10, () => expect.unreachable())
})

test('The client of the load reads a response in chunks.', async () => {
  const server = createServer((_, response) => {
    response.write('a\r\n0\r\n\r\nb')
    setTimeout(() => response.end('c'), 5)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const connection = await connectHttp((server.address() as AddressInfo).port)
  const request = 'GET / HTTP/1.1\r\nHost: bench\r\n\r\n'
  for (let i = 0; i < 2; i++) expect((await connection.send(request)).body).toBe('a\r\n0\r\n\r\nbc')
  connection.close()
  server.close()
})

test('A round is measured once if disturbed rounds are not repeated, and every round is returned.', async () => {
  let calls = 0
  const measure = async () => calls++
  expect(await measureRounds(createRoundCounts(), { count: 3, isRepeating: false }, measure)).toEqual([0, 1, 2])
  const counts = createRoundCounts()
  expect(await measureRounds(counts, { count: 2, isRepeating: true }, measure)).toHaveLength(2)
  expect(counts).toMatchObject({ measured: 2, repeated: calls - 3 - 2 })
  expect(counts.shares).toHaveLength(2)
})

test('A chart encodes its labels, and draws each bar in proportion to the longest one.', () => {
  const svg = drawChart(
    {
      title: 'A < B',
      unit: 'ms',
      parts: ['server', 'stores'],
      bars: [
        { label: 'ours', values: [1, 1], isOurs: true },
        { label: 'theirs & others', values: [3, 1], isOurs: false },
      ],
    },
    String,
  )
  expect(svg).toContain('A &lt; B (ms)')
  expect(svg).toContain('theirs &amp; others')
  const widths = [...svg.matchAll(/class="part\d(?: ours)?" x="\d+\.\d" y="\d+" width="([\d.]+)"/g)].map(([, width]) =>
    Number(width),
  )
  const [first = 0, second, third = 0, last] = widths
  expect(second).toBe(first)
  expect(last).toBe(first)
  expect(third).toBeCloseTo(first * 3, 0)
})
