import { type ClientType, isPublic } from './client-type.ts'
import { grantLifetimeMs } from './lifetimes.ts'
import type { Prompt } from './prompt.ts'
import { type Resource, resourceIdentifier, resourceOf } from './resource.ts'

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
 * Decide the next step. Scopes that were all consented to before, for the same resource, need no page where the app is
 * identified; additional scopes do. `prompt=none` never shows a page.
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

/** The consent form as it was sent. */
type ConsentAnswer = {
  /** The value of the button: `deny` or `allow`. */
  decision: string | undefined
  /** The scopes whose checkboxes were selected. */
  selected: readonly (string | undefined)[]
}

export type AnsweredConsent<Scope extends string = string> = Omit<ConsentSituation<Scope>, 'signedIn'> & {
  client: { clientType: ClientType; sandbox: boolean; unreviewed: boolean }
  /** Null when the authorization request named none. */
  resource: Resource | null
  /** Whether a scope only reads. */
  isReadOnly(scope: Scope): boolean
}

/** The outcome of an answer to the consent page. `cause` is for the app's event log. */
export type ConsentDecision<Scope extends string = string> =
  | { kind: 'deny'; cause: string }
  /** Neither button was pressed. */
  | { kind: 'incomplete' }
  /** Another account has confirmed the request since the page was shown: go back to the next step. */
  | { kind: 'outdated' }
  /** Every scope was left out: show the page again. */
  | { kind: 'nothing-selected'; added: readonly Scope[] }
  /** Extend the grant by these scopes, and issue a code for them. */
  | { kind: 'allow'; scopes: readonly Scope[]; resource: Resource; lifetimeMs: number; cause: string }

/** Decide the outcome of an answer to the consent page. */
export function decideConsent<Scope extends string>(
  { decision, selected }: ConsentAnswer,
  consent: AnsweredConsent<Scope>,
  baseUrl: string,
): ConsentDecision<Scope> {
  if (decision === 'deny') return { kind: 'deny', cause: 'The user chose Deny.' }
  if (decision !== 'allow') return { kind: 'incomplete' }
  // The answer to a page is a consent of its own, whatever was granted before.
  const step = planConsent({ ...consent, signedIn: true, grant: undefined })
  if (step.kind !== 'ask') return { kind: 'outdated' }

  const { requested, grant, client } = consent
  const added = requested.filter((scope) => !grant?.scopes.includes(scope))
  const declined = optionalScopes(added, consent).filter((scope) => !selected.includes(scope))
  const scopes = requested.filter((scope) => !declined.includes(scope))
  if (scopes.length === 0) return { kind: 'nothing-selected', added }

  const resource = resourceOf(consent.resource)
  const server = resource === 'api' ? '' : ` for ${resourceIdentifier(resource, baseUrl)}`
  const without = declined.length === 0 ? '' : `, and left out ${declined.join(', ')}`
  const cause = `A user allowed ${scopes.join(', ')}${server}${without}.`
  const lifetimeMs = grantLifetimeMs(client.sandbox || client.unreviewed)
  return { kind: 'allow', scopes, resource, lifetimeMs, cause }
}

/**
 * Return the new scopes that the user may decline: scopes that change something. None for confidential clients of the
 * API, because some (requests-oauthlib, for example) fail when fewer scopes are granted than requested.
 */
export function optionalScopes<Scope extends string>(
  added: readonly Scope[],
  {
    client,
    resource,
    isReadOnly,
  }: Pick<AnsweredConsent<Scope>, 'resource' | 'isReadOnly'> & {
    client: { clientType: ClientType }
  },
): readonly Scope[] {
  const mayLeaveOut = isPublic(client.clientType) || resourceOf(resource) === 'mcp'
  return mayLeaveOut ? added.filter((scope) => !isReadOnly(scope)) : []
}
