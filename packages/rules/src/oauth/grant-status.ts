/** What a code or a refresh token depends on. */
export type GrantStatus = {
  appSuspended: boolean
  /** OAuth is enabled for the owner of the app, and the owner is not disabled. */
  ownerActive: boolean
  userDisabled: boolean
  /** Since the user authorized: they changed the password and signed out everywhere, or the account was disabled. */
  signedOutSince: boolean
  grantRevokedBecause: string | null
  grantExpiresAt: Date
  familyEndedBecause: string | null
  /** The app has since withdrawn every scope that the user granted. */
  scopesWithdrawn: boolean
}

export type GrantRefusal = {
  error:
    | 'invalid_grant'
    | 'invalid_request'
    | 'invalid_scope'
    | 'invalid_target'
    | 'unauthorized_client'
    | 'temporarily_unavailable'
  /** A sentence for the app's event log, and for a client that has authenticated. */
  cause: string
}

/**
 * Why a grant is not live; undefined when it is. A reason that can be lifted gives `unauthorized_client`, so that an
 * app keeps its refresh tokens; `invalid_grant` makes the app send the user to authorize again.
 */
export function findGrantRefusal(grant: GrantStatus, now: Date): GrantRefusal | undefined {
  if (grant.appSuspended) return { error: 'unauthorized_client', cause: 'The app is suspended.' }
  if (!grant.ownerActive)
    return { error: 'unauthorized_client', cause: 'OAuth is not enabled for the owner of the app.' }
  if (grant.grantRevokedBecause !== null) return ended(`The grant has ended: ${grant.grantRevokedBecause}.`)
  if (grant.grantExpiresAt <= now) return ended('The grant has run out; the user has to be asked again.')
  if (grant.familyEndedBecause !== null) return ended(`These tokens were ended: ${grant.familyEndedBecause}.`)
  if (grant.userDisabled) return ended('The account of the user is disabled.')
  if (grant.signedOutSince) return ended('The user has ended everything that was signed in.')
  if (grant.scopesWithdrawn) return ended('The app no longer registers any of the scopes that the user granted.')
  return undefined
}

const ended = (cause: string): GrantRefusal => ({ error: 'invalid_grant', cause })

/** The reason no longer applied when it was looked up: a retry will succeed. */
export const temporarilyUnavailable: GrantRefusal = {
  error: 'temporarily_unavailable',
  cause: 'The reason for the refusal no longer applies: try again.',
}
