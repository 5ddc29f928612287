import type { ProblemCode } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { readDatabaseFailure } from '../database/database-failure.ts'
import type { DatabaseFailureLog } from '../database/database-failure-log.ts'
import { ProblemError, problem } from './problem.ts'

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
