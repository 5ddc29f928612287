/** What decides whether a webhook may receive an event at this moment. */
export type DeliveryContext = {
  owner: 'person' | 'app' | 'grant' | 'organisation'
  /** The right that the type of the event requires. */
  right: 'meeting:read' | 'apps:manage' | 'grant' | 'webhook'
  /** Whether the token or the grant that made the webhook has ended. */
  hasEnded: boolean
  /** Whether the account that made the webhook can sign in. */
  isOwnerLive: boolean
  /** Whether the event belongs to the account that made the webhook. */
  isOwnEvent: boolean
  /** Whether the owner is an administrator, and the event of an account of the same organisation. */
  isAdministratorOfSubject: boolean
  /** Whether the event is about the app of the webhook, or about a grant of it. */
  isAboutApp: boolean
  /** The scopes that the event's account grants the app of the webhook; undefined where no grant is live. */
  grantedScopes: readonly string[] | undefined
}

/**
 * Decide whether a webhook may receive an event. The right is checked at each attempt, so that an event queued before a
 * revocation is not sent after it. An app is notified of its own suspension and of the end of a grant, and of nothing
 * else from then on.
 */
export function mayReceive({ owner, right, grantedScopes, ...context }: DeliveryContext): boolean {
  if (context.hasEnded || !context.isOwnerLive) return false
  if (right === 'webhook') return true
  switch (owner) {
    case 'person':
      return context.isOwnEvent
    case 'organisation':
      return context.isAdministratorOfSubject
    case 'app':
      return right === 'meeting:read' ? grantedScopes?.includes(right) === true : context.isAboutApp
    case 'grant':
      if (right === 'apps:manage' || grantedScopes === undefined) return false
      return right === 'grant' ? context.isAboutApp : grantedScopes.includes(right)
  }
}
