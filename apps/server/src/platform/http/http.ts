import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { maxPathParameterLength, type ProblemCode } from '@parley/contract'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { readDatabaseFailure } from '../database/database-failure.ts'
import { createDatabaseFailureLog, type DatabaseFailureLog } from '../database/database-failure-log.ts'
import { operations } from '../operation.ts'
import type { Random } from '../random.ts'
import type { Tracing } from '../trace.ts'
import { createIsTrusted } from './client-address.ts'
import { crossOriginHeaders, preflightAnswer } from './cross-origin.ts'
import { refuseOverload } from './overload.ts'
import { databaseUnavailable, ProblemError, problem, problemBody } from './problem.ts'
import { enforceHeaderLimits, isHostSound } from './request-headers.ts'
import { readRequestId } from './request-id.ts'
import { beginRequest, endRequest, type RequestOperation } from './request-operation.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Of a refusal: the code in its body, one of ours or of RFC 6749; else empty. */
    errorCode: string
  }
  interface FastifyRequest {
    /** Undefined for what reaches no hook: an address that cannot be decoded. */
    operation: RequestOperation | undefined
  }
}

const limits = {
  /** A meeting with 1,000 participants and a full description is under 100 KB. */
  bodyBytes: 1024 * 1024,
  /** The time a client has to send a request; Fastify's own default is none (slow senders). */
  requestMs: 30_000,
  headersMs: 15_000,
  /** Longer than a load balancer keeps its connections, so that it and not we closes them. */
  keepAliveMs: 72_000,
  /** For whoever is refused before there was a request to take our answer. */
  refusalMs: 2_000,
  /** An authorization request carries up to 4 KiB of an app's state, three characters a byte when escaped. */
  addressCharacters: 14 * 1024,
  /** The address counts here too. */
  headerBytes: 24 * 1024,
}

/** Our answers are data for programs: nothing in them may run, be framed, be sniffed or be kept by a cache. */
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
  /** Shared with the error handlers of pages and of the token endpoint; one of its own when absent. */
  databaseFailures?: DatabaseFailureLog
  /** Answers a browser that asks for an address where nothing is, and tells whether it has. */
  showNotFound?: (request: FastifyRequest, reply: FastifyReply) => boolean
  /** Which requests become another protocol (`upgrade` of the server); an Upgrade header of any other means nothing. */
  isUpgrade?: (request: IncomingMessage) => boolean
  /** So many requests are worked on at a time; as usual when absent. */
  maxInFlight?: number
  /** Whether the service is shutting down: a 503 is then the right answer and no error. */
  isStopping?: () => boolean
  /** Absent: requests have no spans. */
  tracing?: Tracing
}

/** The HTTP server with its limits, headers and error answers; it knows no endpoint yet. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const { baseUrl, trustProxy, clock, random, log, showNotFound } = options
  const databaseFailures = options.databaseFailures ?? createDatabaseFailureLog(log)
  const { isUpgrade = () => false, isStopping = () => false } = options
  const secureHeaders = baseUrl.startsWith('https:')
    ? { ...apiHeaders, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : apiHeaders
  const isTrusted = createIsTrusted(trustProxy)
  const http = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // The log itself names the request in each line.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Without a Host header Node would answer by itself, and with no problem: the hook below does.
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
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
      if (!socket.writable) return void socket.destroy()
      const requestId = random.uuid(clock.now())
      const body = problemBody(problem(code), baseUrl, requestId)
      const answer = rawAnswer(body.status, JSON.stringify(body), { ...secureHeaders, 'x-request-id': requestId })
      // Nothing follows the head of an answer to HEAD (RFC 9110, 9.3.2).
      const sent: unknown = error.rawPacket
      const isHead = Buffer.isBuffer(sent) && sent.subarray(0, 'HEAD '.length).toString('latin1') === 'HEAD '
      socket.end(isHead ? answer.head : answer.head + answer.body)
      // Not at once: what is still coming in would tear the answer away from them.
      setTimeout(() => socket.destroy(), limits.refusalMs).unref()
    },
    // An address that cannot be decoded, or holds too long a parameter, reaches no hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(secureHeaders).header('x-request-id', request.id)
      answerProblem(error, request, reply)
    },
  })
  // An expectation that we do not know is none (RFC 9110, 10.1.1); Node would answer 417 by itself.
  http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response))

  http.decorateRequest('operation', undefined)
  http.addHook('onRequest', (request, _reply, next) => {
    request.operation = beginRequest(request, options.tracing)
    operations.run(request.operation, next)
  })
  // A body arrives in events of the connection, which belong to no request.
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
    if (url.length > limits.addressCharacters) return next(problem('address_too_long'))
    if (!isHostSound(request.raw)) return next(problem('malformed_request', { detail: 'Send one valid Host header.' }))
    const preflight = preflightAnswer({ method, url, headers })
    if (preflight !== undefined) return void reply.status(204).headers(preflight).send()
    next()
  })
  http.decorateReply('errorCode', '')
  const overload = refuseOverload(http, log, options.maxInFlight)
  http.addHook('onResponse', (request, reply, next) => {
    const levelOf503 = isStopping() ? 'info' : databaseFailures.recentCauses().length > 0 ? 'debug' : 'error'
    if (!overload.refused(request)) logAnswer(log, request, reply, levelOf503)
    endRequest(request, reply)
    next()
  })
  // Fastify takes plain text too; here a body is JSON, or a form where a page says so.
  http.removeContentTypeParser('text/plain')
  http.setNotFoundHandler(async (request, reply) => {
    if (showNotFound?.(request, reply)) return reply
    throw problem('not_found')
  })
  http.setErrorHandler(answerProblem)
  return http

  function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const found = asProblem(error)
    const body = problemBody(found, baseUrl, request.id)
    reply.errorCode = found.code
    databaseFailures.report(error, { requestId: request.id })
    if (found.code === 'internal_error') log.error({ err: error, requestId: request.id }, 'request failed')
    return reply
      .status(body.status)
      .headers({ ...found.headers, 'content-type': 'application/problem+json' })
      .send(JSON.stringify(body))
  }
}

/** Every method that an address does not take is answered 405 with the ones it takes (RFC 9110, 15.5.6). */
export function refuseOtherMethods(http: FastifyInstance, taken: ReadonlyMap<string, readonly string[]>) {
  const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  for (const [url, methods] of taken) {
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
    http.route({
      method: all.filter((method) => !methods.includes(method)),
      url,
      handler: async () => {
        throw problem('method_not_allowed', { headers: { allow } })
      },
    })
  }
}

function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  const failure = readDatabaseFailure(error)
  if (failure !== undefined) return databaseUnavailable(failure)
  const { code, statusCode = 500 } = Object(error) as { code?: string; statusCode?: number }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problem('body_too_large')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problem('unsupported_media_type')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return problem('malformed_body')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return problem('not_found')
    default:
      if (error instanceof SyntaxError && statusCode === 400) return problem('malformed_body')
      return problem(codeOfStatus(statusCode))
  }
}

/** Libraries throw errors with a status: one below 500 is the client's doing, and must not look like a fault of ours. */
function codeOfStatus(status: number): ProblemCode {
  switch (status) {
    // What may not be served is not there: `@fastify/static` answers 403 for paths that leave its folder.
    case 403:
    case 404:
      return 'not_found'
    case 412:
      return 'precondition_failed'
    default:
      return status >= 400 && status < 500 ? 'malformed_request' : 'internal_error'
  }
}

const headerTooLong = ({ name, maxLength }: { name: string; maxLength: number }) =>
  problem('headers_too_large', { detail: `The header ${name} must have at most ${maxLength} characters.` })

const timeoutOr = (code: string | undefined) =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request'

/** For what is not HTTP enough to reach a handler. */
const rawAnswer = (status: number, body: string, headers: Readonly<Record<string, string>>) => {
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body }
}

/** One line an answer; `levelOf503` is lower where the log says already why nothing is served. What went well is for a search only; the path has no query, because queries hold secrets. */
function logAnswer(log: Logger, request: FastifyRequest, reply: FastifyReply, levelOf503: 'error' | 'info' | 'debug') {
  const status = reply.statusCode
  const level = status === 503 ? levelOf503 : status >= 500 ? 'error' : status >= 400 ? 'info' : 'debug'
  if (!log.isLevelEnabled(level)) return
  const route = request.routeOptions.url ?? 'unknown'
  const durationMs = Math.round(reply.elapsedTime)
  const { names } = request.operation ?? {}
  log[level]({ ...names, method: request.method, route, status, durationMs }, 'answered')
}

/** The caller's address; behind a trusted proxy, the one that the proxy names. */
export const addressOf = (request: FastifyRequest): string => (isIP(request.ip) === 0 ? 'unknown' : request.ip)
