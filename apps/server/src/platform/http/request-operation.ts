import type { FastifyReply, FastifyRequest } from 'fastify'
import { endOperation, type Operation } from '../operation.ts'
import { readTraceparent, type Span, type Tracing, traceIdOf } from '../trace.ts'

/** `ownSpan` ends with the request, also where its statements are not recorded any more. */
export type RequestOperation = Operation & { ownSpan: Span | undefined }

/** Others are one, so that a caller cannot make new names of spans (OpenTelemetry's semantic conventions for HTTP). */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Begin the operation of a request. A valid `traceparent` names its trace; any sender may send one, so it stands beside our
 * own request id and never in its place.
 */
export function beginRequest(request: FastifyRequest, tracing: Tracing | undefined): RequestOperation {
  const received = readTraceparent(request.headers.traceparent)
  const method = methods.has(request.method) ? request.method : '_OTHER'
  const route = request.routeOptions.url
  const span = tracing?.startSpan(
    {
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      // No address, query, client or user agent: addresses hold tokens, and the rest is personal.
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

/** End it with the status that was sent; what a client has done wrong is no error of this service. */
export function endRequest({ operation }: FastifyRequest, { statusCode, errorCode }: FastifyReply) {
  if (operation === undefined) return
  operation.ownSpan?.setAttributes({
    'http.response.status_code': statusCode,
    ...(errorCode !== '' && { 'parley.error_code': errorCode }),
  })
  operation.ownSpan?.end(statusCode >= 500 ? { error: String(statusCode) } : {})
  endOperation(operation)
}
