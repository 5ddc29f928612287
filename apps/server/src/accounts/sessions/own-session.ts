import type { Caller } from '../../access/caller.ts'
import { problem } from '../../platform/http/problem.ts'

/** Return the id of the caller's session. @throws session_required for a token, which `serve` refuses before */
export function sessionOf({ credential }: Caller): string {
  if (credential.kind !== 'session') throw problem('session_required')
  return credential.sessionId
}
