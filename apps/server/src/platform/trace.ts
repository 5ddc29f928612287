/**
 * Named after OpenTelemetry's semantic conventions. Never contains secrets, query strings, email addresses or user
 * content.
 */
type SpanAttributes = Readonly<Record<string, string | number>>

export type SpanStart = {
  name: string
  kind: 'server' | 'client' | 'consumer'
  attributes: SpanAttributes
}

/** The parts of an OpenTelemetry span that this service uses. */
export type Span = {
  /** W3C Trace Context, 3.2: passed to a callee or a job, whose spans become children of this one. */
  traceparent: string
  /** False when the sampler dropped this trace; the context is still propagated. */
  isRecorded: boolean
  startChild(start: SpanStart): Span
  setAttributes(attributes: SpanAttributes): void
  /** `error`: its type is recorded (`error.type`), never its message. */
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

/** Return the header's value when it is valid, otherwise undefined. */
export const readTraceparent = (value: unknown): string | undefined =>
  typeof value === 'string' && traceparentPattern.test(value) ? value : undefined

/** 32 hexadecimal digits. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)
