import type { Prompt } from './prompt.ts'

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
  /** The live grant. */
  grant: { id: string; scopes: readonly string[] } | undefined
}

/**
 * Decide the next step. Scopes that were all consented to before need no page; additional ones do. `prompt=none` never
 * shows a page.
 */
export function planConsent<Scope extends string>(situation: ConsentSituation<Scope>): ConsentStep<Scope> {
  const { prompts, signedIn, confirmed, requested, grant } = situation
  const silent = prompts.includes('none')
  if (!signedIn) return silent ? { kind: 'refuse', error: 'login_required' } : { kind: 'sign-in' }
  if (!confirmed && prompts.includes('login')) return { kind: 'sign-in' }
  if (!confirmed && prompts.includes('select_account')) return { kind: 'choose-account' }

  const known = requested.filter((scope) => grant?.scopes.includes(scope))
  const added = requested.filter((scope) => !known.includes(scope))
  if (grant !== undefined && added.length === 0 && !prompts.includes('consent')) {
    return { kind: 'silent', grantId: grant.id }
  }
  return silent ? { kind: 'refuse', error: 'consent_required' } : { kind: 'ask', known, added }
}
