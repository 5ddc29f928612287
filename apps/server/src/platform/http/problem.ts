import { type Problem, type ProblemCode, problems, type Violation } from '@parley/contract'
import type { DatabaseFailure } from '../database/database-failure.ts'

/** A problem that is returned to the caller: thrown where it is found, sent in one place. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly detail: string
  readonly violations: readonly Violation[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, details: ProblemDetails) {
    super(code)
    this.code = code
    this.detail = details.detail ?? problems[code].title
    this.violations = details.violations
    this.headers = details.headers ?? {}
  }
}

export type ProblemDetails = {
  /** A sentence for this case; the catalogue's when absent. Never a driver's message. */
  detail?: string
  violations?: readonly Violation[]
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
  problem('too_many_requests', { headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } })

/** A 503 for a failure of the database. */
export const databaseUnavailable = ({ retryAfterSeconds }: DatabaseFailure) =>
  problem('unavailable', { headers: { 'retry-after': String(retryAfterSeconds) } })

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
