import { type EventType, eventTypeNames, eventTypes } from '@parley/contract'
import { bearerChallenge } from '../access/bearer-challenge.ts'
import { type Caller, type Credential, holdsScope } from '../access/caller.ts'
import { problem } from '../platform/http/problem.ts'

/** Whether the caller may read events of a type. An app reads `grant.*` events of its own grant only. */
function mayRead(caller: Caller, type: EventType): boolean {
  const { right } = eventTypes[type]
  const { kind } = caller.credential
  switch (right) {
    case 'meeting:read':
      return holdsScope(caller, right)
    case 'apps:manage':
      return kind !== 'oauth' && holdsScope(caller, right)
    case 'grant':
      // As for the list of grants, a personal token is not enough (docs/oauth.md).
      return kind !== 'personal'
    case 'webhook':
      return kind === 'session'
  }
}

/**
 * The types that the caller reads: those requested, or all that it may read.
 * @throws insufficient_scope, app_token_refused or session_required for a requested type that it may not read
 */
export function readableTypes(caller: Caller, requested: readonly EventType[] | undefined, baseUrl: string) {
  if (requested === undefined) return eventTypeNames.filter((type) => mayRead(caller, type))
  const refused = requested.find((type) => !mayRead(caller, type))
  if (refused !== undefined) throw refusal(refused, caller.credential, baseUrl)
  return requested
}

function refusal(type: EventType, { kind }: Credential, baseUrl: string) {
  const { right } = eventTypes[type]
  if (right === 'grant' || right === 'webhook') {
    return problem(kind === 'oauth' ? 'app_token_refused' : 'session_required', {
      detail: `This token cannot read ${type}.`,
    })
  }
  if (kind === 'oauth' && right === 'apps:manage') return problem('app_token_refused')
  return problem('insufficient_scope', {
    detail: `This token does not carry the scope ${right}, which ${type} needs.`,
    headers: { 'www-authenticate': bearerChallenge({ baseUrl, resource: 'api' }, 'insufficient_scope', right) },
  })
}
