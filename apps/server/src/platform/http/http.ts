import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { maxPathParameterLength } from '@parley/contract'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { createDatabaseFailureLog, type DatabaseFailureLog } from '../database/database-failure-log.ts'
import { createIsInNetworks } from '../network-list.ts'
import {
  endOperation,
  type Operation,
  operations,
  readTraceparent,
  type Span,
  type Tracing,
  traceIdOf,
} from '../operation.ts'
import type { Random } from '../random.ts'
import { crossOriginHeaders, preflightReply } from './cross-origin.ts'
import { routeOf } from './other-methods.ts'
import { refuseOverload } from './overload.ts'
import { mapError, problem, problemBody } from './problem.ts'
import { sendRawReply } from './raw-reply.ts'
import { enforceHeaderLimits, isHostValid, readRequestId } from './request-headers.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The error code in the body of a refusal, ours or RFC 6749's; otherwise empty. */
    errorCode: string
  }
  interface FastifyRequest {
    /** Undefined for requests that reach no hook, such as an undecodable URL. */
    operation: RequestOperation | undefined
  }
}

const httpLimits = {
  /** A meeting with 1,000 participants and a full description is under 100 KB. */
  bodyBytes: 1024 * 1024,
  /** The time for a client to send a request; Fastify's default is unlimited (slow senders). */
  requestMs: 30_000,
  headersMs: 15_000,
  /** Longer than a load balancer keeps connections, so that the balancer closes them. */
  keepAliveMs: 72_000,
  /** An authorization request carries up to 4 KiB of `state`, which is three times as long when escaped. */
  addressCharacters: 14 * 1024,
  /** The length includes the URL. */
  headerBytes: 24 * 1024,
}

/** Responses are data for programs: they must not be executed, framed, sniffed or cached. */
const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export type HttpOptions = {
  baseUrl: string
  trustProxy: readonly string[]
  clock: Clock
  random: Random
  log: Logger
  /** Shared with the error handlers of pages and of the token endpoint; created when absent. */
  databaseFailures?: DatabaseFailureLog
  /** Answer a browser's request for an unknown address; returns whether it has. */
  showNotFound?: (request: FastifyRequest, reply: FastifyReply) => boolean
  /** Which requests switch protocols (`upgrade` of the server); other Upgrade headers are ignored. */
  isUpgrade?: (request: IncomingMessage) => boolean
  /** The maximum number of concurrent requests; the default when absent. */
  maxInFlight?: number
  /** Whether the service is shutting down: a 503 is then expected and no error. */
  isStopping?: () => boolean
  /** Absent: requests have no spans. */
  tracing?: Tracing
}

/** Create the HTTP server with its limits, headers and error responses, without endpoints. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const { baseUrl, trustProxy, clock, random, log, showNotFound } = options
  const databaseFailures = options.databaseFailures ?? createDatabaseFailureLog(log)
  const { isUpgrade = () => false, isStopping = () => false } = options
  const secureHeaders = baseUrl.startsWith('https:')
    ? { ...apiHeaders, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : apiHeaders
  const isTrusted = createIsInNetworks(trustProxy)
  const http = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // The log itself adds the request to each line.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: httpLimits.bodyBytes,
    requestTimeout: httpLimits.requestMs,
    keepAliveTimeout: httpLimits.keepAliveMs,
    // Without a Host header Node would respond itself, without a problem body: the hook below responds instead.
    http: {
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: httpLimits.headersMs,
      requireHostHeader: false,
      shouldUpgradeCallback: isUpgrade,
    },
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    genReqId: (request) => readRequestId(request, isTrusted) ?? random.uuid(clock.now()),
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { maxParamLength: maxPathParameterLength, caseSensitive: true },
    clientErrorHandler: (error, socket) => {
      const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : timeoutOr(error.code)
      const requestId = random.uuid(clock.now())
      const body = problemBody(problem(code), baseUrl, requestId)
      const sent: unknown = error.rawPacket
      const isHead = Buffer.isBuffer(sent) && sent.subarray(0, 'HEAD '.length).toString('latin1') === 'HEAD '
      sendRawReply(socket, {
        status: body.status,
        headers: { 'content-type': 'application/problem+json', ...secureHeaders, 'x-request-id': requestId },
        body: JSON.stringify(body),
        sendsBody: !isHead,
      })
    },
    // URLs that cannot be decoded, or have too long a parameter, reach no hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(secureHeaders).header('x-request-id', request.id)
      answerProblem(error, request, reply)
    },
  })
  // Ignore unknown expectations (RFC 9110, 10.1.1); Node would respond with 417.
  http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response))

  http.decorateRequest('operation', undefined)
  http.addHook('onRequest', (request, _reply, next) => {
    request.operation = beginRequest(request, options.tracing)
    operations.run(request.operation, next)
  })
  // Body events belong to the connection, not to a request's operation.
  http.addHook('preValidation', (request, _reply, next) => {
    if (request.operation === undefined) next()
    else operations.run(request.operation, next)
  })
  http.addHook('onRequest', (request, reply, next) => {
    reply.headers(secureHeaders)
    reply.header('x-request-id', request.id)
    const { method = '', headers, url = '' } = request.raw
    const tooLong = enforceHeaderLimits(headers)
    reply.headers(crossOriginHeaders({ method, url, headers }) ?? {})
    if (tooLong !== undefined) return next(headerTooLong(tooLong))
    if (url.length > httpLimits.addressCharacters) return next(problem('address_too_long'))
    if (!isHostValid(request.raw)) return next(problem('malformed_request', { detail: 'Send one valid Host header.' }))
    const preflight = preflightReply({ method, url, headers })
    if (preflight !== undefined) return void reply.status(204).headers(preflight).send()
    next()
  })
  http.decorateReply('errorCode', '')
  const overload = refuseOverload(http, log, options.maxInFlight)
  http.addHook('onResponse', (request, reply, next) => {
    const levelOf503 = isStopping() ? 'info' : databaseFailures.recentCauses().length > 0 ? 'debug' : 'error'
    if (!overload.refused(request)) logReply(log, request, reply, levelOf503)
    endRequest(request, reply)
    next()
  })
  // Fastify also accepts plain text; here a body is JSON, or a form on some pages.
  http.removeContentTypeParser('text/plain')
  http.setNotFoundHandler(async (request, reply) => {
    if (showNotFound?.(request, reply)) return reply
    throw problem('not_found')
  })
  http.setErrorHandler(answerProblem)
  return http

  function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const found = mapError(error, request, databaseFailures)
    const body = problemBody(found, baseUrl, request.id)
    reply.errorCode = found.code
    return reply
      .status(body.status)
      .headers({ ...found.headers, 'content-type': 'application/problem+json' })
      .send(JSON.stringify(body))
  }
}

const headerTooLong = ({ name, maxLength }: { name: string; maxLength: number }) =>
  problem('headers_too_large', { detail: `The header ${name} must have at most ${maxLength} characters.` })

const timeoutOr = (code: string | undefined) =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request'

/**
 * Log one line for each reply; successful requests at the level debug. `levelOf503` is lower where the log already says
 * why requests are refused. The path is logged without its query, because queries contain secrets.
 */
function logReply(log: Logger, request: FastifyRequest, reply: FastifyReply, levelOf503: 'error' | 'info' | 'debug') {
  const status = reply.statusCode
  const level = status === 503 ? levelOf503 : status >= 500 ? 'error' : status >= 400 ? 'info' : 'debug'
  if (!log.isLevelEnabled(level)) return
  const route = routeOf(request) ?? 'unknown'
  const durationMs = Math.round(reply.elapsedTime)
  const { names } = request.operation ?? {}
  log[level]({ ...names, method: request.method, route, status, durationMs }, 'answered')
}

/** The caller's address; behind a trusted proxy, the address in its header. */
export const addressOf = (request: FastifyRequest): string => (isIP(request.ip) === 0 ? 'unknown' : request.ip)

/** `ownSpan` ends with the request, even if its statements are no longer recorded. */
type RequestOperation = Operation & { ownSpan: Span | undefined }

/**
 * All other methods share one name, so that callers cannot create span names (OpenTelemetry's semantic conventions for
 * HTTP).
 */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Begin the operation of a request. A valid `traceparent` gives its trace. Since any client may send one, it never
 * replaces our own request id.
 */
function beginRequest(request: FastifyRequest, tracing: Tracing | undefined): RequestOperation {
  const received = readTraceparent(request.headers.traceparent)
  const method = methods.has(request.method) ? request.method : '_OTHER'
  const route = routeOf(request)
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
function endRequest({ operation }: FastifyRequest, { statusCode, errorCode }: FastifyReply) {
  if (operation === undefined) return
  operation.ownSpan?.setAttributes({
    'http.response.status_code': statusCode,
    ...(errorCode !== '' && { 'parley.error_code': errorCode }),
  })
  operation.ownSpan?.end(statusCode >= 500 ? { error: String(statusCode) } : {})
  endOperation(operation)
}
