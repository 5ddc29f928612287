import { type Problem, type ProblemCode, problems } from '@parley/contract'
import type { Violation } from '@parley/rules/text/violation'

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
