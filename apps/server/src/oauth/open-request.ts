import { isRegistered } from '@parley/rules/redirect-uri'
import type { Database } from '../../migrations/tables.ts'
import type { Client } from '../apps/client-store.ts'
import { findClient, mayUseSandbox } from '../apps/client-store.ts'
import type { Config } from '../platform/config.ts'
import { findRequest, type KeptRequest } from './authorization-request-store.ts'
import { PageFault, type PageFaultCode } from './page-fault.ts'
import type { WayBack } from './redirect-back.ts'
import type { Visitor } from './visitor.ts'

/** Why nobody can connect this app now; undefined when one can. */
export function faultOfClient({ status, ownerActive }: Client): PageFaultCode | undefined {
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
  if (request === undefined) throw new PageFault('request_over')
  const client = await findClient(database, request.clientId)
  if (client === undefined) throw new PageFault('request_over')
  const fault = faultOfClient(client)
  if (fault !== undefined) throw new PageFault(fault, { client })
  const { callbackUrls, scopes } = client.revision
  const stillAsked = request.scopes.every((scope) => scopes.includes(scope))
  if (!stillAsked || !isRegistered(request.redirectUri, callbackUrls)) throw new PageFault('request_over', { client })
  return { requestId, request, client }
}

/** @throws sandbox_only for the sandbox of an app that the visitor does not test (oauth.md 6.12) */
export async function requireTester(
  database: Database,
  { requestId, client }: OpenRequest,
  { caller }: Visitor,
): Promise<void> {
  if (!client.sandbox) return
  const { accountId, addressKey, addressVerified } = caller
  if (!(await mayUseSandbox(database, client, { id: accountId, addressKey, addressVerified }))) {
    const wayOn = { address: `/oauth2/account?request=${requestId}`, text: 'Switch account' }
    throw new PageFault('sandbox_only', { client, wayOn })
  }
}

/** Where the answer to a request goes; `iss` unless the app has opted out of it (oauth.md 1). */
export const wayBackOf = (
  { redirectUri, state }: Pick<KeptRequest, 'redirectUri' | 'state'>,
  { revision }: Client,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): WayBack => ({ redirectUri, state, issuer: revision.sendIss ? baseUrl : undefined })
