import { type Endpoint, isScope } from '@parley/contract'
import { problem } from '../platform/problem.ts'
import { bearerChallenge } from './bearer-challenge.ts'
import { type Caller, holdsScope } from './caller.ts'

/** Whether the caller may call an endpoint at all. @throws the problem that says what is missing */
export function requireRight({ access }: Pick<Endpoint, 'access'>, caller: Caller, baseUrl: string) {
  // Whoever is known at a door enters in their own name.
  const scope = access === 'visitor' ? 'meeting:join' : access
  if (isScope(scope)) {
    if (holdsScope(caller, scope)) return
    throw problem('insufficient_scope', {
      detail: `This token does not carry the scope ${scope}.`,
      headers: { 'www-authenticate': bearerChallenge(baseUrl, 'insufficient_scope', scope) },
    })
  }
  const { kind } = caller.credential
  if (kind === 'oauth') throw problem(access === 'account' ? 'app_token_refused' : 'session_required')
  if (access === 'account') return
  if (kind !== 'session') throw problem('session_required')
  if (access === 'administrator' && !caller.administrator) throw problem('administrator_required')
  if (access === 'reviewer' && !caller.reviewer) throw problem('reviewer_required')
}
