import type { FastifyReply, FastifyRequest } from 'fastify'
import { endOperation, type Operation } from '../operation.ts'
import { readTraceparent, type Span, type Tracing, traceIdOf } from '../trace.ts'

/** `ownSpan` ends with the request, even if its statements are no longer recorded. */
export type RequestOperation = Operation & { ownSpan: Span | undefined }

/**
 * All other methods share one name, so that callers cannot create span names (OpenTelemetry's semantic conventions for
 * HTTP).
 */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Begin the operation of a request. A valid `traceparent` gives its trace. Since any client may send one, it never
 * replaces our own request id.
 */
export function beginRequest(request: FastifyRequest, tracing: Tracing | undefined): RequestOperation {
  const received = readTraceparent(request.headers.traceparent)
  const method = methods.has(request.method) ? request.method : '_OTHER'
  const route = request.routeOptions.url
  const span = tracing?.startSpan(
    {
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      // No path, query, client or user agent: paths contain tokens, and the rest is personal data.
      attributes: {
        'http.request.method': method,
        'url.scheme': request.protocol,
        'parley.request_id': request.id,
        ...(route !== undefined && { 'http.route': route }),
      },
    },
    received,
  )
  const traceparent = span?.traceparent ?? received
  return {
    names: { requestId: request.id, ...(traceparent !== undefined && { traceId: traceIdOf(traceparent) }) },
    traceparent,
    span: span?.isRecorded ? span : undefined,
    ownSpan: span,
  }
}

/** End the operation with the sent status; client errors are no errors of this service. */
export function endRequest({ operation }: FastifyRequest, { statusCode, errorCode }: FastifyReply) {
  if (operation === undefined) return
  operation.ownSpan?.setAttributes({
    'http.response.status_code': statusCode,
    ...(errorCode !== '' && { 'parley.error_code': errorCode }),
  })
  operation.ownSpan?.end(statusCode >= 500 ? { error: String(statusCode) } : {})
  endOperation(operation)
}
