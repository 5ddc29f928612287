import { type ProblemCode, problems, type TokenErrorBody, type TokenErrorCode, tokenErrors } from '@parley/contract'
import type { ProblemError } from '../../platform/http/problem.ts'

type RefusalOptions = {
  headers?: Readonly<Record<string, string>>
  event?: RefusedApp | null
  /** Whether the response says the cause: the request alone shows it, or the client has authenticated. */
  isExact?: boolean
}

/** An error response of the token endpoints (RFC 6749, 5.2); client-endpoint.ts sends it and logs its cause. */
export class TokenRefusal extends Error {
  readonly code: TokenErrorCode
  readonly headers: Readonly<Record<string, string>>
  /**
   * The app whose event log records the cause; null without an app or when it is recorded already, absent for
   * the client that sent the request.
   */
  readonly event: RefusedApp | null | undefined
  readonly isExact: boolean

  constructor(code: TokenErrorCode, cause: string, { headers = {}, event, isExact = false }: RefusalOptions = {}) {
    super(cause)
    this.code = code
    this.headers = headers
    this.event = event
    this.isExact = isExact
  }
}

export type RefusedApp = {
  appId: string
  sandbox: boolean
  /** The hash of a refused secret: looked up among the app's current and former secrets after the reply. */
  triedSecretHash?: Buffer
}

/** Short and generic: of a sender that has not authenticated, the exact cause is for the app's developer. */
const descriptions: Record<TokenErrorCode, string> = {
  invalid_request: 'The request is malformed, or a parameter is missing, repeated or too long.',
  invalid_client: 'The client could not be authenticated.',
  invalid_grant: 'The code or token is not valid, has expired, was revoked or was issued to another client.',
  unauthorized_client: 'The client may not use this now.',
  unsupported_grant_type: 'The grant type must be authorization_code or refresh_token.',
  invalid_target: 'The resource is unknown, or not the one that was authorized.',
  invalid_scope: 'The scope is malformed or exceeds what was granted.',
  slow_down: 'Too many requests. Wait for as long as Retry-After says.',
  temporarily_unavailable: 'The service is not available right now. Try again soon.',
  server_error: 'Something went wrong on our side. The X-Request-Id finds it in the log.',
}

/** Causes may quote a part of the request, such as a scope; every quoted part is shorter than this. */
const maxDescriptionLength = 500

/** Write a description with the characters that it may have (RFC 6749, 5.2). */
export const toDescription = (text: string): string =>
  text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, maxDescriptionLength)

type TokenErrorResponse = { status: number; headers: Readonly<Record<string, string>>; body: TokenErrorBody }

/** The error code for a problem; other problems are malformed requests below status 500, and server errors above. */
const codeByProblem: Partial<Record<ProblemCode, TokenErrorCode>> = {
  too_many_requests: 'slow_down',
  unavailable: 'temporarily_unavailable',
}

/** Render a problem as an OAuth error response. */
export function renderProblem({ code, headers }: ProblemError, requestId: string): TokenErrorResponse {
  const mapped = codeByProblem[code]
  if (mapped !== undefined) return toResponse({ code: mapped, headers, requestId })
  return toResponse({ code: problems[code].status < 500 ? 'invalid_request' : 'server_error', requestId })
}

export const renderRefusal = (refusal: TokenRefusal, requestId: string): TokenErrorResponse => {
  const { code, headers, isExact, message } = refusal
  return toResponse({ code, headers, requestId, ...(isExact && { description: toDescription(message) }) })
}

type Rendered = {
  code: TokenErrorCode
  headers?: Readonly<Record<string, string>>
  requestId: string
  description?: string
}

const toResponse = ({ code, headers = {}, requestId, description }: Rendered): TokenErrorResponse => ({
  status: tokenErrors[code],
  headers,
  body: { error: code, error_description: description ?? descriptions[code], request_id: requestId },
})
