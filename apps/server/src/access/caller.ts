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
  /** An app with the person's consent. `familyId` is the sign-in of the token; null where the app acts by its grant. */
  | {
      kind: 'oauth'
      grantId: string
      familyId: string | null
      appId: string
      sandbox: boolean
      scopes: readonly Scope[]
    }

/** The grant by which an app acts for the caller; null if the caller is a person or a personal token. */
export const grantIdOf = (caller: Caller | undefined): string | null =>
  caller?.credential.kind === 'oauth' ? caller.credential.grantId : null

declare const charged: unique symbol

/** The account whose limits a mail uses up: that of an actor, or of a mail that an actor has queued. */
export type ChargedAccount = string & { readonly [charged]: true }

/** A class with a private member, so that neither an object literal nor a copy of an actor is one. */
class ActingAccount {
  /** The account that makes the change. */
  readonly accountId: string
  /** The grant by which an app acts for the account; null if none does. */
  readonly grantId: string | null
  /** The account in whose name guests are mailed: the host of the meeting. */
  readonly namedId: string
  /** What the account writes to the guests who are mailed about the change; null for nothing. */
  readonly message: string | null
  readonly #chargedId: string

  constructor(
    accountId: string,
    grantId: string | null,
    { namedId, chargedId }: Record<'namedId' | 'chargedId', string>,
    message: string | null = null,
  ) {
    this.accountId = accountId
    this.grantId = grantId
    this.namedId = namedId
    this.message = message
    this.#chargedId = chargedId
  }

  /** The account whose limits the mails use up. */
  get charged(): ChargedAccount {
    return this.#chargedId as ChargedAccount
  }

  /** The same account with a message to the guests who are mailed. */
  writing(message: string): ActingAccount {
    return new ActingAccount(
      this.accountId,
      this.grantId,
      { namedId: this.namedId, chargedId: this.#chargedId },
      message,
    )
  }
}

/**
 * An account that makes a change, the host whom emails to guests name, and the account whose limits the emails use up.
 * Only the two functions below create an actor. Functions that change, mail or count take the whole actor, so that no
 * email names or charges an account that did not cause it.
 */
export type Actor = ActingAccount

/**
 * Create a caller's actor. The caller's account is charged. Mails name `host`, because cohosts and administrators
 * change other people's meetings; without it, the caller.
 */
export const actorOf = (caller: Caller, host: { id: string } = { id: caller.accountId }): Actor =>
  new ActingAccount(caller.accountId, grantIdOf(caller), { namedId: host.id, chargedId: caller.accountId })

/** The service's own work for a host, such as reminders or the end of an account. `chargedId` caused it. */
export const serviceActorFor = (host: { id: string }, chargedId: string = host.id): Actor =>
  new ActingAccount(host.id, null, { namedId: host.id, chargedId })

/** For the audit log: the personal token that was used; empty for a session. */
export const actedThrough = ({ credential }: Caller) =>
  credential.kind === 'personal' ? { personalTokenId: credential.tokenId } : {}

/** Whether the caller holds a scope. A session holds all of them. */
export const holdsScope = ({ credential }: Caller, scope: PersonalScope): boolean => {
  if (credential.kind === 'session') return true
  const scopes: readonly PersonalScope[] = credential.scopes
  return scopes.includes(scope)
}
