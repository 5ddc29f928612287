import { AsyncLocalStorage } from 'node:async_hooks'

/** A request or a job, for as long as it is handled (docs/decisions/0100). */
export type Operation = {
  /** Added to each line of the log: `requestId`, or `task` and `jobId`, and `traceId`. */
  names: Readonly<Record<string, string | number>>
  /**
   * The trace of the operation. Passed on to services called and jobs queued; undefined without a trace.
   */
  traceparent: string | undefined
  /** The span that contains its statements and calls; undefined while nothing is recorded. */
  span: Span | undefined
}

/**
 * The operation that the running code belongs to. What outlives its operation (a timer, a connection) belongs to none.
 */
export const operations = new AsyncLocalStorage<Operation | undefined>()

/** End the recording of the current operation: only the beginning of a stream, which may last for hours, is traced. */
export function stopRecording() {
  const operation = operations.getStore()
  if (operation !== undefined) operation.span = undefined
}

/** Keep work that outlives the operation from logging in its name and adding to its trace. */
export function endOperation(operation: Operation) {
  operation.names = {}
  operation.traceparent = undefined
  operation.span = undefined
}

/**
 * Run a call to another service, in a span of its own if the operation is recorded. `work` receives the span, and the
 * `traceparent` to pass on.
 */
export async function inSpan<T>(
  start: SpanStart,
  work: (span: Span | undefined, traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  const operation = operations.getStore()
  const span = operation?.span?.startChild(start)
  if (span === undefined) return work(undefined, operation?.traceparent)
  try {
    const result = await work(span, span.traceparent)
    span.end()
    return result
  } catch (error) {
    span.end({ error })
    throw error
  }
}

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
  /** W3C Trace Context, 3.2: passed to a callee or a job, whose spans become children of this operation's span. */
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
  /** Deliver the spans that have ended. Resolve within two seconds even if the collector does not answer. */
  stop(): Promise<void>
}

/** W3C Trace Context, 3.2: a version other than ff, a trace and a parent that are not all zeros, flags. */
const traceparentPattern = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** Return the header's value when it is valid, otherwise undefined. */
export const readTraceparent = (value: unknown): string | undefined =>
  typeof value === 'string' && traceparentPattern.test(value) ? value : undefined

/** 32 hexadecimal digits. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)
