import { isRegistered } from '@parley/rules/oauth/redirect-uri'
import type { Caller } from '../../access/caller.ts'
import type { Client } from '../../oauth-apps/credentials/client-store.ts'
import { findClient, sandboxRoleOf } from '../../oauth-apps/credentials/client-store.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../tables/tables.ts'
import { findRequest, type StoredRequest } from './authorization-request-store.ts'
import type { AuthorizeErrorCode } from './authorize-error-codes.ts'
import { AuthorizeError } from './authorize-error-page.ts'
import type { RedirectTarget } from './redirect-back.ts'
import type { SignedInUser } from './signed-in-user.ts'

/** Why this app cannot be authorized now; undefined when it can. */
export function findClientError({ status, ownerActive }: Client): AuthorizeErrorCode | undefined {
  if (status === 'suspended') return 'app_suspended'
  return ownerActive ? undefined : 'owner_inactive'
}

export type OpenRequest = { requestId: string; request: StoredRequest; client: Client }

/**
 * Find a stored request and its app in their current state: the request ends when the app was suspended, or has lost
 * the redirect URI or a scope since.
 * @throws request_over, app_suspended, owner_inactive
 */
export async function openRequest(database: Database, requestId: string, now: Date): Promise<OpenRequest> {
  const request = await findRequest(database, requestId, now)
  if (request === undefined) throw new AuthorizeError('request_over')
  const client = await findClient(database, request.clientId)
  if (client === undefined) throw new AuthorizeError('request_over')
  const errorCode = findClientError(client)
  if (errorCode !== undefined) throw new AuthorizeError(errorCode, { client })
  const { callbackUrls, scopes } = client.revision
  const stillAvailable = request.scopes.every((scope) => scopes.includes(scope))
  if (!stillAvailable || !isRegistered(request.redirectUri, callbackUrls, client.clientType))
    throw new AuthorizeError('request_over', { client })
  return { requestId, request, client }
}

/** Whether a user is invited to test the app of a sandbox client and has not accepted. */
export const isOnlyInvited = async (database: Database, { client }: OpenRequest, { caller }: SignedInUser) =>
  client.sandbox && (await sandboxRoleOf(database, client, caller)) === 'invited'

/** Require that the user may use the app's sandbox. @throws sandbox_only */
export async function requireTester(
  database: Database,
  { requestId, client }: OpenRequest,
  { caller }: SignedInUser,
): Promise<void> {
  if (await mayRedirectTo(database, client, caller)) return
  const nextAction = { address: `/oauth2/account?request=${requestId}`, text: 'switchAccount' as const }
  throw new AuthorizeError('sandbox_only', { client, wayOn: nextAction })
}

/**
 * Whether a browser may be redirected to an app. The redirect URIs of a sandbox are not reviewed: it redirects only its
 * owner and testers who accepted, so that our links are no open redirectors (RFC 9700, 4.11).
 */
export async function mayRedirectTo(database: Database, client: Client, caller: Caller | undefined): Promise<boolean> {
  if (!client.sandbox) return true
  const role = caller && (await sandboxRoleOf(database, client, caller))
  return role === 'owner' || role === 'tester'
}

/** The redirect target of a request's response; with `iss` (RFC 9207) unless the app has opted out. */
export const redirectTargetOf = (
  { redirectUri, state }: Pick<StoredRequest, 'redirectUri' | 'state'>,
  { revision }: Client,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): RedirectTarget => ({ redirectUri, state, issuer: revision.sendIss ? baseUrl : undefined })
