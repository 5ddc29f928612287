import type { Prompt } from './prompt.ts'

/** What comes next on the way to a code. */
export type ConsentStep<Scope extends string = string> =
  | { kind: 'sign-in' }
  | { kind: 'choose-account' }
  /** `known` was consented to before; `added` is what is new. */
  | { kind: 'ask'; known: readonly Scope[]; added: readonly Scope[] }
  /** Everything was consented to before: the code is given without a page. */
  | { kind: 'silent'; grantId: string }
  | { kind: 'refuse'; error: 'login_required' | 'consent_required' }

export type ConsentSituation<Scope extends string = string> = {
  prompts: readonly Prompt[]
  signedIn: boolean
  /** The person has signed in, or chosen this account, for this very request. */
  confirmed: boolean
  asked: readonly Scope[]
  /** The grant that lives. */
  grant: { id: string; scopes: readonly string[] } | undefined
}

/** oauth.md 3.8: a subset of what was consented to is silent, more is asked again. `none` shows no page (6.11). */
export function planConsent<Scope extends string>(situation: ConsentSituation<Scope>): ConsentStep<Scope> {
  const { prompts, signedIn, confirmed, asked, grant } = situation
  const silent = prompts.includes('none')
  if (!signedIn) return silent ? { kind: 'refuse', error: 'login_required' } : { kind: 'sign-in' }
  if (!confirmed && prompts.includes('login')) return { kind: 'sign-in' }
  if (!confirmed && prompts.includes('select_account')) return { kind: 'choose-account' }

  const known = asked.filter((scope) => grant?.scopes.includes(scope))
  const added = asked.filter((scope) => !known.includes(scope))
  if (grant !== undefined && added.length === 0 && !prompts.includes('consent')) {
    return { kind: 'silent', grantId: grant.id }
  }
  return silent ? { kind: 'refuse', error: 'consent_required' } : { kind: 'ask', known, added }
}
