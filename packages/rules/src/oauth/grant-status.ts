/** What stands behind a code or a refresh token. */
export type GrantFacts = {
  appSuspended: boolean
  /** OAuth is enabled for the owner of the app, and the owner is not disabled. */
  ownerActive: boolean
  userDisabled: boolean
  /** Since the user was there: changed their password and ended everything, or was disabled. */
  signedOutSince: boolean
  grantRevokedBecause: string | null
  grantExpiresAt: Date
  familyEndedBecause: string | null
  /** The app has since given up every scope that the user let it have. */
  scopesWithdrawn: boolean
}

export type Refusal = {
  error: 'invalid_grant' | 'invalid_request' | 'invalid_scope' | 'unauthorized_client' | 'temporarily_unavailable'
  /** A sentence for the app's developer alone (oauth.md 3.9). */
  cause: string
}

/**
 * Why nothing comes of a grant any more; undefined when it is live. What can be lifted again is `unauthorized_client`, so
 * that an app keeps its refresh tokens; `invalid_grant` tells it to ask the user anew.
 */
export function whyNotLive(facts: GrantFacts, now: Date): Refusal | undefined {
  if (facts.appSuspended) return { error: 'unauthorized_client', cause: 'The app is suspended.' }
  if (!facts.ownerActive)
    return { error: 'unauthorized_client', cause: 'OAuth is not enabled for the owner of the app.' }
  if (facts.grantRevokedBecause !== null) return ended(`The grant has ended: ${facts.grantRevokedBecause}.`)
  if (facts.grantExpiresAt <= now) return ended('The grant has run out; the user has to be asked again.')
  if (facts.familyEndedBecause !== null) return ended(`These tokens were ended: ${facts.familyEndedBecause}.`)
  if (facts.userDisabled) return ended('The account of the user is disabled.')
  if (facts.signedOutSince) return ended('The user has ended everything that was signed in.')
  if (facts.scopesWithdrawn) return ended('The app no longer registers any of the scopes that the user granted.')
  return undefined
}

const ended = (cause: string): Refusal => ({ error: 'invalid_grant', cause })

/** Nothing is wrong any more by the time that one looks: the next try will do. */
export const overtaken: Refusal = {
  error: 'temporarily_unavailable',
  cause: 'What stood in the way was lifted in this very moment.',
}
