/**
 * Traces of messages, as the store and the gateway record them. monitoring/tracing.ts sends them to a collector;
 * without one there is no Tracing, and each place that would record a span checks for undefined only.
 *
 * Parents are passed as arguments and in publications of the bus, as W3C traceparent texts. OpenTelemetry's own way,
 * AsyncLocalStorage, makes every await of the process six times as slow on Node 22. On Node 24 it costs nothing.
 */

/** Values that describe a span. */
export type SpanValues = Readonly<Record<string, string | number>>

/** The trace of one call. */
export interface CallTrace {
  /** the traceparent of the call's span */
  readonly parent: string
  /** Ends the span of the call. */
  end(values: SpanValues): void
}

export interface Tracing {
  /** Begins the trace of a call; undefined: this call is not sampled. */
  begin(name: string): CallTrace | undefined
  /**
   * Records a span that has ended. Times are those of `now`.
   * @returns its traceparent, for the spans that it causes
   */
  record(parent: string, name: string, began: number, ended: number, values?: SpanValues): string
  /** Sends what was recorded, and ends. */
  close(): Promise<void>
}

/** Parents of the spans of entries, by seq. */
export type EntryTraces = Readonly<Record<number, string>>

/** The time, in milliseconds since 1970, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now()
