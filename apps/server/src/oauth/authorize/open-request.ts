import { isRegistered } from '@parley/rules/oauth/redirect-uri'
import type { Caller } from '../../access/caller.ts'
import type { Client } from '../../oauth-apps/credentials/client-store.ts'
import { findClient, sandboxRoleOf } from '../../oauth-apps/credentials/client-store.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../tables/tables.ts'
import { findRequest, type KeptRequest } from './authorization-request-store.ts'
import type { AuthorizeErrorCode } from './authorize-error-codes.ts'
import { AuthorizeError } from './authorize-error-page.ts'
import type { WayBack } from './redirect-back.ts'
import type { Visitor } from './visitor.ts'

/** Why nobody can connect this app now; undefined when one can. */
export function errorOfClient({ status, ownerActive }: Client): AuthorizeErrorCode | undefined {
  if (status === 'suspended') return 'app_suspended'
  return ownerActive ? undefined : 'owner_inactive'
}

export type OpenRequest = { requestId: string; request: KeptRequest; client: Client }

/**
 * A kept request with its app, as both are now: what has been suspended, or has lost an address or a scope since the
 * request came, gets no further.
 * @throws request_over, app_suspended, owner_inactive
 */
export async function openRequest(database: Database, requestId: string, now: Date): Promise<OpenRequest> {
  const request = await findRequest(database, requestId, now)
  if (request === undefined) throw new AuthorizeError('request_over')
  const client = await findClient(database, request.clientId)
  if (client === undefined) throw new AuthorizeError('request_over')
  const fault = errorOfClient(client)
  if (fault !== undefined) throw new AuthorizeError(fault, { client })
  const { callbackUrls, scopes } = client.revision
  const stillAsked = request.scopes.every((scope) => scopes.includes(scope))
  if (!stillAsked || !isRegistered(request.redirectUri, callbackUrls))
    throw new AuthorizeError('request_over', { client })
  return { requestId, request, client }
}

/** Whether a visitor is invited to test the app of a sandbox client, and has not said yes. */
export const isOnlyInvited = async (database: Database, { client }: OpenRequest, { caller }: Visitor) =>
  client.sandbox && (await sandboxRoleOf(database, client, caller)) === 'invited'

/** @throws sandbox_only for the sandbox of an app that the visitor does not test */
export async function requireTester(
  database: Database,
  { requestId, client }: OpenRequest,
  { caller }: Visitor,
): Promise<void> {
  if (await mayBeSentBack(database, client, caller)) return
  const wayOn = { address: `/oauth2/account?request=${requestId}`, text: 'switchAccount' as const }
  throw new AuthorizeError('sandbox_only', { client, wayOn })
}

/**
 * Whether a browser may be redirected to an app. Nobody has looked at the addresses of a sandbox: it redirects only its
 * owner, and testers who have accepted; else links of ours would lead anybody anywhere (RFC 9700, 4.11).
 */
export async function mayBeSentBack(database: Database, client: Client, caller: Caller | undefined): Promise<boolean> {
  if (!client.sandbox) return true
  const role = caller && (await sandboxRoleOf(database, client, caller))
  return role === 'owner' || role === 'tester'
}

/** Where the answer to a request goes; `iss` unless the app has opted out of it (oauth.md 1). */
export const wayBackOf = (
  { redirectUri, state }: Pick<KeptRequest, 'redirectUri' | 'state'>,
  { revision }: Client,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): WayBack => ({ redirectUri, state, issuer: revision.sendIss ? baseUrl : undefined })
