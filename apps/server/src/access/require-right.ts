import { type Endpoint, scopesOf } from '@parley/contract'
import { problem } from '../platform/http/problem.ts'
import { bearerChallenge } from './bearer-challenge.ts'
import { type Caller, holdsScope } from './caller.ts'

type Guarded = Pick<Endpoint, 'access' | 'furtherScopes'>

/** The scopes that the endpoint needs and the caller's token does not carry. */
export const missingScopes = (endpoint: Guarded, caller: Caller) =>
  scopesOf(endpoint).filter((scope) => !holdsScope(caller, scope))

/** Whether the caller may call an endpoint at all. @throws the problem that says what is missing */
export function requireRight(endpoint: Guarded, caller: Caller, baseUrl: string) {
  const { access } = endpoint
  const { kind } = caller.credential
  // Rather than the missing scope, which no app can ask for.
  if (kind === 'oauth' && access === 'apps:manage') throw problem('app_token_refused')
  const needed = scopesOf(endpoint)
  if (needed.length > 0) {
    const missing = missingScopes(endpoint, caller)
    if (missing.length === 0) return
    throw problem('insufficient_scope', {
      detail: `This token does not carry the scope${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}.`,
      // All that the request needs, not only what is missing: a client asks for this set (RFC 6750, 3).
      headers: { 'www-authenticate': bearerChallenge(baseUrl, 'insufficient_scope', needed.join(' ')) },
    })
  }
  if (kind !== 'session') throw problem('session_required')
  if (access === 'administrator' && !caller.administrator) throw problem('administrator_required')
  if (access === 'reviewer' && !caller.reviewer) throw problem('reviewer_required')
}
