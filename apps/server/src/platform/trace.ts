/** After OpenTelemetry's semantic conventions; never a secret, a query string, an address of a person or a value of theirs. */
export type SpanAttributes = Readonly<Record<string, string | number>>

export type SpanStart = {
  name: string
  kind: 'server' | 'client' | 'consumer'
  attributes: SpanAttributes
}

/** A span of OpenTelemetry, as far as this service uses it. */
export type Span = {
  /** W3C Trace Context, 3.2: what a callee or a job is handed, to become a child of this span. */
  traceparent: string
  /** False where the sampler has decided against this trace: it is handed on all the same. */
  isRecorded: boolean
  startChild(start: SpanStart): Span
  setAttributes(attributes: SpanAttributes): void
  /** `error`: what failed, of which the span says the kind (`error.type`) and never the message. */
  end(outcome?: { name?: string; error?: unknown }): void
}

export type Tracing = {
  /** Start the span of a request or a job: a child of `traceparent`, or the first of a new trace. */
  startSpan(start: SpanStart, traceparent: string | undefined): Span
  /** Deliver the spans that have ended. Resolves within two seconds, whatever the collector does. */
  stop(): Promise<void>
}

/** W3C Trace Context, 3.2: a version other than ff, a trace and a parent that are not all zeros, flags. */
const traceparentPattern = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** The header's value where it is valid, else undefined. */
export const readTraceparent = (value: unknown): string | undefined =>
  typeof value === 'string' && traceparentPattern.test(value) ? value : undefined

/** 32 hexadecimal digits. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)
