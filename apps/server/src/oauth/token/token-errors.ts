import { type ProblemCode, problems, type TokenErrorBody, type TokenErrorCode, tokenErrors } from '@parley/contract'
import type { ProblemError } from '../../platform/http/problem.ts'

/** An error response of the token endpoints (RFC 6749, 5.2); serve-client.ts sends it and logs its cause. */
export class TokenRefusal extends Error {
  readonly code: TokenErrorCode
  readonly headers: Readonly<Record<string, string>>
  /**
   * The app whose event log records the cause; null without an app or when it is recorded already, absent for
   * the authenticated client.
   */
  readonly event: RefusedApp | null | undefined

  constructor(
    code: TokenErrorCode,
    cause: string,
    options: { headers?: Record<string, string>; event?: RefusedApp | null } = {},
  ) {
    super(cause)
    this.code = code
    this.headers = options.headers ?? {}
    this.event = options.event
  }
}

export type RefusedApp = {
  appId: string
  sandbox: boolean
  /** The hash of a refused secret: after the reply it is looked up whether the secret was retired. */
  triedSecretHash?: Buffer
}

/** Short, generic and ASCII (RFC 6749, 5.2): the exact cause is for the app's developer, not for the sender. */
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

type TokenErrorResponse = { status: number; headers: Readonly<Record<string, string>>; body: TokenErrorBody }

/** The error code for a problem; other problems are malformed requests below status 500, and server errors above. */
const codeByProblem: Partial<Record<ProblemCode, TokenErrorCode>> = {
  too_many_requests: 'slow_down',
  unavailable: 'temporarily_unavailable',
}

/** Render a problem as an OAuth error response. */
export function renderProblem({ code, headers }: ProblemError): TokenErrorResponse {
  const mapped = codeByProblem[code]
  if (mapped !== undefined) return toResponse(mapped, headers)
  return toResponse(problems[code].status < 500 ? 'invalid_request' : 'server_error')
}

export const renderRefusal = ({ code, headers }: TokenRefusal): TokenErrorResponse => toResponse(code, headers)

const toResponse = (code: TokenErrorCode, headers: Readonly<Record<string, string>> = {}): TokenErrorResponse => ({
  status: tokenErrors[code],
  headers,
  body: { error: code, error_description: descriptions[code] },
})
