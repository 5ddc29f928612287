import { type ClientType, isPublic } from './client-type.ts'
import type { Prompt } from './prompt.ts'
import { type Resource, resourceOf } from './resource.ts'

/** The next step towards an authorization code. */
export type ConsentStep<Scope extends string = string> =
  | { kind: 'sign-in' }
  | { kind: 'choose-account' }
  /** `known` scopes were consented to before; `added` ones are new. */
  | { kind: 'ask'; known: readonly Scope[]; added: readonly Scope[] }
  /** All scopes were consented to before: issue the code without a page. */
  | { kind: 'silent'; grantId: string }
  | { kind: 'refuse'; error: 'login_required' | 'consent_required' }

export type ConsentSituation<Scope extends string = string> = {
  prompts: readonly Prompt[]
  signedIn: boolean
  /** The person has signed in, or chosen this account, for this very request. */
  confirmed: boolean
  requested: readonly Scope[]
  /** The live grant, with what it has for the requested resource: a consent for another one does not count. */
  grant: { id: string; scopes: readonly string[] } | undefined
  /** Only the app itself can receive the response (`identifiesApp`). */
  identified: boolean
}

/**
 * Decide the next step. Scopes that were all consented to before, for the same resource, need no page where the app is identified; additional
 * ones do. `prompt=none` never shows a page.
 */
export function planConsent<Scope extends string>(situation: ConsentSituation<Scope>): ConsentStep<Scope> {
  const { prompts, signedIn, confirmed, requested, grant, identified } = situation
  const silent = prompts.includes('none')
  if (!signedIn) return silent ? { kind: 'refuse', error: 'login_required' } : { kind: 'sign-in' }
  if (!confirmed && prompts.includes('login')) return { kind: 'sign-in' }
  if (!confirmed && prompts.includes('select_account')) return { kind: 'choose-account' }

  const known = requested.filter((scope) => grant?.scopes.includes(scope))
  const added = requested.filter((scope) => !known.includes(scope))
  if (grant !== undefined && added.length === 0 && identified && !prompts.includes('consent')) {
    return { kind: 'silent', grantId: grant.id }
  }
  return silent ? { kind: 'refuse', error: 'consent_required' } : { kind: 'ask', known, added }
}

/**
 * Whether the user may leave out scopes that change something. Not with confidential clients of the API, some of which
 * fail when fewer scopes are granted than requested (docs/decisions/0152).
 */
export const mayLeaveOutScopes = (clientType: ClientType, resource: Resource | null): boolean =>
  isPublic(clientType) || resourceOf(resource) === 'mcp'
