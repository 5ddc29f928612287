import type { AuthorizationErrorCode } from '@parley/contract'
import { mayRedirectTo, type RedirectParameter, withParameters } from '@parley/rules/oauth/redirect-uri'
import type { FastifyReply } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { isOperator } from '../../accounts/account/tenant-store.ts'
import { findClient, type OAuthClient, sandboxRoleOf } from '../../oauth-apps/client-store.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/database.ts'
import { hasLiveGrant } from '../grants/grant-store.ts'
import { findRequest, type StoredRequest } from './authorization-request-store.ts'
import { AuthorizeError, type AuthorizeErrorCode } from './authorize-error.ts'
import type { SignedInUser } from './signed-in-user.ts'

/** Why this app cannot be authorized now; undefined when it can. */
export function findClientError({ status, ownerActive }: OAuthClient): AuthorizeErrorCode | undefined {
  if (status === 'suspended') return 'app_suspended'
  return ownerActive ? undefined : 'owner_inactive'
}

export type OpenRequest = { requestId: string; request: StoredRequest; client: OAuthClient }

/**
 * Find a stored request and its app in their current state: the request ends when the app was suspended, or has lost
 * the redirect URI or a scope since.
 * @throws request_over, app_suspended, owner_inactive
 */
export async function openRequest(
  database: Database,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  requestId: string,
  now: Date,
): Promise<OpenRequest> {
  const request = await findRequest(database, requestId, now)
  if (request === undefined) throw new AuthorizeError('request_over')
  const client = await findClient(database, request.clientId)
  if (client === undefined) throw new AuthorizeError('request_over')
  const errorCode = findClientError(client)
  if (errorCode !== undefined) throw new AuthorizeError(errorCode, { client })
  const { sandbox, clientType, revision } = client
  const { callbackUrls, scopes } = revision
  const stillAvailable = request.scopes.every((scope) => scopes.includes(scope))
  if (!stillAvailable || !mayRedirectTo(request.redirectUri, { sandbox, clientType, callbackUrls }, baseUrl))
    throw new AuthorizeError('request_over', { client })
  return { requestId, request, client }
}

/** Whether a user is invited to test the app of a sandbox client and has not accepted. */
export const isOnlyInvited = async (database: Database, { client }: OpenRequest, { caller }: SignedInUser) =>
  client.sandbox && (await sandboxRoleOf(database, client, caller)) === 'invited'

/**
 * Require that the user may use what was not approved: the sandbox of an app, or a client before its first review.
 * @throws sandbox_only, client_under_review, client_rejected
 */
export async function requireTester(
  database: Database,
  { requestId, client }: OpenRequest,
  { caller }: SignedInUser,
): Promise<void> {
  if (await mayUse(database, client, caller)) return
  const nextAction = { address: `/oauth2/account?request=${requestId}`, text: 'switchAccount' as const }
  throw new AuthorizeError(unreviewedErrorOf(client) ?? 'sandbox_only', { client, wayOn: nextAction })
}

/** Why a client that waits for its first review cannot be used by all; undefined for others. */
function unreviewedErrorOf({ unreviewed, status }: OAuthClient): AuthorizeErrorCode | undefined {
  if (!unreviewed) return undefined
  return status === 'rejected' ? 'client_rejected' : 'client_under_review'
}

/**
 * Whether an account may use an app: a sandbox is for its owner and testers who accepted, and a client before its first
 * review for the people who decide about apps.
 */
async function mayUse(database: Database, client: OAuthClient, caller: Caller | undefined): Promise<boolean> {
  if (client.unreviewed) return client.status !== 'rejected' && caller !== undefined && mayTryClients(database, caller)
  if (!client.sandbox) return true
  const role = caller && (await sandboxRoleOf(database, client, caller))
  return role === 'owner' || role === 'tester'
}

/**
 * Whether an error may be sent to the redirect URI, so that our links are no open redirectors (RFC 9700, 4.11). No
 * reviewer has seen the redirect URIs of a sandbox, or of a client that AGENT_CLIENTS admits without a review. A sandbox
 * gets the errors of its owner and testers; such a client gets the errors of people who have allowed it before.
 */
export async function mayReportErrorTo(
  database: Database,
  client: OAuthClient,
  caller: Caller | undefined,
  now: Date,
): Promise<boolean> {
  if (client.isReviewed && !client.sandbox) return true
  if (!(await mayUse(database, client, caller))) return false
  if (client.registration === 'portal') return true
  return caller !== undefined && (await hasLiveGrant(database, caller.accountId, client, now))
}

/** What a person reads instead of an error that is not reported to the app. */
export function unreportedErrorOf(client: OAuthClient): AuthorizeErrorCode {
  return unreviewedErrorOf(client) ?? (client.sandbox ? 'sandbox_request_wrong' : 'client_request_wrong')
}

/** Whether an account may use clients before their first review: its owner reviews apps, or administers the service. */
const mayTryClients = async (database: Database, account: Pick<Caller, 'tenantId' | 'reviewer' | 'administrator'>) =>
  (account.reviewer || account.administrator) && (await isOperator(database, account.tenantId))

/** The redirect URI of a response, and the parameters that it repeats. */
type RedirectTarget = {
  redirectUri: string
  state: Buffer | null
  /** Our issuer identifier (RFC 9207); undefined when the app has opted out. */
  issuer: string | undefined
}

/** The redirect target of a request's response; with `iss` (RFC 9207) unless the app has opted out. */
export const redirectTargetOf = (
  { redirectUri, state }: Pick<StoredRequest, 'redirectUri' | 'state'>,
  { revision }: OAuthClient,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): RedirectTarget => ({ redirectUri, state, issuer: revision.sendIss ? baseUrl : undefined })

type AuthorizationResponse = { code: string } | { error: AuthorizationErrorCode; description: string }

/**
 * Redirect the browser to the app with a code or an error (RFC 6749, 4.1.2); 303, so that the form is not sent along.
 */
export function redirectBack(
  reply: FastifyReply,
  { redirectUri, state, issuer }: RedirectTarget,
  response: AuthorizationResponse,
) {
  const parameters: RedirectParameter[] =
    'code' in response
      ? [['code', response.code]]
      : [
          ['error', response.error],
          ['error_description', response.description],
        ]
  if (state !== null) parameters.push(['state', state])
  if (issuer !== undefined) parameters.push(['iss', issuer])
  return reply.redirect(withParameters(redirectUri, parameters), 303)
}
