import { isScope } from '@parley/contract'
import { readAuthorizationRequest, stateToReturn } from '@parley/rules/oauth/authorization-request'
import { mayRedirectTo } from '@parley/rules/oauth/redirect-uri'
import { isClientIdUrl } from '@parley/rules/oauth-apps/client-id-url'
import { isEmailAddress } from '@parley/rules/text/email-address'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../../access/network.ts'
import { approvalOf } from '../../oauth-apps/agent-clients/client-approval.ts'
import { findClient, type OAuthClient } from '../../oauth-apps/client-store.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Form, joinForms, soleText, textOf, writeForm } from '../../platform/http/form.ts'
import { addressOf } from '../../platform/http/http.ts'
import type { Dependencies } from '../dependencies.ts'
import { insertRequest } from './authorization-request-store.ts'
import { AuthorizeError } from './authorize-error.ts'
import { findClientError, mayReportErrorTo, redirectBack, redirectTargetOf, unreportedErrorOf } from './open-request.ts'
import { formOf, queryOf, requestContextOf } from './page-request.ts'
import { findSignedInUser } from './signed-in-user.ts'

/**
 * Register the authorization endpoint (RFC 6749, 3.1 and 4.1.1): validate and store the request, then redirect to its
 * consent page. A cross-site POST arrives without cookies (SameSite); the redirect carries them.
 */
export function registerAuthorizationEndpoint(pages: FastifyInstance, dependencies: Dependencies): void {
  const { database, clock, random, config, attemptLimits, refusalLog } = dependencies
  pages.route({
    method: ['GET', 'POST'],
    url: '/oauth2/authorize',
    handler: async (request, reply) => {
      // Unauthenticated requests store rows and write into an app's event log.
      await attemptLimits.countOrRefuse('authorizationsOfNetwork', networkOf(addressOf(request)))
      const now = clock.now()
      const sent = joinForms(queryOf(request), formOf(request))
      const clientId = readClientId(sent)
      if (isClientIdUrl(clientId)) {
        const admission = await admit(dependencies, request, clientId)
        if (admission.kind === 'sign-in') return reply.redirect(signInAddress(sent), 303)
      }
      const client = await findClient(database, clientId)
      if (client === undefined) throw new AuthorizeError('client_unknown')
      if (approvalOf(client, config) === 'refused') throw new AuthorizeError('client_not_allowed', { client })
      const redirectUri = readRedirectUri(sent, client, config)
      const errorCode = findClientError(client)
      if (errorCode !== undefined) throw new AuthorizeError(errorCode, { client })

      const state = stateToReturn(sent)
      const target = { redirectUri, state: state === undefined ? null : Buffer.from(state, 'latin1') }
      const reading = readAuthorizationRequest(sent, client.revision, config.baseUrl)
      if (reading.kind === 'refused') {
        const { error, description, cause = description } = reading
        refusalLog.record({
          appId: client.appId,
          sandbox: client.sandbox,
          kind: 'authorization_refused',
          cause: `${error}: ${cause}`,
          requestId: request.id,
          now,
        })
        // Logged above already: the error page would log the cause again.
        const user = await findSignedInUser(dependencies, request)
        if (!(await mayReportErrorTo(database, client, user?.caller, now))) {
          const code = unreportedErrorOf(client)
          const detail = code === 'client_request_wrong' ? `${error}: ${description}` : undefined
          throw new AuthorizeError(code, undefined, detail)
        }
        return redirectBack(reply, redirectTargetOf(target, client, config), { error, description })
      }
      const { scopes, codeChallenge = null, resource = null, prompts } = reading.request
      const stored = {
        ...target,
        scopes: scopes.filter(isScope),
        codeChallenge,
        resource,
        prompts,
        loginHint: readLoginHint(sent),
      }
      const requestId = await insertRequest(database, { clientId: client.clientId, ...stored }, { now, random })
      return reply.redirect(`/oauth2/consent?request=${requestId}`, 303)
    },
  })
}

/**
 * Return the client id; without a client there is no redirect URI to report errors to.
 * @throws client_missing, client_ambiguous
 */
function readClientId(sent: Form): string {
  const names = ['clientId', 'client_id'].map((name) => sent.get(name) ?? [])
  const [clientId, ...others] = new Set(names.flat())
  if (others.length > 0 || names.some((values) => values.length > 1)) throw new AuthorizeError('client_ambiguous')
  if (clientId === undefined || clientId === '') throw new AuthorizeError('client_missing')
  return clientId
}

/**
 * Admit a client that is named by the URL of its document.
 * @throws client_url_invalid, client_not_allowed, client_document_invalid, too_many_requests
 */
async function admit(dependencies: Dependencies, request: FastifyRequest, clientId: string) {
  const admission = await dependencies.agentClients.admit(clientId, {
    findCaller: async () => (await findSignedInUser(dependencies, request))?.caller,
    request: requestContextOf(request),
  })
  if (admission.kind === 'refused') throw new AuthorizeError(admission.code, undefined, admission.cause)
  return admission
}

/** The sign-in page, which leads back to the same request: a cross-site POST has arrived without the session too. */
const signInAddress = (sent: Form) =>
  `/sign-in?${new URLSearchParams({ next: `/oauth2/authorize?${writeForm(sent)}` })}`

/**
 * Return the redirect URI, which must be registered (RFC 9700, 4.11), or be the playground's in the sandbox.
 * @throws redirect_uri_missing, redirect_uri_unknown
 */
function readRedirectUri(sent: Form, client: OAuthClient, { baseUrl }: Pick<Config, 'baseUrl'>): string {
  const redirectUri = soleText(sent, 'redirect_uri') ?? ''
  if (redirectUri === '') throw new AuthorizeError('redirect_uri_missing', { client })
  const { sandbox, clientType, revision } = client
  if (!mayRedirectTo(redirectUri, { sandbox, clientType, callbackUrls: revision.callbackUrls }, baseUrl)) {
    const cause = `The redirect_uri ${redirectUri} is not one of the callback URLs that the app has registered.`
    throw new AuthorizeError('redirect_uri_unknown', { client, cause })
  }
  return redirectUri
}

/** Return the hint only if it is an email address, because the sign-in form fills the user's field with it. */
function readLoginHint(sent: Form): string | null {
  const hint = textOf(sent.get('login_hint')?.[0] ?? '') ?? ''
  return isEmailAddress(hint) ? hint : null
}
