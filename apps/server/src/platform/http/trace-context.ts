import type { IncomingHttpHeaders } from 'node:http'

/** W3C Trace Context, 3.2: a version other than ff, a trace and a parent that are not all zeros, flags. */
const traceparentPattern = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/**
 * The trace that a request belongs to, 32 hexadecimal digits, for the log; undefined without a valid `traceparent`. Any
 * sender may name one: it stands beside our own request id and never in its place.
 */
export function readTraceId({ traceparent }: IncomingHttpHeaders): string | undefined {
  return typeof traceparent === 'string' ? traceparentPattern.exec(traceparent)?.[1] : undefined
}
