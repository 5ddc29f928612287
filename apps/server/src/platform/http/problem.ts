import { type Problem, type ProblemCode, problems, type Violation } from '@parley/contract'
import type { DatabaseFailure } from '../database/database-failure.ts'

/** A problem on its way to the caller: thrown where it is found, answered in one place. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly detail: string
  readonly violations: readonly Violation[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, told: ProblemDetails) {
    super(code)
    this.code = code
    this.detail = told.detail ?? problems[code].title
    this.violations = told.violations
    this.headers = told.headers ?? {}
  }
}

export type ProblemDetails = {
  /** A sentence for this very case; the catalogue's when absent. Never a driver's message. */
  detail?: string
  violations?: readonly Violation[]
  headers?: Record<string, string>
}

export const problem = (code: ProblemCode, told: ProblemDetails = {}) => new ProblemError(code, told)

/** More than a person reads, and few enough that a hostile body cannot make a large answer. */
const maxViolationsTold = 100

/** All that is wrong with a request, at once. */
export function invalidRequest(violations: readonly Violation[]) {
  const told = violations.slice(0, maxViolationsTold)
  return problem('invalid_request', { detail: told.map(({ message }) => message).join(' '), violations: told })
}

/** 429 with the time after which another try makes sense, in whole seconds. */
export const tooManyRequests = (retryAfterMs: number) =>
  problem('too_many_requests', { headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } })

/** 503 for what the database cannot do at the moment. */
export const databaseUnavailable = ({ retryAfterSeconds }: DatabaseFailure) =>
  problem('unavailable', { headers: { 'retry-after': String(retryAfterSeconds) } })

/** The body of an RFC 9457 answer. `type` leads to the page that explains the code. */
export const problemBody = (found: ProblemError, baseUrl: string, requestId: string): Problem => ({
  type: `${baseUrl}/problems/${found.code}`,
  title: problems[found.code].title,
  status: problems[found.code].status,
  detail: found.detail,
  code: found.code,
  requestId,
  ...(found.violations === undefined ? {} : { errors: [...found.violations] }),
})
