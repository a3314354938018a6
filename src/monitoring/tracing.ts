/** Sends traces to an OpenTelemetry collector. Its libraries are loaded only when a collector is configured. */
import type { SpanContext } from '@opentelemetry/api'
import type { Config } from '../config/config.js'
import type { Tracing } from '../store/tracing.js'
import { readVersion } from './release.js'

type TracedConfig = Pick<
  Config,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG'
>

/** Milliseconds after which recorded spans are sent. */
const SEND_AFTER_MS = 1_000

/** Milliseconds after which an export, and the last one of a process, is given up. */
const TIMEOUT_MS = 2_000

/** Opens the tracing of a gateway; undefined: no collector is configured. */
export const openTracing = async (config: TracedConfig): Promise<Tracing | undefined> => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config
  if (endpoint === undefined) return undefined
  const [{ ROOT_CONTEXT, SpanKind, trace }, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all(
    [
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ],
  )
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    timeoutMillis: TIMEOUT_MS,
  })
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'parley-gateway',
      'service.version': readVersion(),
      'process.pid': process.pid,
    }),
    // A span whose parent was sampled is always sampled, also in another process.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter, { scheduledDelayMillis: SEND_AFTER_MS })],
  })
  const tracer = provider.getTracer('parley')

  return {
    begin(name) {
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, ROOT_CONTEXT)
      if (!span.isRecording()) return undefined
      return {
        parent: formatParent(span.spanContext()),
        end(values) {
          span.setAttributes(values)
          span.end()
        },
      }
    },
    record(parent, name, began, ended, values) {
      const remote = parseParent(parent)
      if (remote === undefined) return parent
      const context = trace.setSpanContext(ROOT_CONTEXT, remote)
      const span = tracer.startSpan(name, { startTime: began, attributes: values }, context)
      span.end(ended)
      return formatParent(span.spanContext())
    },
    async close() {
      const closed = provider.shutdown().catch(() => {})
      // A collector that does not answer must not delay the shutdown.
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS).unref())])
    },
  }
}

/** Writes a traceparent of W3C; all that are written here are sampled. */
const formatParent = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`

/** Reads a traceparent; undefined: it has another form. */
const parseParent = (text: string): SpanContext | undefined => {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(text) ?? []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId, traceFlags: 1, isRemote: true }
}
