import type { Endpoint, PersonalScope, Scope } from '@parley/contract'

/** The authenticated caller and its rights. Handlers see this and never a token. */
export type Caller = {
  accountId: string
  tenantId: string
  /** The lower-cased address; invitations are compared by it. */
  addressKey: string
  /** Only the owner of a trusted address may use what was sent to it (trusted-address.ts). */
  addressTrusted: boolean
  administrator: boolean
  reviewer: boolean
  /** The time zone of the profile; empty when it was never set. */
  timeZone: string
  credential: Credential
}

/** A caller by a session or a token, and what may end it while a stream is open. */
export type AuthenticatedCaller = Caller & {
  /** When the session or token expires; null for one that does not. */
  expiresAt: Date | null
  /** The accounts that have to keep their access: the caller's, and for an app's token that of the app's owner. */
  accountIds: readonly string[]
}

/** The type of the caller at an endpoint with this access. */
export type CallerOf<E extends Endpoint> = E['access'] extends 'anyone'
  ? undefined
  : E['access'] extends 'visitor'
    ? Caller | undefined
    : Caller

export type Credential =
  | { kind: 'session'; sessionId: string }
  | { kind: 'personal'; tokenId: string; scopes: readonly PersonalScope[] }
  /** An app with the person's consent. */
  | { kind: 'oauth'; grantId: string; appId: string; sandbox: boolean; scopes: readonly Scope[] }

/** The grant by which an app acts for the caller; null if the caller is a person or a personal token. */
export const grantIdOf = (caller: Caller | undefined): string | null =>
  caller?.credential.kind === 'oauth' ? caller.credential.grantId : null

/** Who makes a change: an account, and the grant by which an app acts for it; null if none does. */
export type Actor = { accountId: string; grantId: string | null }

export const actorOf = (caller: Caller): Actor => ({ accountId: caller.accountId, grantId: grantIdOf(caller) })

/** For the audit log: the personal token that was used; empty for a session. */
export const actedThrough = ({ credential }: Caller) =>
  credential.kind === 'personal' ? { personalTokenId: credential.tokenId } : {}

/** Whether the caller holds a scope. A session holds all of them. */
export const holdsScope = ({ credential }: Caller, scope: PersonalScope): boolean => {
  if (credential.kind === 'session') return true
  const scopes: readonly PersonalScope[] = credential.scopes
  return scopes.includes(scope)
}
