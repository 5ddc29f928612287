import { type EventType, eventTypeNames, isEventType, type WebhookOwner } from '@parley/contract'
import { bearerChallenge } from '../access/bearer-challenge.ts'
import { type Caller, holdsScope } from '../access/caller.ts'
import { readableTypes } from '../event-log/event-rights.ts'
import { findOwnApp } from '../oauth-apps/app-store.ts'
import { requireOauth } from '../oauth-apps/oauth-access.ts'
import type { Database } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'

/** Whose webhooks a request concerns. */
export type RequestedOwner =
  | { kind: 'person'; accountId: string }
  | { kind: 'app'; appId: string }
  | { kind: 'grant'; grantId: string; appId: string; sandbox: boolean }
  | { kind: 'organisation'; tenantId: string }

type Named = { appId?: string; everyone?: boolean }

/**
 * Find whose webhooks a request names, and require that they are the caller's.
 * @throws insufficient_scope, session_required, app_token_refused, administrator_required, oauth_not_enabled,
 * app_not_found
 */
export async function requireOwner(
  database: Database,
  caller: Caller,
  { appId, everyone = false }: Named,
  baseUrl: string,
): Promise<RequestedOwner> {
  const { credential, accountId, tenantId } = caller
  if (appId !== undefined) return requireApp(database, caller, appId, baseUrl)
  if (everyone) {
    if (credential.kind === 'oauth') throw problem('app_token_refused')
    if (credential.kind === 'personal') throw problem('session_required')
    if (!caller.administrator) throw problem('administrator_required')
    return { kind: 'organisation', tenantId }
  }
  if (credential.kind === 'oauth') return { ...credential, kind: 'grant' }
  return { kind: 'person', accountId }
}

/**
 * Require a session for a reply that contains a secret of an app, as for its client secrets: a personal token manages
 * apps without reading their secrets.
 * @throws session_required
 */
export function requireSessionForSecret({ credential }: Caller): void {
  if (credential.kind === 'personal') throw problem('session_required')
}

async function requireApp(database: Database, caller: Caller, appId: string, baseUrl: string): Promise<RequestedOwner> {
  if (caller.credential.kind === 'oauth') throw problem('app_token_refused')
  if (!holdsScope(caller, 'apps:manage')) {
    throw problem('insufficient_scope', {
      detail: 'This token does not carry the scope apps:manage.',
      headers: {
        'www-authenticate': bearerChallenge({ baseUrl, resource: 'api' }, 'insufficient_scope', 'apps:manage'),
      },
    })
  }
  await requireOauth(database, caller)
  if ((await findOwnApp(database, appId, caller.accountId)) === undefined) throw problem('app_not_found')
  return { kind: 'app', appId }
}

type TypesOf = { owner: 'person' | 'app' | 'grant' | 'organisation'; types: readonly EventType[] }

/**
 * Decide which types a webhook is stored with. A token may have fewer scopes than its person or its grant, so its
 * webhooks always name types: if the request names none, all that the token may read. For apps and organisations,
 * ownership decides.
 * @throws insufficient_scope, app_token_refused or session_required for a type that the caller may not read
 */
export function grantedTypes(caller: Caller, { owner, types }: TypesOf, baseUrl: string): EventType[] {
  if (owner === 'app' || owner === 'organisation') return [...types]
  if (types.length > 0) return [...readableTypes(caller, types, baseUrl)]
  if (caller.credential.kind === 'session') return []
  const readable = readableTypes(caller, undefined, baseUrl)
  // An empty list would mean all types.
  return [...(readable.length > 0 ? readable : readableTypes(caller, eventTypeNames, baseUrl))]
}

/**
 * Require that the caller may read what the webhook receives: a token with fewer scopes than the webhook needs must
 * neither read its deliveries nor redirect them.
 * @throws insufficient_scope
 */
export function requireTypes(caller: Caller, webhook: { owner: TypesOf['owner']; types: string[] }, baseUrl: string) {
  grantedTypes(caller, { owner: webhook.owner, types: webhook.types.filter(isEventType) }, baseUrl)
}

/**
 * Require that a personal token has created the webhook that it changes: a token with fewer rights must not redirect
 * what a session or another token has set up.
 * @throws session_required
 */
export function requireMaker({ credential }: Caller, { owner, personalTokenId }: Made): void {
  if (credential.kind !== 'personal' || owner !== 'person' || personalTokenId === credential.tokenId) return
  throw problem('session_required', { detail: 'This token did not create the webhook, and can only read it.' })
}

type Made = { owner: WebhookOwner; personalTokenId: string | null }

type Switchable = Parameters<typeof requireTypes>[1] & Made & { disabledAt: Date | null }

/** Require that a webhook is on, and that the caller may have events sent to it. @throws webhook_disabled */
export function requireActive<Webhook extends Switchable>(webhook: Webhook, caller: Caller, baseUrl: string): Webhook {
  requireTypes(caller, webhook, baseUrl)
  requireMaker(caller, webhook)
  if (webhook.disabledAt !== null) throw problem('webhook_disabled')
  return webhook
}

/** Each event is sent to each webhook, so every webhook multiplies what the service sends. */
export const maxWebhooksOfPerson = 10

/** Enough for receivers of several environments, and one to move to. Webhooks of the sandbox are counted separately. */
export const maxWebhooksOfApp = 10

/** Programs such as Zapier create one for each workflow of a user. All users of an app together have many. */
export const maxWebhooksOfGrant = 5

/** All connected apps of a person together, because each event is sent to all of them. */
export const maxWebhooksOfAllGrants = 30

/** Each receives the events of all accounts. */
export const maxWebhooksOfOrganisation = 10

export const maxWebhooks: Record<RequestedOwner['kind'], number> = {
  person: maxWebhooksOfPerson,
  app: maxWebhooksOfApp,
  grant: maxWebhooksOfGrant,
  organisation: maxWebhooksOfOrganisation,
}
