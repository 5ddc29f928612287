import { type TokenErrorBody, type TokenErrorCode, tokenErrors } from '@parley/contract'
import { readDatabaseFailure } from '../../platform/database/database-failure.ts'
import { ProblemError } from '../../platform/http/problem.ts'

/** A refusal on its way to an app: thrown where it is found, answered and told to the app's developer in one place. */
export class TokenRefusal extends Error {
  readonly code: TokenErrorCode
  readonly headers: Readonly<Record<string, string>>
  /** Whose log the exact cause goes to; null where that is written already, absent for the app that asks. */
  readonly event: RefusedApp | null | undefined

  constructor(
    code: TokenErrorCode,
    cause: string,
    told: { headers?: Record<string, string>; event?: RefusedApp | null } = {},
  ) {
    super(cause)
    this.code = code
    this.headers = told.headers ?? {}
    this.event = told.event
  }
}

export type RefusedApp = {
  appId: string
  sandbox: boolean
  /** Of a secret that opened nothing: whether it was retired is looked up when nobody waits any more. */
  triedSecretHash?: Buffer
}

/** Short, generic and ASCII (RFC 6749, 5.2): what exactly was wrong is for the app's developer, not for whoever asks. */
const descriptions: Record<TokenErrorCode, string> = {
  invalid_request: 'The request is malformed, or a parameter is missing, repeated or too long.',
  invalid_client: 'The client could not be authenticated.',
  invalid_grant: 'The code or token is not valid, has expired, was revoked or was issued to another client.',
  unauthorized_client: 'The client may not use this now.',
  unsupported_grant_type: 'The grant type must be authorization_code or refresh_token.',
  invalid_scope: 'The scope is malformed or exceeds what was granted.',
  slow_down: 'Too many requests. Wait for as long as Retry-After says.',
  temporarily_unavailable: 'The service is not available right now. Try again soon.',
  server_error: 'Something went wrong on our side. The X-Request-Id finds it in the log.',
}

export type TokenErrorAnswer = { status: number; headers: Readonly<Record<string, string>>; body: TokenErrorBody }

/** Any error as OAuth says it. What HTTP itself refuses, such as a body that is no form, is a malformed request. */
export function tokenErrorAnswer(error: unknown): TokenErrorAnswer {
  if (error instanceof TokenRefusal) return answer(error.code, error.headers)
  const failure = readDatabaseFailure(error)
  if (failure !== undefined) {
    return answer('temporarily_unavailable', { 'retry-after': String(failure.retryAfterSeconds) })
  }
  if (error instanceof ProblemError && error.code === 'too_many_requests') return answer('slow_down', error.headers)
  if (error instanceof ProblemError && error.code === 'unavailable') {
    return answer('temporarily_unavailable', error.headers)
  }
  const { statusCode = 500 } = Object(error) as { statusCode?: number }
  if (error instanceof ProblemError || statusCode < 500) return answer('invalid_request')
  return answer('server_error')
}

const answer = (code: TokenErrorCode, headers: Readonly<Record<string, string>> = {}): TokenErrorAnswer => ({
  status: tokenErrors[code],
  headers,
  body: { error: code, error_description: descriptions[code] },
})
