import { type Endpoint, scopesOf } from '@parley/contract'
import type { Resource } from '@parley/rules/oauth/resource'
import { problem } from '../platform/http/problem.ts'
import { bearerChallenge } from './bearer-challenge.ts'
import { type Caller, holdsScope } from './caller.ts'

type Guarded = Pick<Endpoint, 'access' | 'furtherScopes'>

/** The scopes that the endpoint requires and the caller lacks. */
export const missingScopes = (endpoint: Guarded, caller: Caller) =>
  scopesOf(endpoint).filter((scope) => !holdsScope(caller, scope))

/**
 * Require that the caller may call an endpoint, or use a tool of the MCP server that needs the same.
 * @throws the problem that names the missing right, and all scopes at once
 */
export function requireRight(endpoint: Guarded, caller: Caller, baseUrl: string, resource: Resource = 'api') {
  const { access } = endpoint
  const { kind } = caller.credential
  // Not the missing scope: no app can request it.
  if (kind === 'oauth' && access === 'apps:manage') throw problem('app_token_refused')
  const needed = scopesOf(endpoint)
  if (needed.length > 0) {
    const missing = missingScopes(endpoint, caller)
    if (missing.length === 0) return
    throw problem('insufficient_scope', {
      detail: `This token does not carry the scope${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}.`,
      // The scopes that the endpoint requires, not only the missing ones: a client requests this set (RFC 6750, 3).
      headers: { 'www-authenticate': bearerChallenge({ baseUrl, resource }, 'insufficient_scope', needed.join(' ')) },
    })
  }
  if (access === 'any-scope') return
  if (kind !== 'session') throw problem('session_required')
  if (access === 'administrator' && !caller.administrator) throw problem('administrator_required')
  if (access === 'reviewer' && !caller.reviewer) throw problem('reviewer_required')
}
