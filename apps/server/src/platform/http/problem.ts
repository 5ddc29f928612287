import { type Problem, type ProblemCode, problems } from '@parley/contract'
import type { Violation } from '@parley/rules/text/violation'
import type { FastifyRequest } from 'fastify'
import { readDatabaseFailure } from '../database/database-failure.ts'
import type { DatabaseFailureLog } from '../database/database-failure-log.ts'

/** A problem that is returned to the caller: thrown where it is found, sent in one place. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly detail: string
  readonly violations: readonly Violation[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, details: ProblemDetails) {
    super(code)
    this.code = code
    this.detail = details.detail ?? problems[code].title
    this.violations = details.violations
    this.retryAfterSeconds = details.retryAfterSeconds
    this.headers = {
      ...details.headers,
      ...(details.retryAfterSeconds !== undefined && { 'retry-after': String(details.retryAfterSeconds) }),
    }
  }
}

type ProblemDetails = {
  /** A sentence for this case; the catalogue's when absent. Never a driver's message. */
  detail?: string
  violations?: readonly Violation[]
  /** Whole seconds until a retry makes sense, for the header Retry-After. */
  retryAfterSeconds?: number
  /** Further headers of the answer. */
  headers?: Record<string, string>
}

export const problem = (code: ProblemCode, details: ProblemDetails = {}) => new ProblemError(code, details)

/** More than a person reads, and few enough that a hostile body cannot cause a large response. */
const maxReportedViolations = 100

/** A 400 with all violations of a request. */
export function invalidRequest(violations: readonly Violation[]) {
  const reported = violations.slice(0, maxReportedViolations)
  return problem('invalid_request', { detail: reported.map(({ message }) => message).join(' '), violations: reported })
}

/** A 429 with the time until a retry makes sense, in whole seconds. */
export const tooManyRequests = (retryAfterMs: number) =>
  problem('too_many_requests', { retryAfterSeconds: wholeSeconds(retryAfterMs) })

/** The value of Retry-After for a time in milliseconds: at least a second. */
export const wholeSeconds = (durationMs: number): number => Math.max(1, Math.ceil(durationMs / 1000))

/** The body of an RFC 9457 response. `type` is the URL of the page that explains the code. */
export const problemBody = (found: ProblemError, baseUrl: string, requestId: string): Problem => ({
  type: `${baseUrl}/problems/${found.code}`,
  title: problems[found.code].title,
  status: problems[found.code].status,
  detail: found.detail,
  code: found.code,
  requestId,
  ...(found.violations === undefined ? {} : { errors: [...found.violations] }),
})

/**
 * Find the problem that answers an error, and log an error that is a fault of this service. The API, the token
 * endpoints and all pages answer what this returns, each in its own form.
 */
export function mapError(error: unknown, request: FastifyRequest, databaseFailures: DatabaseFailureLog): ProblemError {
  const found = findProblem(error)
  databaseFailures.report(error, { requestId: request.id })
  if (found.code === 'internal_error') request.log.error({ err: error, requestId: request.id }, 'request failed')
  return found
}

/** Map an error of a handler, of Fastify, of a library or of the database to a problem. */
function findProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  const failure = readDatabaseFailure(error)
  if (failure !== undefined) return problem('unavailable', { retryAfterSeconds: failure.retryAfterSeconds })
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

/** Map a library's error status: below 500 it is the client's error, and must not look like ours. */
function codeOfStatus(status: number): ProblemCode {
  switch (status) {
    // Report forbidden files as not found: `@fastify/static` answers 403 for paths outside its folder.
    case 403:
    case 404:
      return 'not_found'
    case 412:
      return 'precondition_failed'
    default:
      return status >= 400 && status < 500 ? 'malformed_request' : 'internal_error'
  }
}
