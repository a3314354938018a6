/** Traces of messages, which a collector of the test receives. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { openSocket } from '../setup/requests/socket.js'
import { openServer } from '../setup/web/web-server.js'

const Attribute = z.object({
  key: z.string(),
  value: z.object({ intValue: z.number().optional(), stringValue: z.string().optional() }),
})
const Span = z.object({
  traceId: z.string().length(32),
  spanId: z.string().length(16),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(Attribute),
})
/** The JSON form of OTLP over HTTP. */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})
type ReceivedSpan = z.infer<typeof Span> & { pid: number | undefined }

const readAttribute = (attributes: z.infer<typeof Attribute>[], key: string) =>
  attributes.find((one) => one.key === key)?.value

/** A collector: it accepts what gateways export. */
const openCollector = async () => {
  const server = await openServer((_called, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end('{}')
  })
  return {
    ...server,
    spans: (): ReceivedSpan[] =>
      server.calls.flatMap(({ text }) =>
        Export.parse(JSON.parse(text)).resourceSpans.flatMap(({ resource, scopeSpans }) => {
          const pid = readAttribute(resource.attributes, 'process.pid')?.intValue
          return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, pid })))
        }),
      ),
  }
}

test('A trace shows the way of one message from the call to the delivery by another gateway.', async () => {
  await using collector = await openCollector()
  await using fleet = await startOwnFleet({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer of-the-test',
  })
  await using other = await fleet.newGateway()
  const [ada, grace] = (await fleet.realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  // It stays open: a gateway delivers a message, and records a span of it, only while a client reads.
  await using _reader = await openSocket(grace, other.url, '', ['message'])
  const message = { type: 'direct', to: [grace.user_id], content: 'traced' }
  const send = () => ok(ada, 'POST', '/messages', message, { url: fleet.gateway.url })
  const deliveries = () => collector.spans().filter(({ name, pid }) => name === 'deliver' && pid === other.pid)
  // The other gateway reads a message from Postgres, without its trace, if Redis has not yet handled its subscription.
  const countDeliveries = async () => {
    if (deliveries().length === 0) await send()
    return deliveries().length
  }
  await expect.poll(countDeliveries, { timeout: 20_000, interval: 2_000 }).toBeGreaterThan(0)

  const delivered = deliveries()[0] as ReceivedSpan
  const spans = () => collector.spans().filter(({ traceId }) => traceId === delivered.traceId)
  const rootOf = () => spans().find(({ parentSpanId }) => (parentSpanId ?? '') === '')
  await expect.poll(rootOf, { timeout: 10_000 }).toBeDefined()
  // Each gateway exports a span some time after its end, and not all of them together.
  const findPath = () => {
    const byId = new Map(spans().map((span) => [span.spanId, span]))
    const path: string[] = []
    for (let span: ReceivedSpan | undefined = delivered; span !== undefined; span = byId.get(span.parentSpanId ?? '')) {
      path.unshift(`${span.name} in ${span.pid === other.pid ? 'the other gateway' : 'the first gateway'}`)
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
    }
    return path
  }
  await expect
    .poll(findPath, { timeout: 10_000 })
    .toEqual([
      'POST /messages in the first gateway',
      'commit in the first gateway',
      'bus in the other gateway',
      'apply in the other gateway',
      'deliver in the other gateway',
    ])
  const listChildren = () => spans().filter(({ parentSpanId }) => parentSpanId === rootOf()?.spanId)
  await expect
    .poll(() =>
      listChildren()
        .map(({ name }) => name)
        .sort(),
    )
    .toEqual(['check and render', 'commit', 'wait for the combiner'])
  expect(readAttribute(rootOf()?.attributes ?? [], 'http.response.status_code')?.intValue).toBe(200)
  expect(collector.calls[0]).toMatchObject({
    path: '/v1/traces',
    headers: { authorization: 'Bearer of-the-test', 'content-type': 'application/json' },
  })
  const text = JSON.stringify(collector.spans())
  for (const secret of ['traced', ada.email, grace.email]) expect(text).not.toContain(`"${secret}"`)
}, 60_000)

test('A collector that does not answer delays neither messages nor the shutdown, and no span is sent for a share of 0.', async () => {
  await using collector = await openCollector()
  await using fleet = await startOwnFleet({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
  const unsampled = await fleet.newGateway({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  const [ada] = (await fleet.realm.people({ full_name: 'Ada' })) as [Person]
  for (const url of [fleet.gateway.url, unsampled.url])
    await ok(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'sent' }, { url })
  expect(await unsampled.stop()).toBe('exit code 0')
  // The unsampled gateway applied the message that the first one had traced, under that trace.
  expect(collector.spans().filter(({ name }) => name === 'POST /messages')).toEqual([])
  expect(await fleet.gateway.stop()).toBe('exit code 0')
}, 60_000)
