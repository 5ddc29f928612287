import { sinceSignOut } from '../../access/credentials/live-grant.ts'

/** The GrantFacts of packages/rules, out of what `grantJoins` joins and the family `f`, which may be missing. */
export const grantFactColumns = (began: string, scopes: string) => `p.status = 'suspended' as "appSuspended",
  o.oauth_enabled and o.disabled_at is null as "ownerActive", a.disabled_at is not null as "userDisabled",
  not ${sinceSignOut(began)} as "signedOutSince",
  case when g.revoked_at is not null then coalesce(g.revoked_because, 'revoked') end as "grantRevokedBecause",
  g.expires_at as "grantExpiresAt", not ${scopes} && g.scopes as "scopesWithdrawn",
  case when f.ended_at is not null then coalesce(f.ended_because, 'ended') end as "familyEndedBecause"`
