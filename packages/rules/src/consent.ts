import type { Prompt } from './prompt.ts'

/** What comes next on the way to a code. */
export type ConsentStep =
  | { kind: 'sign-in' }
  | { kind: 'choose-account' }
  /** `known` was consented to before; `added` is what is new. */
  | { kind: 'ask'; known: readonly string[]; added: readonly string[] }
  /** Everything was consented to before: the code is given without a page. */
  | { kind: 'silent' }
  | { kind: 'refuse'; error: 'login_required' | 'consent_required' }

export type ConsentSituation = {
  prompts: readonly Prompt[]
  signedIn: boolean
  /** The person has signed in, or chosen this account, for this very request. */
  confirmed: boolean
  asked: readonly string[]
  /** The scopes of the grant that lives; undefined when there is none. */
  granted: readonly string[] | undefined
}

/** oauth.md 3.8: a subset of what was consented to is silent, more is asked again. `none` shows no page (6.11). */
export function planConsent({ prompts, signedIn, confirmed, asked, granted }: ConsentSituation): ConsentStep {
  const silent = prompts.includes('none')
  if (!signedIn) return silent ? { kind: 'refuse', error: 'login_required' } : { kind: 'sign-in' }
  if (!confirmed && prompts.includes('login')) return { kind: 'sign-in' }
  if (!confirmed && prompts.includes('select_account')) return { kind: 'choose-account' }

  const known = asked.filter((scope) => granted?.includes(scope))
  const added = asked.filter((scope) => !granted?.includes(scope))
  const covered = granted !== undefined && added.length === 0
  if (silent && !covered) return { kind: 'refuse', error: 'consent_required' }
  return covered && !prompts.includes('consent') ? { kind: 'silent' } : { kind: 'ask', known, added }
}
