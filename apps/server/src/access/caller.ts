import type { Endpoint, PersonalScope, Scope } from '@parley/contract'

/** Who asks, and by what right. Features see this and never a token. */
export type Caller = {
  accountId: string
  tenantId: string
  /** The lower-cased address, as invitations are compared. */
  addressKey: string
  /** Only a trusted address opens what was sent to it (trusted-address.ts). */
  addressTrusted: boolean
  administrator: boolean
  reviewer: boolean
  /** As the person set it; empty when never set. */
  timeZone: string
  credential: Credential
}

/** Who can be asking at an endpoint. */
export type CallerOf<E extends Endpoint> = E['access'] extends 'anyone'
  ? undefined
  : E['access'] extends 'visitor'
    ? Caller | undefined
    : Caller

export type Credential =
  | { kind: 'session'; sessionId: string }
  | { kind: 'personal'; tokenId: string; scopes: readonly PersonalScope[] }
  /** An app that the person let act for them. */
  | { kind: 'oauth'; grantId: string; appId: string; sandbox: boolean; scopes: readonly Scope[] }

/** For the audit log: which of a person's tokens did it, where it was not the person in a session. */
export const actedThrough = ({ credential }: Caller) =>
  credential.kind === 'personal' ? { personalTokenId: credential.tokenId } : {}

/** The rights of service.md 5.4. A person who signed in themselves has all of them. */
export const holdsScope = ({ credential }: Caller, scope: PersonalScope): boolean => {
  if (credential.kind === 'session') return true
  const scopes: readonly PersonalScope[] = credential.scopes
  return scopes.includes(scope)
}
